/** Examines the existing pack: what an incremental build may keep, and which program wrote it. */
import { basename, dirname, join } from 'node:path'
import { DOCS_PACK_SCHEMA_VERSION, LEAST_CHARS, MOST_CHARS } from '../../model/docs-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import { type FileStat, type Files, LOCK } from '../../platform/files.ts'
import { type DatabaseMeta, DocsDatabase, type DocumentState } from './database.ts'
import { isSameFile, isUntouched, type PackPaths } from './open-index.ts'
import type { PackSettings } from './pack-commands.ts'
import { parseOrigin, parsePack } from './read-pack.ts'

export interface ExistingPack {
  readonly meta: DatabaseMeta
  readonly documents: readonly DocumentState[]
}

/** The condition of the two files of a pack. */
export interface PackCondition {
  /** Undefined if there is no usable pack: then all documents are read. */
  readonly existing: ExistingPack | undefined
  /** The settings that could be read from the files. */
  readonly settings: PackSettings
  readonly hasOlderIds: boolean
  /** The faults of the files, which a rebuild repairs. */
  readonly faults: readonly string[]
}

export const NO_PACK: PackCondition = {
  existing: undefined,
  settings: {},
  hasOlderIds: false,
  faults: [],
}

/**
 * Whether the pack can be built upon. Sizes and times decide, so that an unchanged pack costs the
 * same however large it is: a build gives both files a time that nobody else gives them.
 */
export function examinePack(files: Files, paths: PackPaths, generator: string): PackCondition {
  const pack = statIfExists(files, paths.pack)
  const file = statIfExists(files, paths.database)
  if (file === undefined && pack === undefined) return NO_PACK
  const name = basename(paths.database)
  if (file === undefined)
    return describeBrokenPack(files, paths, { generator, fault: `${name} is missing` })
  let database: DocsDatabase | undefined
  try {
    if (file.kind !== 'file') throw new Error('it is not a plain file')
    database = DocsDatabase.open(paths.database, 'read')
    const meta = database.meta()
    const condition = { ...NO_PACK, settings: readSettings(meta) }
    if (database.hasOlderIds()) return { ...condition, hasOlderIds: true }
    const documents = database.documents()
    const faults = findFaults(files, paths, meta)
    const isOwn = meta.header.generator_version === generator
    return isOwn && faults.length === 0
      ? { ...condition, existing: { meta, documents } }
      : { ...condition, faults }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return describeBrokenPack(files, paths, {
      generator,
      fault: `${name} cannot be read: ${message}`,
    })
  } finally {
    database?.close()
  }
}

function findFaults(files: Files, paths: PackPaths, meta: DatabaseMeta): readonly string[] {
  const changed = 'was changed or copied after the last build'
  const pack = statIfExists(files, paths.pack)
  const faults: string[] = []
  if (pack === undefined) faults.push(`${basename(paths.pack)} is missing`)
  else if (!isSameFile(meta, pack)) faults.push(`${basename(paths.pack)} ${changed}`)
  if (!isUntouched(files, paths, meta)) faults.push(`${basename(paths.database)} ${changed}`)
  return faults
}

/** Without a readable database the settings are taken from the pack file. */
function describeBrokenPack(
  files: Files,
  paths: PackPaths,
  { generator, fault }: { readonly generator: string; readonly fault: string },
): PackCondition {
  const condition = { ...NO_PACK, faults: [fault] }
  try {
    const pack = parsePack(files.read(paths.pack), paths)
    if (programName(pack.generator_version) !== programName(generator)) return NO_PACK
    const hasTexts = pack.chunks.every((it) => it.text !== undefined)
    const chunksIn = hasTexts ? 'json' : 'sqlite'
    return { ...condition, settings: readSettings({ chunking: pack.chunking, chunksIn }) }
  } catch {
    return condition
  }
}

/** Only values that an option allows: a file edited by hand may contain anything. */
function readSettings(meta: Pick<DatabaseMeta, 'chunking' | 'chunksIn'>): PackSettings {
  const { chunking, chunksIn } = meta
  const { max_chars: maxChars } = chunking
  const isLimit = Number.isInteger(maxChars) && maxChars >= LEAST_CHARS && maxChars <= MOST_CHARS
  return {
    ...(chunksIn === 'json' || chunksIn === 'sqlite' ? { chunksIn } : {}),
    ...(isLimit ? { maxChars } : {}),
  }
}

function statIfExists(files: Files, path: string): FileStat | undefined {
  try {
    return files.stat(path)
  } catch {
    return undefined
  }
}

/** Changes whenever the files are written. */
export function readStamp(files: Files, paths: PackPaths): string {
  return [paths.pack, paths.database]
    .map((path) => {
      const stat = statIfExists(files, path)
      return stat === undefined ? 'none' : `${stat.size}@${stat.mtimeMs}`
    })
    .join(' ')
}

const HEAD_BYTES = 64 * 1024

export interface PackOwner {
  readonly generator: string
  /** Whether the pack is at its default location. */
  readonly isOwnPlace: boolean
}

/** Refuses to replace files that another program or a newer version wrote. */
export function refuseForeign(files: Files, paths: PackPaths, owner: PackOwner): void {
  let head: string
  try {
    head = Buffer.from(files.read(paths.pack).subarray(0, HEAD_BYTES)).toString('utf8')
  } catch {
    return
  }
  const origin = parseOrigin(head)
  if (origin !== undefined && origin.schemaVersion > DOCS_PACK_SCHEMA_VERSION) {
    throw new EngineError(
      'POC_E_CONTRACT_VERSION',
      `${paths.pack} was written with schema version ${origin.schemaVersion}, newer than ${DOCS_PACK_SCHEMA_VERSION}`,
      { hint: 'update dossier, or replace the pack with --force' },
    )
  }
  const program = programName(owner.generator)
  if (head.trim() === '' || programName(origin?.generator) === program) return
  // The file is too damaged to show who wrote it; the files beside it may.
  if (origin === undefined && isOwnFile(files, paths, owner)) return
  throw new EngineError('POC_E_PACK_FOREIGN', `${paths.pack} was not written by ${program}`, {
    hint: 'move it, give another path with --output, or replace it with --force',
  })
}

/** The lock is left behind by builds; in a folder that a caller named, it may be of another pack. */
function isOwnFile(files: Files, paths: PackPaths, { generator, isOwnPlace }: PackOwner): boolean {
  const lock = join(dirname(paths.pack), LOCK)
  if (isOwnPlace && statIfExists(files, lock) !== undefined) return true
  return programName(readDatabaseGenerator(paths.database)) === programName(generator)
}

function programName(generator: string | undefined): string {
  return generator?.split(' ')[0] ?? ''
}

function readDatabaseGenerator(path: string): string | undefined {
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
