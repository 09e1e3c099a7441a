/** Chunks by the directions of their vectors. Who made the vectors is not known here. */
import { scaleToBytes } from '../base/byte-vectors.ts'
import type { CodeIndexReader, VectorHit } from '../model/code-index.ts'
import { EngineError } from '../model/engine-error.ts'
import type { Catalogue } from './catalogue.ts'
import { SELF_DIMENSIONS } from './self-vectors.ts'
import type { WeightedWord } from './understand.ts'

export interface NearRequest {
  /** The question's, made as those of the chunks were. */
  readonly vector?: Int8Array | undefined
  readonly limit: number
  /** Whether a file may be among them. */
  isWanted(file: number): boolean
}

/** Where too few are of the wanted kind, so many times as many are asked for. */
const MORE = 4

export async function nearestChunks(
  index: CodeIndexReader,
  catalogue: Catalogue,
  { vector, limit, isWanted }: NearRequest,
): Promise<readonly VectorHit[]> {
  if (vector === undefined) {
    throw new EngineError('POC_E_NOT_SUPPORTED', 'this index has no vectors', {
      hint: 'make them with `dossier index --embed self`, or use the seed provider hybrid',
    })
  }
  const files = catalogue.byPath()
  for (let asked = limit; ; asked *= MORE) {
    const hits = await index.nearestChunks(vector, asked)
    // What lies at a right angle or beyond has nothing to do with the question.
    const near = hits.filter((it) => it.score > 0)
    const wanted = near.filter((it) => isWanted(files.get(it.path) ?? 0))
    if (wanted.length >= limit || near.length < asked) return wanted.slice(0, limit)
  }
}

/** The sum of the vectors of its words, as that of a chunk; all zero where none of them is known. */
export async function vectorOfWords(
  index: CodeIndexReader,
  words: readonly WeightedWord[],
): Promise<Int8Array> {
  const vectors = await index.wordVectors(words.map((it) => it.word))
  const sums = new Float64Array(SELF_DIMENSIONS)
  for (const [at, { weight }] of words.entries()) {
    const vector = vectors[at]
    if (vector === undefined) continue
    for (const [d, value] of vector.values.entries()) {
      sums[d] = (sums[d] ?? 0) + weight * vector.worth * value
    }
  }
  return scaleToBytes(sums, SELF_DIMENSIONS).bytes
}
