/**
 * Vectors learned from a repository's own text: words that stand in the same chunks get similar
 * vectors, and a chunk gets the sum of those of its words. Nothing is downloaded, and the same text
 * gives the same vectors on every machine: the start is seeded, sums are made in a fixed order, and
 * what is kept are whole numbers.
 *
 * The method is latent semantic analysis: the largest directions of the matrix of weights, words by
 * chunks, found by a round of subspace iteration from a random start.
 */
import { scaleToBytes } from '../base/byte-vectors.ts'
import { fillWithSigns } from '../base/seeded-signs.ts'

/** To be changed with everything that changes a vector: it is part of an index's signature. */
export const SELF_MODEL = 'lsa-1'
export const SELF_DIMENSIONS = 128

/** How much of each word stands where, word by word. */
export interface WordMatrix {
  readonly chunks: number
  /** Where the entries of each word begin, and where the last ones end. */
  readonly starts: Uint32Array
  /** Of each entry: the number of the chunk, rising within a word, and how much stands there. */
  readonly places: Uint32Array
  readonly amounts: Float32Array
}

export interface SelfVectors {
  /** A vector for each word, and what one occurrence of the word in a question adds of it. */
  readonly words: Int8Array
  readonly worths: Float64Array
  /** A vector for each chunk; all zero for one without a word that counts. */
  readonly chunks: Int8Array
}

const D = SELF_DIMENSIONS
/** As in BM25: how soon more of the same stops counting, and how much long texts are held back. */
const SATURATION = 1.2
const LENGTH_PENALTY = 0.75
/** A direction that holds less than this share of all is noise of the arithmetic. */
const LEAST_SHARE = 1e-9

export function learnVectors(matrix: WordMatrix): SelfVectors {
  const weighted = withWeights(matrix)
  const ofChunks = new Float32Array(matrix.chunks * D)
  const ofWords = new Float32Array((matrix.starts.length - 1) * D)
  fillWithSigns(ofChunks)
  const toWords = { from: ofChunks, to: ofWords }
  const toChunks = { from: ofWords, to: ofChunks }
  sumUp(weighted, toWords, true)
  sumUp(weighted, toChunks, false)
  sumUp(weighted, toWords, true)
  makeOrthonormal(ofWords)
  sumUp(weighted, toChunks, false)
  const words = scaleToBytes(ofWords, D)
  return {
    words: words.bytes,
    worths: words.scales.map((scale, word) => scale * (weighted.rarities[word] ?? 0)),
    chunks: scaleToBytes(ofChunks, D).bytes,
  }
}

interface WeightedMatrix extends WordMatrix {
  readonly weights: Float32Array
  readonly rarities: Float64Array
}

/** BM25's weights, with all that a chunk holds of length 1: a long one says no more than a short one. */
function withWeights(matrix: WordMatrix): WeightedMatrix {
  const { chunks, starts, places, amounts } = matrix
  const lengths = new Float64Array(chunks)
  let sum = 0
  for (let at = 0; at < places.length; at += 1) {
    const amount = amounts[at] ?? 0
    bump(lengths, places[at] ?? 0, amount)
    sum += amount
  }
  const mean = sum / (chunks || 1) || 1
  const weights = new Float32Array(places.length)
  const rarities = new Float64Array(starts.length - 1)
  const squares = new Float64Array(chunks)
  for (let word = 0; word < rarities.length; word += 1) {
    const [from, past] = [starts[word] ?? 0, starts[word + 1] ?? 0]
    const rarity = Math.log(1 + (chunks - (past - from) + 0.5) / (past - from + 0.5))
    rarities[word] = rarity
    for (let at = from; at < past; at += 1) {
      const [chunk, amount] = [places[at] ?? 0, amounts[at] ?? 0]
      const length = 1 - LENGTH_PENALTY + (LENGTH_PENALTY * (lengths[chunk] ?? 0)) / mean
      const weight = (rarity * amount * (SATURATION + 1)) / (amount + SATURATION * length)
      weights[at] = weight
      bump(squares, chunk, weight * weight)
    }
  }
  for (let at = 0; at < weights.length; at += 1) {
    weights[at] = (weights[at] ?? 0) / (Math.sqrt(squares[places[at] ?? 0] ?? 0) || 1)
  }
  return { ...matrix, weights, rarities }
}

