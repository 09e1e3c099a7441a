/** How many words a note has, in one byte: exact for short ones, within a tenth for long ones. */

const EXACT = 64
const STEPS = 8

export function lengthCode(wordCount: number): number {
  if (wordCount < EXACT) return wordCount
  return Math.min(255, EXACT + Math.floor(STEPS * Math.log2(wordCount / EXACT)))
}

export const LENGTH_OF_CODE: Float64Array = Float64Array.from({ length: 256 }, (_, code) =>
  code < EXACT ? code : EXACT * 2 ** ((code - EXACT) / STEPS),
)
