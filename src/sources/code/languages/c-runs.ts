/**
 * The words that a declaration of C or C++ begins with, up to its name and what follows it:
 * `static API const std::vector<int> SLOW(2) f` before `(`.
 */
import { CHARACTER, SEEN, TOKEN, type Tokens } from './c-tokens.ts'

export const PART = {
  /** `API`: a macro, or a type or name in capitals. */
  capitals: 1,
  /** `SLOW(2)`. */
  call: 2,
  specifier: 3,
  /** A type that is a keyword. */
  type: 4,
  /** `a::b<c>`. */
  name: 5,
  /** `class`, `struct`. */
  tag: 6,
} as const

export interface Part {
  readonly role: number
  /** Tokens. */
  readonly from: number
  readonly to: number
}

export interface Run {
  /** Macros in front of a word that begins something of its own: `API template`. */
  readonly before: readonly Part[]
  readonly parts: readonly Part[]
  /** The token after the last part. */
  readonly end: number
  /** The word `operator` follows. */
  readonly isOperator: boolean
  /** A word follows with which a statement begins. */
  readonly isCut: boolean
}

const OPERATOR = 10
const PREFIX = 11
const BEGINNING = 12
const WITH_PARENS = 13
const TYPE_WITH_PARENS = 14

const PLAIN_ROLES: ReadonlyMap<number, number> = new Map([
  [WITH_PARENS, PART.specifier],
  [TYPE_WITH_PARENS, PART.type],
])

const WORDS: ReadonlyMap<string, number> = new Map([
  ...entries(
    'static inline constexpr consteval constinit const volatile mutable virtual register extern thread_local typename final override friend typedef export __inline __inline__ __forceinline __restrict __restrict__ restrict __extension__ _Noreturn _Thread_local __thread _Atomic __cdecl __clrcall __stdcall __fastcall __thiscall __vectorcall',
    PART.specifier,
  ),
  ...entries(
    'void char short int long float double bool unsigned signed auto wchar_t char8_t char16_t char32_t _Bool _Complex __int128',
    PART.type,
  ),
  ...entries('class struct union enum', PART.tag),
  ...entries(
    'explicit noexcept alignas _Alignas __attribute__ __attribute __declspec',
    WITH_PARENS,
  ),
  ...entries('decltype typeof __typeof__', TYPE_WITH_PARENS),
  ['operator', OPERATOR],
  ['template', PREFIX],
  ...entries(
    'namespace using return goto case default delete throw new sizeof break continue asm public private protected if else for while do switch try catch static_assert concept requires co_return co_await co_yield this import',
    BEGINNING,
  ),
])

function entries(words: string, role: number): readonly (readonly [string, number])[] {
  return words.split(' ').map((it) => [it, role])
}

export function runAt(tokens: Tokens, hidden: Uint8Array, from: number): Run {
  const { kinds, count } = tokens
  let before: readonly Part[] = []
  let parts: Part[] = []
  let at = from
  while (at < count) {
    const kind = kinds[at] ?? 0
    if (hidden[at] === SEEN.nothing) {
      at += 1
      continue
    }
    if (kind === TOKEN.capitals && !isPath(tokens, at + 1)) {
      const isCall = kinds[at + 1] === CHARACTER.openParen
      const to = isCall ? afterParens(tokens, at + 1) : at + 1
      parts.push({ role: isCall ? PART.call : PART.capitals, from: at, to })
      at = to
      continue
    }
    if (kind === TOKEN.word || kind === TOKEN.capitals || isPath(tokens, at)) {
      const role = kind === TOKEN.word ? roleOf(tokens, at) : PART.name
      if (role === OPERATOR) return { before, parts, end: at, isOperator: true, isCut: false }
      if (role === BEGINNING) return { before, parts, end: at, isOperator: false, isCut: true }
      if (role === PREFIX) {
        before = [...before, ...macrosOf(parts)]
        parts = []
        at = afterAngles(tokens, at + 1)
        continue
      }
      if (role === PART.tag) {
        before = [...before, ...macrosOf(parts)]
        parts = parts.filter((it) => !isMacro(it))
      }
      const hasParens = role >= WITH_PARENS && kinds[at + 1] === CHARACTER.openParen
      const to = hasParens ? afterParens(tokens, at + 1) : at + 1
      parts.push({ role: PLAIN_ROLES.get(role) ?? role, from: at, to })
      at = role === PART.name ? afterPath(tokens, at) : to
      continue
    }
    if (kind === TOKEN.text && roleBefore(parts) === PART.specifier) at += 1
    else if (kind === CHARACTER.openBracket && kinds[at + 1] === kind)
      at = afterAttribute(tokens, at)
    else break
  }
  return { before, parts, end: at, isOperator: false, isCut: false }
}

export function isMacro({ role }: Part): boolean {
  return role === PART.capitals || role === PART.call
}

function macrosOf(parts: readonly Part[]): readonly Part[] {
  return parts.filter(isMacro)
}

function roleBefore(parts: readonly Part[]): number {
  return parts.at(-1)?.role ?? 0
}

function roleOf({ text, starts, ends }: Tokens, at: number): number {
  return WORDS.get(text.slice(starts[at], ends[at])) ?? PART.name
}

export function isName(tokens: Tokens, at: number): boolean {
  return roleOf(tokens, at) === PART.name
}

export function isTypeWord(tokens: Tokens, at: number): boolean {
  const role = roleOf(tokens, at)
  return role === PART.name || role === PART.type
}

function isPath({ kinds }: Tokens, at: number): boolean {
  return kinds[at] === CHARACTER.colon && kinds[at + 1] === CHARACTER.colon
}

/** `a::b<c>::~d`, and `::a`. */
function afterPath(tokens: Tokens, from: number): number {
  const { kinds } = tokens
  let at = isPath(tokens, from) ? from : from + 1
  for (;;) {
    if (kinds[at] === CHARACTER.less) {
      const to = afterAngles(tokens, at)
      if (to === at) return at
      at = to
    } else if (isPath(tokens, at)) {
      at += kinds[at + 2] === CHARACTER.tilde ? 3 : 2
      const isWord = kinds[at] === TOKEN.word || kinds[at] === TOKEN.capitals
      if (!isWord || roleOf(tokens, at) === OPERATOR) return at
      at += 1
    } else return at
  }
}

export function afterParens({ kinds, count }: Tokens, from: number): number {
  let depth = 0
  for (let at = from; at < count; at += 1) {
    if (kinds[at] === CHARACTER.openParen) depth += 1
    else if (kinds[at] === CHARACTER.closeParen) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return count
}

/** The same place when it is not closed before the statement ends. */
export function afterAngles(tokens: Tokens, from: number): number {
  const { kinds, count } = tokens
  if (kinds[from] !== CHARACTER.less) return from
  let depth = 0
  for (let at = from; at < count; at += 1) {
    const kind = kinds[at] ?? 0
    if (kind === CHARACTER.less) depth += 1
    else if (kind === CHARACTER.greater && kinds[at - 1] !== CHARACTER.minus) {
      depth -= 1
      if (depth === 0) return at + 1
    } else if (kind === CHARACTER.openParen) at = afterParens(tokens, at) - 1
    else if (kind === CHARACTER.semicolon || kind === CHARACTER.openBrace) return from
  }
  return from
}

/** `[[…]]`. */
function afterAttribute({ kinds, count }: Tokens, from: number): number {
  for (let at = from + 2; at < count; at += 1) {
    if (kinds[at] === CHARACTER.closeBracket && kinds[at + 1] === CHARACTER.closeBracket)
      return at + 2
  }
  return count
}
