/**
 * Words of C and C++ that only the preprocessor understands. A name in capitals is taken for such a
 * word where no type and no name can stand:
 *
 *     API int f(void) SLOW;      class API Shape : Base {      BEGIN_NAMESPACE
 *     ^^^             ^^^^             ^^^                     ^^^^^^^^^^^^^^^
 *
 * `HANDLE f(void)` is a type, because nothing else is.
 */
import {
  afterAngles,
  afterParens,
  isMacro,
  isName,
  isTypeWord,
  PART,
  type Part,
  type Run,
  runAt,
} from './c-runs.ts'
import { CHARACTER, isEnumBody, SEEN, TOKEN, type Tokens } from './c-tokens.ts'

/** Marks the tokens that the grammar is not to see. */
export function hideMacros(tokens: Tokens, hidden: Uint8Array): void {
  const { kinds, count } = tokens
  const scan: Scan = { tokens, hidden, known: new Set(), doubtful: [] }
  const open: Opening[] = []
  // Where the statement began, and whether one begins here.
  let start = 0
  let isStart = true
  let last = -1
  for (let at = 0; at < count; at += 1) {
    if (hidden[at] === SEEN.nothing) continue
    const kind = kinds[at] ?? 0
    if (kind === TOKEN.directive) continue
    if (isStart) {
      start = at
      if (kind <= TOKEN.capitals) begin(scan, at, open.at(-1)?.is === BODY)
      if (hidden[at] === SEEN.nothing) continue
    }
    isStart = false
    switch (kind) {
      case CHARACTER.openParen:
        open.push({ is: PARENS, at, last })
        if (kinds[at + 1] === TOKEN.capitals) insidePointer(scan, at)
        break
      case TOKEN.capitals:
        if (kinds[at + 1] === CHARACTER.openParen) beforeParens(scan, at, last)
        else if (open.at(-1)?.is === PARENS) afterParameter(scan, at)
        break
      case CHARACTER.openBrace: {
        const is = braceOf(tokens, { at, start, last, around: open.at(-1) })
        open.push({ is, at, last })
        isStart = is !== LIST
        break
      }
      case CHARACTER.closeParen: {
        const opening = open.at(-1)?.is === PARENS ? open.pop() : undefined
        if (kinds[at + 1] !== CHARACTER.semicolon && opening !== undefined)
          afterParameters(scan, at, opening.last)
        break
      }
      case CHARACTER.closeBrace: {
        // What was left open inside is closed with it.
        while (open.at(-1)?.is === PARENS) open.pop()
        const was = open.pop()
        isStart = was?.is !== LIST && isOpenFor(open)
        break
      }
      case CHARACTER.semicolon:
        isStart = isOpenFor(open)
        break
      case CHARACTER.colon:
        isStart = isOpenFor(open) && isLabel(tokens, start, at)
        break
      case TOKEN.word:
        isStart = at === start && isOpenFor(open) && isElse(tokens, at)
        break
      default:
    }
    last = at
  }
  for (const it of scan.doubtful) hideBut(scan, it)
}

interface Scan {
  readonly tokens: Tokens
  readonly hidden: Uint8Array
  /** What was seen in front of a type. */
  readonly known: Set<string>
  /** Macros of which one may be a type. */
  readonly doubtful: (readonly Part[])[]
}

interface Opening {
  readonly is: number
  readonly at: number
  /** The token before it. */
  readonly last: number
}

const PARENS = 0
/** Of values, or of the names of an `enum`. */
const LIST = 1
/** Of a function or a statement. */
const BODY = 2
/** Of a class or a namespace. */
const MEMBERS = 3

function isOpenFor(open: readonly Opening[]): boolean {
  const around = open.at(-1)
  return around === undefined || around.is >= BODY
}

function textAt({ text, starts, ends }: Tokens, at: number): string {
  return text.slice(starts[at], ends[at])
}

function isElse(tokens: Tokens, at: number): boolean {
  const length = (tokens.ends[at] ?? 0) - (tokens.starts[at] ?? 0)
  return (length === 4 || length === 2) && /^(?:else|do)$/.test(textAt(tokens, at))
}

/** `public:`, `again:` and `case 1:`. */
function isLabel(tokens: Tokens, start: number, at: number): boolean {
  const { kinds } = tokens
  if (kinds[at + 1] === CHARACTER.colon || kinds[at - 1] === CHARACTER.colon) return false
  return at === start + 1 || textAt(tokens, start) === 'case'
}

interface Brace {
  readonly at: number
  /** Where its statement began. */
  readonly start: number
  readonly last: number
  readonly around: Opening | undefined
}

