/** Opens the database of a workspace, and refuses foreign databases and other versions. */
import { DatabaseSync } from 'node:sqlite'
import { EngineError } from '../../model/engine-error.ts'
import { createDatabase, openForReading, readPragma } from '../../platform/database.ts'
import type { Files } from '../../platform/files.ts'
import { asDiskError } from '../../platform/trouble.ts'
import { asNotesError, createStoreError } from './store-errors.ts'
import { APPLICATION_ID, CREATE_TABLES, NOTES_VERSION } from './tables.ts'

const BUSY_MS = 5000
const LARGE_PAGE_CACHE = 'PRAGMA cache_size = -65536'

/** A new database. Nobody reads it before it is finished, so it needs no journal. */
export function createConnection(path: string): DatabaseSync {
  const connection = createDatabase(path)
  connection.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${LARGE_PAGE_CACHE};
    PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${NOTES_VERSION};
    BEGIN; ${CREATE_TABLES}`)
  return connection
}

export function openConnection(files: Files, path: string, access: 'read' | 'write'): DatabaseSync {
  refuseSpecialFile(files, path)
  let connection: DatabaseSync | undefined
  try {
    connection =
      access === 'write' ? connectForWriting(path) : openForReading(path, { timeout: BUSY_MS })
    verifyDatabase(connection, path)
    connection.exec(LARGE_PAGE_CACHE)
    if (access === 'write') {
      connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    }
    return connection
  } catch (error) {
    connection?.close()
    throw asDiskError(asNotesError(error, path))
  }
}

/** Whether there is a workspace that can be updated; one of another version is rebuilt. */
export function isUsable(files: Files, path: string): boolean {
  if (fileKind(files, path) === undefined) return false
  try {
    openConnection(files, path, 'read').close()
    return true
  } catch (error) {
    if (error instanceof EngineError && error.code === 'POC_E_CONTRACT_VERSION') return false
    throw error
  }
}

/** Reading a FIFO would block, and SQLite creates an empty file for a missing one. */
function refuseSpecialFile(files: Files, path: string): void {
  const kind = fileKind(files, path)
  if (kind === undefined) throw createStoreError('missing', `no notes database found at ${path}`)
  if (kind !== 'file') throw createStoreError('foreign', `${path} is not a plain file`)
}

function fileKind(files: Files, path: string): string | undefined {
  try {
    return files.stat(path).kind
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw asDiskError(error)
  }
}

function connectForWriting(path: string): DatabaseSync {
  return new DatabaseSync(path, { timeout: BUSY_MS })
}

function verifyDatabase(connection: DatabaseSync, path: string): void {
  if (readPragma(connection, 'application_id') !== APPLICATION_ID) {
    throw createStoreError('foreign', `${path} is a database, but not a notes database`)
  }
  const version = readPragma(connection, 'user_version')
  if (version !== NOTES_VERSION) {
    const relation = version > NOTES_VERSION ? 'a newer' : 'an older'
    throw createStoreError('version', `${path} has ${relation} version (${version})`)
  }
  connection.prepare('SELECT count(*) FROM meta').get()
}
