/** The pack that is already there: what an incremental build may keep, and whose it is. */
import { DOCS_PACK_SCHEMA_VERSION } from '../../model/docs-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Files } from '../../platform/files.ts'
import { type DatabaseMeta, DocsDatabase, type DocumentState } from './database.ts'
import { belongsTo, type PackPaths } from './open-index.ts'
import { originOf } from './read-pack.ts'

export interface Former {
  readonly meta: DatabaseMeta
  readonly documents: readonly DocumentState[]
}

export interface PackCondition {
  /** Undefined where there is no pack, or none that can be built upon: then all is read again. */
  readonly former: Former | undefined
  readonly hasOlderIds: boolean
}

export function examinePack(files: Files, paths: PackPaths, generator: string): PackCondition {
  let database: DocsDatabase | undefined
  try {
    if (files.stat(paths.database).kind !== 'file') return NOTHING_TO_KEEP
    database = DocsDatabase.open(paths.database, 'read')
    if (database.hasOlderIds()) return { ...NOTHING_TO_KEEP, hasOlderIds: true }
    const meta = database.meta()
    const isOwn = meta.header.generator_version === generator
    const isInStep = belongsTo(meta, files.stat(paths.pack))
    if (!isOwn || !isInStep) return NOTHING_TO_KEEP
    return { former: { meta, documents: database.documents() }, hasOlderIds: false }
  } catch {
    // Missing or damaged alike: the documents are what counts, and they are read again.
    return NOTHING_TO_KEEP
  } finally {
    database?.close()
  }
}

const NOTHING_TO_KEEP: PackCondition = { former: undefined, hasOlderIds: false }

/** Tells whether somebody has written since. */
export function stampOf(files: Files, paths: PackPaths): string {
  return [paths.pack, paths.database]
    .map((path) => {
      try {
        const { size, mtimeMs } = files.stat(path)
        return `${size}@${mtimeMs}`
      } catch {
        return 'none'
      }
    })
    .join(' ')
}

const HEAD_BYTES = 64 * 1024

/** Refuses to replace what this program did not write, or what a newer one did. */
export function refuseForeign(files: Files, paths: PackPaths, generator: string): void {
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
  const program = programOf(generator)
  if (head.trim() === '' || programOf(origin?.generator) === program) return
  // Too damaged to say whose it is; then the database beside it may.
  if (origin === undefined && programOf(databaseGenerator(paths.database)) === program) return
  throw new EngineError('POC_E_PACK_FOREIGN', `${paths.pack} was not written by ${program}`, {
    hint: 'move it away, give another place with --output, or replace it with --force',
  })
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