function braceOf(tokens: Tokens, { at, start, last, around }: Brace): number {
  const { kinds } = tokens
  const before = last < 0 ? CHARACTER.semicolon : (kinds[last] ?? 0)
  if (before === CHARACTER.closeParen || before === CHARACTER.closeBracket) return BODY
  if (around !== undefined && around.is < BODY) return LIST
  if (isEnumBody(tokens, at)) return LIST
  if (at === start) return BODY
  if (before === CHARACTER.closeBrace) return BODY
  if (before > TOKEN.text && !ENDS_TYPE.has(before)) return LIST
  for (let word = start; word < at; word += 1) {
    const kind = kinds[word] ?? 0
    if (kind === CHARACTER.openParen) return BODY
    if (kind === CHARACTER.equals) return LIST
    if (kind !== TOKEN.word) continue
    const own = textAt(tokens, word)
    if (own === 'template') word = afterAngles(tokens, word + 1) - 1
    else if (HAS_MEMBERS.test(own)) return MEMBERS
    else if (HAS_BODY.test(own)) return BODY
  }
  return LIST
}

const ENDS_TYPE: ReadonlySet<number> = new Set([
  CHARACTER.greater,
  CHARACTER.star,
  CHARACTER.ampersand,
])
const HAS_MEMBERS = /^(?:class|struct|union|namespace|extern|export)$/
const HAS_BODY = /^(?:else|do|try|operator)$/

function begin(scan: Scan, at: number, isInBody: boolean): void {
  if (!isWorthALook(scan.tokens, at, isInBody)) return
  const run = runAt(scan.tokens, scan.hidden, at)
  hideAll(scan, run.before)
  const next = scan.tokens.kinds[run.end]
  const isPointer = next === CHARACTER.star || next === CHARACTER.ampersand
  if (isPointer && run.parts.length > 0) afterStars(scan, run.end)
  if (run.parts.some(isMacro)) decide(scan, run, isInBody)
  else if (!isInBody && next === CHARACTER.openParen) hideNames(scan, run)
}

/** Most declarations have no capitals, and fewer than three words. */
function isWorthALook(tokens: Tokens, from: number, isInBody: boolean): boolean {
  const { kinds, count } = tokens
  const isTemplateHead = textAt(tokens, from) === 'template'
  // Its parameters may have defaults.
  const head = isTemplateHead ? afterAngles(tokens, from + 1) : from
  for (let at = from; at < count; at += 1) {
    const kind = kinds[at] ?? 0
    if (kind === TOKEN.capitals) return true
    if (at < head) continue
    if (kind === CHARACTER.openParen) return !isInBody && at > from + 2
    if (STOPS.has(kind)) return false
  }
  return false
}

const STOPS: ReadonlySet<number> = new Set([
  TOKEN.directive,
  CHARACTER.semicolon,
  CHARACTER.equals,
  CHARACTER.openBrace,
  CHARACTER.closeBrace,
])

/** `forceinline Node *grow(`, `void _cdecl f(`: of several types one is none. */
function hideNames(scan: Scan, { parts }: Run): void {
  const types = parts.slice(0, -1).filter(isReal)
  const isTyped = types.some((it) => it.role === PART.type)
  const names = types.filter((it) => it.role === PART.name && it.to === it.from + 1)
  if (types.length < 2 || parts.some((it) => it.role === PART.tag)) return
  hideAll(scan, isTyped ? names : names.filter((it) => it !== types.at(-1)))
}

function hide({ tokens, hidden, known }: Scan, it: Part): void {
  hidden.fill(SEEN.nothing, it.from, it.to)
  if (it.role === PART.capitals) known.add(textAt(tokens, it.from))
}

function decide(scan: Scan, run: Run, isInBody: boolean): void {
  const { parts, end } = run
  const { kinds, count } = scan.tokens
  const next = end >= count ? TOKEN.directive : (kinds[end] ?? 0)
  const macros = parts.filter(isMacro)
  if (parts.some((it) => it.role === PART.tag)) {
    const isDefined = next === CHARACTER.openBrace || next === CHARACTER.colon
    if (isDefined) hideAround(scan, parts)
    // `class API [[nodiscard]] Shape`: the name is still to come.
    const isBefore = next === CHARACTER.openBracket && kinds[end + 1] === CHARACTER.openBracket
    if (isBefore) hideAll(scan, macros)
    return
  }
  if (run.isCut || next === CHARACTER.tilde) return hideAll(scan, macros)
  if (next === TOKEN.directive || next === CHARACTER.closeBrace) {
    if (macros.length === parts.length) hideAll(scan, macros)
    return
  }
  const [first] = parts
  const isAlone = parts.length === 1 && first !== undefined
  if (isAlone && next === CHARACTER.openBrace && isInBody) return hide(scan, first)
  if (isAlone && next === CHARACTER.semicolon && !isInBody && first.role === PART.call)
    return hide(scan, first)
  // In a body, the next statement stands below a macro.
  if (isInBody && first !== undefined && isMacro(first) && isBelow(scan, first))
    return hide(scan, first)
  if (next === CHARACTER.star || next === CHARACTER.ampersand) hideBefore(scan, parts)
  else if (run.isOperator) {
    if (kinds[end + 1] === TOKEN.word) hideAll(scan, macros)
    else hideBefore(scan, parts)
  } else if (DECLARES.has(next))
    hideBefore(scan, parts.slice(0, nameOf(scan, parts)), next === CHARACTER.openParen ? end : -1)
}

