/** A cap is a cap: CP5. And evidence that is asked for: CP6. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CodeIndexReader } from '../../src/model/code-index.ts'
import {
  type Budgets,
  HARD_CAPS,
  INTENTS,
  RENDERINGS,
  STRICTNESSES,
} from '../../src/model/pack-request.ts'
import type { PackWish } from '../../src/packs/context/pack-request.ts'
import { indexPath } from '../../src/packs/index/code-index.ts'
import { realFiles } from '../../src/platform/files.ts'
import { openCodeIndex } from '../../src/store/code/reader.ts'
import { indexIn } from '../support/indexed-folder.ts'
import {
  dockFiles,
  HARBOR,
  indexedProject,
  itemsOf,
  packFrom,
  packIn,
  shownIn,
  textOf,
  tokensOf,
} from '../support/packed.ts'
import { writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'

let folder = ''
let docks: CodeIndexReader

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dossier-test-'))
  for (const [path, text] of dockFiles()) writeFile(folder, path, text)
  await indexIn(folder)
  docks = openCodeIndex(realFiles, indexPath(folder))
})

afterAll(async () => {
  await docks.close()
  rmSync(folder, { recursive: true, force: true })
})

const QUERY = 'move the anchor to the jetty'
const WIDE: Budgets = {
  maxTotalChars: HARD_CAPS.maxTotalChars,
  maxTotalTokens: 3000,
  maxItems: HARD_CAPS.maxItems,
  maxItemsPerSection: HARD_CAPS.maxItemsPerSection,
  maxBytesPerItem: HARD_CAPS.maxBytesPerItem,
}

/** What of each cap a pack uses. */
async function useOf(wish: Partial<PackWish>): Promise<Readonly<Record<keyof Budgets, number>>> {
  const pack = await packFrom(docks, { query: QUERY, ...wish })
  const items = itemsOf(pack)
  return {
    maxTotalChars: textOf(pack).length,
    maxTotalTokens: await tokensOf(pack),
    maxItems: items.length,
    maxItemsPerSection: Math.max(0, ...pack.sections.map((it) => it.items.length)),
    maxBytesPerItem: Math.max(0, ...items.map((it) => Buffer.byteLength(it.excerpt.text))),
  }
}

