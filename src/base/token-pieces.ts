/**
 * Where the pieces of a text end within which the o200k vocabulary merges bytes: words, numbers up
 * to three digits, punctuation, space. A text has as many tokens as its pieces have together. This
 * knows the pieces alone: neither the vocabulary nor how many tokens a piece is.
 */
import { END_OF_TEXT } from './utf8.ts'

/** The end of the piece that begins at `from`, which must be where another ended, or 0. */
export function pieceEnd(text: string, from: number): number {
  piece ??= piecePattern()
  // A test makes no match object.
  piece.lastIndex = from
  return piece.test(text) ? piece.lastIndex : text.length
}

let piece: RegExp | undefined

/**
 * The same in UTF-8 that `END_OF_TEXT` follows, byte by byte, which is some ten times as fast; or
 * `UNDECIDED`, wherever a character beyond ASCII has a say in where the piece ends that is no mark
 * of those which stand in code and in our own text. To make and compile the pattern takes several
 * milliseconds, which most programs that count then never need.
 */
export function plainPieceEnd(bytes: Uint8Array, from: number): number {
  const first = kindAt(bytes, from)
  if (first <= UPPER) return wordEnd(bytes, from)
  if (first === DIGIT) return numberEnd(bytes, from)
  if (first === BEYOND_ASCII) {
    const length = markLength(bytes, from)
    return length === 0 ? UNDECIDED : markEnd(bytes, from + length)
  }
  if (first === MARK) return markEnd(bytes, from + 1)
  const second = kindAt(bytes, from + 1)
  if (second === BEYOND_ASCII) {
    const length = markLength(bytes, from + 1)
    if (length === 0) return UNDECIDED
    return first === SPACE ? marksEnd(bytes, from + 1 + length) : spaceEnd(bytes, from)
  }
  if (second <= UPPER && first !== NEWLINE) return wordEnd(bytes, from + 1)
  if (first === SPACE && second === MARK) return marksEnd(bytes, from + 2)
  return spaceEnd(bytes, from)
}

export const UNDECIDED = -1

const LOWER = 0
const UPPER = 1
const DIGIT = 2
const NEWLINE = 3
const SPACE = 4
/** Space that is neither a newline nor the space itself. */
const BLANK = 5
/** Whatever is none of the others: punctuation, symbols, control characters. */
const MARK = 6
const BEYOND_ASCII = 7
const END = 8

const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => byteKind(byte))

function byteKind(byte: number): number {
  if (byte >= 128) return byte === END_OF_TEXT ? END : BEYOND_ASCII
  if (byte >= 97 && byte <= 122) return LOWER
  if (byte >= 65 && byte <= 90) return UPPER
  if (byte >= 48 && byte <= 57) return DIGIT
  if (byte === 10 || byte === 13) return NEWLINE
  if (byte === 32) return SPACE
  // Tab, vertical tab, form feed.
  return byte === 9 || byte === 11 || byte === 12 ? BLANK : MARK
}

/** Bytes of the mark beyond ASCII that begins here; 0 where it is something else, or may be. */
function markLength(bytes: Uint8Array, at: number): number {
  const second = bytes[at + 1] as number
  // ¡ to ¿, without what are letters and numbers there.
  if (bytes[at] === 0xc2) return second > 0xa0 && !NO_MARKS.includes(second) ? 2 : 0
  // Emoji and other pictures.
  if (bytes[at] === 0xf0) return isPicture(second, bytes[at + 2] as number) ? 4 : 0
  if (bytes[at] !== 0xe2) return 0
  const code = 0x2000 | ((second & 63) << 6) | ((bytes[at + 2] as number) & 63)
  // Dashes and quotes; arrows and operators; frames, boxes and ornaments.
  const isMark =
    (code >= 0x2010 && code <= 0x2027) ||
    (code >= 0x2030 && code <= 0x205e) ||
    (code >= 0x2190 && code <= 0x23ff) ||
    (code >= 0x2500 && code <= 0x2767)
  return isMark ? 3 : 0
}

/** U+1F300 to U+1FABF. */
function isPicture(second: number, third: number): boolean {
  return second === 0x9f && third >= 0x8c && third <= 0xaa
}

