/**
 * Symbol ids as numbers. An id outlives its definition: an edge may lead to what another file no
 * longer defines, or does not define yet. 0 is the empty text.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { detached } from '../../base/text.ts'
import type { Counters } from './counters.ts'
import { CREATE_STRING_INDEX } from './tables.ts'

/** Remembered numbers; after that many it starts over, so that memory does not grow with the index. */
const REMEMBERED = 200_000

export class Strings {
  readonly #connection: DatabaseSync
  readonly #counters: Counters
  readonly #find: StatementSync
  readonly #insert: StatementSync
  readonly #known = new Map<string, number>()

  constructor(connection: DatabaseSync, counters: Counters) {
    this.#connection = connection
    this.#counters = counters
    this.#find = connection.prepare('SELECT n FROM strings WHERE text = ?')
    this.#insert = connection.prepare('INSERT INTO strings VALUES (?, ?)')
  }

  numberOf(text: string): number {
    if (text === '') return 0
    const known = this.#known.get(text)
    if (known !== undefined) return known
    if (this.#known.size >= REMEMBERED) this.#forget()
    // Text that is not well formed comes back as another, which may be there already.
    const wellFormed = text.toWellFormed()
    const number = this.#stored(wellFormed) ?? this.#added(wellFormed)
    this.#known.set(detached(text), number)
    return number
  }

  #forget(): void {
    this.#known.clear()
    this.#connection.exec(CREATE_STRING_INDEX)
  }

  #stored(text: string): number | undefined {
    // In a new index nothing is stored that is not remembered, until the memory first runs full.
    if (this.#counters.string === this.#known.size) return undefined
    const row = this.#find.get(text)
    return row === undefined ? undefined : Number(row['n'])
  }

  #added(text: string): number {
    this.#counters.string += 1
    this.#insert.run(this.#counters.string, text)
    return this.#counters.string
  }
}

/** Drops the strings that nothing names any more. */
export function dropUnused(connection: DatabaseSync): void {
  connection.exec(`DELETE FROM strings WHERE n NOT IN (
    SELECT symbol FROM chunks UNION SELECT id FROM symbols
    UNION SELECT source FROM edges UNION SELECT target FROM edges)`)
}
