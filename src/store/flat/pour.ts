/**
 * All that an index holds, in the order of a flat index, from any reader into any backend. Knows
 * neither where it comes from nor where it goes.
 */
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

/** Takes an index in, part by part, in this order of calls. */
export interface FlatSink {
  /** By path. What is in it is in order as well. */
  file(file: StoredFile): void
  /** A question, and the numbers of the files that asked it; by key. */
  asked(key: string, files: readonly number[]): void
  /** By word; the numbers are those of chunks, in rising order. */
  word(word: string, entries: Entries): void
  /** Words per field of every chunk, chunk by chunk. */
  lengths(lengths: Uint32Array): void
}

export interface Poured {
  readonly status: IndexStatus
  readonly corpus: Corpus
}

const FILES_AT_ONCE = 64
const WORDS_AT_ONCE = 512
/** Of words and of questions. */
const KEYS_AT_ONCE = 32_768

/** `pause` is called now and then, and may throw to end it. */
export async function pourIndex(
  reader: CodeIndexReader,
  sink: FlatSink,
  pause: () => Promise<void>,
): Promise<Poured> {
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
  await pourAskers(reader, { sink, paths, pause })
  await pourWords(reader, { sink, chunks, pause })
  return { status, corpus }
}

interface AskersTo {
  readonly sink: FlatSink
  readonly paths: readonly string[]
  pause(): Promise<void>
}

async function pourAskers(
  reader: CodeIndexReader,
  { sink, paths, pause }: AskersTo,
): Promise<void> {
  const numbers = new Map(paths.map((path, at) => [path, at]))
  const found: { readonly key: string; readonly files: readonly number[] }[] = []
  for await (const page of pagesOf(
    (after) => reader.dependentsByKey(after, KEYS_AT_ONCE),
    (it) => it.key,
  )) {
    await pause()
    for (const { key, paths: askers } of page) {
      // A question that nobody asks any more is no part of what the index says.
      if (askers.length > 0) found.push({ key, files: askers.map((it) => numbers.get(it) ?? 0) })
    }
  }
  for (const { key, files } of found.toSorted((a, b) => BY_BYTES(a.key, b.key)))
    sink.asked(key, files.toSorted(ascending((it) => it)))
}

interface WordsTo {
  readonly sink: FlatSink
  readonly chunks: ChunkNumbers
  pause(): Promise<void>
}

async function pourWords(reader: CodeIndexReader, { sink, chunks, pause }: WordsTo): Promise<void> {
  const words: string[] = []
  for await (const page of pagesOf(
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
      // A word that stands nowhere any more is no part of what the index says.
      if (handles.length === 0) continue
      sink.word(word, inOrderOfChunks({ numbers: chunks.of(handles), tags: fields, counts }))
    }
  }
  sink.lengths(await chunks.lengths(reader))
}

/** A page after the other, until one is not full. */
async function* pagesOf<T>(
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

/** A reader's handles come in an order of its own. */
function inOrderOfChunks(entries: Entries): Entries {
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
    for (const it of file.chunks) this.#numbers.set(placeKey(it), this.#numbers.size)
  }

  /** Learns the numbers of handles that were not met before. */
  async locate(reader: CodeIndexReader, handles: readonly Uint32Array[]): Promise<void> {
    const unknown = new Set<number>()
    for (const list of handles) for (const it of list) if (!this.#byHandle.has(it)) unknown.add(it)
    const places = await reader.chunkRanges(Uint32Array.from(unknown))
    for (const [at, handle] of [...unknown].entries()) {
      const place = places[at]
      const number = place === undefined ? undefined : this.#numbers.get(placeKey(place))
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

function placeKey({ path, start, end, uid }: ChunkRange): string {
  return `${uid} ${start} ${end} ${path}`
}
