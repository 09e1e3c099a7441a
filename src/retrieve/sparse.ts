/**
 * BM25 with fields over the index's own postings, for chunks and for whole files: a chunk may hold
 * few of the words while its file is about all of them.
 */
import { assert } from '../base/assert.ts'
import type { CodeIndexReader, WordPostings } from '../model/code-index.ts'
import { WORD_FIELDS, type WordField } from '../model/index-record.ts'
import type { Catalogue } from './catalogue.ts'
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
  /** Handles of the chunks with a score, rising. */
  readonly touched: Uint32Array
  /** Where each word stands, for telling why. */
  readonly postings: readonly WordPostings[]
}

interface FieldWeights {
  readonly fields: Readonly<Record<WordField, number>>
  /** How soon more of the same stops counting, and how much long texts are held back. */
  readonly saturation: number
  readonly lengthPenalty: number
}

export const CHUNK_FIELDS: FieldWeights = {
  fields: { path: 3.4, name: 3, signature: 1, comment: 1, body: 1.35 },
  saturation: 1.6,
  lengthPenalty: 0.6,
}

const FILE_FIELDS: FieldWeights = {
  fields: { path: 6, name: 1.5, signature: 0.4, comment: 1, body: 1 },
  saturation: 2,
  lengthPenalty: 0.675,
}

const FIELDS = WORD_FIELDS.length
const [PATH, NAME, SIGNATURE] = [0, 1, 2]

export async function wordScores(
  index: CodeIndexReader,
  catalogue: Catalogue,
  words: readonly WeightedWord[],
): Promise<WordScores> {
  const postings = await index.matching(words.map((it) => it.word))
  const tally = new Tally(catalogue)
  for (const [at, { weight }] of words.entries()) {
    const list = postings[at]
    assert(list !== undefined, 'a list for each word')
    tally.add(list, weight)
  }
  const touched = tally.touched()
  tally.finish(touched, await index.lengths(touched))
  return { ...tally.scores(), touched, postings }
}

/** Two passes: how much of each word stands where, then BM25, which needs lengths of what was met. */
class Tally {
  readonly #catalogue: Catalogue
  readonly #words: { readonly list: WordPostings; readonly weight: number }[] = []
  readonly #isTouched: Uint8Array
  readonly #chunks: Float64Array
  readonly #files: Float64Array
  readonly #covered: Float64Array
  readonly #named: Float64Array
  readonly #signed: Float64Array
  readonly #inPath: Float64Array

  constructor(catalogue: Catalogue) {
    const { handles, layout } = catalogue
    this.#catalogue = catalogue
    this.#isTouched = new Uint8Array(handles)
    this.#chunks = new Float64Array(handles)
    this.#covered = new Float64Array(handles)
    this.#named = new Float64Array(handles)
    this.#signed = new Float64Array(handles)
    this.#files = new Float64Array(layout.paths.length)
    this.#inPath = new Float64Array(layout.paths.length)
  }

  add(list: WordPostings, weight: number): void {
    if (list.frequency === 0 || weight === 0) return
    this.#words.push({ list, weight })
    for (const handle of list.handles) this.#isTouched[handle] = 1
  }

