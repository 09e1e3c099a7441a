/** Setup of surfaces that answer many requests. */
import { basename, join, resolve } from 'node:path'
import { FLOWS_FOLDER } from '../../evidence/part-names.ts'
import { EngineError } from '../../model/engine-error.ts'
import { hasDocsPack } from '../../packs/docs/find-segments.ts'
import { topOf } from '../../packs/index/index-options.ts'
import { keepIndexesOpen as keepCodeOpen } from '../../packs/index/with-code-index.ts'
import { listNotesOptions, type NotesOptions } from '../../packs/notes/notes-options.ts'
import { keepNotesOpen } from '../../packs/notes/open-copies.ts'
import { kindAt } from '../../platform/files.ts'
import type { World } from '../../platform/world.ts'
import type { NamedSegment } from './instructions.ts'
import type { Operation } from './operation.ts'

/** Indexes and copies of notes stay open from request to request, until closed. */
export function keepIndexesOpen(world: World): { close(): Promise<void> } {
  const all = [keepCodeOpen(world), keepNotesOpen(world)]
  return {
    async close() {
      for (const it of all) await it.close()
    },
  }
}

export interface ServeRequest {
  readonly segments: readonly string[]
  readonly repoRoot: string | undefined
  readonly repositories: readonly string[]
  /** Aliases; empty for all; undefined for none. */
  readonly notes: readonly string[] | undefined
  /** Whether nothing was named: then the working folder is served with everything in it. */
  readonly noTargetGiven: boolean
}

export interface ServedTargets {
  readonly segments: readonly NamedSegment[]
  /** Each with the name that clients use. */
  readonly repositories: readonly { readonly name: string; readonly path: string }[]
  readonly notes: NotesOptions
}

/** A repository must exist; documents and their pack may be added later. */
export function resolveServedTargets(world: World, request: ServeRequest): ServedTargets {
  const notes = listServedNotes(world, request)
  if (request.noTargetGiven) return { ...serveWorkingFolder(world, request), notes }
  const { repoRoot } = request
  const segments = request.segments.map((segment) => ({
    name: basename(resolve(world.workingFolder, repoRoot ?? '.', segment)),
    segment,
    repoRoot,
  }))
  const repositories = request.repositories.map((it) => describeRepository(world, it))
  refuseDuplicateNames(segments, 'segments')
  refuseDuplicateNames(repositories, 'repositories')
  return { segments, repositories, notes }
}

/** The code of the folder, and the docs packs in it and in the folders directly below. */
function serveWorkingFolder(
  world: World,
  { repoRoot = '.' }: ServeRequest,
): Omit<ServedTargets, 'notes'> {
  const { files } = world
  const repository = describeRepository(world, repoRoot)
  const below = files.list(repository.path).filter((it) => it.isDirectory())
  const segments = ['.', ...below.map((it) => it.name).toSorted()]
    .filter((it) => hasDocsPack(world, join(repository.path, it)))
    .map((segment) => ({
      name: segment === '.' ? repository.name : segment,
      segment,
      repoRoot: repository.path,
    }))
  // A subfolder with the same name as its parent is not served as documents, only as code.
  const named = segments.filter((it) => it.segment === '.' || it.name !== repository.name)
  return { repositories: [repository], segments: named }
}

function describeRepository(
  world: World,
  path: string,
): { readonly name: string; readonly path: string } {
  const top = topOf(world, { path })
  return { name: basename(resolve(world.workingFolder, path)) || 'root', path: top }
}

function refuseDuplicateNames(all: readonly { readonly name: string }[], what: string): void {
  if (new Set(all.map((it) => it.name)).size === all.length) return
  throw new EngineError('POC_E_REQUEST_INVALID', `two ${what} have the same folder name`, {
    hint: 'serve them with separate servers',
  })
}

/** Lists as few tools as possible: evidence tools only once a flow exists. */
export function isToolOffered(
  { files }: World,
  { toolWhen }: Operation,
  repositories: ServedTargets['repositories'],
): boolean {
  if (toolWhen === undefined) return true
  return (
    toolWhen === 'flow' &&
    repositories.some(({ path }) => kindAt(files, join(path, FLOWS_FOLDER)) === 'directory')
  )
}

/** Invalid settings are an error only if notes were requested. */
function listServedNotes(
  world: World,
  { notes, noTargetGiven: isUntold }: ServeRequest,
): NotesOptions {
  if (notes === undefined) return NO_NOTES
  try {
    return listNotesOptions(world, notes, { mayBeNone: isUntold })
  } catch (error) {
    if (!isUntold || !(error instanceof EngineError)) throw error
    world.notice(`notes are not served: ${error.message} (${error.hint})`)
    return NO_NOTES
  }
}

const NO_NOTES: NotesOptions = { aliases: [], lenses: [] }
