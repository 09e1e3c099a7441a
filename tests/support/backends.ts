/** The same index in every backend, and everything that can be asked of it, in one table. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type {
  CodeIndexReader,
  CodePosition,
  IndexLayout,
  StoredEdge,
  WordPostings,
} from '../../src/model/code-index.ts'
import { WORD_FIELDS } from '../../src/model/index-record.ts'
import { realFiles } from '../../src/platform/files.ts'
import { openCodeIndex } from '../../src/store/code/reader.ts'
import { CHUNK_ORDER } from '../../src/store/code/rows.ts'
import { openJsonlIndex } from '../../src/store/jsonl/reader.ts'
import { writeJsonlIndex } from '../../src/store/jsonl/writer.ts'
import { openLmdbIndex } from '../../src/store/lmdb/reader.ts'
import { writeLmdbIndex } from '../../src/store/lmdb/writer.ts'
import { indexPath } from './code-store.ts'
import { GENERATOR } from './world.ts'

export interface TestBackend {
  write(reader: CodeIndexReader, folder: string): Promise<unknown>
  open(folder: string): Promise<CodeIndexReader>
}

const pause = (): Promise<void> => Promise.resolve()

/** `small` is cut into many pieces. */
export const BACKENDS: Readonly<Record<'jsonl' | 'small' | 'lmdb', TestBackend>> = {
  jsonl: jsonl({}),
  small: jsonl({ pieceBytes: 2000 }),
  lmdb: {
    write: (reader, folder) =>
      writeLmdbIndex(reader, { files: realFiles, folder, generator: GENERATOR, pause }),
    open: async (folder) => openLmdbIndex(realFiles, folder),
  },
}

function jsonl(more: { readonly pieceBytes?: number }): TestBackend {
  return {
    write: (reader, folder) =>
      writeJsonlIndex(reader, { files: realFiles, folder, generator: GENERATOR, pause, ...more }),
    open: (folder) => openJsonlIndex(realFiles, folder),
  }
}

/** Written from the index of a repository to a folder that is new; where it is. */
export async function exported(
  repository: string,
  backend: TestBackend,
  folder = join(repository, '.dossier', 'out'),
): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const reader = openCodeIndex(realFiles, indexPath(repository))
  try {
    await backend.write(reader, folder)
    return folder
  } finally {
    await reader.close()
  }
}

/** What there is to ask for in an index. */
export interface Sample {
  readonly paths: readonly string[]
  readonly uids: readonly string[]
  readonly ids: readonly string[]
  readonly names: readonly string[]
  readonly words: readonly string[]
  readonly edges: readonly StoredEdge[]
  readonly places: readonly CodePosition[]
}

export async function sampleOf(reader: CodeIndexReader): Promise<Sample> {
  const paths = (await reader.files()).map((it) => it.path)
  const records = await reader.storedFiles(paths)
  const edges = records.flatMap((it) => it.edges)
  const symbols = records.flatMap((it) => it.symbols)
  const ends = edges.flatMap((it) => [it.from, it.to])
  return {
    paths,
    uids: records.flatMap((it) => it.chunks.map((chunk) => chunk.uid)),
    ids: [...new Set([...symbols.map((it) => it.id), ...ends])],
    names: [...new Set(symbols.map((it) => it.name))],
    words: await reader.vocabulary('', 100_000),
    edges,
    places: edges.map(({ path, start }) => ({ path, offset: start })),
  }
}

type Question = (reader: CodeIndexReader, sample: Sample) => Promise<unknown>
type Method = Exclude<keyof CodeIndexReader, 'close' | 'refresh' | 'searchFullText'>

const UNKNOWN = ['', 'nothing', '\ud800', 'a\0b', '__proto__', 'x'.repeat(5000)]

/** Each with nothing, with what is not there, with one, with all, and with all twice and reversed. */
function lists<T>(values: readonly T[], unknown: readonly T[]): readonly (readonly T[])[] {
  const twice = [...values, ...unknown, ...values].toReversed()
  return [[], unknown, values.slice(0, 1), values.slice(-1), values, twice]
}

function asked<T>(
  values: (sample: Sample) => readonly T[],
  unknown: readonly T[],
  ask: (reader: CodeIndexReader, values: readonly T[]) => Promise<unknown>,
): Question {
  return async (reader, sample) => {
    const answers: unknown[] = []
    for (const it of lists(values(sample), unknown)) answers.push(await ask(reader, it))
    return answers
  }
}

