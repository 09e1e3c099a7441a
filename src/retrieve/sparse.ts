/**
 * BM25 with fields over the index's own postings, for chunks and for whole files: a chunk may hold
 * few of the words while its file is about all of them.
 *
 * The loops run once for each place where a word stands, in a process that has just started: they
 * are written for the interpreter, with few steps and no calls.
 */
import { assert } from '../base/assert.ts'
import type { CodeIndexReader, WordPostings } from '../model/code-index.ts'
import { WORD_FIELDS } from '../model/index-record.ts'
import { type Catalogue, inOrderOfPlaces } from './catalogue.ts'
import { CHUNK_FIELDS, CHUNK_WEIGHTS, FILE_FIELDS, FILE_WEIGHTS, rarity } from './fields.ts'
import type { WeightedWord } from './understand.ts'

/** Of a chunk or a file, what the question's words are worth there. */
export interface WordScores {
  /** BM25 by handle, and by number of the file: 1 for the best. */
  readonly chunks: Float64Array
  readonly files: Float64Array
  /** The share of the question that stands in the chunk, whatever its path; by handle. */
  readonly covered: Float64Array
  /** … that stands in its names, and in its signature. */
  readonly named: Float64Array
  readonly signed: Float64Array
  /** … that stands in the path; by number of the file. */
  readonly inPath: Float64Array
  /** Handles of the chunks with a score, by path and place. */
  readonly touched: Uint32Array
  /** Of each word of the question: rare ones are worth more, and one that no chunk holds nothing. */
  readonly worths: readonly number[]
  /** Which chunks hold each word of the question. */
  readonly postings: readonly WordPostings[]
}

const PATH = WORD_FIELDS.indexOf('path')
const NAME = WORD_FIELDS.indexOf('name')
const SIGNATURE = WORD_FIELDS.indexOf('signature')

export async function wordScores(
  index: CodeIndexReader,
  catalogue: Catalogue,
  words: readonly WeightedWord[],
): Promise<WordScores> {
  const postings = await index.postings(words.map((it) => it.word))
  const worths = words.map(({ weight }, at) => worthOf(catalogue, listAt(postings, at), weight))
  const whole = worths.reduce((sum, it) => sum + it, 0)
  const chunks = new ChunkTally(catalogue)
  const shares = new ShareTally(catalogue.handles)
  const files = new FileTally(catalogue)
  for (const [at, { weight }] of words.entries()) {
    const list = listAt(postings, at)
    const worth = worths[at] ?? 0
    if (worth === 0) continue
    chunks.add(list, worth)
    shares.add(list, worth / whole)
    files.add(list, weight)
  }
  const touched = inOrderOfPlaces(catalogue, Uint32Array.from(chunks.touched))
  divide(chunks.sums, chunks.most, touched)
  return { chunks: chunks.sums, ...shares, ...files.scores(), touched, worths, postings }
}

/** BM25 of the chunks alone, by handle: 1 for the best. */
export async function chunkScores(
  index: CodeIndexReader,
  catalogue: Catalogue,
  words: readonly WeightedWord[],
): Promise<(handle: number) => number> {
  const postings = await index.postings(words.map((it) => it.word))
  const tally = new ChunkTally(catalogue)
  for (const [at, { weight }] of words.entries()) {
    const list = listAt(postings, at)
    tally.add(list, worthOf(catalogue, list, weight))
  }
  const { sums, most } = tally
  return (handle) => (most === 0 ? 0 : (sums[handle] ?? 0) / most)
}

function listAt(postings: readonly WordPostings[], at: number): WordPostings {
  const list = postings[at]
  assert(list !== undefined, 'a list for each word')
  return list
}

/** Among chunks; nothing for a word that none holds. */
function worthOf({ chunks }: Catalogue, { frequency }: WordPostings, weight: number): number {
  return frequency === 0 ? 0 : weight * rarity(chunks, frequency)
}