const DECLARES: ReadonlySet<number> = new Set([
  CHARACTER.openParen,
  CHARACTER.semicolon,
  CHARACTER.equals,
  CHARACTER.comma,
  CHARACTER.openBracket,
  CHARACTER.openBrace,
  CHARACTER.colon,
])

function hideAll(scan: Scan, macros: readonly Part[]): void {
  for (const it of macros) hide(scan, it)
}

/** `class API Shape FINAL`: all but the name, which may be in capitals itself. */
function hideAround(scan: Scan, parts: readonly Part[]): void {
  const tag = parts.findIndex((it) => it.role === PART.tag)
  const after = parts.slice(tag + 1)
  const name =
    after.find((it) => it.role === PART.name) ?? after.findLast((it) => it.role === PART.capitals)
  for (const it of after) if (it !== name && isMacro(it)) hide(scan, it)
}

/** Of words that end in a type: the macros among them; the last one may be the type. */
function hideBefore(scan: Scan, parts: readonly Part[], parens = -1): void {
  const macros = parts.filter(isMacro)
  if (parts.some(isReal)) return hideAll(scan, macros)
  if (parens >= 0 && isMaker(scan.tokens, parens)) hideAll(scan, macros)
  else if (parens >= 0 || macros.length > 1) scan.doubtful.push(macros)
}

/** All but the type: the last one that was not seen in front of a type. */
function hideBut({ tokens, hidden, known }: Scan, macros: readonly Part[]): void {
  const type = macros.findLast((it) => !known.has(textAt(tokens, it.from)))
  for (const it of macros) if (it !== type) hidden.fill(SEEN.nothing, it.from, it.to)
}

/** `Shape(int x) noexcept : x_(x) {}` has no type. */
function isMaker(tokens: Tokens, parens: number): boolean {
  const { end } = qualifiersAt(tokens, afterParens(tokens, parens))
  return tokens.kinds[end] === CHARACTER.colon && tokens.kinds[end + 1] !== CHARACTER.colon
}

function isReal({ role }: Part): boolean {
  return role === PART.type || role === PART.name
}

/** Which part is the name; attributes that follow it are hidden: `int count GUARDED_BY(lock);`. */
function nameOf(scan: Scan, parts: readonly Part[]): number {
  let name = parts.length - 1
  while (name > 1) {
    const it = parts[name]
    const other = parts[name - 1]
    const isAttribute =
      it !== undefined &&
      isMacro(it) &&
      other?.role === PART.name &&
      parts.slice(0, name - 1).some((before) => isReal(before) || isMacro(before))
    if (!isAttribute) break
    hide(scan, it)
    name -= 1
  }
  return name
}

/** Whether the next line goes on after it. */
function isBelow({ tokens: { text, starts, ends } }: Scan, { to }: Part): boolean {
  return text.slice(ends[to - 1], starts[to]).includes('\n')
}

/** `char *API f(void)` and `char *const name GUARDED_BY(lock);`. */
function afterStars(scan: Scan, from: number): void {
  const { tokens, hidden } = scan
  const { kinds } = tokens
  let at = from
  while (kinds[at] === CHARACTER.star || kinds[at] === CHARACTER.ampersand) at += 1
  if (kinds[at] === TOKEN.capitals && kinds[at + 1] === TOKEN.word) {
    hidden[at] = SEEN.nothing
    return
  }
  if (kinds[at] === TOKEN.word && textAt(tokens, at) === 'const') at += 1
  if (kinds[at] !== TOKEN.word || kinds[at + 1] !== TOKEN.capitals) return
  const isCall = kinds[at + 2] === CHARACTER.openParen
  const to = isCall ? afterParens(tokens, at + 2) : at + 2
  if (ENDS_HEAD.has(kinds[to] ?? 0)) hidden.fill(SEEN.nothing, at + 1, to)
}