describe('CP5 caps', () => {
  test.each(Object.keys(WIDE) as (keyof Budgets)[])(
    'CP5 %s: what a pack uses fits exactly, and one less does not',
    async (name) => {
      const used = (await useOf({ budgets: WIDE }))[name]
      expect(used).toBeGreaterThan(3)
      for (const cap of [used - 1, used, used + 1]) {
        const again = await useOf({ budgets: { ...WIDE, [name]: cap } })
        expect(again[name]).toBeLessThanOrEqual(cap)
        // Text gives way a little before its cap; what is counted in pieces is used up.
        const isText = name === 'maxTotalTokens' || name === 'maxTotalChars'
        if (cap >= used) expect(again[name]).toBeGreaterThanOrEqual(isText ? 0.95 * used : used)
      }
    },
  )

  test('CP5 small numbers are meant: one item, one per section, a handful of bytes', async () => {
    const one = await useOf({ budgets: { ...WIDE, maxItems: 1 } })
    expect(one.maxItems).toBe(1)
    const each = await useOf({ budgets: { ...WIDE, maxItemsPerSection: 1 } })
    expect(each.maxItemsPerSection).toBe(1)
    for (const maxBytesPerItem of [1, 2, 10, 100]) {
      const few = await useOf({ budgets: { ...WIDE, maxBytesPerItem } })
      expect(few.maxBytesPerItem).toBeLessThanOrEqual(maxBytesPerItem)
    }
  })

  test('CP5 the text is never over the tokens, and hardly under them while there is more', async () => {
    const wish = fc.record({
      query: fc.constantFrom(QUERY, 'crane', 'hullOf3x2', 'src/ferry/part-5.ts:20 engine'),
      intent: fc.constantFrom(...INTENTS),
      rendering: fc.constantFrom(...RENDERINGS),
      includeExplain: fc.boolean(),
    })
    const tokens = fc.oneof(
      fc.integer({ min: 300, max: 2000 }),
      fc.integer({ min: 300, max: 20_000 }),
    )
    await fc.assert(
      fc.asyncProperty(wish, tokens, async (asked, maxTotalTokens) => {
        const pack = await packFrom(docks, {
          ...asked,
          fill: true,
          budgets: { ...WIDE, maxTotalTokens },
        })
        const used = await tokensOf(pack)
        expect(pack.stats).toMatchObject({ tokens: used, chars: textOf(pack).length })
        expect(used).toBeLessThanOrEqual(maxTotalTokens)
        if (pack.stats.dropped.budget === 0) return
        // Less than one more item costs cannot be used.
        expect(maxTotalTokens - used).toBeLessThanOrEqual(Math.max(maxTotalTokens * 0.05, 70))
      }),
      runs(60),
    )
  })

  test('CP5 what the sections before it leave, the callers of something much used get', async () => {
    const callers = Array.from(
      { length: 30 },
      (_, at) => `
//- src/user-${at}.ts
import { moor } from './moor.ts'

export function caller${at}(): number {
${Array.from({ length: 12 }, (__, line) => `  const value${line} = ${at} * ${line}`).join('\n')}
  return moor(value${at % 12})
}`,
    )
    const used = await indexedProject(`
//- src/moor.ts
export function moor(rope: number): number {
  return rope + 1
}
${callers.join('\n')}`)
    const pack = await packIn(used, {
      query: '',
      fill: true,
      focus: { fileRelPath: 'src/moor.ts' },
      budgets: { ...WIDE, maxTotalTokens: 5000 },
    })
    expect(shownIn(pack, 'callers').length).toBeGreaterThan(20)
    const isFull = (await tokensOf(pack)) >= 0.95 * 5000
    expect(isFull || pack.stats.dropped.budget === 0).toBe(true)
  })

  test('CP5 hard caps hold whatever is asked for, and the pack says so', async () => {
    const asked = {
      maxTotalChars: 2_000_001,
      maxTotalTokens: 500_001,
      maxItems: 251,
      maxItemsPerSection: 81,
      maxBytesPerItem: 64_001,
    }
    const pack = await packFrom(docks, {
      query: 'crane',
      budgets: asked,
      expansion: { maxHops: 5 },
    })
    const { clamped, ...held } = pack.budgets
    const { maxHops: _, ...caps } = HARD_CAPS
    expect(held).toEqual(caps)
    const byName = Object.fromEntries(clamped.map((it) => [it.field, it.requested]))
    expect(byName).toEqual({ ...asked, maxHops: 5 })
    const applied = Object.fromEntries(clamped.map((it) => [it.field, it.applied]))
    expect(applied).toEqual(HARD_CAPS)
    expect(textOf(pack)).toContain('500001')
    expect(pack.request.budgets).toEqual(asked)
  })

  test.each(['maxTotalTokens', 'maxItems', 'maxHops'] as const)(
    'CP5 strictly, more than the hard cap of %s is refused and the cap itself is not',
    async (name) => {
      const wish = (value: number): PackWish => ({
        query: 'crane',
        strictness: 'strict',
        ...(name === 'maxHops'
          ? { expansion: { maxHops: value } }
          : { budgets: { maxTotalTokens: 1000, [name]: value } }),
      })
      const most = HARD_CAPS[name]
      await expect(packFrom(docks, wish(most + 1))).rejects.toMatchObject({
        code: 'POC_E_BUDGET_EXCEEDED',
      })
      expect((await packFrom(docks, wish(most))).budgets.clamped).toEqual([])
    },
  )

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'CP5 %s is no number of tokens',
    async (maxTotalTokens) => {
      await expect(
        packFrom(docks, { query: 'crane', budgets: { maxTotalTokens } }),
      ).rejects.toMatchObject({ code: 'POC_E_REQUEST_INVALID' })
    },
  )

  test('CP5 from one token on there is a pack that fits, or an error that says how much it takes', async () => {
    for (const maxTotalTokens of [1, 10, 20, 40, 60, 80, 120, 200]) {
      for (const rendering of RENDERINGS) {
        const budgets = { ...WIDE, maxTotalTokens }
        try {
          const pack = await packFrom(docks, { query: QUERY, rendering, budgets })
          expect(await tokensOf(pack)).toBeLessThanOrEqual(maxTotalTokens)
        } catch (error) {
          expect(error).toMatchObject({ code: 'POC_E_BUDGET_EXCEEDED' })
          expect(maxTotalTokens).toBeLessThan(100)
        }
      }
    }
  })
})

describe('CP6 evidence', () => {
  test.each(STRICTNESSES)('CP6 %s', async (strictness) => {
    const harbor = await indexedProject(HARBOR)
    const wish = (evidenceKinds: readonly ('callsite' | 'importStmt' | 'tooling')[]): PackWish => ({
      query: '',
      focus: { fileRelPath: 'src/berth.ts', line: 10 },
      intent: 'debug',
      strictness,
      expansion: { requireEvidence: true, evidenceKinds },
    })
    const none = await packIn(harbor, wish(['tooling']))
    const called = await packIn(harbor, wish(['callsite']))
    const reached = itemsOf(none).filter((it) => it.why.path.length > 0)
    if (strictness === 'strict') {
      expect(reached).toEqual([])
      expect(none.stats.dropped.noEvidence).toBeGreaterThan(0)
      expect(shownIn(called, 'callers')).toHaveLength(2)
      expect(shownIn(called, 'exports')).toEqual([])
    } else {
      expect(shownIn(none, 'callers')).toHaveLength(2)
      expect(none.stats.dropped.noEvidence).toBe(0)
    }
    const gaps = none.explain?.evidenceGaps ?? []
    if (strictness === 'warn') {
      const steps = reached.flatMap((it) =>
        it.why.path.map((_, step) => ({ chunkUid: it.chunkUid, step })),
      )
      expect(gaps).toHaveLength(steps.length)
      expect(gaps).toEqual(expect.arrayContaining(steps))
    } else expect(gaps).toEqual([])
  })

  test('CP6 what is not required is not missed', async () => {
    const harbor = await indexedProject(HARBOR)
    const pack = await packIn(harbor, {
      query: '',
      focus: { fileRelPath: 'src/berth.ts', line: 10 },
      expansion: { requireEvidence: false, evidenceKinds: ['tooling'] },
    })
    expect(pack.explain?.evidenceGaps).toEqual([])
    expect(shownIn(pack, 'callers')).toHaveLength(2)
  })
})
