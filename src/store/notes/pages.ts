/**
 * Small entries by number, 64 in a page: most have a few bytes, and a row for each would take more
 * time to write than all else. Entries are written in the order of their numbers.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Memo } from '../../platform/memo.ts'
import { ByteReader, ByteWriter } from '../code/varint.ts'

const PAGE_BITS = 6
const SLOTS = 1 << PAGE_BITS
const EMPTY = new Uint8Array()

type PagedTable = 'outward' | 'inward'
/** By slot. */
type Page = (Uint8Array | undefined)[]

export class PageReader {
  readonly #pages: Memo<number, Page>

  constructor(connection: DatabaseSync, table: PagedTable) {
    const select = connection.prepare(`SELECT bytes FROM ${table} WHERE page = ?`)
    const read = (page: number): Page =>
      parsePage(select.get(page)?.['bytes'] as Uint8Array | undefined)
    this.#pages = new Memo(read, { limit: MOST_REMEMBERED })
  }

  /** Empty where there is none. */
  get(number: number): Uint8Array {
    return this.#pages.get(number >>> PAGE_BITS)[number & (SLOTS - 1)] ?? EMPTY
  }
}

const MOST_REMEMBERED = 4096

export class PageWriter {
  readonly #select: StatementSync | undefined
  readonly #put: StatementSync
  readonly #remove: StatementSync
  readonly #bytes = new ByteWriter()
  #at = -1
  #page: Page = []

  /** A table without rows need not be asked. */
  constructor(connection: DatabaseSync, table: PagedTable, isEmpty: boolean) {
    this.#select = isEmpty
      ? undefined
      : connection.prepare(`SELECT bytes FROM ${table} WHERE page = ?`)
    this.#put = connection.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?)`)
    this.#remove = connection.prepare(`DELETE FROM ${table} WHERE page = ?`)
  }

  /** What is stored for it. The numbers that are asked for and set never fall. */
  get(number: number): Uint8Array {
    this.#turnTo(number >>> PAGE_BITS)
    return this.#page[number & (SLOTS - 1)] ?? EMPTY
  }

  set(number: number, entry: Uint8Array): void {
    this.#turnTo(number >>> PAGE_BITS)
    this.#page[number & (SLOTS - 1)] = entry.length === 0 ? undefined : entry
  }

  flush(): void {
    if (this.#at < 0) return
    this.#bytes.length = 0
    for (const [slot, entry] of this.#page.entries()) {
      if (entry === undefined) continue
      this.#bytes.put(slot)
      this.#bytes.put(entry.length)
      this.#bytes.putBytes(entry)
    }
    if (this.#bytes.length > 0) this.#put.run(this.#at, this.#bytes.from(0))
    else if (this.#select !== undefined) this.#remove.run(this.#at)
    this.#at = -1
  }

  #turnTo(page: number): void {
    if (page === this.#at) return
    this.flush()
    this.#at = page
    this.#page = parsePage(this.#select?.get(page)?.['bytes'] as Uint8Array | undefined)
  }
}

/** All entries of a table, in the order of their numbers. */
export function* allEntries(
  connection: DatabaseSync,
  table: PagedTable,
): Generator<{ readonly number: number; readonly entry: Uint8Array }> {
  const statement = connection.prepare(`SELECT page, bytes FROM ${table} ORDER BY page`)
  statement.setReturnArrays(true)
  for (const [page, bytes] of statement.iterate() as unknown as Iterable<[number, Uint8Array]>) {
    for (const [slot, entry] of parsePage(bytes).entries()) {
      if (entry !== undefined) yield { number: page * SLOTS + slot, entry }
    }
  }
}

function parsePage(bytes: Uint8Array | undefined): Page {
  const page: Page = Array.from({ length: SLOTS }, () => undefined)
  if (bytes === undefined) return page
  const reader = new ByteReader(bytes)
  while (!reader.isAtEnd) {
    const slot = reader.next()
    const length = reader.next()
    const start = reader.skip(length)
    page[slot] = bytes.subarray(start, start + length)
  }
  return page
}
