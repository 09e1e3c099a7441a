/** Opens index.db, and refuses what is not ours or not of this version. Nothing is ever deleted. */
import { DatabaseSync } from 'node:sqlite'
import type { Files } from '../../platform/files.ts'
import { APPLICATION_ID, CREATE_TABLES, INDEX_VERSION } from './tables.ts'
import { asIndexError, troubleWith } from './trouble.ts'

const BUSY_MS = 5000
/** The log is written back when it is this long (32 MB), which a small commit then has to wait for. */
const LOG_PAGES = 8000
const LARGE_PAGE_CACHE = 'PRAGMA cache_size = -65536'
/** Rows come in the order of their numbers, and indexes are made after them. */
const PAGE_CACHE_OF_BUILD = 'PRAGMA cache_size = -16384'

/** A new database. Nobody reads it before it is finished, so it needs no journal. */
export function createConnection(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { allowExtension: true })
  connection.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${PAGE_CACHE_OF_BUILD};
    PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${INDEX_VERSION};
    BEGIN; ${CREATE_TABLES}`)
  return connection
}

export function openConnection(files: Files, path: string, access: 'read' | 'write'): DatabaseSync {
  refuseUnplain(files, path)
  let connection: DatabaseSync | undefined
  try {
    connection = connect(path, access)
    verify(connection, path)
    connection.exec(LARGE_PAGE_CACHE)
    if (access === 'write') {
      connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
        PRAGMA wal_autocheckpoint = ${LOG_PAGES}`)
    }
    return connection
  } catch (error) {
    connection?.close()
    throw asIndexError(error, path)
  }
}

/** A FIFO would be waited for, and an empty file is what SQLite makes of a missing one. */
function refuseUnplain(files: Files, path: string): void {
  const kind = kindOf(files, path)
  if (kind === undefined) throw troubleWith('missing', `there is no index at ${path}`)
  if (kind !== 'file') throw troubleWith('foreign', `${path} is not a plain file`)
}

export function kindOf(files: Files, path: string): string | undefined {
  try {
    return files.stat(path).kind
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Readers open the file for writing too, where they may: the log of a writer that was killed can
 * only be brought in by somebody who can write. They never do otherwise.
 */
function connect(path: string, access: 'read' | 'write'): DatabaseSync {
  if (access === 'write') return new DatabaseSync(path, { timeout: BUSY_MS, allowExtension: true })
  try {
    const connection = new DatabaseSync(path, { timeout: BUSY_MS, allowExtension: true })
    connection.exec('PRAGMA query_only = ON; SELECT 1 FROM sqlite_schema')
    return connection
  } catch {
    return connectForReading(path)
  }
}

/**
 * In a folder that nobody can write to, SQLite cannot make the files that go with a log, and has to
 * be told that the database will not change.
 */
function connectForReading(path: string): DatabaseSync {
  const options = { timeout: BUSY_MS, readOnly: true, allowExtension: true }
  const connection = new DatabaseSync(path, options)
  try {
    connection.exec('SELECT 1 FROM sqlite_schema')
    return connection
  } catch (error) {
    connection.close()
    if (!isForWantOfWriting(error)) throw error
    const escaped = path.replaceAll('%', '%25').replaceAll('?', '%3f').replaceAll('#', '%23')
    return new DatabaseSync(`file:${escaped}?immutable=1`, options)
  }
}

const SQLITE_READONLY = 8
const SQLITE_CANTOPEN = 14

function isForWantOfWriting(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  return [SQLITE_READONLY, SQLITE_CANTOPEN].includes(Number(error.errcode) & 0xff)
}

function verify(connection: DatabaseSync, path: string): void {
  const application = pragma(connection, 'application_id')
  if (application !== APPLICATION_ID) {
    throw troubleWith('foreign', `${path} is a database, but not an index of dossier`)
  }
  const version = pragma(connection, 'user_version')
  if (version !== INDEX_VERSION) {
    const relation = version > INDEX_VERSION ? 'a newer' : 'an older'
    throw troubleWith('version', `${path} is of ${relation} version (${version})`)
  }
  connection.prepare('SELECT count(*) FROM meta').get()
}

function pragma(connection: DatabaseSync, name: string): number {
  return Number(connection.prepare(`PRAGMA ${name}`).get()?.[name])
}
