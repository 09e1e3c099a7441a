/** Takes out of the lists what is gone, and makes one segment of many. */
import type { DatabaseSync } from 'node:sqlite'
import type { Counters } from './counters.ts'
import { loadDead } from './dead.ts'
import { mergeSegments, segmentCount } from './lists.ts'
import { dropUnused } from './strings.ts'

/** More than this share of the chunks in the postings are gone. */
const MANY_DEAD = 0.25
const MANY_SEGMENTS = 64

export function isWorthCompacting(connection: DatabaseSync, counters: Counters): boolean {
  return (
    counters.deadChunks > MANY_DEAD * counters.chunks ||
    segmentCount(connection, 'postings') > MANY_SEGMENTS ||
    segmentCount(connection, 'askers') > MANY_SEGMENTS
  )
}

export function compactTables(connection: DatabaseSync, counters: Counters): void {
  const isDead = loadDead(connection) ?? (() => false)
  counters.segment += 1
  mergeSegments(connection, 'postings', {
    segment: counters.segment,
    isAlive: (chunk) => !isDead(chunk),
  })
  connection.exec('DELETE FROM dead_chunks')
  counters.deadChunks = 0
  const living = new Set(
    connection
      .prepare('SELECT n FROM resolutions')
      .all()
      .map((row) => Number(row['n'])),
  )
  counters.segment += 1
  mergeSegments(connection, 'askers', {
    segment: counters.segment,
    isAlive: (resolution) => living.has(resolution),
  })
  dropUnused(connection)
}
