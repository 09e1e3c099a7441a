/** The next number of everything that is numbered, and sums that would take a scan to know. */
import type { DatabaseSync } from 'node:sqlite'
import { WORD_FIELDS } from '../../model/index-record.ts'

export interface Counters {
  /** What was given out last. */
  file: number
  chunk: number
  symbol: number
  provided: number
  resolution: number
  edge: number
  string: number
  segment: number
  /** Chunks that are there. */
  chunks: number
  /** Chunks that are gone, but still in the postings. */
  deadChunks: number
  /** Words in each field, over all chunks that are there. */
  lengths: number[]
}

export function loadCounters(connection: DatabaseSync): Counters {
  const row = connection.prepare(`SELECT value FROM meta WHERE key = 'counters'`).get()
  if (row !== undefined) return JSON.parse(String(row['value'])) as Counters
  return {
    file: 0,
    chunk: 0,
    symbol: 0,
    provided: 0,
    resolution: 0,
    edge: 0,
    string: 0,
    segment: 0,
    chunks: 0,
    deadChunks: 0,
    lengths: WORD_FIELDS.map(() => 0),
  }
}

export function saveCounters(connection: DatabaseSync, counters: Counters): void {
  connection
    .prepare(`INSERT OR REPLACE INTO meta VALUES ('counters', ?)`)
    .run(JSON.stringify(counters))
}
