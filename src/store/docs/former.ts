/** The pack that is already there: what an incremental build may keep, and whose it is. */
import { basename, dirname, join } from 'node:path'
import { DOCS_PACK_SCHEMA_VERSION, LEAST_CHARS, MOST_CHARS } from '../../model/docs-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import { type FileStat, type Files, LOCK } from '../../platform/files.ts'
import { type DatabaseMeta, DocsDatabase, type DocumentState } from './database.ts'
import { isAsWritten, isUntouched, type PackPaths } from './open-index.ts'
import type { PackSettings } from './pack-commands.ts'
import { originOf, parsePack } from './read-pack.ts'

export interface Former {
  readonly meta: DatabaseMeta
  readonly documents: readonly DocumentState[]
}

/** The two files of a pack as they were found. */
export interface PackCondition {
  /** Undefined where there is no pack, or none that can be built upon: then all is read again. */
  readonly former: Former | undefined
  /** As far as the files still tell them. */
  readonly settings: PackSettings
  readonly hasOlderIds: boolean
  /** Each thing that is wrong with the files: what a rebuild repairs. */
  readonly faults: readonly string[]
}

export const NO_PACK: PackCondition = {
  former: undefined,
  settings: {},
  hasOlderIds: false,
  faults: [],
}

/**
 * Whether the pack can be built upon. Sizes and times decide, so that an unchanged pack costs the
 * same however large it is: a build gives both files a time that nobody else gives them.
 */
export function examinePack(files: Files, paths: PackPaths, generator: string): PackCondition {
  const pack = statOf(files, paths.pack)
  const file = statOf(files, paths.database)
  if (file === undefined && pack === undefined) return NO_PACK
  const name = basename(paths.database)
  if (file === undefined) return broken(files, paths, { generator, fault: `${name} is missing` })
  let database: DocsDatabase | undefined
  try {
    if (file.kind !== 'file') throw new Error('it is not a plain file')
    database = DocsDatabase.open(paths.database, 'read')
    const meta = database.meta()
    const condition = { ...NO_PACK, settings: settingsOf(meta) }
    if (database.hasOlderIds()) return { ...condition, hasOlderIds: true }
    const documents = database.documents()
    const faults = faultsOf(files, paths, meta)
    const isOwn = meta.header.generator_version === generator
    return isOwn && faults.length === 0
      ? { ...condition, former: { meta, documents } }
      : { ...condition, faults }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return broken(files, paths, { generator, fault: `${name} cannot be read: ${message}` })
  } finally {
    database?.close()
  }
}

function faultsOf(files: Files, paths: PackPaths, meta: DatabaseMeta): readonly string[] {
  const changed = 'was changed or copied after the last build'
  const pack = statOf(files, paths.pack)
  const faults: string[] = []
  if (pack === undefined) faults.push(`${basename(paths.pack)} is missing`)
  else if (!isAsWritten(meta, pack)) faults.push(`${basename(paths.pack)} ${changed}`)
  if (!isUntouched(files, paths, meta)) faults.push(`${basename(paths.database)} ${changed}`)
  return faults
}

/** Without a database that tells them, the settings are those that the pack file shows. */
function broken(
  files: Files,
  paths: PackPaths,
  { generator, fault }: { readonly generator: string; readonly fault: string },
): PackCondition {
  const condition = { ...NO_PACK, faults: [fault] }
  try {
    const pack = parsePack(files.read(paths.pack), paths)
    if (programOf(pack.generator_version) !== programOf(generator)) return NO_PACK
    const hasTexts = pack.chunks.every((it) => it.text !== undefined)
    const chunksIn = hasTexts ? 'json' : 'sqlite'
    return { ...condition, settings: settingsOf({ chunking: pack.chunking, chunksIn }) }
  } catch {
    return condition
  }
}

/** Only what an option could have asked for: a file that was edited by hand may hold anything. */
function settingsOf(meta: Pick<DatabaseMeta, 'chunking' | 'chunksIn'>): PackSettings {
  const { chunking, chunksIn } = meta
  const { max_chars: maxChars } = chunking
  const isLimit = Number.isInteger(maxChars) && maxChars >= LEAST_CHARS && maxChars <= MOST_CHARS
  return {
    ...(chunksIn === 'json' || chunksIn === 'sqlite' ? { chunksIn } : {}),
    ...(isLimit ? { maxChars } : {}),
  }
}

function statOf(files: Files, path: string): FileStat | undefined {
  try {
    return files.stat(path)
  } catch {
    return undefined
  }
}

/** Tells whether somebody has written since. */
export function stampOf(files: Files, paths: PackPaths): string {
  return [paths.pack, paths.database]
    .map((path) => {
      const stat = statOf(files, path)
      return stat === undefined ? 'none' : `${stat.size}@${stat.mtimeMs}`
    })
    .join(' ')
}

const HEAD_BYTES = 64 * 1024

export interface Owner {
  readonly generator: string
  /** Whether the pack lies where this program puts it, and not where a caller says. */
  readonly isOwnPlace: boolean
}

/** Refuses to replace what this program did not write, or what a newer one did. */
export function refuseForeign(files: Files, paths: PackPaths, owner: Owner): void {
  let head: string
  try {
    head = Buffer.from(files.read(paths.pack).subarray(0, HEAD_BYTES)).toString('utf8')
  } catch {
    return
  }
  const origin = originOf(head)
  if (origin !== undefined && origin.schemaVersion > DOCS_PACK_SCHEMA_VERSION) {
    throw new EngineError(
      'POC_E_CONTRACT_VERSION',
      `${paths.pack} was written with schema version ${origin.schemaVersion}, newer than ${DOCS_PACK_SCHEMA_VERSION}`,
      { hint: 'update dossier, or replace the pack with --force' },
    )
  }
  const program = programOf(owner.generator)
  if (head.trim() === '' || programOf(origin?.generator) === program) return
  // Too damaged to say whose it is; then what lies beside it may.
  if (origin === undefined && isOurs(files, paths, owner)) return
  throw new EngineError('POC_E_PACK_FOREIGN', `${paths.pack} was not written by ${program}`, {
    hint: 'move it away, give another place with --output, or replace it with --force',
  })
}

/** The lock is left behind by builds; in a folder that a caller named, it may be of another pack. */
function isOurs(files: Files, paths: PackPaths, { generator, isOwnPlace }: Owner): boolean {
  const lock = join(dirname(paths.pack), LOCK)
  if (isOwnPlace && statOf(files, lock) !== undefined) return true
  return programOf(databaseGenerator(paths.database)) === programOf(generator)
}

function programOf(generator: string | undefined): string {
  return generator?.split(' ')[0] ?? ''
}

function databaseGenerator(path: string): string | undefined {
  let database: DocsDatabase | undefined
  try {
    database = DocsDatabase.open(path, 'read')
    return database.meta().header.generator_version
  } catch {
    return undefined
  } finally {
    database?.close()
  }
}
