/** What BM25 weighs: where a word stands, how soon more of it stops counting, how long a text is. */
import { WORD_FIELDS, type WordField } from '../model/index-record.ts'

export interface FieldWeights {
  readonly fields: Readonly<Record<WordField, number>>
  /** How soon more of the same stops counting, and how much long texts are held back. */
  readonly saturation: number
  readonly lengthPenalty: number
}

export const CHUNK_FIELDS: FieldWeights = {
  fields: { path: 3.4, name: 3, signature: 1, comment: 1, body: 1.35 },
  saturation: 1.6,
  lengthPenalty: 0.7,
}

export const FILE_FIELDS: FieldWeights = {
  fields: { path: 6, name: 1.5, signature: 0.4, comment: 1, body: 1 },
  saturation: 2,
  lengthPenalty: 0.675,
}

/** By the number of the field. */
export const CHUNK_WEIGHTS: readonly number[] = WORD_FIELDS.map((it) => CHUNK_FIELDS.fields[it])
export const FILE_WEIGHTS: readonly number[] = WORD_FIELDS.map((it) => FILE_FIELDS.fields[it])

/** Never negative: even a word that is everywhere counts a little. */
export function rarity(all: number, holding: number): number {
  return Math.log(1 + (all - holding + 0.5) / (holding + 0.5))
}
