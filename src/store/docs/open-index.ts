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
import { formatBuildCommand, formatSyncCommand } from './pack-commands.ts'
import { type ParsedPack, parsePack } from './read-pack.ts'

export interface PackPaths {
  /** Native and absolute. */
  readonly pack: string
  readonly database: string
  /** The options that name this pack on the command line, each with a space before it. */
  readonly options?: string
}

export function openDocsIndex(files: Files, paths: PackPaths, damage?: Error): DocsIndex {
  const database = damage ?? checkPlainFile(files, paths.database) ?? openDatabase(paths.database)
  if (database instanceof DocsDatabase) {
    if (matchesPackFile(files, database, paths)) {
      return new DatabaseIndex(
        database,
        database.hasOlderIds() ? describeOlderIds(paths) : undefined,
      )
    }
    database.close()
  }
  const pack = readPackFile(files, paths)
  const chunksIn = isComplete(pack) ? 'json' : 'sqlite'
  // A sync does not detect damage that was only found by a query.
  const command =
    damage === undefined
      ? formatSyncCommand(paths)
      : formatBuildCommand(paths, { chunksIn, maxChars: pack.chunking.max_chars })
  if (isComplete(pack)) return new JsonIndex(pack, describeDatabaseProblem(database, command))
  throw new EngineError(
    'POC_E_PACK_CORRUPT',
    `the texts of ${paths.pack} are in context.db, which is ${database === undefined ? 'missing' : 'damaged'}`,
    { hint: `\`${command}\` rebuilds it from the documents` },
  )
}

function describeDatabaseProblem(
  database: DocsDatabase | Error | undefined,
  command: string,
): string | undefined {
  if (database === undefined) return undefined
  return database instanceof Error
    ? `context.db cannot be read (${database.message}); \`${command}\` rebuilds it`
    : `context.db does not belong to this pack file, because one of them was changed or copied; \`${command}\` rebuilds both`
}

function describeOlderIds(paths: PackPaths): string {
  return `the chunk ids of this pack have an older format; \`${formatSyncCommand(paths)}\` rebuilds it with the current ones`
}

/** Reading a FIFO would block. */
function checkPlainFile(files: Files, path: string): Error | undefined {
  try {
    return files.stat(path).kind === 'other' ? new Error('it is not a plain file') : undefined
  } catch {
    return undefined
  }
}

export function readPackFile(files: Files, paths: PackPaths): ParsedPack {
  const { pack: path } = paths
  let bytes: Uint8Array
  try {
    bytes = files.read(path)
  } catch (error) {
    if (isMissing(error)) {
      throw new EngineError('POC_E_PACK_MISSING', `no context pack found at ${path}`, {
        hint: `build one with \`${formatBuildCommand(paths)}\``,
        cause: error,
      })
    }
    throw new EngineError('POC_E_READ_FAILED', `${path} cannot be read: ${errorMessage(error)}`, {
      hint: 'check the permissions of the file',
      cause: error,
    })
  }
  return parsePack(bytes, paths)
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
      : new Error(errorMessage(error), { cause: error })
  }
}

function matchesPackFile(files: Files, database: DocsDatabase, paths: PackPaths): boolean {
  const meta = database.meta()
  try {
    const stat = files.stat(paths.pack)
    if (meta.chunksIn === 'sqlite') return true
    // Databases with older ids were not given a time that shows later changes.
    return isSameFile(meta, stat) && (database.hasOlderIds() || isUntouched(files, paths, meta))
  } catch {
    return false
  }
}

/** Whether this is the very file that the database was written with. */
export function isSameFile({ json }: DatabaseMeta, pack: FileStat): boolean {
  return pack.size === json.size && pack.mtimeMs === json.mtimeMs
}

/** Whether nobody has written to the database since: it was given the time of the pack file. */
export function isUntouched(files: Files, paths: PackPaths, { json }: DatabaseMeta): boolean {
  return files.stat(paths.database).mtimeMs === json.mtimeMs
}

function isComplete(pack: ParsedPack): pack is DocsPack {
  return pack.chunks.every((chunk) => chunk.text !== undefined)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

const SQLITE_CANTOPEN = 14

function isCannotOpen(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_CANTOPEN
}

/** Whether the error comes from SQLite. */
export function isDatabaseError(error: unknown): error is Error {
  return error instanceof Error && 'errcode' in error
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
