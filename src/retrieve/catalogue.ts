/**
 * What ranking needs to know of an index as a whole, whatever the question: which file a chunk is
 * of, how long files are, what they are for. Made once for each state of an index.
 */
import type { PathRole } from '../base/path-roles.ts'
import { lastPart } from '../base/paths.ts'
import type { CodeIndexReader, IndexLayout } from '../model/code-index.ts'
import { WORD_FIELDS } from '../model/index-record.ts'
import { findOldFolder, listStemWords } from './file-names.ts'
import { type FileRoles, findFileRoles } from './file-roles.ts'

export interface Catalogue {
  readonly layout: IndexLayout
  readonly chunks: number
  /** One more than the largest handle. */
  readonly handles: number
  /** Number of the file in the layout, by handle. */
  readonly fileOf: Uint32Array
  /** What a file is for, told when it is asked: most files are none that a question is about. */
  roleOf(file: number): PathRole
  /** The same, by path. */
  readonly roles: FileRoles
  /** What a file is called, see `file-names.ts`. */
  stemOf(file: number): readonly (readonly string[])[]
  /** The name of the folder that makes it an old copy; empty for a current file. */
  oldFolderOf(file: number): string
  /** Words in a chunk and in a file, in the mean. */
  readonly meanChunk: number
  readonly meanFile: number
  /** Place of each file by its path; undefined where the files lie in that order. */
  readonly ranks: Uint32Array | undefined
  /** Numbers of files by their path, and by its last part in lower case; few questions ask. */
  byPath(): ReadonlyMap<string, number>
  byName(): ReadonlyMap<string, readonly number[]>
}

const PATH = WORD_FIELDS.indexOf('path')
const known = new WeakMap<IndexLayout, Catalogue>()

export async function catalogueOf(index: CodeIndexReader): Promise<Catalogue> {
  const layout = await index.layout()
  const before = known.get(layout)
  if (before !== undefined) return before
  const made = await makeCatalogue(index, layout)
  known.set(layout, made)
  return made
}

/**
 * By path and place. The handles' own order is that of an index's history: what is decided by that
 * would not be decided by the index.
 */
export function inOrderOfPlaces(
  { fileOf, ranks }: Pick<Catalogue, 'fileOf' | 'ranks'>,
  handles: Uint32Array,
): Uint32Array {
  if (ranks === undefined) return handles.toSorted()
  const places = Float64Array.from(
    handles,
    (handle) => (ranks[fileOf[handle] ?? 0] ?? 0) * HANDLES + handle,
  )
  return Uint32Array.from(places.toSorted(), (place) => place % HANDLES)
}

/** More than there can be. */
const HANDLES = 2 ** 32

async function makeCatalogue(index: CodeIndexReader, layout: IndexLayout): Promise<Catalogue> {
  const { firstHandles, chunkCounts, paths } = layout
  const { chunks, lengths } = await index.corpus()
  const files = paths.length
  const handles = files === 0 ? 0 : (firstHandles[files - 1] ?? 0) + (chunkCounts[files - 1] ?? 0)
  const fileOf = new Uint32Array(handles)
  let isInOrder = true
  for (let file = 0; file < files; file += 1) {
    const first = firstHandles[file] as number
    fileOf.fill(file, first, first + (chunkCounts[file] as number))
    if (file > 0 && (paths[file] as string) < (paths[file - 1] as string)) isInOrder = false
  }
  const roles = await findFileRoles(index, paths)
  const pathNumbers = once(() => new Map(paths.map((path, file) => [path, file])))
  const words = lengths.reduce((sum, it, field) => (field === PATH ? sum : sum + it), 0)
  return {
    layout,
    chunks,
    handles,
    fileOf,
    roleOf: rememberByFile(paths, roles),
    roles,
    stemOf: rememberByFile(paths, listStemWords),
    oldFolderOf: rememberByFile(paths, (path) =>
      findOldFolder(path, (it) => pathNumbers().has(it)),
    ),
    meanChunk: words / (chunks || 1) || 1,
    meanFile: words / (files || 1) || 1,
    ranks: isInOrder ? undefined : ranksOf(paths),
    byPath: pathNumbers,
    byName: once(() => byName(paths)),
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** By the number of a file, found out when it is asked for the first time. */
function rememberByFile<T>(
  paths: readonly string[],
  find: (path: string) => T,
): (file: number) => T {
  const found: (T | undefined)[] = []
  return (file) => {
    const value = found[file] ?? find(paths[file] ?? '')
    found[file] = value
    return value
  }
}

function ranksOf(paths: readonly string[]): Uint32Array {
  const places = new Map(paths.toSorted().map((path, place) => [path, place]))
  return Uint32Array.from(paths, (path) => places.get(path) ?? 0)
}

function byName(paths: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (const [file, path] of paths.entries()) {
    const name = lastPart(path).toLowerCase()
    const same = found.get(name)
    if (same === undefined) found.set(name, [file])
    else same.push(file)
  }
  return found
}
