/** Words in the store of the code index: found where they stand, and ranked as the formulas say. */
import { describe, expect, test } from 'vitest'
import type { CodeIndexReader } from '../../src/model/code-index.ts'
import { type FileRecord, WORD_FIELDS } from '../../src/model/index-record.ts'
import { realFiles } from '../../src/platform/files.ts'
import { openCodeIndex } from '../../src/store/code/reader.ts'
import { madeFile, pathOf, SMALL, wordOf } from '../support/code-records.ts'
import { buildIndex, indexPath, reading, writerAt } from '../support/code-store.ts'
import { temporaryFolder } from '../support/project.ts'

const FILES = Array.from({ length: SMALL.files }, (_, at) => madeFile(at, SMALL))
const WORDS = Array.from({ length: SMALL.vocabulary }, (_, at) => wordOf(at))
const WEIGHTS = [1, 6, 3, 2, 1]

async function builtReader(): Promise<{ readonly reader: CodeIndexReader }> {
  const folder = temporaryFolder()
  await buildIndex(folder, FILES)
  return { reader: openCodeIndex(realFiles, indexPath(folder)) }
}

describe('N4 words', () => {
  test('N4 are found where they stand, as often as they stand there', async () => {
    const { reader } = await builtReader()
    const counted = await reader.wordFrequencies([...WORDS, 'nowhere'], 1e9)
    const countedSoFar = await reader.wordFrequencies([...WORDS, 'nowhere'], 4)
    const found = await reader.postings([...WORDS, 'nowhere'])
    for (const { word, handles, fields, counts, frequency } of found) {
      const places = await reader.chunkRanges(handles)
      const entries = places.map(({ uid }, at) => `${uid} ${fields[at]} ${counts[at]}`)
      const expected = naivePostings(FILES, word)
      expect(entries.toSorted()).toEqual(expected.map((it) => it.text).toSorted())
      expect(frequency).toBe(new Set(expected.map((it) => it.uid)).size)
    }
    expect(found.some((it) => it.frequency > 10)).toBe(true)
    expect(counted).toEqual(found.map((it) => it.frequency))
    expect(countedSoFar).toEqual(counted.map((it) => Math.min(it, 4)))
    await reader.close()
  })

  test('N4 have lengths and averages', async () => {
    const { reader } = await builtReader()
    const [first] = await reader.postings([wordOf(0)])
    const handles = first?.handles ?? new Uint32Array()
    const lengths = await reader.fieldLengths(handles)
    const byUid = new Map(
      FILES.flatMap((file) =>
        file.chunks.map((it, at) => [it.uid, file.words.lengths.slice(at * 5, at * 5 + 5)]),
      ),
    )
    for (const [at, { uid }] of (await reader.chunkRanges(handles)).entries()) {
      expect(lengths.slice(at * 5, at * 5 + 5)).toEqual(byUid.get(uid))
    }
    const sums = WORD_FIELDS.map((_, field) =>
      [...byUid.values()].reduce((sum, it) => sum + (it[field] ?? 0), 0),
    )
    expect(await reader.corpus()).toEqual({ chunks: byUid.size, lengths: sums })
    await reader.close()
  })

  test('N4 full-text search ranks as its formula says, also after changes', async () => {
    const folder = temporaryFolder()
    await buildIndex(folder, [...FILES, madeFile(40, SMALL), madeFile(41, SMALL)])
    const writer = writerAt(folder)
    await writer.begin()
    await writer.remove([pathOf(40), pathOf(41)])
    await writer.put([madeFile(2, SMALL, 9)])
    await writer.commit()
    await writer.close()
    const files = FILES.map((it) => (it.path === pathOf(2) ? madeFile(2, SMALL, 9) : it))
    for (const words of [[wordOf(0)], [wordOf(20), wordOf(7)], WORDS.slice(20, 40)]) {
      const query = { words, weights: WEIGHTS, limit: 8 }
      const counted = await reading(folder, (it) => it.wordFrequencies(words, 1e9))
      const holding = words.map((it) => new Set(naivePostings(files, it).map(({ uid }) => uid)))
      expect(counted).toEqual(holding.map((it) => it.size))
      const hits = await reading(folder, (it) => it.searchFullText(query))
      const expected = naiveFullText(files, words)
      expect(hits.map((it) => it.uid)).toEqual(expected.slice(0, 8).map((it) => it.uid))
      for (const [at, hit] of hits.entries()) {
        expect(hit.score).toBeCloseTo(expected[at]?.score ?? 0, 9)
      }
    }
  })

  test('N4 may be any text', async () => {
    const odd = ['Ab', 'ab', 'a b', 'a"b', '%', '%41;', 'x\0y', '_$', '日本', 'é', "'", '*', '\n']
    const words = odd.toSorted()
    const [file] = FILES
    if (file === undefined) throw new Error('no file')
    const chunk = file.chunks.slice(0, 1)
    const counts = Uint32Array.from(words.flatMap((_, at) => [at, 0, at % 5, at + 1]))
    const lengths = new Uint32Array(5)
    words.forEach((_, at) => {
      lengths[at % 5] = (lengths[at % 5] ?? 0) + at + 1
    })
    const folder = temporaryFolder()
    await buildIndex(folder, [{ ...file, chunks: chunk, words: { words, counts, lengths } }])
    await reading(folder, async (reader) => {
      for (const [at, it] of (await reader.postings(words)).entries()) {
        expect([it.word, ...it.fields, ...it.counts]).toEqual([words[at], at % 5, at + 1])
        const hits = await reader.searchFullText({ words: [it.word], weights: [], limit: 5 })
        expect(hits.map((hit) => hit.uid)).toEqual([chunk[0]?.uid])
      }
      const none = await reader.searchFullText({
        words: ['a', 'b', 'x', '41'],
        weights: [],
        limit: 5,
      })
      expect(none).toEqual([])
    })
  })
})

