/** Words of a text, folded for comparison: case, diacritics and inflection make no difference. */
import { compoundParts, unspacedPairs } from './identifiers.ts'
import { stem } from './stem.ts'

/** The diacritics of the Latin, Greek and Cyrillic alphabets; elsewhere a mark is part of the letter. */
const MARKS = /[\u0300-\u036f]+/gu

/** The words as they stand, in order. */
export function words(text: string): readonly string[] {
  // The same in ASCII: to make and compile the other takes two milliseconds, once.
  if (!/[^\0-\x7f]/.test(text)) return text.match(/[A-Za-z0-9]+/g) ?? []
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

/** Lower case, without diacritics. */
export function folded(word: string): string {
  const lower = word.toLowerCase()
  return /^[\x20-\x7e]*$/.test(lower)
    ? lower
    : lower.normalize('NFD').replace(MARKS, '').normalize('NFC')
}

/** What a word is compared by. */
export function stemOf(word: string): string {
  return stem(folded(word))
}

/** `stemOf`, for many texts: words repeat, and looking one up takes a tenth of stemming it. */
export function createStemCache(): (word: string) => string {
  const known = new Map<string, string>()
  return (word) => {
    const found = known.get(word)
    if (found !== undefined) return found
    const made = stemOf(word)
    known.set(word, made)
    return made
  }
}

/** The stems of a text's words in order, and those of the parts of its compounds after them. */
export function stems(text: string, of: (word: string) => string = stemOf): readonly string[] {
  const whole = words(text).map(of)
  const hidden = [...compoundParts(text), ...unspacedPairs(text)]
  return hidden.length === 0 ? whole : [...whole, ...hidden.map(of)]
}

/** Words that are in nearly every text and tell nothing of what it is about. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(folded(word))
}

/** The stem of such a word, where it is none itself: `thi`. */
export function isStopStem(word: string): boolean {
  return STOP_STEMS.has(word)
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be but by can do does for from get has have how i if in into is it its my no
   not of on or our so such that the their then there these they this to was we what when where
   which who why will with you your`.split(/\s+/),
)

const STOP_STEMS: ReadonlySet<string> = new Set(
  [...STOP_WORDS].map(stemOf).filter((it) => !STOP_WORDS.has(it)),
)
