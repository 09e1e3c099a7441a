/**
 * Where the chunks of a file stand, without what stands in them: enough to tell which chunk a place
 * belongs to. A graph leads to the same files again and again, so outlines are kept for a while.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { CHUNKS_OF_FILES } from './rows.ts'

interface Outline {
  readonly number: number
  readonly uid: string
  readonly start: number
  readonly end: number
  readonly startLine: number
  /** Number of its id; 0 for none. */
  readonly symbol: number
}

/** Chunks that are kept, some 20 MB; after that many it starts over, so that memory does not grow. */
const REMEMBERED = 60_000

export class Outlines {
  readonly #statement: StatementSync
  readonly #known = new Map<string, readonly Outline[]>()
  #size = 0

  constructor(connection: DatabaseSync) {
    this.#statement = connection.prepare(
      `SELECT c.n, c.uid, c.start, c.end, c.start_line, c.symbol ${CHUNKS_OF_FILES}
         WHERE f.path = ? ORDER BY c.start, c.end, c.uid`,
    )
    this.#statement.setReturnArrays(true)
  }

  /** By start, end and uid. */
  of(path: string): readonly Outline[] {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const rows = this.#statement.all(path) as unknown as readonly OutlineRow[]
    const found = rows.map((row) => ({
      number: row[0],
      uid: row[1],
      start: row[2],
      end: row[3],
      startLine: row[4],
      symbol: row[5],
    }))
    if (this.#size > REMEMBERED) this.#forget()
    this.#known.set(path, found)
    this.#size += found.length
    return found
  }

  #forget(): void {
    this.#known.clear()
    this.#size = 0
  }
}

type OutlineRow = [number, string, number, number, number, number]
