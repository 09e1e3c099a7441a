/** What vectors are learned from: how much of which word stands in which chunk. */
import type { WordPostings } from '../../model/code-index.ts'
import { WORD_FIELDS, type WordField } from '../../model/index-record.ts'
import type { WordMatrix } from '../../retrieve/self-vectors.ts'

/** What a name says of a chunk counts twice. */
const FIELD_WEIGHTS: Readonly<Record<WordField, number>> = {
  path: 1,
  name: 2,
  signature: 1,
  comment: 1,
  body: 1,
}
const WEIGHTS = WORD_FIELDS.map((field) => FIELD_WEIGHTS[field])

/** A word in one chunk is like no other, and one in every fourth says nothing of any. */
const FEWEST_CHUNKS = 2
const LARGEST_SHARE = 0.25
/** In a small repository any word may tell. */
const ALWAYS_RARE = 16
/** Some 150 MB. Where there are more, the most frequent words are left out. */
const MOST_ENTRIES = 12_000_000
const LESS_FREQUENT = 0.75

/** A place and an amount in one number, to be sorted by: no word stands so often in a chunk. */
const AMOUNTS = 2 ** 24

export interface MatrixOfWords extends WordMatrix {
  readonly words: readonly string[]
}

/** Chunks are numbered in the order of the handles. */
export function wordMatrix(
  handles: Uint32Array,
  lists: Iterable<WordPostings>,
  mostEntries = MOST_ENTRIES,
): MatrixOfWords {
  const numberOf = new Uint32Array(handles.reduce((most, it) => Math.max(most, it), 0) + 1)
  for (const [number, handle] of handles.entries()) numberOf[handle] = number
  let mostChunks = Math.max(ALWAYS_RARE, Math.floor(handles.length * LARGEST_SHARE))
  const matrix = new GrowingMatrix()
  for (const list of lists) {
    if (list.frequency < FEWEST_CHUNKS || list.frequency > mostChunks) continue
    matrix.add(list, numberOf)
    while (matrix.size > mostEntries && mostChunks > FEWEST_CHUNKS) {
      mostChunks = Math.max(FEWEST_CHUNKS, Math.floor(mostChunks * LESS_FREQUENT))
      matrix.keep(mostChunks)
    }
  }
  return { chunks: handles.length, ...matrix.done() }
}

class GrowingMatrix {
  readonly #words: string[] = []
  readonly #starts: number[] = [0]
  #places = new Uint32Array(1 << 16)
  #amounts = new Float32Array(1 << 16)

  get size(): number {
    return this.#starts.at(-1) ?? 0
  }

  add({ word, handles, fields, counts }: WordPostings, numberOf: Uint32Array): void {
    const packed = new Float64Array(handles.length)
    let size = 0
    for (let at = 0; at < handles.length; at += 1) {
      const amount = (WEIGHTS[fields[at] ?? 0] ?? 0) * (counts[at] ?? 0)
      const isSame = at > 0 && handles[at] === handles[at - 1]
      if (isSame) packed[size - 1] = (packed[size - 1] ?? 0) + amount
      else packed[size++] = (numberOf[handles[at] ?? 0] ?? 0) * AMOUNTS + amount
    }
    // Handles are in the order in which files came; the order of the numbers is that of the paths.
    const sorted = packed.subarray(0, size).toSorted()
    this.#reserve(size)
    const first = this.size
    for (let at = 0; at < size; at += 1) {
      const entry = sorted[at] ?? 0
      const place = Math.floor(entry / AMOUNTS)
      this.#places[first + at] = place
      this.#amounts[first + at] = entry - place * AMOUNTS
    }
    this.#words.push(word)
    this.#starts.push(first + size)
  }

  /** Leaves out words that stand in more chunks than this. */
  keep(mostChunks: number): void {
    const words = this.#words.splice(0)
    const starts = this.#starts.splice(1)
    let from = 0
    for (const [at, word] of words.entries()) {
      const past = starts[at] ?? 0
      if (past - from <= mostChunks) {
        const to = this.size
        this.#places.copyWithin(to, from, past)
        this.#amounts.copyWithin(to, from, past)
        this.#words.push(word)
        this.#starts.push(to + past - from)
      }
      from = past
    }
  }

  done(): Omit<MatrixOfWords, 'chunks'> {
    return {
      words: this.#words,
      starts: Uint32Array.from(this.#starts),
      places: this.#places.subarray(0, this.size),
      amounts: this.#amounts.subarray(0, this.size),
    }
  }

  #reserve(more: number): void {
    const needed = this.size + more
    if (needed <= this.#places.length) return
    const room = Math.max(needed, this.#places.length * 2)
    const places = new Uint32Array(room)
    places.set(this.#places)
    this.#places = places
    const amounts = new Float32Array(room)
    amounts.set(this.#amounts)
    this.#amounts = amounts
  }
}
