/** A budget is a cap, not a quota: CP16. How sure a pack is: CP17. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { whyOf } from '../../src/format/pack-explain.ts'
import type { ContextItem, ContextPack } from '../../src/model/context-pack.ts'
import { INTENTS, RENDERINGS } from '../../src/model/pack-request.ts'
import type { PackWish } from '../../src/packs/context/pack-request.ts'
import { indexIn } from '../support/indexed-folder.ts'
import {
  dockFiles,
  HARBOR,
  indexedProject,
  itemsOf,
  packIn,
  textOf,
  tokensOf,
} from '../support/packed.ts'
import { writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'

let docks = ''

beforeAll(async () => {
  docks = mkdtempSync(join(tmpdir(), 'dossier-test-'))
  for (const [path, text] of dockFiles()) writeFile(docks, path, text)
  await indexIn(docks)
})

afterAll(() => rmSync(docks, { recursive: true, force: true }))

const QUERY = 'move the anchor to the jetty'

const wishes: fc.Arbitrary<PackWish> = fc.record({
  query: fc.constantFrom(
    QUERY,
    'crane',
    'hullOf1x0',
    'who calls `hullOf1x0`',
    'gangWay nowhereAtAll',
  ),
  intent: fc.constantFrom(...INTENTS),
  rendering: fc.constantFrom(...RENDERINGS),
  fill: fc.boolean(),
  budgets: fc.record({ maxTotalTokens: fc.integer({ min: 300, max: 12_000 }) }),
})

function linesOf(path: string): readonly string[] {
  return readFileSync(join(docks, path), 'utf8').split('\n')
}

/** What is quoted with its line stands on that line, as it is spelled. */
function expectTrueReasons(item: ContextItem): number {
  const quoted = item.why.reasons.flatMap((it) => [...it.matchAll(/`([^`]+)` \(line (\d+)\)/g)])
  for (const [, name = '', line = ''] of quoted) {
    const own = name.split(/\.|::|#|->/).at(-1) ?? ''
    expect(linesOf(item.fileRelPath)[Number(line) - 1]).toContain(own)
  }
  for (const { line, fileRelPath } of item.why.evidence) {
    expect(linesOf(fileRelPath).length).toBeGreaterThanOrEqual(line)
  }
  return quoted.length
}

describe('CP16 a cap, not a quota', () => {
  test('CP16 room is left for what is not worth it, and fill uses it', async () => {
    const wish = { query: QUERY, budgets: { maxTotalTokens: 8000 } }
    const pack = await packIn(docks, wish)
    const filled = await packIn(docks, { ...wish, fill: true })
    expect(await tokensOf(filled)).toBeGreaterThanOrEqual(0.95 * 8000)
    expect(await tokensOf(pack)).toBeLessThan(0.85 * 8000)
    expect(itemsOf(pack).length).toBeGreaterThan(0)
    expect(pack.pointers.length).toBeGreaterThan(0)
    expect(pack.stats.dropped.budget).toBeGreaterThanOrEqual(pack.pointers.length)
    expect(pack.request.fill).toBe(false)
    expect(pack.packId).not.toBe(filled.packId)
  })

  test('CP16 what is named is a place that is there, shown nowhere else, in the order of likelihood', async () => {
    const pack = await packIn(docks, { query: QUERY, budgets: { maxTotalTokens: 16_000 } })
    const shown = new Set(itemsOf(pack).map((it) => it.chunkUid))
    expect(pack.pointers.length).toBeGreaterThan(5)
    const scores = pack.pointers.map((it) => it.scores.seedScore)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    for (const item of pack.pointers) {
      expect(shown.has(item.chunkUid)).toBe(false)
      expect(item.excerpt).toMatchObject({ level: 'title', text: '' })
      expect(linesOf(item.fileRelPath).length).toBeGreaterThanOrEqual(item.lines.end)
      const { start, end } = item.lines
      expect(textOf(pack)).toContain(`- ${item.fileRelPath}:${start}-${end}`)
    }
    expect(textOf(pack)).toContain('## Also possible\n')
  })

  test('CP16 whatever is asked, caps hold, and all that is shown or named has a true reason', async () => {
    let quoted = 0
    let named = 0
    await fc.assert(
      fc.asyncProperty(wishes, async (wish) => {
        const pack = await packIn(docks, wish)
        const most = wish.budgets?.maxTotalTokens ?? 0
        const used = await tokensOf(pack)
        expect(used).toBeLessThanOrEqual(most)
        expect(pack.stats).toMatchObject({ tokens: used, chars: textOf(pack).length })
        expect(pack.pointers.length).toBeLessThanOrEqual(40)
        named += pack.pointers.length
        for (const item of [...itemsOf(pack), ...pack.pointers]) {
          expect(whyOf([item])).not.toMatch(/^$|^found by the query$/)
          quoted += expectTrueReasons(item)
        }
      }),
      runs(40),
    )
    expect(quoted).toBeGreaterThan(5)
    expect(named).toBeGreaterThan(20)
  })

  test('CP16 what the best find calls is there though it shares no word, and the reason says so', async () => {
    const folder = await indexedProject(`
//- src/title.ts
import { surveyAll } from './survey.ts'

/** Whether a title of an owner is valid. */
export function checkTitle(owner: string): boolean {
  return surveyAll(owner.length)
}
//- src/survey.ts
export function surveyAll(size: number): boolean {
  return size > 3
}
`)
    const pack = await packIn(folder, { query: 'is the title of an owner valid' })
    const called = itemsOf(pack).filter((it) => it.fileRelPath === 'src/survey.ts')
    expect(whyOf(called)).toBe('called by `checkTitle` (src/title.ts:5)')
  })
})

test('CP16 neighbours of a focus are named by their titles, and shown with fill', async () => {
  const folder = await indexedProject(HARBOR)
  const wish = { query: '', focus: { fileRelPath: 'src/berth.ts', line: 10 } }
  const levels = async (fill: boolean): Promise<readonly (readonly string[])[]> =>
    itemsOf(await packIn(folder, { ...wish, fill }))
      .filter((it) => ['src/tide.ts', 'src/office.ts'].includes(it.fileRelPath))
      .map((it) => [it.fileRelPath, it.excerpt.level])
      .filter(([, level]) => level !== 'title' || !fill)
  expect(await levels(false)).toEqual(
    expect.arrayContaining([
      ['src/office.ts', 'title'],
      ['src/tide.ts', 'title'],
    ]),
  )
  expect(await levels(true)).toEqual(expect.arrayContaining([['src/tide.ts', 'whole']]))
})

/** The line below what the pack is about. */
function sentence(pack: ContextPack): string {
  return textOf(pack).split('\n')[2] ?? ''
}

describe('CP17 confidence', () => {
  test('CP17 a name that is defined is a sure find, and nothing is said', async () => {
    const pack = await packIn(await indexedProject(HARBOR), { query: 'assignBerth' })
    expect(pack.confidence).toMatchObject({ level: 'high', unknown: [] })
    expect(pack.confidence.likelihood).toBeGreaterThan(0.5)
    expect(sentence(pack)).toMatch(/^bringIn → assignBerth → depthAt/)
  })

  test('CP17 in another case it is known as well', async () => {
    const pack = await packIn(await indexedProject(HARBOR), { query: 'BERTH' })
    expect(pack.confidence.unknown).toEqual([])
  })

  test('CP17 a name that nothing holds is named', async () => {
    const folder = await indexedProject(HARBOR)
    const pack = await packIn(folder, { query: 'does `assignBerth` call `sinkShip` or floatShip' })
    expect(pack.confidence.unknown).toEqual(['sinkShip', 'floatShip'])
    expect(sentence(pack)).toBe('Nothing found names `sinkShip` or `floatShip`.')
    const xml = await packIn(folder, { query: 'berth or sinkShip', rendering: 'xml' })
    expect(textOf(xml)).toContain('notice="Nothing found names `sinkShip`."')
  })

  test('CP17 where many are as good as the best, it says so', async () => {
    const pack = await packIn(docks, { query: 'push raiseSunkenTown' })
    expect(pack.confidence).toMatchObject({ level: 'low', unknown: ['raiseSunkenTown'] })
    expect(sentence(pack)).toBe('Only weak matches: nothing found names `raiseSunkenTown`.')
  })

  test('CP17 nothing found is no confidence, and a focus is all of it', async () => {
    const folder = await indexedProject(HARBOR)
    const none = await packIn(folder, { query: 'zzyzx' })
    expect(none.confidence).toEqual({ level: 'none', likelihood: 0, unknown: ['zzyzx'] })
    const focus = { fileRelPath: 'src/berth.ts' }
    const sure = await packIn(folder, { query: '', focus })
    expect(sure.confidence).toEqual({ level: 'high', likelihood: 1, unknown: [] })
  })
})
