/**
 * BM25 with fields over the index's own postings, for chunks and for whole files: a chunk may hold
 * few of the words while its file is about all of them.
 */
import { assert } from '../base/assert.ts'
import type { CodeIndexReader, WordPostings } from '../model/code-index.ts'
import { WORD_FIELDS } from '../model/index-record.ts'
import type { Catalogue } from './catalogue.ts'
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
  /** Where each word stands, for telling why. */
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
  const postings = await index.matching(words.map((it) => it.word))
  const tally = new Tally(catalogue)
  for (const [at, { weight }] of words.entries()) {
    const list = postings[at]
    assert(list !== undefined, 'a list for each word')
    if (list.frequency > 0) tally.add(list, weight)
  }
  return { ...tally.scores(), postings }
}

class Tally {
  readonly #catalogue: Catalogue
  readonly #chunks: Float64Array
  readonly #files: Float64Array
  readonly #covered: Float64Array
  readonly #named: Float64Array
  readonly #signed: Float64Array
  readonly #inPath: Float64Array
  /** Of the word at hand, by file; zero again after each. */
  readonly #room: Float64Array
  #wholeOfChunks = 0
  #wholeOfFiles = 0

  constructor(catalogue: Catalogue) {
    const { handles, layout } = catalogue
    this.#catalogue = catalogue
    this.#chunks = new Float64Array(handles)
    this.#covered = new Float64Array(handles)
    this.#named = new Float64Array(handles)
    this.#signed = new Float64Array(handles)
    this.#files = new Float64Array(layout.paths.length)
    this.#inPath = new Float64Array(layout.paths.length)
    this.#room = new Float64Array(layout.paths.length)
  }

  add(list: WordPostings, weight: number): void {
    const worth = weight * rarity(this.#catalogue.chunks, list.frequency)
    this.#wholeOfChunks += worth
    this.#addToChunks(list, worth)
    this.#wholeOfFiles += this.#addToFiles(list, weight)
  }

  scores(): Omit<WordScores, 'postings'> {
    const touched = this.#touched()
    const [chunks, covered, named, signed] = [
      this.#chunks,
      this.#covered,
      this.#named,
      this.#signed,
    ]
    const whole = this.#wholeOfChunks
    let most = 0
    for (let at = 0; at < touched.length; at += 1) {
      const own = chunks[touched[at] ?? 0] ?? 0
      if (own > most) most = own
    }
    // Only a few of very many chunks are met: the others are not looked at.
    for (let at = 0; at < touched.length; at += 1) {
      const handle = touched[at] ?? 0
      chunks[handle] = (chunks[handle] ?? 0) / most
      covered[handle] = (covered[handle] ?? 0) / whole
      named[handle] = (named[handle] ?? 0) / whole
      signed[handle] = (signed[handle] ?? 0) / whole
    }
    divide(this.#inPath, this.#wholeOfFiles)
    divide(this.#files, largest(this.#files))
    return {
      chunks: this.#chunks,
      files: this.#files,
      covered: this.#covered,
      named: this.#named,
      signed: this.#signed,
      inPath: this.#inPath,
      touched,
    }
  }

  #touched(): Uint32Array {
    const { handlesByPlace } = this.#catalogue
    const chunks = this.#chunks
    const found = new Uint32Array(handlesByPlace.length)
    let count = 0
    for (let at = 0; at < handlesByPlace.length; at += 1) {
      const handle = handlesByPlace[at] ?? 0
      if ((chunks[handle] ?? 0) > 0) found[count++] = handle
    }
    return found.subarray(0, count)
  }

  #addToChunks(list: WordPostings, worth: number): void {
    const { handles, fields, counts } = list
    const { chunkLengths } = this.#catalogue
    const { saturation, lengthPenalty } = CHUNK_FIELDS
    const [chunks, covered, named, signed] = [
      this.#chunks,
      this.#covered,
      this.#named,
      this.#signed,
    ]
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
      const length = 1 - lengthPenalty + lengthPenalty * (chunkLengths[handle] ?? 1)
      chunks[handle] =
        (chunks[handle] ?? 0) + (worth * sum * (saturation + 1)) / (sum + saturation * length)
      if (bits !== 1 << PATH) covered[handle] = (covered[handle] ?? 0) + worth
      if ((bits & (1 << NAME)) !== 0) named[handle] = (named[handle] ?? 0) + worth
      if ((bits & (1 << SIGNATURE)) !== 0) signed[handle] = (signed[handle] ?? 0) + worth
    }
  }

  /** Returns what the word is worth among files. */
  #addToFiles(list: WordPostings, weight: number): number {
    const { fileOf, fileLengths } = this.#catalogue
    const { handles, fields, counts } = list
    const room = this.#room
    const met: number[] = []
    const inPath: number[] = []
    let last = -1
    let lastInPath = -1
    for (let at = 0; at < handles.length; at += 1) {
      const file = fileOf[handles[at] ?? 0] ?? 0
      // The chunks of a file have handles in a row, so a file is met once.
      if (file !== last) met.push(file)
      last = file
      const field = fields[at] ?? 0
      if (field === PATH) {
        // Every chunk of a file has the same path: it counts once.
        if (file === lastInPath) continue
        lastInPath = file
        inPath.push(file)
      }
      room[file] = (room[file] ?? 0) + (FILE_WEIGHTS[field] ?? 0) * (counts[at] ?? 0)
    }
    const worth = weight * rarity(this.#files.length, met.length)
    const { saturation, lengthPenalty } = FILE_FIELDS
    for (const file of met) {
      const sum = room[file] ?? 0
      room[file] = 0
      const length = 1 - lengthPenalty + lengthPenalty * (fileLengths[file] ?? 1)
      bump(this.#files, file, (worth * sum * (saturation + 1)) / (sum + saturation * length))
    }
    for (const file of inPath) bump(this.#inPath, file, worth)
    return worth
  }
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
  for (let at = 0; at < values.length; at += 1) most = Math.max(most, values[at] ?? 0)
  return most
}
