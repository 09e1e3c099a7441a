/** Opens SQLite databases that other processes may be writing, or that are in read-only folders. */
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { ensureFile } from './private.ts'

export interface DatabaseOptions {
  /** How long to wait for another writer. */
  readonly timeout: number
  readonly allowExtension?: boolean
}

/** A new one, as private as its folder; the files that SQLite puts beside it take its mode. */
export function createDatabase(path: string, options: Partial<DatabaseOptions> = {}): DatabaseSync {
  ensureFile(path)
  return new DatabaseSync(path, options)
}

/**
 * Readers open the file for writing too, where they may: the log of a writer that was killed can
 * only be brought in by somebody who can write. They never do otherwise.
 */
export function openForReading(path: string, options: DatabaseOptions): DatabaseSync {
  let connection: DatabaseSync | undefined
  try {
    connection = new DatabaseSync(path, options)
    connection.exec('PRAGMA query_only = ON; SELECT 1 FROM sqlite_schema')
    return connection
  } catch {
    connection?.close()
    return openReadOnly(path, options)
  }
}

/**
 * In a folder that nobody can write to, SQLite cannot make the files that go with a log, and has to
 * be told that the database will not change.
 */
function openReadOnly(path: string, options: DatabaseOptions): DatabaseSync {
  const readOnly = { ...options, readOnly: true }
  const connection = new DatabaseSync(path, readOnly)
  try {
    connection.exec('SELECT 1 FROM sqlite_schema')
    return connection
  } catch (error) {
    connection.close()
    if (!isCausedByReadOnly(error, path)) throw error
    const escaped = path.replaceAll('%', '%25').replaceAll('?', '%3f').replaceAll('#', '%23')
    return new DatabaseSync(`file:${escaped}?immutable=1`, readOnly)
  }
}

const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_CANTOPEN = 14

function isCausedByReadOnly(error: unknown, path: string): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  const code = Number(error.errcode) & 0xff
  // On a full disk the files of a log cannot be made; without a log there is nothing in it to miss.
  const isFull = code === SQLITE_IOERR && !hasLog(path)
  return isFull || [SQLITE_READONLY, SQLITE_CANTOPEN].includes(code)
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** A number that SQLite keeps beside the tables. */
export function readPragma(connection: DatabaseSync, name: string): number {
  return Number(connection.prepare(`PRAGMA ${name}`).get()?.[name])
}