class ChunkTally {
  /** By handle. */
  readonly sums: Float64Array
  /** Handles of those that have a sum, as they were met. */
  readonly touched: number[] = []
  /** The largest of the sums: they only grow. */
  most = 0
  readonly #catalogue: Catalogue

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
    this.sums = new Float64Array(catalogue.handles)
  }

  add({ handles, fields, counts }: WordPostings, worth: number): void {
    const { layout, meanChunk } = this.#catalogue
    const { chunkWords } = layout
    const { saturation, lengthPenalty } = CHUNK_FIELDS
    const { sums, touched } = this
    let { most } = this
    for (let at = 0; at < handles.length; ) {
      const handle = handles[at] as number
      let sum = 0
      // Entries are ordered by handle: all fields of a chunk stand together.
      do {
        sum += (CHUNK_WEIGHTS[fields[at] as number] as number) * (counts[at] as number)
        at += 1
      } while (handles[at] === handle)
      const length =
        1 - lengthPenalty + lengthPenalty * ((chunkWords[handle] as number) / meanChunk)
      const before = sums[handle] as number
      const after = before + (worth * sum * (saturation + 1)) / (sum + saturation * length)
      if (before === 0) touched.push(handle)
      sums[handle] = after
      if (after > most) most = after
    }
    this.most = most
  }
}

/** How much of the question stands in a chunk, and where in it. */
class ShareTally {
  readonly covered: Float64Array
  readonly named: Float64Array
  readonly signed: Float64Array

  constructor(handles: number) {
    this.covered = new Float64Array(handles)
    this.named = new Float64Array(handles)
    this.signed = new Float64Array(handles)
  }

  add({ handles, fields }: WordPostings, share: number): void {
    const { covered, named, signed } = this
    let last = -1
    for (let at = 0; at < handles.length; at += 1) {
      const field = fields[at] as number
      if (field === PATH) continue
      const handle = handles[at] as number
      if (handle !== last) covered[handle] = (covered[handle] as number) + share
      last = handle
      if (field === NAME) named[handle] = (named[handle] as number) + share
      else if (field === SIGNATURE) signed[handle] = (signed[handle] as number) + share
    }
  }
}

class FileTally {
  readonly #catalogue: Catalogue
  /** By number of the file. */
  readonly #sums: Float64Array
  readonly #inPath: Float64Array
  /** Files that have a sum, as they were met. */
  readonly #touched: number[] = []
  #most = 0
  #whole = 0

  constructor(catalogue: Catalogue) {
    const files = catalogue.layout.paths.length
    this.#catalogue = catalogue
    this.#sums = new Float64Array(files)
    this.#inPath = new Float64Array(files)
  }

  add({ handles, fields, counts }: WordPostings, weight: number): void {
    const { fileOf } = this.#catalogue
    /** Files that hold the word, and what of it each holds: handles of a file stand in a row. */
    const met: number[] = []
    const held: number[] = []
    const inPath: number[] = []
    let last = -1
    let lastInPath = -1
    let sum = 0
    for (let at = 0; at < handles.length; at += 1) {
      const file = fileOf[handles[at] as number] as number
      if (file !== last) {
        if (last >= 0) held.push(sum)
        met.push(file)
        last = file
        sum = 0
      }
      const field = fields[at] as number
      if (field === PATH) {
        // Every chunk of a file has the same path: it counts once.
        if (lastInPath === file) continue
        lastInPath = file
        inPath.push(file)
      }
      sum += (FILE_WEIGHTS[field] as number) * (counts[at] as number)
    }
    held.push(sum)
    const worth = weight * rarity(this.#sums.length, met.length)
    this.#whole += worth
    this.#addAll(met, held, worth)
    for (const file of inPath) this.#inPath[file] = (this.#inPath[file] ?? 0) + worth
  }

  #addAll(met: readonly number[], held: readonly number[], worth: number): void {
    const { layout, meanFile } = this.#catalogue
    const { fileWords } = layout
    const { saturation, lengthPenalty } = FILE_FIELDS
    const sums = this.#sums
    const touched = this.#touched
    let most = this.#most
    for (let at = 0; at < met.length; at += 1) {
      const file = met[at] as number
      const sum = held[at] as number
      const length = 1 - lengthPenalty + lengthPenalty * ((fileWords[file] as number) / meanFile)
      const before = sums[file] as number
      const after = before + (worth * sum * (saturation + 1)) / (sum + saturation * length)
      if (before === 0) touched.push(file)
      sums[file] = after
      if (after > most) most = after
    }
    this.#most = most
  }

  scores(): Pick<WordScores, 'files' | 'inPath'> {
    const touched = Uint32Array.from(this.#touched)
    divide(this.#sums, this.#most, touched)
    divide(this.#inPath, this.#whole, touched)
    return { files: this.#sums, inPath: this.#inPath }
  }
}

function divide(sums: Float64Array, by: number, places: Uint32Array): void {
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] as number
    sums[place] = (sums[place] as number) / by
  }
}
