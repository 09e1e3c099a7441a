/**
 * Paths and symbols by the numbers that edges have for them. Thousands of edges name the same few,
 * so texts are remembered here, and not read again with every row.
 */
import type { DatabaseSync } from 'node:sqlite'
import { Memo } from '../../platform/memo.ts'

/** Texts of each kind. */
const MOST_REMEMBERED = 100_000

export class Names {
  readonly #paths: Memo<number, string>
  readonly #symbols: Memo<number, string>

  constructor(connection: DatabaseSync) {
    this.#paths = rememberTexts(connection, 'SELECT path FROM files WHERE n = ?')
    this.#symbols = rememberTexts(connection, 'SELECT text FROM strings WHERE n = ?')
  }

  pathOf(file: number): string {
    return this.#paths.get(file)
  }

  /** 0 is the empty text. */
  symbolOf(number: number): string {
    return number === 0 ? '' : this.#symbols.get(number)
  }
}

function rememberTexts(connection: DatabaseSync, sql: string): Memo<number, string> {
  const statement = connection.prepare(sql)
  statement.setReturnArrays(true)
  const read = (number: number): string =>
    (statement.get(number) as unknown as [string] | undefined)?.[0] ?? ''
  return new Memo(read, { limit: MOST_REMEMBERED })
}
