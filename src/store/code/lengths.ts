/**
 * How many words stand in each field of each chunk. Ranking asks for those of thousands of chunks
 * at once, so they lie together, many chunks to a page, and not in the rows of the chunks.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { WORD_FIELDS } from '../../model/index-record.ts'

const FIELDS = WORD_FIELDS.length
const CHUNKS_PER_PAGE = 256

export class LengthPages {
  readonly #connection: DatabaseSync
  readonly #pages = new Map<number, Uint32Array<ArrayBuffer>>()
  readonly #changed = new Set<number>()
  readonly #stored: StatementSync

  constructor(connection: DatabaseSync) {
    this.#connection = connection
    this.#stored = connection.prepare('SELECT bytes FROM lengths WHERE page = ?')
  }

  get(chunk: number, field: number): number {
    return this.#page(pageOf(chunk))[offsetOf(chunk) + field] ?? 0
  }

  put(chunk: number, lengths: Uint32Array): void {
    this.#page(pageOf(chunk)).set(lengths, offsetOf(chunk))
    this.#changed.add(pageOf(chunk))
  }

  /** Of each of the chunks, one after the other. */
  of(chunks: Uint32Array): Uint32Array {
    const found = new Uint32Array(chunks.length * FIELDS)
    for (let at = 0; at < chunks.length; ) {
      // The chunks of a file have numbers in a row, and are asked for in a row.
      const chunk = chunks[at] ?? 0
      const most = Math.min(chunks.length - at, CHUNKS_PER_PAGE - (chunk % CHUNKS_PER_PAGE))
      let count = 1
      while (count < most && chunks[at + count] === chunk + count) count += 1
      const from = offsetOf(chunk)
      const page = this.#page(pageOf(chunk))
      found.set(page.subarray(from, from + count * FIELDS), at * FIELDS)
      at += count
    }
    return found
  }

  flush(): void {
    const put = this.#connection.prepare('INSERT OR REPLACE INTO lengths VALUES (?, ?)')
    for (const number of [...this.#changed].toSorted((a, b) => a - b)) {
      put.run(number, new Uint8Array(this.#page(number).buffer))
    }
    this.#changed.clear()
    this.#pages.clear()
  }

  #page(number: number): Uint32Array<ArrayBuffer> {
    const known = this.#pages.get(number)
    if (known !== undefined) return known
    const page = new Uint32Array(CHUNKS_PER_PAGE * FIELDS)
    const row = this.#stored.get(number)
    if (row !== undefined) new Uint8Array(page.buffer).set(row['bytes'] as Uint8Array)
    this.#pages.set(number, page)
    return page
  }
}

function pageOf(chunk: number): number {
  return Math.floor(chunk / CHUNKS_PER_PAGE)
}

function offsetOf(chunk: number): number {
  return (chunk % CHUNKS_PER_PAGE) * FIELDS
}
