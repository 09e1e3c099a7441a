/** Copies a whole index from any reader into any flat backend, in the order of a flat index. */
import { assert } from '../../base/assert.ts'
import { ascending, inOrder } from '../../base/order.ts'
import type {
  ChunkRange,
  CodeIndexReader,
  Corpus,
  IndexStatus,
  StoredFile,
} from '../../model/code-index.ts'
import { WORD_FIELDS } from '../../model/index-record.ts'
import { BY_BYTES } from '../code/byte-order.ts'
import type { Entries } from '../code/lists.ts'

/** Receives an index part by part; the methods are called in this order. */
export interface FlatSink {
  /** By path. What is in it is in order as well. */
  file(file: StoredFile): void
  /** A question, and the numbers of the files that asked it; by key. */
  asker(key: string, files: readonly number[]): void
  /** By word; the numbers are those of chunks, in rising order. */
  word(word: string, entries: Entries): void
  /** Words per field of every chunk, chunk by chunk. */
  lengths(lengths: Uint32Array): void
}

export interface CopiedIndex {
  readonly status: IndexStatus
  readonly corpus: Corpus
}

const FILES_AT_ONCE = 64
const WORDS_AT_ONCE = 512
/** Of words and of questions. */
const KEYS_AT_ONCE = 32_768

/** `pause` is called from time to time, and may throw to stop. */
export async function copyIndex(
  reader: CodeIndexReader,
  sink: FlatSink,
  pause: () => Promise<void>,
): Promise<CopiedIndex> {
  const status = await reader.status()
  const corpus = await reader.corpus()
  const paths = (await reader.files()).map((it) => it.path)
  const chunks = new ChunkNumbers()
  for (let at = 0; at < paths.length; at += FILES_AT_ONCE) {
    await pause()
    for (const file of await reader.storedFiles(paths.slice(at, at + FILES_AT_ONCE))) {
      chunks.add(file)
      sink.file(file)
    }
  }
  await copyAskers(reader, { sink, paths, pause })
  await copyWords(reader, { sink, chunks, pause })
  return { status, corpus }
}

interface AskersTarget {
  readonly sink: FlatSink
  readonly paths: readonly string[]
  pause(): Promise<void>
}

async function copyAskers(
  reader: CodeIndexReader,
  { sink, paths, pause }: AskersTarget,
): Promise<void> {
  const numbers = new Map(paths.map((path, at) => [path, at]))
  const found: { readonly key: string; readonly files: readonly number[] }[] = []
  for await (const page of iteratePages(
    (after) => reader.dependentsByKey(after, KEYS_AT_ONCE),
    (it) => it.key,
  )) {
    await pause()
    for (const { key, paths: askers } of page) {
      // A key that no file looks up any more is not part of the index.
      if (askers.length > 0) found.push({ key, files: askers.map((it) => numbers.get(it) ?? 0) })
    }
  }
  for (const { key, files } of found.toSorted((a, b) => BY_BYTES(a.key, b.key)))
    sink.asker(key, files.toSorted(ascending((it) => it)))
}

interface WordsTarget {
  readonly sink: FlatSink
  readonly chunks: ChunkNumbers
  pause(): Promise<void>
}

async function copyWords(
  reader: CodeIndexReader,
  { sink, chunks, pause }: WordsTarget,
): Promise<void> {
  const words: string[] = []
  for await (const page of iteratePages(
    (after) => reader.vocabulary(after, KEYS_AT_ONCE),
    (it) => it,
  ))
    words.push(...page)
  const sorted = words.toSorted(BY_BYTES)
  for (let at = 0; at < sorted.length; at += WORDS_AT_ONCE) {
    await pause()
    const found = await reader.postings(sorted.slice(at, at + WORDS_AT_ONCE))
    await chunks.locate(
      reader,
      found.map((it) => it.handles),
    )
    for (const { word, handles, fields, counts } of found) {
      // A word that no longer occurs is not part of the index.
      if (handles.length === 0) continue
      sink.word(word, sortByChunk({ numbers: chunks.of(handles), tags: fields, counts }))
    }
  }
  sink.lengths(await chunks.lengths(reader))
}

/** A page after the other, until one is not full. */
async function* iteratePages<T>(
  page: (after: string) => Promise<readonly T[]>,
  key: (item: T) => string,
): AsyncGenerator<readonly T[]> {
  for (let after = ''; ; ) {
    const found = await page(after)
    yield found
    const last = found.at(-1)
    if (last === undefined || found.length < KEYS_AT_ONCE) return
    after = key(last)
  }
}

/** The handles of a reader have another order. */
function sortByChunk(entries: Entries): Entries {
  const { numbers, tags, counts } = entries
  const isSorted = numbers.every((it, at) => at === 0 || it >= (numbers[at - 1] ?? 0))
  if (isSorted) return entries
  const order = Array.from(numbers, (_, at) => at).toSorted(
    inOrder(
      ascending((it) => numbers[it] ?? 0),
      ascending((it) => tags[it] ?? 0),
    ),
  )
  return {
    numbers: Uint32Array.from(order, (it) => numbers[it] ?? 0),
    tags: Uint8Array.from(order, (it) => tags[it] ?? 0),
    counts: Uint32Array.from(order, (it) => counts[it] ?? 0),
  }
}

/** The numbers of chunks by the handles of a reader. */
class ChunkNumbers {
  readonly #numbers = new Map<string, number>()
  readonly #byHandle = new Map<number, number>()

  add(file: StoredFile): void {
    for (const it of file.chunks) this.#numbers.set(rangeKey(it), this.#numbers.size)
  }

  /** Learns the numbers of handles that were not met before. */
  async locate(reader: CodeIndexReader, handles: readonly Uint32Array[]): Promise<void> {
    const unknown = new Set<number>()
    for (const list of handles) for (const it of list) if (!this.#byHandle.has(it)) unknown.add(it)
    const places = await reader.chunkRanges(Uint32Array.from(unknown))
    for (const [at, handle] of [...unknown].entries()) {
      const place = places[at]
      const number = place === undefined ? undefined : this.#numbers.get(rangeKey(place))
      assert(number !== undefined, `a chunk of the index for the handle ${handle}`)
      this.#byHandle.set(handle, number)
    }
  }

  of(handles: Uint32Array): Uint32Array {
    return handles.map((it) => this.#byHandle.get(it) ?? 0)
  }

  /** Of all chunks, in order. A chunk that no handle stands for has no words. */
  async lengths(reader: CodeIndexReader): Promise<Uint32Array> {
    const fields = WORD_FIELDS.length
    const lengths = new Uint32Array(this.#numbers.size * fields)
    const known = await reader.fieldLengths(Uint32Array.from(this.#byHandle.keys()))
    for (const [at, number] of [...this.#byHandle.values()].entries())
      lengths.set(known.subarray(at * fields, (at + 1) * fields), number * fields)
    return lengths
  }
}

function rangeKey({ path, start, end, uid }: ChunkRange): string {
  return `${uid} ${start} ${end} ${path}`
}