/** ª ² ³ µ ¹ º ¼ ½ ¾ */
const NO_MARKS = [0xaa, 0xb2, 0xb3, 0xb5, 0xb9, 0xba, 0xbc, 0xbd, 0xbe]

function kindAt(bytes: Uint8Array, at: number): number {
  return KINDS[bytes[at] as number] as number
}

/** Capitals, then small letters, then `'s` and its like: `HTMLElement's` is one, `aB` is two. */
function wordEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (kindAt(bytes, at) === UPPER) at += 1
  while (kindAt(bytes, at) === LOWER) at += 1
  if (kindAt(bytes, at) === BEYOND_ASCII) return markLength(bytes, at) === 0 ? UNDECIDED : at
  return bytes[at] === APOSTROPHE ? at + contractionLength(bytes, at) : at
}

const APOSTROPHE = 39
const END_OF_MARKS = -1
const SLASH = 47
/** The letters that make a contraction after an apostrophe, alone and in twos; case aside. */
const CONTRACTED = new Set(['s', 'd', 'm', 't'].map((it) => it.charCodeAt(0)))
const CONTRACTED_PAIRS = new Set(
  ['ll', 've', 're'].map((it) => it.charCodeAt(0) * 256 + it.charCodeAt(1)),
)

function contractionLength(bytes: Uint8Array, at: number): number {
  const first = smallLetter(bytes, at + 1)
  if (CONTRACTED.has(first)) return 2
  return CONTRACTED_PAIRS.has(first * 256 + smallLetter(bytes, at + 2)) ? 3 : 0
}

/** A small letter is its capital with this bit set. */
function smallLetter(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | 32
}

function numberEnd(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; at < from + 3; at += 1) {
    const kind = kindAt(bytes, at)
    if (kind === BEYOND_ASCII) return markLength(bytes, at) === 0 ? UNDECIDED : at
    if (kind !== DIGIT) return at
  }
  return from + 3
}

/** One character of any kind goes with the word after it: ` word`, `.word`, `(word`. */
function markEnd(bytes: Uint8Array, after: number): number {
  return kindAt(bytes, after) <= UPPER ? wordEnd(bytes, after) : marksEnd(bytes, after)
}

/** Punctuation takes along the newlines and slashes that follow it. */
function marksEnd(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    const kind = kindAt(bytes, at)
    const length = kind === BEYOND_ASCII ? markLength(bytes, at) : kind === MARK ? 1 : END_OF_MARKS
    if (length === 0) return UNDECIDED
    if (length === END_OF_MARKS) break
    at += length
  }
  while (kindAt(bytes, at) === NEWLINE || bytes[at] === SLASH) at += 1
  return at
}

/** Space ends after its last newline; without one, it leaves one space to what follows. */
function spaceEnd(bytes: Uint8Array, from: number): number {
  let at = from
  let afterNewline = from
  let kind = kindAt(bytes, at)
  while (kind === SPACE || kind === NEWLINE || kind === BLANK) {
    at += 1
    if (kind === NEWLINE) afterNewline = at
    kind = kindAt(bytes, at)
  }
  if (kind === BEYOND_ASCII && markLength(bytes, at) === 0) return UNDECIDED
  if (afterNewline > from) return afterNewline
  return kind === END || at === from + 1 ? at : at - 1
}

const CAPITALS = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
const SMALLS = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
const CONTRACTION = `(?:'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE]))?`

/**
 * Words with small letters come before words without, each with and without the character before
 * it: a mark that combines can be either, so the order tells. Every character is in one of these,
 * so that the pattern matches wherever a text goes on.
 */
function piecePattern(): RegExp {
  const kinds = [
    String.raw`[^\r\n\p{L}\p{N}]?${CAPITALS}*${SMALLS}+${CONTRACTION}`,
    String.raw`[^\r\n\p{L}\p{N}]?${CAPITALS}+${SMALLS}*${CONTRACTION}`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
    String.raw`\s*[\r\n]+`,
    String.raw`\s+(?!\S)`,
    String.raw`\s+`,
  ]
  return new RegExp(kinds.join('|'), 'uy')
}