/** Each word gets the weighted sum of the vectors of its chunks, or each chunk that of its words. */
function sumUp(matrix: WeightedMatrix, { from, to }: Sides, goesToWords: boolean): void {
  const { starts, places, weights } = matrix
  to.fill(0)
  for (let word = 0; word + 1 < starts.length; word += 1) {
    const past = starts[word + 1] ?? 0
    for (let at = starts[word] ?? 0; at < past; at += 1) {
      const weight = weights[at] ?? 0
      const chunk = places[at] ?? 0
      const source = (goesToWords ? chunk : word) * D
      const target = (goesToWords ? word : chunk) * D
      for (let d = 0; d < D; d += 1) {
        to[target + d] = (to[target + d] ?? 0) + weight * (from[source + d] ?? 0)
      }
    }
  }
}

interface Sides {
  readonly from: Float32Array
  readonly to: Float32Array
}

/**
 * Makes the columns of length 1 and at right angles, by Cholesky's factor of their products. A
 * column that lies in the others, as in a repository of few words, becomes zero.
 */
function makeOrthonormal(rows: Float32Array): void {
  const factor = choleskyFactor(columnProducts(rows))
  const row = new Float64Array(D)
  for (let first = 0; first < rows.length; first += D) {
    for (let d = 0; d < D; d += 1) row[d] = rows[first + d] ?? 0
    for (let i = 0; i < D; i += 1) {
      const pivot = factor[i * D + i] ?? 0
      const value = pivot === 0 ? 0 : (row[i] ?? 0) / pivot
      rows[first + i] = value
      for (let j = i + 1; j < D; j += 1) row[j] = (row[j] ?? 0) - value * (factor[i * D + j] ?? 0)
    }
  }
}

/** Of each column with itself and those after it. Four rows at a time: products are kept in memory. */
function columnProducts(rows: Float32Array): Float64Array {
  const products = new Float64Array(D * D)
  for (let first = 0; first < rows.length; first += 4 * D) {
    for (let i = 0; i < D; i += 1) {
      const a = rows[first + i] ?? 0
      const b = rows[first + D + i] ?? 0
      const c = rows[first + 2 * D + i] ?? 0
      const d = rows[first + 3 * D + i] ?? 0
      for (let j = i; j < D; j += 1) {
        const ofA = a * (rows[first + j] ?? 0)
        const ofB = b * (rows[first + D + j] ?? 0)
        const ofC = c * (rows[first + 2 * D + j] ?? 0)
        const ofD = d * (rows[first + 3 * D + j] ?? 0)
        products[i * D + j] = (products[i * D + j] ?? 0) + (ofA + ofB + (ofC + ofD))
      }
    }
  }
  return products
}

/** Upper: row by row, what comes after the diagonal. */
function choleskyFactor(products: Float64Array): Float64Array {
  let trace = 0
  for (let i = 0; i < D; i += 1) trace += products[i * D + i] ?? 0
  const factor = new Float64Array(D * D)
  for (let i = 0; i < D; i += 1) {
    for (let j = i; j < D; j += 1) {
      let rest = products[i * D + j] ?? 0
      for (let k = 0; k < i; k += 1) rest -= (factor[k * D + i] ?? 0) * (factor[k * D + j] ?? 0)
      const pivot = factor[i * D + i] ?? 0
      if (j === i) factor[i * D + i] = rest > LEAST_SHARE * trace ? Math.sqrt(rest) : 0
      else factor[i * D + j] = pivot === 0 ? 0 : rest / pivot
    }
  }
  return factor
}

function bump(sums: Float64Array, at: number, more: number): void {
  sums[at] = (sums[at] ?? 0) + more
}
