/** What two packs differ in: told once, for what it is. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ContextItem, ContextPack } from '../../src/model/context-pack.ts'
import { diffPacks } from '../../src/packs/context/pack-diff.ts'
import { differencesOf } from '../../src/packs/context/value-differences.ts'
import { sketchedItem, sketchedPack } from '../support/kept-packs.ts'
import { runs } from '../support/property.ts'

function item(number: number, changes: Partial<ContextItem> = {}): ContextItem {
  const chunkUid = `xxh64:${String(number).padStart(16, '0')}`
  return sketchedItem({ chunkUid, title: `piece ${number}`, ...changes })
}

function packOf(items: readonly ContextItem[], changes: Partial<ContextPack> = {}): ContextPack {
  const pack = sketchedPack({ query: 'ship' })
  return {
    ...pack,
    sections: [{ type: 'seeds', title: 'Seeds', items, omitted: [] }],
    ...changes,
  }
}

const titles = (all: readonly { readonly title: string }[]): readonly string[] =>
  all.map((it) => it.title)

describe('PK11 diff', () => {
  test('PK11 what comes in above moves nothing', () => {
    const before = packOf([item(1), item(2), item(3)])
    const after = packOf([item(9), item(1), item(2), item(3)])
    const diff = diffPacks(before, after)
    expect(titles(diff.entered)).toEqual(['piece 9'])
    expect(diff).toMatchObject({ left: [], moved: [], shown: [], isEqual: false })
  })

  test('PK11 one that went up is the one that moved, with the scores that moved it', () => {
    const scores = { seedScore: 1, graphDistance: 0, evidenceScore: 1, hybridScore: 0.5 }
    const before = packOf([item(1), item(2), item(3, { scores })])
    const explain = {
      query: { words: [], identifiers: [], paths: [], phrases: [] },
      terms: { 'xxh64:0000000000000003': [{ name: 'seed', value: 0.5 }] },
      seedTerms: { 'xxh64:0000000000000003': [{ name: 'path', value: 0.25 }] },
      evidenceGaps: [],
      leftOut: [],
      notes: [],
    }
    const better = { ...scores, hybridScore: 0.9 }
    const after = packOf([item(3, { scores: better }), item(1), item(2)], { explain })
    const diff = diffPacks(before, after)
    expect(titles(diff.moved)).toEqual(['piece 3'])
    expect(diff.moved[0]).toMatchObject({ rank: 1, from: { section: 'seeds', rank: 3 } })
    expect(diff.moved[0]?.scores).toEqual([
      { place: 'hybridScore', before: 0.5, after: 0.9 },
      { place: 'terms.path', after: 0.25 },
      { place: 'terms.seed', after: 0.5 },
    ])
  })

  test('PK11 another section is a move', () => {
    const tests = { type: 'tests' as const, title: 'Tests', items: [item(2)], omitted: [] }
    const before = packOf([item(1), item(2)])
    const after = packOf([item(1)])
    const diff = diffPacks(before, { ...after, sections: [...after.sections, tests] })
    expect(diff.moved).toMatchObject([{ section: 'tests', from: { section: 'seeds' } }])
  })

  test('PK11 another level of detail is told as such', () => {
    const { excerpt } = item(1)
    const short = item(1, { excerpt: { ...excerpt, level: 'title', text: '', parts: [] } })
    const diff = diffPacks(packOf([item(1)]), packOf([short]))
    expect(diff.shown).toMatchObject([{ level: 'title', from: { level: 'whole' } }])
    expect(diff.entered).toEqual([])
  })

  test('PK11 an edited piece is one piece, unless two share its name', () => {
    const symbolId = 'scip:x . . . a/dock().'
    const [old, now] = [item(1, { symbolId }), item(2, { symbolId })]
    const edited = diffPacks(packOf([old]), packOf([now]))
    expect(edited).toMatchObject({ entered: [], left: [] })
    const two = diffPacks(packOf([old]), packOf([now, item(3, { symbolId })]))
    expect(two.entered.length).toBe(2)
    expect(two.left.length).toBe(1)
  })

  test('PK11 says why something is not there, as far as the other pack knows', () => {
    const leftOut = [
      {
        chunkUid: item(2).chunkUid,
        fileRelPath: 'a',
        lines: { start: 1, end: 2 },
        title: 'b',
        reason: 'duplicate' as const,
      },
    ]
    const query = { words: [], identifiers: [], paths: [], phrases: [] }
    const explain = { query, terms: {}, seedTerms: {}, evidenceGaps: [], leftOut, notes: [] }
    const after = packOf([item(1)], {
      explain,
      seeds: [{ ...item(3), vector: {} }],
    })
    const diff = diffPacks(packOf([item(1), item(2), item(3), item(4)]), after)
    expect(diff.left.map((it) => it.why[0])).toEqual([
      'now: left out (duplicate)',
      'now: hit 1 of the query, and left out',
      'now: not found',
    ])
  })

  test('PK11 for any two orders: all is accounted for, and moving back what moved is enough', () => {
    const some = fc.uniqueArray(fc.nat(12), { maxLength: 10 })
    fc.assert(
      fc.property(some, some, (before, after) => {
        const [one, other] = [before, after].map((all) => packOf(all.map((it) => item(it))))
        if (one === undefined || other === undefined) return
        const diff = diffPacks(one, other)
        const common = after.filter((it) => before.includes(it))
        expect(diff.entered.length).toBe(after.length - common.length)
        expect(diff.left.length).toBe(before.length - common.length)
        const moved = new Set(diff.moved.map((it) => it.chunkUid))
        const still = common.filter((it) => !moved.has(item(it).chunkUid))
        expect(before.filter((it) => still.includes(it))).toEqual(still)
        expect(moved.size).toBeLessThan(Math.max(1, common.length))
        expect(diff.isEqual).toBe(JSON.stringify(before) === JSON.stringify(after))
      }),
      runs(300),
    )
  })
})

test('PK11 differences are none exactly where two values are the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect([...differencesOf(a, structuredClone(a))]).toEqual([])
      const isSame = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
      // An empty list and a list of nothing say the same.
      if (!isSame && !hasEmpty(a) && !hasEmpty(b))
        expect([...differencesOf(a, b)].length).toBeGreaterThan(0)
    }),
    runs(300),
  )
})

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, sorted(each)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

function hasEmpty(value: unknown): boolean {
  return JSON.stringify(value).match(/\[\]|\{\}/) !== null
}
