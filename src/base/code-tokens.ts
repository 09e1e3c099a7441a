/**
 * The words of source text, for an index and for the questions to it alike: names whole and taken
 * apart, prose by its stems. One pass over the characters, because there are very many.
 */
import { compoundParts, unspacedPairs } from './identifiers.ts'
import { stem } from './stem.ts'
import { copyString } from './text.ts'
import { folded } from './words.ts'

export interface TokenRange {
  readonly start: number
  readonly end: number
  /** In code, `\n` in a string is a line feed and not the beginning of a name. */
  readonly isCode: boolean
}

/** Where a token stands, and the hash of its code units. */
type TakeToken = (start: number, end: number, hash: number) => void

/**
 * Hands over the tokens of a stretch of text in order: runs of letters, digits and underscores.
 * Left out are single ASCII characters, long numbers, and encoded data.
 */
export function eachToken(text: string, range: TokenRange, take: TakeToken): void {
  const tokens = new TokenScanner({ text, units: readUnits(text, NO_ROOM) }, range)
  while (tokens.next()) take(tokens.start, tokens.end, tokens.hash)
}

/** Memory of our own, not of several threads. */
export type Units = Uint16Array<ArrayBuffer>

const NO_ROOM: Units = new Uint16Array(0)

/** The code units of a text and a zero after them; in the room that is given, where it is enough. */
export function readUnits(text: string, room: Units): Units {
  const { length } = text
  const units = room.length <= length ? new Uint16Array(length + (length >> 2) + 1) : room
  for (let at = 0; at < length; at += 1) units[at] = text.charCodeAt(at)
  units[length] = 0
  return units
}

/** A text and its units, of which there may be more than the text has. */
export interface TokenText {
  readonly text: string
  readonly units: Uint16Array
}

/** The same, one at a time: there are so many of them that a call for each would cost as much. */
export class TokenScanner {
  /** Of the token that was found last. */
  start = 0
  end: number
  hash = 0
  readonly text: string
  readonly units: Uint16Array
  private readonly limit: number
  private readonly isCode: boolean

  constructor({ text, units }: TokenText, range: TokenRange) {
    this.text = text
    this.units = units
    this.end = range.start
    this.limit = range.end
    this.isCode = range.isCode
  }

  next(): boolean {
    const { units, limit, isCode } = this
    for (let at = this.end; at < limit; ) {
      let unit = units[at] as number
      let bits = unit < 128 ? (ASCII[unit] as number) : otherBits(units, at)
      if (bits === 0) {
        at += unit === BACKSLASH && isCode && isEscape(units[at + 1] ?? 0) ? 2 : 1
        continue
      }
      const from = at
      let all = 0
      let hash = 0
      while (bits !== 0) {
        all |= bits
        hash = Math.imul(hash ^ unit, HASH_FACTOR)
        at += 1
        if (at >= limit) break
        unit = units[at] as number
        bits = unit < 128 ? (ASCII[unit] as number) : otherBits(units, at)
      }
      const length = at - from
      if (length === 1 && all < LETTER) continue
      if (all === UNDERSCORE || (all === DIGIT && length > LONGEST_NUMBER)) continue
      if (length >= LEAST_DATA && all < LETTER) {
        const dataEnd = endOfData(units, { start: from, end: at, limit })
        if (dataEnd > 0) {
          at = dataEnd
          continue
        }
      }
      this.start = from
      this.end = at
      this.hash = hash
      return true
    }
    this.end = limit
    return false
  }
}

const BACKSLASH = 92
const HASH_FACTOR = 0x01000193
const LONGEST_NUMBER = 6
/** Shorter runs are not looked at for being data. */
const LEAST_DATA = 12
const LONGEST_WORD = 40

const LOWER = 1
const UPPER = 2
const DIGIT = 4
const UNDERSCORE = 8
/** Of an alphabet beyond ASCII. */
const LETTER = 16
/** Of a script that is written without spaces. */
const UNSPACED = 32

