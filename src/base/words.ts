/** Words of a text, folded for comparison: case, diacritics and inflection make no difference. */
import { compoundParts, unspacedPairs } from './identifiers.ts'
import { stem } from './stem.ts'

const WORD = /[\p{L}\p{N}]+/gu
const MARKS = /\p{M}+/gu

/** The words as they stand, in order. */
export function words(text: string): readonly string[] {
  return text.match(WORD) ?? []
}

/** Lower case, without diacritics. */
export function folded(word: string): string {
  const lower = word.toLowerCase()
  return /^[\x20-\x7e]*$/.test(lower) ? lower : lower.normalize('NFD').replace(MARKS, '')
}

/** The stems of a text's words in order, and those of the parts of its compounds after them. */
export function stems(text: string): readonly string[] {
  const whole = words(text).map((word) => stem(folded(word)))
  const hidden = [...compoundParts(text), ...unspacedPairs(text)]
  return hidden.length === 0 ? whole : [...whole, ...hidden.map((part) => stem(folded(part)))]
}