  touched(): Uint32Array {
    let count = 0
    for (const bit of this.#isTouched) count += bit
    const found = new Uint32Array(count)
    let at = 0
    for (let handle = 0; handle < this.#isTouched.length; handle += 1) {
      if (this.#isTouched[handle] === 1) found[at++] = handle
    }
    return found
  }

  finish(touched: Uint32Array, lengths: Uint32Array): void {
    const chunkLengths = this.#chunkLengths(touched, lengths)
    const fileLengths = this.#fileLengths()
    const room = new Float64Array(this.#files.length)
    let wholeOfChunks = 0
    let wholeOfFiles = 0
    for (const { list, weight } of this.#words) {
      const worth = weight * rarity(this.#catalogue.chunks, list.frequency)
      wholeOfChunks += worth
      this.#scoreChunks(list, { worth, lengths: chunkLengths })
      wholeOfFiles += this.#scoreFiles(list, { weight, lengths: fileLengths, room })
    }
    divide(this.#covered, wholeOfChunks)
    divide(this.#named, wholeOfChunks)
    divide(this.#signed, wholeOfChunks)
    divide(this.#inPath, wholeOfFiles)
    divide(this.#chunks, largest(this.#chunks))
    divide(this.#files, largest(this.#files))
  }

  scores(): Omit<WordScores, 'touched' | 'postings'> {
    return {
      chunks: this.#chunks,
      files: this.#files,
      covered: this.#covered,
      named: this.#named,
      signed: this.#signed,
      inPath: this.#inPath,
    }
  }

  #scoreChunks(
    list: WordPostings,
    { worth, lengths }: { readonly worth: number; readonly lengths: Float64Array },
  ): void {
    const { handles, fields, counts } = list
    const { saturation } = CHUNK_FIELDS
    for (let at = 0; at < handles.length; ) {
      const handle = handles[at] ?? 0
      let sum = 0
      let bits = 0
      // Entries are ordered by handle: all fields of a chunk stand together.
      for (; at < handles.length && handles[at] === handle; at += 1) {
        const field = fields[at] ?? 0
        sum += (CHUNK_WEIGHTS[field] ?? 0) * (counts[at] ?? 0)
        bits |= 1 << field
      }
      const score = (sum * (saturation + 1)) / (sum + saturation * (lengths[handle] ?? 1))
      bump(this.#chunks, handle, worth * score)
      if (bits !== 1 << PATH) bump(this.#covered, handle, worth)
      if ((bits & (1 << NAME)) !== 0) bump(this.#named, handle, worth)
      if ((bits & (1 << SIGNATURE)) !== 0) bump(this.#signed, handle, worth)
    }
  }

  /** Returns what the word is worth among files. */
  #scoreFiles(
    list: WordPostings,
    { weight, lengths, room }: { weight: number; lengths: Float64Array; room: Float64Array },
  ): number {
    const { fileOf } = this.#catalogue
    const { handles, fields, counts } = list
    const met: number[] = []
    const inPath: number[] = []
    let last = -1
    for (let at = 0; at < handles.length; at += 1) {
      const file = fileOf[handles[at] ?? 0] ?? 0
      if (file !== last && room[file] === 0) met.push(file)
      last = file
      const field = fields[at] ?? 0
      if (field === PATH) {
        // Every chunk of a file has the same path: it counts once.
        if (inPath.at(-1) === file) continue
        inPath.push(file)
      }
      bump(room, file, (FILE_WEIGHTS[field] ?? 0) * (counts[at] ?? 0))
    }
    const worth = weight * rarity(this.#files.length, met.length)
    const { saturation } = FILE_FIELDS
    for (const file of met) {
      const sum = room[file] ?? 0
      room[file] = 0
      const score = (sum * (saturation + 1)) / (sum + saturation * (lengths[file] ?? 1))
      bump(this.#files, file, worth * score)
    }
    for (const file of inPath) bump(this.#inPath, file, worth)
    return worth
  }

  /** What BM25 divides by, by handle; of the touched ones alone. */
  #chunkLengths(touched: Uint32Array, lengths: Uint32Array): Float64Array {
    const { meanLengths } = this.#catalogue
    const mean = weighted(CHUNK_WEIGHTS, (field) => meanLengths[field] ?? 0) || 1
    const found = new Float64Array(this.#chunks.length)
    for (let at = 0; at < touched.length; at += 1) {
      const own = weighted(CHUNK_WEIGHTS, (field) => lengths[at * FIELDS + field] ?? 0)
      found[touched[at] ?? 0] = penalty(own / mean, CHUNK_FIELDS.lengthPenalty)
    }
    return found
  }

  #fileLengths(): Float64Array {
    const { fileLengths } = this.#catalogue
    const found = new Float64Array(this.#files.length)
    let sum = 0
    for (let file = 0; file < found.length; file += 1) {
      const own = weighted(FILE_WEIGHTS, (field) => fileLengths[file * FIELDS + field] ?? 0)
      found[file] = own
      sum += own
    }
    const mean = sum / (found.length || 1) || 1
    for (let file = 0; file < found.length; file += 1) {
      found[file] = penalty((found[file] ?? 0) / mean, FILE_FIELDS.lengthPenalty)
    }
    return found
  }
}

const CHUNK_WEIGHTS = WORD_FIELDS.map((field) => CHUNK_FIELDS.fields[field])
const FILE_WEIGHTS = WORD_FIELDS.map((field) => FILE_FIELDS.fields[field])

/** The path is no part of a text's length. */
function weighted(weights: readonly number[], length: (field: number) => number): number {
  let sum = 0
  for (let field = 1; field < FIELDS; field += 1) sum += (weights[field] ?? 0) * length(field)
  return sum
}

function penalty(length: number, share: number): number {
  return 1 - share + share * length
}

/** Never negative: even a word that is everywhere counts a little. */
export function rarity(all: number, holding: number): number {
  return Math.log(1 + (all - holding + 0.5) / (holding + 0.5))
}

function bump(sums: Float64Array, at: number, more: number): void {
  sums[at] = (sums[at] ?? 0) + more
}

function divide(values: Float64Array, by: number): void {
  if (by === 0) return
  for (let at = 0; at < values.length; at += 1) values[at] = (values[at] ?? 0) / by
}

function largest(values: Float64Array): number {
  let most = 0
  for (const value of values) if (value > most) most = value
  return most
}
