/** Puts rows into a table many at a time: to run a statement takes as long as to fill in a row. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

const ROWS_AT_ONCE = 32

export class RowInserter {
  readonly #columns: number
  readonly #one: StatementSync
  readonly #many: StatementSync
  readonly #values: SQLInputValue[]
  #size = 0

  constructor(connection: DatabaseSync, table: string, columns: number) {
    const row = `(?${', ?'.repeat(columns - 1)})`
    const insert = (rows: number): StatementSync =>
      connection.prepare(`INSERT INTO ${table} VALUES ${row}${`, ${row}`.repeat(rows - 1)}`)
    this.#columns = columns
    this.#one = insert(1)
    this.#many = insert(ROWS_AT_ONCE)
    this.#values = Array.from({ length: columns * ROWS_AT_ONCE }, () => null)
  }

  /** Nobody sees it before the next flush. */
  add(...row: readonly SQLInputValue[]): void {
    for (let at = 0; at < row.length; at += 1) this.#values[this.#size + at] = row[at] ?? null
    this.#size += row.length
    if (this.#size < this.#values.length) return
    this.#many.run(...this.#values)
    this.#size = 0
  }

  flush(): void {
    for (let at = 0; at < this.#size; at += this.#columns) {
      this.#one.run(...this.#values.slice(at, at + this.#columns))
    }
    this.#size = 0
    // What was written last would be kept for as long as this is.
    this.#values.fill(null)
  }
}