const ASCII = Uint8Array.from({ length: 128 }, (_, unit) => {
  if (unit >= 97 && unit <= 122) return LOWER
  if (unit >= 65 && unit <= 90) return UPPER
  if (unit >= 48 && unit <= 57) return DIGIT
  return unit === 95 ? UNDERSCORE : 0
})

/**
 * Asked first: nearly all tokens are plain. To make a pattern of scripts takes a millisecond, so
 * those stand where they are needed.
 */
const BEYOND_ASCII = /[^\0-\x7f]/
const UNKNOWN = 255
/** By code unit, filled as they are met. */
const OTHER = new Uint8Array(0x10000).fill(UNKNOWN)

function otherBits(units: Uint16Array, at: number): number {
  const unit = units[at] ?? 0
  if (unit >= 0xd800 && unit <= 0xdfff) return characterBits(characterAround(units, at))
  let bits = OTHER[unit] ?? 0
  if (bits === UNKNOWN) {
    bits = characterBits(String.fromCharCode(unit))
    OTHER[unit] = bits
  }
  return bits
}

function characterBits(character: string): number {
  if (!/[\p{L}\p{N}\p{M}]/u.test(character)) return 0
  return lacksSpaces(character) ? UNSPACED : LETTER
}

/** Whether some of it is of a script that is written without spaces. */
function lacksSpaces(text: string): boolean {
  return /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]/u.test(text)
}

/** The whole character of which one half stands at an offset. */
function characterAround(units: Uint16Array, at: number): string {
  const isSecond = ((units[at] ?? 0) & 0xfc00) === 0xdc00
  const first = isSecond && at > 0 ? at - 1 : at
  return String.fromCodePoint(decodeUnits(units.subarray(first, first + 2)).codePointAt(0) ?? 0)
}

/** Of no more units than a call may have arguments. */
function decodeUnits(units: Uint16Array): string {
  return String.fromCharCode(...units)
}

/** Of n, t, r, b, f, v and 0. */
function isEscape(unit: number): boolean {
  return (
    unit === 110 ||
    unit === 116 ||
    unit === 114 ||
    unit === 98 ||
    unit === 102 ||
    unit === 118 ||
    unit === 48
  )
}

/** Where data ends that begins with this token: a digest, Base64; 0 when it is a name. */
function endOfData(
  units: Uint16Array,
  token: { readonly start: number; readonly end: number; readonly limit: number },
): number {
  const { start, end, limit } = token
  let to = end
  // Base64 has `+`, `/` and `=` besides letters and digits.
  while (to < limit && isEncoded(units[to] ?? 0)) to += 1
  if (to - start <= LONGEST_WORD) return 0
  // The beginning tells: a digest of a megabyte need not be read to its end.
  const sample = decodeUnits(units.subarray(start, Math.min(end, start + 4 * LONGEST_WORD)))
  return looksEncoded(sample)
    ? looksEncoded(decodeUnits(units.subarray(end, Math.min(to, end + 80))))
      ? to
      : end
    : 0
}

function isEncoded(unit: number): boolean {
  return unit < 128 && ((ASCII[unit] ?? 0) !== 0 || unit === 43 || unit === 47 || unit === 61)
}

/** One very long part, or parts that are too short for words. */
function looksEncoded(text: string): boolean {
  for (const piece of text.split(/[_+/=]+/)) {
    const parts = compoundParts(piece)
    const longest = parts.length === 0 ? piece.length : Math.max(...parts.map((it) => it.length))
    if (longest > LONGEST_WORD) return true
    if (parts.length > 0 && piece.length / parts.length < LEAST_AVERAGE) return true
  }
  return false
}

const LEAST_AVERAGE = 2.6

