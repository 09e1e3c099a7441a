/** What a reader keeps at hand makes it faster and changes no answer. */
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CodeIndexReader } from '../../src/model/code-index.ts'
import type { ChunkRecord, FileRecord, ResolvedFile } from '../../src/model/index-record.ts'
import { realFiles } from '../../src/platform/files.ts'
import { openCodeIndex } from '../../src/store/code/reader.ts'
import { QUESTIONS, sampleOf } from '../support/backends.ts'
import { madeFile, madeResolved, pathOf, SMALL } from '../support/code-records.ts'
import { buildIndex, indexPath, reading, writerAt } from '../support/code-store.ts'
import { temporaryFolder, withFolder } from '../support/project.ts'
import { runs } from '../support/property.ts'

const FILES = Array.from({ length: 12 }, (_, at) => madeFile(at, SMALL))
const RESOLVED = Array.from({ length: 12 }, (_, at) => madeResolved(at, SMALL))

async function answersOf(reader: CodeIndexReader, from: CodeIndexReader): Promise<unknown> {
  const sample = await sampleOf(from)
  const answers: [string, unknown][] = []
  for (const [method, question] of Object.entries(QUESTIONS)) {
    answers.push([method, await question(reader, sample)])
  }
  return answers
}

describe('N2 a reader that has answered before', () => {
  test('N2 answers the same again, and of a new state as one that never saw the old', async () => {
    const folder = temporaryFolder()
    await buildIndex(folder, FILES, RESOLVED)
    const reader = openCodeIndex(realFiles, indexPath(folder))
    onTestFinished(() => reader.close())
    const first = await answersOf(reader, reader)
    expect(await answersOf(reader, reader)).toEqual(first)
    const writer = writerAt(folder)
    await writer.begin()
    await writer.put([madeFile(2, SMALL, 1), madeFile(77, SMALL)])
    await writer.putResolved([madeResolved(2, SMALL, 1), madeResolved(77, SMALL)])
    await writer.remove([pathOf(5)])
    await writer.commit()
    await writer.close()
    expect(await answersOf(reader, reader)).toEqual(first)
    await reader.refresh()
    await reading(folder, async (fresh) => {
      const expected = await answersOf(fresh, fresh)
      expect(await answersOf(reader, fresh)).toEqual(expected)
      expect(expected).not.toEqual(first)
    })
  })
})

describe('N4 pages of words', () => {
  test('N4 are in the order of their bytes, each word once, however many commits it came in', async () => {
    const folder = temporaryFolder()
    await buildIndex(folder, [])
    const batches = [['b', 'd', '😀'], ['a', 'd'], ['ﬀ', 'a', 'z'], ['é']]
    const writer = writerAt(folder)
    for (const [at, words] of batches.entries()) {
      await writer.begin()
      await writer.put([withWords(at, words.toSorted())])
      await writer.commit()
    }
    await writer.close()
    await reading(folder, async (reader) => {
      const all = ['a', 'b', 'd', 'z', 'é', 'ﬀ', '😀']
      expect(await reader.vocabulary('', 100)).toEqual(all)
      for (const [at, after] of all.entries()) {
        expect(await reader.vocabulary(after, 2)).toEqual(all.slice(at + 1, at + 3))
      }
      expect(await reader.vocabulary('c', 1)).toEqual(['d'])
    })
  })
})

function withWords(at: number, words: readonly string[]): FileRecord {
  const file = madeFile(at, SMALL)
  const counts = Uint32Array.from(words.flatMap((_, word) => [word, 0, 1, 1]))
  return { ...file, words: { words, counts, lengths: new Uint32Array(file.chunks.length * 5) } }
}

/** One file whose chunks lie in each other and over each other in any way. */
const overlapping = fc
  .array(
    fc.record({ start: fc.nat(30), length: fc.integer({ min: 1, max: 20 }), isTwin: fc.boolean() }),
    { minLength: 1, maxLength: 6 },
  )
  .map((spans) => {
    const file = madeFile(0, SMALL)
    const [like] = file.chunks
    const chunks = spans.flatMap(({ start, length, isTwin }, at): ChunkRecord[] => {
      const end = start + length
      const text = 'abc\nefghij'.repeat(6).slice(start, end)
      // Two chunks may have the same uid: those of the same content.
      const uid = `xxh64:${isTwin ? 'twin' : at}`
      return like === undefined
        ? []
        : [{ ...like, uid, start, end, text, symbol: `scip:${at % 2}` }]
    })
    const symbols = Array.from({ length: 12 }, (_, at) => {
      const [start, end] = [at * 4, at * 4 + (at % 3)]
      const rest = { name: 'it', kind: 'function', definition: at, isExported: true }
      return { id: `scip:${at % 5}`, start, end, ...rest }
    })
    const unsorted = chunks.toSorted((a, b) => a.end - b.end)
    return { ...file, chunks: unsorted, symbols }
  })

const EDGES: ResolvedFile = {
  path: pathOf(0),
  edges: Array.from({ length: 25 }, (_, at) => ({
    kind: at % 2 === 0 ? ('call' as const) : ('usage' as const),
    from: 'scip:0',
    to: `scip:${at % 3}`,
    evidence: 'callsite' as const,
    // Not in order.
    start: (at * 7) % 50,
    end: ((at * 7) % 50) + 3,
    confidence: 1,
  })),
  unresolved: [],
  asked: [],
}

describe('N6 chunks that overlap', () => {
  test('N6 a place is of the smallest around it, and what stands in chunks is found once', async () => {
    await fc.assert(
      fc.asyncProperty(overlapping, async (file) => {
        await withFolder(async (folder) => {
          await buildIndex(folder, [file], [EDGES])
          await reading(folder, (reader) => expectPlaces(reader, file))
        })
      }),
      runs(40),
    )
  })
})

async function expectPlaces(reader: CodeIndexReader, file: FileRecord): Promise<void> {
  const { path, chunks, symbols } = file
  const offsets = Array.from({ length: 60 }, (_, at) => at)
  const found = await reader.chunksAt(offsets.map((offset) => ({ path, offset })))
  expect(found.map((it) => it && [it.start, it.end, it.uid])).toEqual(
    offsets.map((offset) => smallest(chunks.filter((it) => isIn(it, offset)))),
  )
  for (const uids of [chunks.map((it) => it.uid), [chunks[0]?.uid ?? '']]) {
    const asked = chunks.filter((it) => uids.includes(it.uid))
    const isAsked = ({ start }: { readonly start: number }): boolean =>
      asked.some((it) => isIn(it, start))
    const edges = await reader.edgesInChunks(uids, ['call'])
    const calls = EDGES.edges.filter((it) => it.kind === 'call' && isAsked(it))
    expect(edges.map((it) => it.start)).toEqual(calls.map((it) => it.start).toSorted(numeric))
    const named = symbols.filter((it) => it.end > it.start && isAsked(it))
    const inside = await reader.symbolsInChunks(uids)
    expect(inside.map((it) => it.start)).toEqual(named.map((it) => it.start))
  }
}

function isIn({ start, end }: ChunkRecord, offset: number): boolean {
  return start <= offset && offset < end
}

function smallest(chunks: readonly ChunkRecord[]) {
  const [best] = chunks.toSorted(
    (a, b) => a.end - a.start - (b.end - b.start) || a.start - b.start || (a.uid < b.uid ? -1 : 1),
  )
  return best && [best.start, best.end, best.uid]
}

function numeric(a: number, b: number): number {
  return a - b
}