function naivePostings(files: readonly FileRecord[], word: string) {
  return files.flatMap(({ chunks, words }) =>
    chunkEntries(words).flatMap(([number, chunk, field, count]) => {
      const uid = chunks[chunk]?.uid ?? ''
      return words.words[number] === word ? [{ uid, text: `${uid} ${field} ${count}` }] : []
    }),
  )
}

type WordEntry = [number, number, number, number]

function chunkEntries({ counts }: FileRecord['words']): readonly WordEntry[] {
  const entry = (at: number): WordEntry => {
    const [word = 0, chunk = 0, field = 0, count = 0] = counts.subarray(at * 4)
    return [word, chunk, field, count]
  }
  return Array.from({ length: counts.length / 4 }, (_, at) => entry(at))
}

/** SQLite's documented bm25, with k1 = 1.2 and b = 0.75. */
function naiveFullText(files: readonly FileRecord[], words: readonly string[]) {
  const chunks = files.flatMap((file) =>
    file.chunks.map((it, at) => {
      const own = chunkEntries(file.words).filter((entry) => entry[1] === at)
      const frequency = (word: string): number =>
        own
          .filter((entry) => file.words.words[entry[0]] === word)
          .reduce((sum, entry) => sum + (WEIGHTS[entry[2]] ?? 0) * entry[3], 0)
      const size = own.reduce((sum, entry) => sum + entry[3], 0)
      return { uid: it.uid, path: file.path, start: it.start, size, found: words.map(frequency) }
    }),
  )
  const average = chunks.reduce((sum, it) => sum + it.size, 0) / chunks.length
  const idf = words.map((_, at) => {
    const hits = chunks.filter((it) => (it.found[at] ?? 0) > 0).length
    return Math.max(1e-6, Math.log((chunks.length - hits + 0.5) / (hits + 0.5)))
  })
  return chunks
    .filter((it) => it.found.some((frequency) => frequency > 0))
    .map((it) => {
      const norm = 1.2 * (0.25 + (0.75 * it.size) / average)
      const terms = it.found.map((found, at) => ((idf[at] ?? 0) * found * 2.2) / (found + norm))
      return { ...it, score: terms.reduce((sum, term) => sum + term, 0) }
    })
    .toSorted((a, b) =>
      Math.abs(a.score - b.score) > 1e-12
        ? b.score - a.score
        : a.path === b.path
          ? a.start - b.start
          : a.path < b.path
            ? -1
            : 1,
    )
}
