/**
 * The tokens of C and C++, found without a grammar: enough to see what only the preprocessor
 * understands. Comments are left out, and a directive is one token to the end of its last line.
 */

/** What a token is: one of these, or the code of the one character that it has. */
export const TOKEN = { word: 1, capitals: 2, number: 3, text: 4, directive: 5, none: 0 } as const

/** What the grammar sees in place of a token. */
export const SEEN = { all: 0, nothing: 1, type: 2, truth: 3, code: 4 } as const

export const CHARACTER = {
  ampersand: 38,
  openParen: 40,
  closeParen: 41,
  star: 42,
  comma: 44,
  minus: 45,
  colon: 58,
  semicolon: 59,
  less: 60,
  equals: 61,
  greater: 62,
  openBracket: 91,
  closeBracket: 93,
  openBrace: 123,
  closeBrace: 125,
  tilde: 126,
} as const

export interface Tokens {
  readonly text: string
  readonly count: number
  readonly kinds: Uint8Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** What is seen of each token. */
  readonly marks: Uint8Array
}

/** Used again for every text: tokens are done with before the next text is read. */
let room = 0
let kinds = new Uint8Array(0)
let starts = new Uint32Array(0)
let ends = new Uint32Array(0)
let marks = new Uint8Array(0)
/** The same for tokens without those that are hidden, and where these are among all. */
let rest = { kinds, starts, ends, marks, places: starts }

/** Valid until the next text. */
export function tokensOf(text: string): Tokens {
  let count = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    const kind = code < 128 ? (CLASSES[code] ?? OTHER) : LETTER
    if (kind === SPACE) {
      at += 1
      continue
    }
    if (code === SLASH) {
      const after = afterComment(text, at)
      if (after > at) {
        at = after
        continue
      }
    }
    if (count === room) grow()
    const start = at
    at += 1
    if (kind === LETTER || kind === CAPITAL) {
      at = wordEnd(text, at)
      const isRaw = text.charCodeAt(at) === QUOTE && text.charCodeAt(at - 1) === LETTER_R
      if (isRaw) at = afterRawText(text, at)
      kinds[count] = isRaw ? TOKEN.text : wordKind(text, start, at)
    } else if (kind === DIGIT) {
      at = numberEnd(text, at)
      kinds[count] = TOKEN.number
    } else if (code === QUOTE || code === APOSTROPHE) {
      at = afterText(text, at, code)
      kinds[count] = TOKEN.text
    } else if (code === HASH) {
      at = directiveEnd(text, at)
      kinds[count] = TOKEN.directive
    } else kinds[count] = code
    starts[count] = start
    ends[count] = at
    count += 1
  }
  marks.fill(SEEN.all, 0, count)
  return { text, count, kinds, starts, ends, marks }
}

/** The tokens that are not hidden, and the place of each among all. */
export function visibleOf(all: Tokens): {
  readonly tokens: Tokens
  readonly places: Uint32Array
} {
  if (rest.kinds.length < room)
    rest = {
      kinds: new Uint8Array(room),
      starts: new Uint32Array(room),
      ends: new Uint32Array(room),
      marks: new Uint8Array(room),
      places: new Uint32Array(room),
    }
  let count = 0
  for (let at = 0; at < all.count; at += 1) {
    if (all.marks[at] === SEEN.nothing) continue
    rest.kinds[count] = all.kinds[at] ?? 0
    rest.starts[count] = all.starts[at] ?? 0
    rest.ends[count] = all.ends[at] ?? 0
    rest.places[count] = at
    count += 1
  }
  rest.marks.fill(SEEN.all, 0, count)
  const { places } = rest
  // Of one shape with all tokens, so that what is compiled for those is good for these.
  const tokens = {
    text: all.text,
    count,
    kinds: rest.kinds,
    starts: rest.starts,
    ends: rest.ends,
    marks: rest.marks,
  }
  return { tokens, places }
}