const texts = (
  values: (sample: Sample) => readonly string[],
  ask: (reader: CodeIndexReader, values: readonly string[]) => Promise<unknown>,
): Question => asked(values, UNKNOWN, ask)

const NOWHERE: readonly CodePosition[] = [
  { path: 'nothing', offset: 0 },
  { path: '', offset: -1 },
]
const NO_EDGE: StoredEdge = {
  path: 'nothing',
  kind: 'call',
  from: '',
  to: '',
  evidence: 'span',
  start: 3,
  end: 9,
  confidence: 0.5,
}

/** Handles are a reader's own: what they stand for is compared. */
export const QUESTIONS: Readonly<Record<Method, Question>> = {
  signature: (reader) => reader.signature(),
  // Of an index without vectors: those are one store's alone, for now.
  vectorInfo: (reader) => reader.vectorInfo(),
  nearestChunks: (reader) =>
    reader
      .nearestChunks(new Int8Array(128).fill(1), 3)
      .catch((error: { code: string }) => error.code),
  wordVectors: texts(
    (it) => it.words,
    (reader, words) => reader.wordVectors(words),
  ),
  status: async (reader) => ({ ...(await reader.status()), supports: undefined }),
  files: async (reader, sample) => [
    await reader.files(),
    await texts(
      (it) => it.paths,
      (it, paths) => it.files(paths),
    )(reader, sample),
  ],
  storedFiles: texts(
    (it) => it.paths,
    async (reader, paths) =>
      (await reader.storedFiles(paths)).map((it) => ({ ...it, facts: [...it.facts] })),
  ),
  chunks: texts(
    (it) => it.uids,
    (reader, uids) => reader.chunks(uids),
  ),
  chunksInFiles: texts(
    (it) => it.paths,
    (reader, paths) => reader.chunksInFiles(paths),
  ),
  chunksAt: asked(
    (it) => it.places,
    NOWHERE,
    (reader, places) => reader.chunksAt(places),
  ),
  symbols: texts(
    (it) => it.ids,
    (reader, ids) => reader.symbols(ids),
  ),
  symbolsNamed: texts(
    (it) => it.names,
    (reader, names) => reader.symbolsNamed(names),
  ),
  symbolsInChunks: texts(
    (it) => it.uids,
    (reader, uids) => reader.symbolsInChunks(uids),
  ),
  definitions: texts(
    (it) => it.ids,
    (reader, ids) => reader.definitions(ids),
  ),
  edgesFrom: texts((it) => it.ids, ofAllKinds('edgesFrom')),
  edgesTo: texts((it) => it.ids, ofAllKinds('edgesTo')),
  countEdgesTo: texts(
    (it) => it.ids,
    async (reader, ids) => [
      await reader.countEdgesTo(ids, 1_000),
      await reader.countEdgesTo(ids, 2),
      await reader.countEdgesTo(ids, 0),
    ],
  ),
  edgesInChunks: texts((it) => it.uids, ofAllKinds('edgesInChunks')),
  unresolvedInFiles: texts(
    (it) => it.paths,
    async (reader, paths) => {
      const all = await reader.unresolvedInFiles(paths)
      const names = all.map((it) => it.name).slice(0, 2)
      return [
        all,
        await reader.unresolvedInFiles(paths, names),
        await reader.unresolvedInFiles(paths, ['no such name']),
        await reader.unresolvedInFiles(paths, []),
      ]
    },
  ),
  dependents: async (reader) => {
    const keys = (await reader.dependentsByKey('', 50)).map((it) => it.key)
    return [
      await reader.dependents(keys),
      await reader.dependents(keys.slice(0, 1)),
      await reader.dependents([...keys.slice(0, 2), ...keys.slice(0, 2), 'symbol:nothing']),
      await reader.dependents([]),
    ]
  },
  evidence: asked(
    (it) => it.edges,
    [NO_EDGE],
    (reader, edges) => reader.evidence(edges),
  ),
  postings: texts(
    (it) => it.words,
    async (reader, words) => {
      const found: unknown[] = []
      for (const it of await reader.postings(words)) found.push(await placed(reader, it))
      return found
    },
  ),
  wordFrequencies: texts(
    (it) => it.words,
    async (reader, words) => [
      await reader.wordFrequencies(words, 1_000_000),
      await reader.wordFrequencies(words, 2),
      await reader.wordFrequencies(words, 0),
    ],
  ),
  fieldLengths: async (reader, sample) => {
    const found: unknown[] = [await reader.fieldLengths(new Uint32Array())]
    for (const it of await reader.postings(sample.words.slice(0, 20))) {
      const places = await reader.chunkRanges(it.handles)
      const lengths = await reader.fieldLengths(it.handles)
      const rows = places.map(({ uid }, at) => [
        uid,
        ...lengths.subarray(at * WORD_FIELDS.length, (at + 1) * WORD_FIELDS.length),
      ])
      found.push(rows.map((row) => row.join(' ')).toSorted())
    }
    return found
  },
  corpus: (reader) => reader.corpus(),
  layout: async (reader) => {
    const layout = await reader.layout()
    const languages = await reader.languages()
    const rows: string[] = []
    for (const [at, path] of layout.paths.entries()) {
      const handles = handlesOfFile(layout, at)
      const chunks = (await reader.chunkRanges(handles)).map(({ uid }, place) => {
        return `${uid} ${layout.chunkWords[handles[place] ?? 0]}`
      })
      rows.push(JSON.stringify([path, languages[at], layout.fileWords[at], chunks.toSorted()]))
    }
    return rows.toSorted()
  },
  languages: async (reader) => (await reader.languages()).toSorted(),
  chunksByHandle: async (reader, sample) => {
    const [it] = await reader.postings(sample.words.slice(-1))
    const chunks = await reader.chunksByHandle(it?.handles ?? new Uint32Array())
    return chunks.toSorted(CHUNK_ORDER)
  },
  chunkHandles: texts(
    (it) => it.uids,
    async (reader, uids) => {
      const places = await reader.chunkRanges(await reader.chunkHandles(uids))
      return places.map((place) => JSON.stringify(place)).toSorted()
    },
  ),
  chunkRanges: async (reader, sample) => {
    const [it] = await reader.postings(sample.words.slice(-1))
    const places = await reader.chunkRanges(it?.handles ?? new Uint32Array())
    const unknown = await reader.chunkRanges(Uint32Array.of(4_000_000_000)).catch(String)
    return [places.map((place) => JSON.stringify(place)).toSorted(), unknown]
  },
  vocabulary: pages((reader, after, limit) => reader.vocabulary(after, limit), String),
  dependentsByKey: pages(
    (reader, after, limit) => reader.dependentsByKey(after, limit),
    (it) => it.key,
  ),
}

