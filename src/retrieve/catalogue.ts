/**
 * What ranking needs to know of an index as a whole, whatever the question: which file a chunk is
 * of, how long files are, what they are for. Made once for each state of an index.
 */
import { type PathRole, pathRole } from '../base/path-roles.ts'
import type { CodeIndexReader, IndexLayout } from '../model/code-index.ts'
import { WORD_FIELDS } from '../model/index-record.ts'

export interface Catalogue {
  readonly layout: IndexLayout
  readonly chunks: number
  /** One more than the largest handle. */
  readonly handles: number
  /** Number of the file in the layout, by handle. */
  readonly fileOf: Uint32Array
  readonly roles: readonly PathRole[]
  /** Words per field and chunk, over the whole index. */
  readonly meanLengths: readonly number[]
  /** Words per field of each file, file by file. Of the path once, not once for each chunk. */
  readonly fileLengths: Float64Array
  /** Numbers of files by the last part of their path, in lower case. */
  readonly byName: ReadonlyMap<string, readonly number[]>
}

const FIELDS = WORD_FIELDS.length
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
  let at = 0
  for (let file = 0; file < files; file += 1) {
    const first = firstHandles[file] ?? 0
    const past = first + (chunkCounts[file] ?? 0)
    for (let handle = first; handle < past; handle += 1) {
      fileOf[handle] = file
      live[at++] = handle
    }
  }
  const lengths = await index.lengths(live)
  const corpus = await index.corpus()
  return {
    layout,
    chunks: corpus.chunks,
    handles,
    fileOf,
    roles: paths.map((path) => pathRole(path)),
    meanLengths: corpus.lengths.map((length) => length / (corpus.chunks || 1)),
    fileLengths: lengthsOfFiles(files, (chunk) => fileOf[live[chunk] ?? 0] ?? 0, lengths),
    byName: byName(paths),
  }
}

function lengthsOfFiles(
  files: number,
  fileOf: (chunk: number) => number,
  lengths: Uint32Array,
): Float64Array {
  const sums = new Float64Array(files * FIELDS)
  for (let chunk = 0; chunk * FIELDS < lengths.length; chunk += 1) {
    const to = fileOf(chunk) * FIELDS
    sums[to] = lengths[chunk * FIELDS] ?? 0
    for (let field = 1; field < FIELDS; field += 1) {
      sums[to + field] = (sums[to + field] ?? 0) + (lengths[chunk * FIELDS + field] ?? 0)
    }
  }
  return sums
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