/** `int (API *f)(void)`. */
function insidePointer({ tokens, hidden }: Scan, paren: number): void {
  const { kinds } = tokens
  let at = paren + 2
  while (kinds[at] === CHARACTER.star) at += 1
  if (at === paren + 2) return
  if (kinds[at] === TOKEN.word || kinds[at] === TOKEN.capitals) at += 1
  if (kinds[at] === CHARACTER.closeParen && kinds[at + 1] === CHARACTER.openParen)
    hidden[paren + 1] = SEEN.nothing
}

/** `if CONSTEXPR (…)`, and `template <class T, ENABLE_IF(…)>`, where it stands for a parameter. */
function beforeParens({ tokens, hidden }: Scan, at: number, last: number): void {
  const { kinds } = tokens
  if (kinds[last] === TOKEN.word && textAt(tokens, last) === 'if') hidden[at] = SEEN.nothing
  if (kinds[last] !== CHARACTER.comma && kinds[last] !== CHARACTER.less) return
  const to = afterParens(tokens, at + 1)
  if (kinds[to] !== CHARACTER.comma && kinds[to] !== CHARACTER.greater) return
  if (!isTemplate(tokens, at)) return
  hidden[at] = SEEN.type
  hidden.fill(SEEN.nothing, at + 1, to)
}

/** `(int x UNUSED, char *name NONNULL)`. */
function afterParameter({ tokens, hidden }: Scan, at: number): void {
  const { kinds } = tokens
  const next = kinds[at + 1]
  if (next !== CHARACTER.comma && next !== CHARACTER.closeParen) return
  if (kinds[at - 1] !== TOKEN.word || !isName(tokens, at - 1)) return
  const before = kinds[at - 2] ?? 0
  const isType = before === TOKEN.word ? isTypeWord(tokens, at - 2) : ENDS_TYPE.has(before)
  if (isType) hidden[at] = SEEN.nothing
}

/** Whether the angles around a place are those of `template <`. */
function isTemplate(tokens: Tokens, from: number): boolean {
  const { kinds } = tokens
  let depth = 0
  for (let at = from - 1; at > 0; at -= 1) {
    const kind = kinds[at] ?? 0
    if (kind === CHARACTER.greater || kind === CHARACTER.closeParen) depth += 1
    else if (kind === CHARACTER.less || kind === CHARACTER.openParen) {
      if (depth === 0) return kind === CHARACTER.less && textAt(tokens, at - 1) === 'template'
      depth -= 1
    } else if (kind === CHARACTER.semicolon || kind === CHARACTER.openBrace) return false
  }
  return false
}

function afterParameters({ tokens, hidden }: Scan, close: number, callee: number): void {
  const { macros, end } = qualifiersAt(tokens, close + 1)
  if (macros.length === 0 || !ENDS_HEAD.has(tokens.kinds[end] ?? 0)) return
  if (!isParameters(tokens, callee)) return
  for (const it of macros) hidden.fill(SEEN.nothing, it.from, it.to)
}

/** After parameters: `const SLOW(1) override`. */
function qualifiersAt(
  tokens: Tokens,
  from: number,
): { readonly macros: readonly Part[]; readonly end: number } {
  const { kinds } = tokens
  const macros: Part[] = []
  let at = from
  for (;;) {
    const kind = kinds[at] ?? 0
    const isMacroName = kind === TOKEN.capitals
    const isWord = kind === TOKEN.word && QUALIFIES.test(textAt(tokens, at))
    if (!isMacroName && !isWord && kind !== CHARACTER.ampersand) return { macros, end: at }
    const hasParens = kinds[at + 1] === CHARACTER.openParen
    const to = hasParens ? afterParens(tokens, at + 1) : at + 1
    if (isMacroName) macros.push({ role: PART.call, from: at, to })
    at = to
  }
}

const QUALIFIES = /^(?:const|volatile|noexcept|throw|override|final|mutable)$/

const ENDS_HEAD: ReadonlySet<number> = new Set([
  CHARACTER.semicolon,
  CHARACTER.equals,
  CHARACTER.openBrace,
  CHARACTER.colon,
  CHARACTER.minus,
])

/** Not of `if (…)` or of a macro. */
function isParameters(tokens: Tokens, callee: number): boolean {
  const kind = tokens.kinds[callee] ?? 0
  if (kind === TOKEN.word) return !CONTROLS.test(textAt(tokens, callee))
  if (kind === CHARACTER.closeBracket) return true
  return [1, 2, 3].some((back) => callee >= back && textAt(tokens, callee - back) === 'operator')
}

const CONTROLS = /^(?:if|while|for|switch|catch|constexpr)$/
