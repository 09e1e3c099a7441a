/** From a question to a pack: CP3 and CP4. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packText } from '../../src/format/pack-text.ts'
import type { SectionType } from '../../src/model/context-pack.ts'
import { INTENTS, ORDERINGS } from '../../src/model/pack-request.ts'
import { INTENT_PLANS } from '../../src/packs/context/intents.ts'
import { canonicalPack } from '../../src/packs/context/pack-id.ts'
import type { PackWish } from '../../src/packs/context/pack-request.ts'
import { createSystemClock } from '../../src/platform/clock.ts'
import { indexIn } from '../support/indexed-folder.ts'
import { HARBOR, indexedProject, itemsOf, packIn, sectionOf, shownIn } from '../support/packed.ts'
import { project, writeFile } from '../support/project.ts'

/** In the middle of what hangs together, whatever a query would find. */
const BERTH: PackWish = { query: '', focus: { fileRelPath: 'src/berth.ts', line: 10 } }

const MOOR = { fileRelPath: 'src/moor.ts', line: 4 }

/** One long caller, which many short ones call, and one that only uses what the target uses. */
const MANY_CALLERS = `
//- src/moor.ts
import { rope } from './rope.ts'

/** Makes a ship fast. */
export function moor(ship: string): string {
  return rope(ship)
}
//- src/rope.ts
export function rope(ship: string): string {
  return ship + ' is tied'
}
//- src/stranger.ts
import { rope } from './rope.ts'

export function stranger(bale: string): string {
  return rope(bale)
}
//- src/long.ts
import { moor } from './moor.ts'

export function moorLong(ships: readonly string[]): readonly string[] {
${Array.from({ length: 60 }, (_, at) => `  const line${at} = ships[${at}] ?? 'nobody at ${at}'`).join('\n')}
  return ships.map((ship) => moor(ship + line7))
}

export function moorShort(ship: string): string {
  return moor(ship)
}
${Array.from(
  { length: 20 },
  (_, at) => `//- src/calls/calls-${at}.ts
import { moorLong } from '../long.ts'

export function callsLong${at}(): number {
  return moorLong([]).length + ${at}
}
`,
).join('')}`

let harbor = ''

beforeAll(async () => {
  harbor = mkdtempSync(join(tmpdir(), 'dossier-test-'))
  for (const [path, text] of project(HARBOR)) writeFile(harbor, path, text)
  await indexIn(harbor)
})

afterAll(() => rmSync(harbor, { recursive: true, force: true }))

