/**
 * Symbol ids as numbers. An id outlives its definition: an edge may lead to what another file no
 * longer defines, or does not define yet. 0 is the empty text.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Counters } from './counters.ts'
import { RowInserter } from './row-inserter.ts'
import { CREATE_STRING_INDEX } from './tables.ts'
import { textHash } from './text-hash.ts'
import { TextNumbers } from './text-numbers.ts'

/** Remembered numbers; after that many it starts over, so that memory does not grow with the index. */
const REMEMBERED = 1_000_000

export class Strings {
  readonly #connection: DatabaseSync
  readonly #counters: Counters
  readonly #numberOf: StatementSync
  readonly #textOf: StatementSync
  readonly #rows: RowInserter
  /** All since the last flush. */
  readonly #recent = new Map<string, number>()
  /** All of a new index, until there are too many. */
  readonly #known = new TextNumbers()
  #isAllKnown: boolean

  constructor(connection: DatabaseSync, counters: Counters) {
    this.#connection = connection
    this.#counters = counters
    this.#isAllKnown = counters.string === 0
    this.#numberOf = connection.prepare('SELECT n FROM strings WHERE text = ?')
    this.#textOf = connection.prepare('SELECT text FROM strings WHERE n = ?')
    this.#textOf.setReturnArrays(true)
    this.#rows = new RowInserter(connection, 'strings', 2)
  }

  numberOf(text: string): number {
    if (text === '') return 0
    const recent = this.#recent.get(text)
    if (recent !== undefined) return recent
    // Text that is not well formed comes back as another, which may be there already.
    const wellFormed = text.toWellFormed()
    const number = this.#recent.get(wellFormed) ?? this.#findOrAdd(wellFormed)
    this.#recent.set(wellFormed, number)
    return number
  }

  /** What comes from now on is seen by all statements. */
  flush(): void {
    this.#rows.flush()
    this.#recent.clear()
    if (this.#known.size >= REMEMBERED) this.#forget()
  }

  #forget(): void {
    this.#known.clear()
    this.#isAllKnown = false
    this.#connection.exec(CREATE_STRING_INDEX)
  }

  /** What has not been written yet is recent, and so is never asked for here. */
  #findOrAdd(text: string): number {
    if (!this.#isAllKnown) return this.#stored(text) ?? this.#added(text)
    const hash = textHash(text)
    const known = this.#known.find(hash, (number) => this.#isText(number, text))
    if (known !== undefined) return known
    const number = this.#added(text)
    this.#known.add(hash, number)
    return number
  }

  #stored(text: string): number | undefined {
    const row = this.#numberOf.get(text)
    return row === undefined ? undefined : Number(row['n'])
  }

  #isText(number: number, text: string): boolean {
    const row = this.#textOf.get(number) as unknown as [string] | undefined
    return row?.[0] === text
  }

  #added(text: string): number {
    this.#counters.string += 1
    this.#rows.add(this.#counters.string, text)
    return this.#counters.string
  }
}

/** Drops the strings that nothing names any more. */
export function dropUnused(connection: DatabaseSync): void {
  connection.exec(`DELETE FROM strings WHERE n NOT IN (
    SELECT symbol FROM chunks UNION SELECT id FROM symbols
    UNION SELECT source FROM edges UNION SELECT target FROM edges)`)
}
