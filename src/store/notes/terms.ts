/**
 * Words of notes and of questions about them, by the same rules: folded and stemmed, compounds also
 * by their parts, scripts without spaces also by pairs of characters, and pictures one by one.
 */
import { compoundParts, unspacedPairs } from '../../base/identifiers.ts'
import { collapseSpaces } from '../../base/text.ts'
import { folded, isStopWord, stemOf, words } from '../../base/words.ts'

/** A longer word is a key or encoded data; its prefix is enough to identify it. */
const MAX_TERM_LENGTH = 64
const PICTURE = /\p{Extended_Pictographic}/gu
/** Longer queries are pasted text; only the first words count. */
const MAX_QUERY_TERMS = 32
const MAX_QUERY_LENGTH = 4000

/** The words of a text, followed by parts of compounds; `normalizeTerm` makes terms of them. */
export function splitRawWords(text: string): readonly string[] {
  if (text === '') return []
  const pictures = text.match(PICTURE) ?? []
  return [...words(text), ...compoundParts(text), ...unspacedPairs(text), ...pictures]
}

export function normalizeTerm(word: string): string {
  return stemOf(word).slice(0, MAX_TERM_LENGTH)
}

export interface QueryTerms {
  /** A full match has each of these. */
  readonly required: readonly string[]
  /** Optional terms: parts of compounds. */
  readonly optional: readonly string[]
}

/** Stop words count only if there are no other words. */
export function parseQueryTerms(question: string): QueryTerms {
  const text = question.slice(0, MAX_QUERY_LENGTH)
  const pairs = unspacedPairs(text)
  const whole = words(text).filter((it) => pairs.length === 0 || unspacedPairs(it).length === 0)
  const telling = whole.filter((it) => !isStopWord(it))
  const pictures = text.match(PICTURE) ?? []
  const found = [...telling, ...pairs, ...pictures]
  const required = listDistinctTerms(found.length === 0 ? whole : found)
  const optional = listDistinctTerms(compoundParts(text).filter((it) => it.length > 1))
  return { required, optional: optional.filter((it) => !required.includes(it)) }
}

function listDistinctTerms(found: readonly string[]): readonly string[] {
  return [...new Set(found.map(normalizeTerm))].slice(0, MAX_QUERY_TERMS)
}

const HASH_START = 0x811c9dc5
const HASH_FACTOR = 0x01000193

/** Equal for names that differ in case, diacritics and spaces alone; never 0. */
export function hashName(name: string): number {
  let hash = HASH_START
  let isSpaced = false
  for (let at = 0; at < name.length; at += 1) {
    const unit = name.charCodeAt(at)
    if (unit > LAST_ASCII) return hashText(collapseSpaces(folded(name)))
    if (unit === SPACE || (unit >= TAB && unit <= RETURN)) {
      isSpaced = hash !== HASH_START
      continue
    }
    if (isSpaced) hash = Math.imul(hash ^ SPACE, HASH_FACTOR)
    isSpaced = false
    const isUpper = unit >= UPPER_A && unit <= UPPER_Z
    hash = Math.imul(hash ^ (isUpper ? unit | TO_LOWER : unit), HASH_FACTOR)
  }
  return hash >>> 0 || 1
}

/** Most names are plain: those are folded above as they are read, without a copy. */
const LAST_ASCII = 0x7f
const SPACE = 0x20
const TAB = 0x09
const RETURN = 0x0d
const UPPER_A = 0x41
const UPPER_Z = 0x5a
const TO_LOWER = 0x20

function hashText(text: string): number {
  let hash = HASH_START
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), HASH_FACTOR)
  }
  return hash >>> 0 || 1
}