describe('CP3 the same question, the same pack', () => {
  test('CP3 twice the same bytes, and with a pinned time the whole file', async () => {
    const wish = { query: 'where do ships lie' }
    const [one, two] = [await packIn(harbor, wish), await packIn(harbor, wish)]
    expect(canonicalPack(two)).toBe(canonicalPack(one))
    const clock = createSystemClock('1700000000')
    const [three, four] = [
      await packIn(harbor, wish, { clock }),
      await packIn(harbor, wish, { clock }),
    ]
    expect(JSON.stringify(four)).toBe(JSON.stringify(three))
    expect(three.createdAt).toBe('2023-11-14T22:13:20.000Z')
    expect(Object.values(three.stats.timings).every((it) => it === 0)).toBe(true)
  })

  test('CP3 another state of the repository is another pack under another id', async () => {
    const folder = await indexedProject(HARBOR)
    const wish = { query: 'assignBerth' }
    const before = await packIn(folder, wish)
    const text = readFileSync(join(folder, 'src/berth.ts'), 'utf8')
    writeFile(folder, 'src/berth.ts', text.replace('>= draught', '> draught + 1'))
    await indexIn(folder)
    const after = await packIn(folder, wish)
    expect(after.indexSignature).not.toBe(before.indexSignature)
    expect(after.packId).not.toBe(before.packId)
    expect(canonicalPack(after)).not.toBe(canonicalPack(before))
    expect(packText(after, 'markdown')).toContain('> draught + 1')
    writeFile(folder, 'src/berth.ts', text)
    await indexIn(folder)
    expect(canonicalPack(await packIn(folder, wish))).toBe(canonicalPack(before))
  })

  test('CP3 another question has another id, and where the index lies makes no difference', async () => {
    const ids = new Set<string>()
    const wishes: readonly PackWish[] = [
      { query: 'berth' },
      { query: 'berth ' },
      { query: 'berth', intent: 'debug' },
      { query: 'berth', strictness: 'loose' },
      { query: 'berth', budgets: { maxItems: 3 } },
      { query: 'berth', rendering: 'xml' },
    ]
    for (const wish of wishes) ids.add((await packIn(harbor, wish)).packId)
    expect(ids.size).toBe(wishes.length)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('CP2 scores', () => {
  test.each(['hybrid', 'sparse', 'fts'] as const)(
    'CP2 by %s, every score is made of the terms that are told',
    async (seedProvider) => {
      const wishes: readonly PackWish[] = [
        { query: 'which berth is deep enough for a ship', seedProvider },
        { query: 'src/tide.ts:5 berth', seedProvider, intent: 'impact' },
        { ...BERTH, query: 'tide', seedProvider, intent: 'debug' },
      ]
      for (const wish of wishes) {
        const pack = await packIn(harbor, wish)
        expect(itemsOf(pack).length).toBeGreaterThan(2)
        for (const { chunkUid, scores, why } of itemsOf(pack)) {
          const { terms = {}, seedTerms = {} } = pack.explain ?? {}
          expect(sumOf(terms[chunkUid])).toBeCloseTo(scores.hybridScore, 5)
          const isPower = seedProvider === 'hybrid' && why.rule !== 'focus'
          const sum = sumOf(seedTerms[chunkUid])
          const seedScore = chunkUid in seedTerms ? (isPower ? Math.exp(sum) : sum) : 0
          expect(seedScore).toBeCloseTo(scores.seedScore, 4)
        }
      }
    },
  )
})

function sumOf(terms: readonly { readonly value: number }[] = []): number {
  return terms.reduce((sum, it) => sum + it.value, 0)
}

describe('CP4 sections', () => {
  test('CP4 each holds what its name says', async () => {
    const pack = await packIn(harbor, { ...BERTH, intent: 'debug' })
    expect(shownIn(pack, 'seeds')[0]).toMatch(/^src\/berth\.ts export function assignBerth/)
    expect(shownIn(pack, 'callers')).toEqual([
      expect.stringMatching(/^src\/pilot\.ts export function bringIn/),
      expect.stringMatching(/^src\/office\.ts export function openOffice/),
    ])
    expect(shownIn(pack, 'callees')).toEqual([
      expect.stringMatching(/^src\/tide\.ts export function depthAt/),
    ])
    expect(shownIn(pack, 'tests')).toEqual([expect.stringMatching(/^test\/berth\.test\.ts /)])
    expect(shownIn(pack, 'docs')).toEqual([expect.stringMatching(/^README\.md /)])
    expect(shownIn(pack, 'usages').join()).toMatch(/src\/berth\.ts export interface Berth/)
    expect(shownIn(pack, 'usages').join()).toMatch(/src\/pilot\.ts import/)
    expect(shownIn(pack, 'exports')).toEqual([])
  })

  test('CP4 what a file imports is among the imports', async () => {
    const pack = await packIn(harbor, { query: '', focus: { fileRelPath: 'src/office.ts' } })
    const found = [...shownIn(pack, 'callees'), ...shownIn(pack, 'imports')]
    expect(found.join()).toMatch(/src\/pilot\.ts export function bringIn/)
  })

  test.each(INTENTS)(
    'CP4 %s: in the order of its table, none empty, none twice',
    async (intent) => {
      for (const wish of [
        { ...BERTH, intent },
        { query: 'berth', intent },
      ]) {
        const pack = await packIn(harbor, wish)
        const order: readonly SectionType[] = INTENT_PLANS[intent].sections.map((it) => it.type)
        const types = pack.sections.map((it) => it.type)
        expect(types).toEqual(order.filter((it) => types.includes(it)))
        expect(pack.sections.every((it) => it.items.length > 0)).toBe(true)
        const uids = itemsOf(pack).map((it) => it.chunkUid)
        expect(new Set(uids).size).toBe(uids.length)
        expect(pack.stats.itemsPerSection).toEqual(
          Object.fromEntries(pack.sections.map((it) => [it.type, it.items.length])),
        )
      }
    },
  )

  test('CP4 every table of an intent names all ten sections once, with shares of at most all', () => {
    for (const { sections } of Object.values(INTENT_PLANS)) {
      expect(new Set(sections.map((it) => it.type)).size).toBe(10)
      expect(sections).toHaveLength(10)
      const sum = sections.reduce((all, it) => all + it.share, 0)
      expect(sum).toBeLessThanOrEqual(1.0001)
    }
  })

  test('CP4 impact shows who calls, the nearest first', async () => {
    const pack = await packIn(harbor, { ...BERTH, intent: 'impact' })
    const { items = [] } = sectionOf(pack, 'callers') ?? {}
    expect(items.map((it) => it.scores.graphDistance)).toEqual([1])
    expect(items[0]?.why.path).toHaveLength(1)
    expect(pack.impact?.callers.places.map((it) => it.depth)).toEqual([1, 2])
    const filled = await packIn(harbor, { ...BERTH, intent: 'impact', fill: true })
    const all = sectionOf(filled, 'callers')?.items ?? []
    expect(all.map((it) => it.scores.graphDistance)).toEqual([1, 2])
  })

  test('CP4 so it does for a question, though those who call share its words', async () => {
    const pack = await packIn(harbor, { query: 'what does assignBerth give', intent: 'impact' })
    expect(shownIn(pack, 'seeds')[0]).toMatch(/function assignBerth/)
    const { items = [] } = sectionOf(pack, 'callers') ?? {}
    expect(items.map((it) => [it.fileRelPath, it.scores.graphDistance])).toEqual([
      ['src/pilot.ts', 1],
      ['src/office.ts', 2],
    ])
    expect(items[0]?.scores.seedScore).toBeGreaterThan(0)
    expect(shownIn(pack, 'tests')).toEqual([expect.stringMatching(/^test\/berth\.test\.ts /)])
    const answer = await packIn(harbor, { query: 'assignBerth', intent: 'answer', fill: true })
    expect(shownIn(answer, 'seeds')[0]).toMatch(/function assignBerth/)
    expect(shownIn(answer, 'callers').join()).toMatch(/function bringIn/)
  })

  test('CP4 impact shows what leads in, and nothing that merely uses the same', async () => {
    const folder = await indexedProject(MANY_CALLERS)
    const wish = { query: 'moor', intent: 'impact', focus: MOOR } as const
    const pack = await packIn(folder, { ...wish, budgets: { maxTotalTokens: 20_000 } })
    expect(shownIn(pack, 'callees')).toEqual([])
    expect(shownIn(pack, 'imports')).toEqual([])
    const callers = shownIn(pack, 'callers').join()
    expect(callers).toMatch(/function moorLong/)
    expect(callers).not.toMatch(/function stranger/)
    const steps = itemsOf(pack).flatMap((it) => it.why.path)
    const [target] = itemsOf(pack)
    expect(steps.filter((it) => it.from === target?.symbolId)).toEqual([])
    const both = await packIn(folder, { ...wish, expansion: { direction: 'both' } })
    expect(shownIn(both, 'callees').join()).toMatch(/function rope/)
    const strange = await packIn(folder, { ...wish, query: 'stranger', fill: true })
    expect(shownIn(strange, 'seeds')).toHaveLength(1)
    expect(shownIn(strange, 'related').join()).toMatch(/function stranger/)
  })

  test('CP4 impact shows no callers of what it does not show, nor the far before the near', async () => {
    const folder = await indexedProject(MANY_CALLERS)
    let isTight = false
    for (let maxTotalTokens = 250; maxTotalTokens <= 2500; maxTotalTokens += 75) {
      const pack = await packIn(folder, {
        query: '',
        intent: 'impact',
        focus: MOOR,
        budgets: { maxTotalTokens },
      })
      const names = shownIn(pack, 'callers').map((it) => /function (\w+)/.exec(it)?.[1] ?? '')
      const far = names.filter((it) => it.startsWith('callsLong'))
      if (far.length > 0) expect(names).toEqual(expect.arrayContaining(['moorLong', 'moorShort']))
      if (names.length > 0 && far.length < 20) isTight = true
    }
    expect(isTight).toBe(true)
  })

  test('CP4 one direction alone, no hops, and no imports', async () => {
    const all = { ...BERTH, intent: 'debug' } as const
    const outwards = await packIn(harbor, { ...all, expansion: { direction: 'out' } })
    expect(shownIn(outwards, 'callers')).toEqual([])
    expect(shownIn(outwards, 'callees')).not.toEqual([])
    const inwards = await packIn(harbor, { ...all, expansion: { direction: 'in' } })
    expect(shownIn(inwards, 'callees')).toEqual([])
    expect(shownIn(inwards, 'callers')).not.toEqual([])
    const alone = await packIn(harbor, { ...all, expansion: { maxHops: 0 } })
    expect(alone.sections.map((it) => it.type)).toEqual(['seeds'])
    const near = await packIn(harbor, { ...all, expansion: { maxHops: 1 } })
    expect(Math.max(...itemsOf(near).map((it) => it.scores.graphDistance))).toBe(1)
    const without = await packIn(harbor, { ...all, expansion: { includeImports: false } })
    const rules = itemsOf(without).map((it) => it.why.rule)
    expect(rules).not.toContain('import-neighbor')
    expect(itemsOf(without).some((it) => it.why.path.some((at) => at.edgeType === 'import'))).toBe(
      false,
    )
  })

  test('CP4 what only the graph has found scores less than every seed, and stands behind them', async () => {
    for (const primary of ORDERINGS) {
      const pack = await packIn(harbor, { ...BERTH, query: 'tide', ordering: { primary } })
      const seeds = itemsOf(pack).filter((it) => it.scores.seedScore > 0)
      const others = itemsOf(pack).filter((it) => it.scores.seedScore === 0)
      const least = Math.min(...seeds.map((it) => it.scores.hybridScore))
      for (const it of others) expect(it.scores.hybridScore).toBeLessThan(least)
      expect(sectionOf(pack, 'seeds')?.items.every((it) => it.scores.graphDistance === 0)).toBe(
        true,
      )
    }
  })
})