/** Whether a brace opens the body of an `enum`: `enum class name : type {`. */
export function isEnumBody(tokens: Tokens, brace: number): boolean {
  const { text } = tokens
  for (let at = brace - 1; at >= 0 && at > brace - ENUM_HEAD; at -= 1) {
    const kind = tokens.kinds[at] ?? 0
    if (kind !== TOKEN.word && kind !== TOKEN.capitals && kind !== CHARACTER.colon) return false
    if (kind === TOKEN.word && text.slice(tokens.starts[at], tokens.ends[at]) === 'enum')
      return true
  }
  return false
}

/** A head has no more tokens than this. */
const ENUM_HEAD = 10

const OTHER = 0
const SPACE = 1
const LETTER = 2
const CAPITAL = 3
const DIGIT = 4

const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  // A backslash only joins lines.
  if (/[\s\\]/.test(character)) return SPACE
  if (/[A-Z]/.test(character)) return CAPITAL
  if (/[a-z_$]/.test(character)) return LETTER
  return /\d/.test(character) ? DIGIT : OTHER
})

const NEWLINE = 10
const QUOTE = 34
const HASH = 35
const APOSTROPHE = 39
const SLASH = 47
const BACKSLASH = 92
const LETTER_R = 82
const STAR = 42
const DOT = 46

/** The same place when no comment is there. */
function afterComment(text: string, at: number): number {
  const next = text.charCodeAt(at + 1)
  if (next === STAR) {
    const end = text.indexOf('*/', at + 2)
    return end < 0 ? text.length : end + 2
  }
  return next === SLASH ? lineEnd(text, at + 2) : at
}

/** Of a line that may go on after a backslash. */
function lineEnd(text: string, from: number): number {
  for (let at = from; ; ) {
    const end = text.indexOf('\n', at)
    if (end < 0) return text.length
    const before = text.charCodeAt(end - 1) === 13 ? end - 2 : end - 1
    if (before < from || text.charCodeAt(before) !== BACKSLASH) return end
    at = end + 1
  }
}

function directiveEnd(text: string, from: number): number {
  const end = lineEnd(text, from)
  // A comment in it may end some lines below.
  let comment = from
  while (
    comment < end &&
    !(text.charCodeAt(comment) === SLASH && text.charCodeAt(comment + 1) === STAR)
  )
    comment += 1
  if (comment >= end) return end
  const close = text.indexOf('*/', comment + 2)
  return close < end ? end : lineEnd(text, close)
}

function wordEnd(text: string, from: number): number {
  let at = from
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 128 && (CLASSES[code] ?? 0) < LETTER) break
  }
  return at
}

/** A name in capitals, as macros have, is of at least two letters. */
function wordKind(text: string, start: number, end: number): number {
  let capitals = 0
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 97) return TOKEN.word
    if (code >= 65 && code <= 90) capitals += 1
  }
  return capitals > 1 ? TOKEN.capitals : TOKEN.word
}

/** `1'000.5e-3f`. */
function numberEnd(text: string, from: number): number {
  let at = from
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === DOT || (code < 128 && (CLASSES[code] ?? 0) >= LETTER)) continue
    const next = text.charCodeAt(at + 1)
    if (code !== APOSTROPHE || !(next < 128 && (CLASSES[next] ?? 0) >= LETTER)) break
  }
  return at
}

/** What is not closed ends with its line. */
function afterText(text: string, from: number, quote: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    if (code === BACKSLASH) at += 1
    else if (code === NEWLINE) return at
  }
  return text.length
}

/** `R"mark(…)mark"`. */
function afterRawText(text: string, quote: number): number {
  const open = text.indexOf('(', quote)
  const isMark = open >= 0 && open - quote <= 17
  const mark = isMark ? `)${text.slice(quote + 1, open)}"` : '"'
  const end = text.indexOf(mark, isMark ? open : quote + 1)
  return end < 0 ? text.length : end + mark.length
}

function grow(): void {
  room = Math.max(1 << 16, room * 2)
  const old = { kinds, starts, ends }
  kinds = new Uint8Array(room)
  starts = new Uint32Array(room)
  ends = new Uint32Array(room)
  marks = new Uint8Array(room)
  kinds.set(old.kinds)
  starts.set(old.starts)
  ends.set(old.ends)
}
