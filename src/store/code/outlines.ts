/**
 * Where the chunks of a file stand, without what stands in them: enough to tell which chunk a place
 * belongs to. A graph leads to the same files again and again, so outlines are kept for a while.
 */
import type { DatabaseSync } from 'node:sqlite'
import { Memo } from '../../platform/memo.ts'
import { CHUNKS_OF_FILES, queryOf } from './rows.ts'

interface Outline {
  readonly number: number
  readonly uid: string
  readonly start: number
  readonly end: number
  readonly startLine: number
  /** Number of its id; 0 for none. */
  readonly symbol: number
}

/** Chunks, some 20 MB. */
const MOST_CHUNKS = 60_000

/** By path; each by start, end and uid. */
export type Outlines = Memo<string, readonly Outline[]>

export function rememberOutlines(connection: DatabaseSync): Outlines {
  const rows = queryOf<OutlineRow, Outline>(
    connection,
    `SELECT c.n, c.uid, c.start, c.end, c.start_line, c.symbol ${CHUNKS_OF_FILES}
       WHERE f.path = ? ORDER BY c.start, c.end, c.uid`,
    (row) => ({
      number: row[0],
      uid: row[1],
      start: row[2],
      end: row[3],
      startLine: row[4],
      symbol: row[5],
    }),
  )
  return new Memo((path) => rows(path), {
    limit: MOST_CHUNKS,
    costOf: (outlines) => outlines.length + 1,
  })
}

type OutlineRow = [number, string, number, number, number, number]
