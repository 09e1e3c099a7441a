/**
 * Paths and symbols by the numbers that edges have for them. Thousands of edges name the same few,
 * so texts are remembered here, and not read again with every row.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Texts that are kept; after that many it starts over, so that memory does not grow. */
const REMEMBERED = 100_000

export class Names {
  readonly #paths: Remembered
  readonly #symbols: Remembered

  constructor(connection: DatabaseSync) {
    this.#paths = new Remembered(connection.prepare('SELECT path FROM files WHERE n = ?'))
    this.#symbols = new Remembered(connection.prepare('SELECT text FROM strings WHERE n = ?'))
  }

  pathOf(file: number): string {
    return this.#paths.get(file)
  }

  /** 0 is the empty text. */
  symbolOf(number: number): string {
    return number === 0 ? '' : this.#symbols.get(number)
  }
}

class Remembered {
  readonly #statement: StatementSync
  readonly #known = new Map<number, string>()

  constructor(statement: StatementSync) {
    statement.setReturnArrays(true)
    this.#statement = statement
  }

  get(number: number): string {
    const known = this.#known.get(number)
    if (known !== undefined) return known
    if (this.#known.size >= REMEMBERED) this.#known.clear()
    const row = this.#statement.get(number) as unknown as [string] | undefined
    const text = row?.[0] ?? ''
    this.#known.set(number, text)
    return text
  }
}
