/**
 * Opens a docs pack for reading. The JSON file is the pack; context.db is a faster way into it and
 * is used when it belongs to that very file. Where the texts live in the database alone, the
 * database is the pack.
 */
import type { DocsIndex } from '../../model/docs-index.ts'
import type { DocsPack } from '../../model/docs-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { FileStat, Files } from '../../platform/files.ts'
import { type DatabaseMeta, DocsDatabase } from './database.ts'
import { DatabaseIndex } from './database-index.ts'
import { JsonIndex } from './json-index.ts'
import { type FoundPack, parsePack } from './read-pack.ts'

export interface PackPaths {
  /** Native and absolute. */
  readonly pack: string
  readonly database: string
}

export function openDocsIndex(files: Files, paths: PackPaths, damage?: Error): DocsIndex {
  const database = damage ?? unplain(files, paths.database) ?? openDatabase(paths.database)
  if (database instanceof DocsDatabase) {
    if (isInStep(files, database, paths.pack)) {
      return new DatabaseIndex(database, database.hasOlderIds() ? OLDER_IDS : undefined)
    }
    database.close()
  }
  const pack = readPackFile(files, paths.pack)
  const note =
    database instanceof Error
      ? `context.db cannot be read (${database.message}); \`dossier ctx ${damage === undefined ? 'sync' : 'build'}\` makes it anew`
      : database === undefined
        ? undefined
        : 'context.db belongs to another build of this pack; `dossier ctx sync` brings it in step'
  if (isComplete(pack)) return new JsonIndex(pack, note)
  throw new EngineError(
    'POC_E_PACK_CORRUPT',
    `the texts of ${paths.pack} are in context.db, which is ${database === undefined ? 'missing' : 'damaged'}`,
    {
      hint: `run \`dossier ctx ${damage === undefined ? 'sync' : 'build --chunks-in sqlite'}\` to make it anew from the documents`,
    },
  )
}

const OLDER_IDS =
  'this pack has an older form of chunk ids; `dossier ctx sync` rebuilds it with the current ones'

/** A FIFO would be waited for. */
function unplain(files: Files, path: string): Error | undefined {
  try {
    return files.stat(path).kind === 'other' ? new Error('it is not a plain file') : undefined
  } catch {
    return undefined
  }
}

export function readPackFile(files: Files, path: string): FoundPack {
  let bytes: Uint8Array
  try {
    bytes = files.read(path)
  } catch (error) {
    if (isMissing(error)) {
      throw new EngineError('POC_E_PACK_MISSING', `there is no context pack at ${path}`, {
        hint: 'build one with `dossier ctx build`',
        cause: error,
      })
    }
    throw new EngineError('POC_E_READ_FAILED', `${path} cannot be read: ${messageOf(error)}`, {
      hint: 'check the permissions of the file',
      cause: error,
    })
  }
  return parsePack(bytes, path)
}

/** The database, undefined where there is none, or the error that opening it gave. */
export function openDatabase(path: string): DocsDatabase | Error | undefined {
  try {
    const database = DocsDatabase.open(path, 'read')
    database.meta()
    return database
  } catch (error) {
    return isMissing(error) || isCannotOpen(error)
      ? undefined
      : new Error(messageOf(error), { cause: error })
  }
}

function isInStep(files: Files, database: DocsDatabase, packPath: string): boolean {
  const meta = database.meta()
  try {
    const stat = files.stat(packPath)
    return meta.chunksIn === 'sqlite' || belongsTo(meta, stat)
  } catch {
    return false
  }
}

/** Whether this is the very file that the database was written with. */
export function belongsTo({ json }: DatabaseMeta, pack: FileStat): boolean {
  return pack.size === json.size && pack.mtimeMs === json.mtimeMs
}

function isComplete(pack: FoundPack): pack is DocsPack {
  return pack.chunks.every((chunk) => chunk.text !== undefined)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

const SQLITE_CANTOPEN = 14

function isCannotOpen(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_CANTOPEN
}

/** SQLite's own, not one of ours. */
export function isDatabaseError(error: unknown): error is Error {
  return error instanceof Error && 'errcode' in error
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
