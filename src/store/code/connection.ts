/** Opens index.db, and refuses what is not ours or not of this version. Nothing is ever deleted. */
import { DatabaseSync } from 'node:sqlite'
import { createDatabase, openForReading, readPragma } from '../../platform/database.ts'
import type { Files } from '../../platform/files.ts'
import { asDiskError } from '../../platform/trouble.ts'
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
  const connection = createDatabase(path, { allowExtension: true })
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
    throw asDiskError(asIndexError(error, path))
  }
}

/** A FIFO would be waited for, and an empty file is what SQLite makes of a missing one. */
function refuseUnplain(files: Files, path: string): void {
  const kind = kindOf(files, path)
  if (kind === undefined) throw troubleWith('missing', `there is no index at ${path}`)
  if (kind !== 'file') throw troubleWith('unplain', `${path} is not a plain file`)
}

/** Whatever the place of an index holds, a file can be replaced by one. */
export function refuseIrreplaceable(files: Files, path: string): void {
  if (kindOf(files, path) !== undefined) refuseUnplain(files, path)
}

/** Reads all of it: for who has reason to doubt. */
export function refuseDamaged(connection: DatabaseSync, path: string): void {
  const found = connection.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
  if (found !== 'ok') throw troubleWith('corrupt', `${path} is damaged: ${found}`)
}

export function kindOf(files: Files, path: string): string | undefined {
  try {
    return files.stat(path).kind
  } catch (error) {
    if (isNothing(error)) return undefined
    throw asDiskError(error)
  }
}

/** Nothing can lie below a file either; whoever makes the folder says what is in its way. */
function isNothing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:ENOENT|ENOTDIR)$/.test(`${error.code}`)
}

/** An index of ours that only a former version can read: it can be made again, and nothing else. */
export function isOutdated(files: Files, path: string): boolean {
  if (kindOf(files, path) !== 'file') return false
  let connection: DatabaseSync | undefined
  try {
    connection = connect(path, 'read')
    const isOurs = readPragma(connection, 'application_id') === APPLICATION_ID
    return isOurs && readPragma(connection, 'user_version') < INDEX_VERSION
  } catch {
    // What cannot be read is said by whoever needs it.
    return false
  } finally {
    connection?.close()
  }
}

function connect(path: string, access: 'read' | 'write'): DatabaseSync {
  const options = { timeout: BUSY_MS, allowExtension: true }
  return access === 'write' ? new DatabaseSync(path, options) : openForReading(path, options)
}

function verify(connection: DatabaseSync, path: string): void {
  const application = readPragma(connection, 'application_id')
  if (application !== APPLICATION_ID) {
    throw troubleWith('foreign', `${path} is a database, but not an index of dossier`)
  }
  const version = readPragma(connection, 'user_version')
  if (version !== INDEX_VERSION) {
    const [relation, trouble] =
      version > INDEX_VERSION ? (['a newer', 'newer'] as const) : (['an older', 'older'] as const)
    throw troubleWith(trouble, `${path} is of ${relation} version (${version})`)
  }
  connection.prepare('SELECT count(*) FROM meta').get()
}
