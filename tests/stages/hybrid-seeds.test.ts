/** From a question to seeds: Q8. */
import { describe, expect, test } from 'vitest'
import type { Seed } from '../../src/model/candidate.ts'
import type { CodeIndexReader } from '../../src/model/code-index.ts'
import type { SeedMode, SeedProvider } from '../../src/model/pack-request.ts'
import { findSeeds } from '../../src/retrieve/seeds.ts'
import { understood } from '../../src/retrieve/understand.ts'
import { HARBOR, indexedProject, withIndex } from '../support/packed.ts'

interface Asked {
  readonly query: string
  readonly provider?: SeedProvider
  readonly mode?: SeedMode
  readonly limit?: number
}

function seedsOf(
  index: CodeIndexReader,
  { query, provider = 'hybrid', mode = 'mixed', limit = 50 }: Asked,
): Promise<readonly Seed[]> {
  return findSeeds(index, { query: understood(query), provider, mode, limit })
}

const PROVIDERS = ['sparse', 'fts', 'hybrid'] as const

describe.each(PROVIDERS)('Q8 %s', (provider) => {
  test('Q8 the best has 1, scores fall, each chunk comes once', async () => {
    const folder = await indexedProject(HARBOR)
    await withIndex(folder, async (index) => {
      for (const query of ['berth', 'how deep is the water', 'assignBerth in src/pilot.ts:5']) {
        const seeds = await seedsOf(index, { query, provider })
        const scores = seeds.map((it) => it.score)
        expect(scores[0]).toBe(1)
        expect(scores).toEqual(scores.toSorted((a, b) => b - a))
        expect(scores.every((it) => it >= 0)).toBe(true)
        expect(new Set(seeds.map((it) => it.chunk.uid)).size).toBe(seeds.length)
        expect(seeds.every((it) => Object.keys(it.vector).length > 0)).toBe(true)
        expect(seeds.every((it) => it.terms.length > 0)).toBe(true)
      }
    })
  })

  test('Q8 a limit is exact, and what it leaves is the beginning of what there is', async () => {
    const folder = await indexedProject(HARBOR)
    await withIndex(folder, async (index) => {
      const all = await seedsOf(index, { query: 'berth depth vessel', provider })
      expect(all.length).toBeGreaterThan(3)
      for (let limit = 0; limit <= all.length; limit += 1) {
        const some = await seedsOf(index, { query: 'berth depth vessel', provider, limit })
        expect(some).toHaveLength(limit)
        if (provider === 'hybrid') continue
        expect(some.map((it) => it.chunk.uid)).toEqual(
          all.slice(0, limit).map((it) => it.chunk.uid),
        )
      }
    })
  })

  test('Q8 nothing that is asked for is there: no seeds', async () => {
    const folder = await indexedProject(HARBOR)
    await withIndex(folder, async (index) => {
      for (const query of ['', 'xylophone quintet', '?!']) {
        expect(await seedsOf(index, { query, provider })).toEqual([])
      }
    })
  })
})

function scoreOfTest(seeds: readonly Seed[]): number {
  return seeds.find((it) => it.chunk.path.startsWith('test/'))?.score ?? 0
}

describe('Q8 what a question means', () => {
  test.each([
    ['a name', 'assignBerth', /function assignBerth/],
    ['its words', 'assign a berth', /function assignBerth/],
    ['other forms of them', 'assigning berths', /function assignBerth/],
    ['what its comment says', 'how deep the water is', /function depthAt/],
    ['a line of a file', 'src/pilot.ts:4', /function bringIn/],
    ['a trace', 'boom\n    at f (/app/src/pilot.ts:5:17)', /function bringIn/],
    ['what it says when it fails', '"no berth is deep enough"', /function assignBerth/],
  ])('Q8 by %s', async (_, query, title) => {
    const folder = await indexedProject(HARBOR)
    const [first] = await withIndex(folder, (index) => seedsOf(index, { query }))
    expect(first?.chunk.title).toMatch(title)
  })

  test('Q8 a line that is named comes first, whatever the other words find, and says why', async () => {
    const folder = await indexedProject(HARBOR)
    const query = 'assignBerth: no berth is deep enough, see src/pilot.ts:4'
    const [first, second] = await withIndex(folder, (index) => seedsOf(index, { query }))
    expect(first?.chunk.title).toMatch(/function bringIn/)
    expect(first?.reasons[0]).toBe('the question names line 4')
    expect(second?.chunk.title).toMatch(/function assignBerth/)
    const later = await withIndex(folder, (index) =>
      seedsOf(index, { query: 'assignBerth: no berth is deep enough\n  at src/pilot.ts:4' }),
    )
    expect(later[0]?.chunk.title).toMatch(/function assignBerth/)
    expect(later[1]?.chunk.title).toMatch(/function bringIn/)
  })

  test('Q8 source comes before the tests that repeat its words, less so where they are asked for', async () => {
    const folder = await indexedProject(HARBOR)
    await withIndex(folder, async (index) => {
      const plain = await seedsOf(index, { query: 'assignBerth' })
      const tests = await seedsOf(index, { query: 'tests for assignBerth' })
      expect(plain[0]?.chunk.path).toBe('src/berth.ts')
      expect(scoreOfTest(plain)).toBeLessThan(1)
      expect(scoreOfTest(tests)).toBeGreaterThan(scoreOfTest(plain))
    })
  })

  test('Q8 an empty repository has no seeds', async () => {
    const folder = await indexedProject('')
    await withIndex(folder, async (index) => {
      for (const provider of PROVIDERS) {
        expect(await seedsOf(index, { query: 'berth src/a.ts:3', provider })).toEqual([])
      }
    })
  })
})
