/** What a surface that answers many requests does once for all of them. */
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

export interface ServeWish {
  readonly segments: readonly string[]
  readonly repoRoot: string | undefined
  readonly repositories: readonly string[]
  /** Aliases; empty for all that there are; undefined for none. */
  readonly notes: readonly string[] | undefined
  /** Whether nothing was named: then the folder that we are in is served, with all that it has. */
  readonly isUntold: boolean
}

export interface ServedPlaces {
  readonly segments: readonly NamedSegment[]
  /** Each with the name that clients call it by. */
  readonly repositories: readonly { readonly name: string; readonly path: string }[]
  readonly notes: NotesOptions
}

/** A repository must be there; documents and their pack may come later. */
export function placesToServe(world: World, wish: ServeWish): ServedPlaces {
  const notes = notesToServe(world, wish)
  if (wish.isUntold) return { ...folderToServe(world, wish), notes }
  const { repoRoot } = wish
  const segments = wish.segments.map((segment) => ({
    name: basename(resolve(world.workingFolder, repoRoot ?? '.', segment)),
    segment,
    repoRoot,
  }))
  const repositories = wish.repositories.map((it) => repositoryAt(world, it))
  refuseNamesakes(segments, 'segments')
  refuseNamesakes(repositories, 'repositories')
  return { segments, repositories, notes }
}

/** The code of the folder, and the docs packs in it and in the folders directly below. */
function folderToServe(world: World, { repoRoot = '.' }: ServeWish): Omit<ServedPlaces, 'notes'> {
  const { files } = world
  const repository = repositoryAt(world, repoRoot)
  const below = files.list(repository.path).filter((it) => it.isDirectory())
  const segments = ['.', ...below.map((it) => it.name).toSorted()]
    .filter((it) => hasDocsPack(world, join(repository.path, it)))
    .map((segment) => ({
      name: segment === '.' ? repository.name : segment,
      segment,
      repoRoot: repository.path,
    }))
  // A folder that is called like the one that it lies in is still served, as code.
  const named = segments.filter((it) => it.segment === '.' || it.name !== repository.name)
  return { repositories: [repository], segments: named }
}

function repositoryAt(
  world: World,
  path: string,
): { readonly name: string; readonly path: string } {
  const top = topOf(world, { path })
  return { name: basename(resolve(world.workingFolder, path)) || 'root', path: top }
}

function refuseNamesakes(all: readonly { readonly name: string }[], what: string): void {
  if (new Set(all.map((it) => it.name)).size === all.length) return
  throw new EngineError('POC_E_REQUEST_INVALID', `two ${what} have the same folder name`, {
    hint: 'serve them with two servers',
  })
}

/** The fewest tools that can work: those on evidence once somebody has begun a flow. */
export function isToolOffered(
  { files }: World,
  { toolWhen }: Operation,
  repositories: ServedPlaces['repositories'],
): boolean {
  if (toolWhen === undefined) return true
  return (
    toolWhen === 'flow' &&
    repositories.some(({ path }) => kindAt(files, join(path, FLOWS_FOLDER)) === 'directory')
  )
}

/** Settings that are broken are in the way of those alone who have asked for notes. */
function notesToServe(world: World, { notes, isUntold }: ServeWish): NotesOptions {
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