/** A name, as it is and by the stems of its parts: `parseUrls` is parseurls, pars, url. */
export function codeForms(token: string): readonly string[] {
  return buildForms(token, (word) => {
    const stemmed = knownStem(word)
    return stemmed === word ? [word] : [word, stemmed]
  })
}

/** The same for who asks again and again: a few thousand names make up most lines of a pack. */
export function knownForms(token: string): readonly string[] {
  const known = FORMS.get(token)
  if (known !== undefined) return known
  const own = copyString(token)
  const made = codeForms(own)
  if (FORMS.size >= MOST_FORMS) FORMS.clear()
  FORMS.set(own, made)
  return made
}

const FORMS = new Map<string, readonly string[]>()
/** Some 5 MB; after that many it starts over, so that memory does not grow. */
const MOST_FORMS = 20_000

/** A word of prose, by its stem; a name in prose as in code. */
export function proseForms(token: string): readonly string[] {
  return buildForms(token, (word) => [knownStem(word)])
}

function buildForms(token: string, plain: (word: string) => readonly string[]): readonly string[] {
  if (!BEYOND_ASCII.test(token)) return plainForms(token, plain)
  if (lacksSpaces(token)) return unspacedForms(token, plain)
  const pieces = token.split('_').filter((piece) => piece !== '')
  const parts = pieces.flatMap((piece) => {
    const found = compoundParts(piece)
    return found.length === 0 ? [piece] : found
  })
  const whole = folded(token)
  if (parts.length === 1 && pieces[0] === token) return plain(whole)
  return [whole, ...parts.filter(isTelling).map((part) => knownStem(folded(part)))]
}

/** The same for a token in ASCII, which nearly all are, in one pass. */
function plainForms(token: string, plain: (word: string) => readonly string[]): readonly string[] {
  const whole = token.toLowerCase()
  const forms = [whole]
  let from = 0
  let before = 0
  for (let at = 0; at <= token.length; at += 1) {
    const bits = at < token.length ? (ASCII[token.charCodeAt(at)] ?? 0) : UNDERSCORE
    const isEnd = bits === UNDERSCORE
    if (isEnd || isSeam(before, bits, token.charCodeAt(at + 1))) {
      if (from === 0 && at === token.length) return plain(whole)
      // A part is all digits or has none.
      const isLong = at - from > LONGEST_NUMBER && before === DIGIT
      if (at - from > 1 && !isLong) forms.push(knownStem(whole.slice(from, at)))
      from = isEnd ? at + 1 : at
    }
    before = bits
  }
  return forms
}

/** Whether a part begins between two characters: `e|T`, `h|2`, `2|x`, and `P|Se`. */
function isSeam(before: number, bits: number, next: number): boolean {
  if (before === bits) return bits === UPPER && ASCII[next] === LOWER
  if (before === 0 || before === UNDERSCORE) return false
  return before !== UPPER || bits !== LOWER
}

/** Beyond so many all are forgotten: it costs time when they return, and changes nothing. */
const MOST_STEMS = 50_000
const stemmed = new Map<string, string>()

/** Many names share few parts. */
function knownStem(word: string): string {
  let found = stemmed.get(word)
  if (found === undefined) {
    if (stemmed.size >= MOST_STEMS) stemmed.clear()
    found = stem(word)
    stemmed.set(word, found)
  }
  return found
}

function unspacedForms(
  token: string,
  plain: (word: string) => readonly string[],
): readonly string[] {
  const runs = token.split(/([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]+)/u)
  return runs.flatMap((run) => {
    if (run === '') return []
    if (!lacksSpaces(run)) return isTelling(run) ? buildForms(run, plain) : []
    const pairs = unspacedPairs(run)
    return pairs.length === 0 ? [run] : pairs
  })
}

/** Not a single ASCII character, nor a long number. */
function isTelling(part: string): boolean {
  if (part.length === 1) return part.charCodeAt(0) > 127
  return part.length <= LONGEST_NUMBER || !/^[0-9_]+$/.test(part)
}
