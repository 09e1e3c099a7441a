/** What words are worth, by chunk and by file: Q7. */
import { describe, expect, test } from 'vitest'
import { codeWords } from '../../src/base/code-words.ts'
import type { CodeIndexReader } from '../../src/model/code-index.ts'
import { catalogueOf } from '../../src/retrieve/catalogue.ts'
import { rarity } from '../../src/retrieve/fields.ts'
import { type WordScores, wordScores } from '../../src/retrieve/sparse.ts'
import { understood } from '../../src/retrieve/understand.ts'
import { allChunks, HARBOR, indexedProject, withIndex } from '../support/packed.ts'

interface Scored {
  readonly scores: WordScores
  /** Of the chunk whose text holds this, by handle. */
  at(text: string): number
}

async function scored(index: CodeIndexReader, query: string): Promise<Scored> {
  const catalogue = await catalogueOf(index)
  const scores = await wordScores(index, catalogue, understood(query).words)
  const chunks = await allChunks(index)
  const handles = await Promise.all(chunks.map(async ({ uid }) => index.chunkHandles([uid])))
  const at = (text: string): number => {
    const place = chunks.findIndex((it) => it.text.includes(text))
    expect(place).toBeGreaterThanOrEqual(0)
    return handles[place]?.[0] ?? -1
  }
  return { scores, at }
}

function value({ scores, at }: Scored, text: string): number {
  return scores.chunks[at(text)] ?? 0
}

describe('Q7 words', () => {
  test('Q7 those that hold a word are found, and no others', async () => {
    const folder = await indexedProject(HARBOR)
    await withIndex(folder, async (index) => {
      const { scores } = await scored(index, 'draught')
      const holding = (await allChunks(index)).filter((it) =>
        codeWords(it.text).includes('draught'),
      )
      const found = await index.chunkRanges(scores.touched)
      expect(found.map((it) => it.uid)).toEqual(holding.map((it) => it.uid))
      for (const handle of scores.touched) expect(scores.chunks[handle]).toBeGreaterThan(0)
    })
  })

  test('Q7 the best chunk and the best file have 1, and nothing has more', async () => {
    const folder = await indexedProject(HARBOR)
    await withIndex(folder, async (index) => {
      for (const query of ['berth', 'tide depth hour', 'assignBerth vessel']) {
        const { scores } = await scored(index, query)
        expect(Math.max(...scores.chunks)).toBe(1)
        expect(Math.max(...scores.files)).toBe(1)
        for (const list of [scores.covered, scores.named, scores.signed, scores.inPath]) {
          expect(Math.max(...list)).toBeLessThanOrEqual(1.000001)
          expect(Math.min(...list)).toBeGreaterThanOrEqual(0)
        }
      }
    })
  })

  test('Q7 of nothing there is nothing', async () => {
    const folder = await indexedProject(HARBOR)
    await withIndex(folder, async (index) => {
      for (const query of ['', 'xylophone', 'the']) {
        const { scores } = await scored(index, query)
        expect(scores.touched).toHaveLength(0)
        expect(Math.max(0, ...scores.chunks, ...scores.files)).toBe(0)
      }
    })
  })

  test('Q7 more of the question is worth more, and so is a name', async () => {
    const folder = await indexedProject(`
//- a.ts
export function both(): string {
  return 'anchor buoy'
}
//- b.ts
export function half(): string {
  return 'anchor crane'
}
//- c.ts
export function anchor(): string {
  return 'dock crane'
}
`)
    await withIndex(folder, async (index) => {
      const two = await scored(index, 'anchor buoy')
      expect(value(two, 'anchor buoy')).toBeGreaterThan(value(two, 'anchor crane'))
      const one = await scored(index, 'anchor')
      expect(value(one, 'dock crane')).toBeGreaterThan(value(one, 'anchor crane'))
      expect(one.scores.named[one.at('dock crane')]).toBeGreaterThan(0)
      expect(one.scores.named[one.at('anchor crane')]).toBe(0)
    })
  })

  test('Q7 a rarer word is worth more, and none is worth less than nothing', () => {
    for (let holding = 0; holding < 100; holding += 1) {
      expect(rarity(100, holding)).toBeGreaterThan(rarity(100, holding + 1))
      expect(rarity(100, holding + 1)).toBeGreaterThan(0)
    }
  })
})
