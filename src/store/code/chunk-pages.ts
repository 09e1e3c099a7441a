/**
 * Numbers that each chunk has so many of. Ranking asks for those of thousands of chunks at once, so
 * they lie together, many chunks to a page, and not in the rows of the chunks.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { WORD_FIELDS } from '../../model/index-record.ts'

/** In each field of a chunk, and in all of them but the path. */
export type PagedTable = 'field_words' | 'chunk_words'

const SHAPES: Readonly<Record<PagedTable, { readonly width: number; readonly chunks: number }>> = {
  field_words: { width: WORD_FIELDS.length, chunks: 256 },
  chunk_words: { width: 1, chunks: 4096 },
}

export class ChunkPages {
  readonly #connection: DatabaseSync
  readonly #table: PagedTable
  readonly #width: number
  readonly #chunksPerPage: number
  readonly #pages = new Map<number, Uint32Array<ArrayBuffer>>()
  readonly #changed = new Set<number>()
  readonly #stored: StatementSync

  constructor(connection: DatabaseSync, table: PagedTable) {
    const { width, chunks } = SHAPES[table]
    this.#connection = connection
    this.#table = table
    this.#width = width
    this.#chunksPerPage = chunks
    this.#stored = connection.prepare(`SELECT bytes FROM ${table} WHERE page = ?`)
  }

  get(chunk: number, at: number): number {
    return this.#page(this.#pageOf(chunk))[this.#offsetOf(chunk) + at] ?? 0
  }

  put(chunk: number, numbers: ArrayLike<number>): void {
    const page = this.#pageOf(chunk)
    this.#page(page).set(numbers, this.#offsetOf(chunk))
    this.#changed.add(page)
  }

  /** Of each of the chunks, one after the other. */
  of(chunks: Uint32Array): Uint32Array {
    const width = this.#width
    const found = new Uint32Array(chunks.length * width)
    for (let at = 0; at < chunks.length; ) {
      // The chunks of a file have numbers in a row, and are asked for in a row.
      const chunk = chunks[at] ?? 0
      const inPage = this.#chunksPerPage - (chunk % this.#chunksPerPage)
      const most = Math.min(chunks.length - at, inPage)
      let count = 1
      while (count < most && chunks[at + count] === chunk + count) count += 1
      const from = this.#offsetOf(chunk)
      const page = this.#page(this.#pageOf(chunk))
      found.set(page.subarray(from, from + count * width), at * width)
      at += count
    }
    return found
  }

  /** Of all chunks with numbers below `past`, by their numbers. */
  all(past: number): Uint32Array {
    const found = new Uint8Array(past * this.#width * Uint32Array.BYTES_PER_ELEMENT)
    const statement = this.#connection.prepare(`SELECT page, bytes FROM ${this.#table}`)
    statement.setReturnArrays(true)
    for (const [page, bytes] of statement.all() as unknown as [number, Uint8Array][]) {
      const start = page * bytes.length
      if (start < found.length) found.set(bytes.subarray(0, found.length - start), start)
    }
    return new Uint32Array(found.buffer)
  }

  flush(): void {
    const put = this.#connection.prepare(`INSERT OR REPLACE INTO ${this.#table} VALUES (?, ?)`)
    for (const number of [...this.#changed].toSorted((a, b) => a - b)) {
      put.run(number, new Uint8Array(this.#page(number).buffer))
    }
    this.#changed.clear()
    this.#pages.clear()
  }

  #page(number: number): Uint32Array<ArrayBuffer> {
    const known = this.#pages.get(number)
    if (known !== undefined) return known
    const page = new Uint32Array(this.#chunksPerPage * this.#width)
    const row = this.#stored.get(number)
    if (row !== undefined) new Uint8Array(page.buffer).set(row['bytes'] as Uint8Array)
    this.#pages.set(number, page)
    return page
  }

  #pageOf(chunk: number): number {
    return Math.floor(chunk / this.#chunksPerPage)
  }

  #offsetOf(chunk: number): number {
    return (chunk % this.#chunksPerPage) * this.#width
  }
}