function handlesOfFile({ firstHandles, chunkCounts }: IndexLayout, file: number): Uint32Array {
  const first = firstHandles[file] ?? 0
  return Uint32Array.from({ length: chunkCounts[file] ?? 0 }, (_, at) => first + at)
}

function ofAllKinds(method: 'edgesFrom' | 'edgesTo' | 'edgesInChunks') {
  return async (reader: CodeIndexReader, values: readonly string[]): Promise<unknown> => [
    await reader[method](values),
    await reader[method](values, []),
    await reader[method](values, ['import', 'call']),
  ]
}

async function placed(reader: CodeIndexReader, it: WordPostings): Promise<unknown> {
  const places = await reader.chunkRanges(it.handles)
  const entries = places.map(({ uid, path, start }, at) =>
    JSON.stringify([path, start, uid, it.fields[at], it.counts[at]]),
  )
  const isOrdered = it.handles.every((handle, at) => {
    const before = it.handles[at - 1] ?? 0
    return handle > before || at === 0 || (it.fields[at] ?? 0) > (it.fields[at - 1] ?? 0)
  })
  return { word: it.word, frequency: it.frequency, entries: entries.toSorted(), isOrdered }
}

/** By pages of several sizes, and after what is not there. */
function pages<T>(
  page: (reader: CodeIndexReader, after: string, limit: number) => Promise<readonly T[]>,
  key: (item: T) => string,
): Question {
  return async (reader) => {
    const answers: unknown[] = []
    for (const limit of [1, 7, 100_000]) {
      for (let after = ''; ; ) {
        const found = await page(reader, after, limit)
        answers.push(found)
        const last = found.at(-1)
        if (last === undefined || answers.length > 500) break
        after = key(last)
      }
    }
    for (const after of ['m', 'w1x', 'name:', 'zz', '\uffff', 'ü', '😀'])
      answers.push(await page(reader, after, 5))
    answers.push(await page(reader, '', 0))
    return answers
  }
}
