/**
 * What ranking needs to know of an index as a whole, whatever the question: which file a chunk is
 * of, how long files are, what they are for. Made once for each state of an index.
 */
import { type PathRole, pathRole } from '../base/path-roles.ts'
import type { CodeIndexReader, IndexLayout } from '../model/code-index.ts'
import { WORD_FIELDS } from '../model/index-record.ts'
import { CHUNK_WEIGHTS, FILE_WEIGHTS } from './fields.ts'

export interface Catalogue {
  readonly layout: IndexLayout
  readonly chunks: number
  /** One more than the largest handle. */
  readonly handles: number
  /**
   * Handles of the chunks by path and place. Their own order is that of an index's history: what is
   * decided by that would not be decided by the index.
   */
  readonly handlesByPlace: Uint32Array
  /** Number of the file in the layout, by handle. */
  readonly fileOf: Uint32Array
  /** What a file is for, told when it is asked: most files are none that a question is about. */
  roleOf(file: number): PathRole
  /** How long a chunk and a file are as BM25 sees it, 1 for the mean; by handle, and by file. */
  readonly chunkLengths: Float64Array
  readonly fileLengths: Float64Array
  /** Numbers of files by their path. */
  readonly byPath: ReadonlyMap<string, number>
  /** Numbers of files by the last part of their path, in lower case; few questions name one. */
  byName(): ReadonlyMap<string, readonly number[]>
}

const FIELDS = WORD_FIELDS.length
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

async function makeCatalogue(index: CodeIndexReader, layout: IndexLayout): Promise<Catalogue> {
  const { firstHandles, chunkCounts, paths } = layout
  const files = paths.length
  const handles = files === 0 ? 0 : (firstHandles[files - 1] ?? 0) + (chunkCounts[files - 1] ?? 0)
  const fileOf = new Uint32Array(handles)
  const live = new Uint32Array(chunkCounts.reduce((sum, count) => sum + count, 0))
  const byPath = new Map<string, number>()
  for (let file = 0; file < files; file += 1) byPath.set(paths[file] ?? '', file)
  const filesByPath = new Uint32Array(files)
  const inOrder = paths.toSorted()
  let at = 0
  for (let place = 0; place < files; place += 1) {
    const file = byPath.get(inOrder[place] ?? '') ?? 0
    filesByPath[place] = file
    const first = firstHandles[file] ?? 0
    const past = first + (chunkCounts[file] ?? 0)
    fileOf.fill(file, first, past)
    for (let handle = first; handle < past; handle += 1) live[at++] = handle
  }
  const lengths = await index.lengths(live)
  let named: ReadonlyMap<string, readonly number[]> | undefined
  return {
    layout,
    chunks: live.length,
    handles,
    handlesByPlace: live,
    fileOf,
    roleOf: roleFinder(paths),
    ...weighedLengths({ live, lengths, fileOf, handles, filesByPath }),
    byPath,
    byName: () => {
      named ??= byName(paths)
      return named
    },
  }
}

function roleFinder(paths: readonly string[]): (file: number) => PathRole {
  const roles: (PathRole | undefined)[] = []
  return (file) => {
    roles[file] ??= pathRole(paths[file] ?? '')
    return roles[file]
  }
}

interface Lengths {
  readonly live: Uint32Array
  /** Words per field of each of them, one after the other. */
  readonly lengths: Uint32Array
  readonly fileOf: Uint32Array
  readonly handles: number
  readonly filesByPath: Uint32Array
}

function weighedLengths({ live, lengths, fileOf, handles, filesByPath }: Lengths) {
  const chunkLengths = new Float64Array(handles)
  const fileLengths = new Float64Array(filesByPath.length)
  let place = 0
  for (let at = 0; at < live.length; at += 1) {
    const handle = live[at] ?? 0
    const file = fileOf[handle] ?? 0
    let ofChunk = 0
    let ofFile = fileLengths[file] ?? 0
    for (let field = 0; field < FIELDS; field += 1) {
      const words = lengths[place++] ?? 0
      // Of most fields a chunk has nothing. The path is no part of a text's length.
      if (words === 0 || field === PATH) continue
      ofChunk += (CHUNK_WEIGHTS[field] ?? 0) * words
      ofFile += (FILE_WEIGHTS[field] ?? 0) * words
    }
    chunkLengths[handle] = ofChunk
    fileLengths[file] = ofFile
  }
  toShares(chunkLengths, live)
  toShares(fileLengths, filesByPath)
  return { chunkLengths, fileLengths }
}

/** Of their mean, summed in an order that every reader has. */
function toShares(lengths: Float64Array, order: Uint32Array): void {
  let sum = 0
  for (let at = 0; at < order.length; at += 1) sum += lengths[order[at] ?? 0] ?? 0
  const mean = sum / (order.length || 1) || 1
  for (let at = 0; at < lengths.length; at += 1) lengths[at] = (lengths[at] ?? 0) / mean
}

function byName(paths: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (const [file, path] of paths.entries()) {
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
    const same = found.get(name)
    if (same === undefined) found.set(name, [file])
    else same.push(file)
  }
  return found
}
