/**
 * What the grammar sees of a text of Rust. A macro such as `cfg_rt! { … }` is given whole items and
 * hands them on, but to the grammar they are loose tokens; so the macro's name and braces are blank
 * and the items stand there by themselves. Pure text.
 */
import { ascending } from '../../../base/order.ts'
import type { Visible } from '../language.ts'

export function withoutItemMacros(text: string): Visible {
  if (!CALLED.test(text)) return { text, hidden: [] }
  const tokens = tokensOf(text)
  const places = inPlaces(tokens, wrappers(tokens))
  return { text: blanked(text, places), hidden: places }
}

/** Most files have no such call, and need no closer look. */
const CALLED = /^[ \t]*[\w:]+!\s*(?:\{|\(\s*(?:pub\b.*)?static\b)/m

interface Tokens {
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly words: readonly string[]
  /** Of an opening bracket, the token that closes it; of others, themselves. */
  readonly closes: readonly number[]
}

const TOKEN =
  /\/\/.*|\/\*|\b[bc]?r(#*)"[^]*?"\1|(?:\b[bc])?"(?:[^"\\]|\\[^])*"|b?'(?:[^'\\\n]|\\(?:u\{[^}]*\}|[^]))'|'\w+|\w+|::|[{}()[\];!#$:]/g

function tokensOf(text: string): Tokens {
  const starts: number[] = []
  const ends: number[] = []
  const words: string[] = []
  const closes: number[] = []
  const open: number[] = []
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [word] = match
    if (word === '/*') TOKEN.lastIndex = commentEnd(text, match.index)
    if (word.startsWith('/')) continue
    const own = words.length
    words.push(/^[\w{}()[\];!#$:]/.test(word) && !word.endsWith('"') ? word : '')
    starts.push(match.index)
    ends.push(match.index + word.length)
    closes.push(own)
    if (word === '{' || word === '(' || word === '[') open.push(own)
    else if (word === '}' || word === ')' || word === ']') closes[open.pop() ?? own] = own
  }
  return { starts, ends, words, closes }
}

/** Comments hold comments in turn. */
function commentEnd(text: string, start: number): number {
  const ends = /\/\*|\*\//g
  ends.lastIndex = start
  let depth = 0
  for (let match = ends.exec(text); match !== null; match = ends.exec(text)) {
    depth += match[0] === '/*' ? 1 : -1
    if (depth === 0) return ends.lastIndex
  }
  return text.length
}

/** Tokens that are not to be seen, from one to another. */
type Hidden = readonly (readonly [from: number, to: number])[]

function wrappers(tokens: Tokens): Hidden {
  const { words, closes } = tokens
  const found: (readonly [number, number])[] = []
  for (let at = 0; at < words.length; at += 1) {
    if (words[at] !== '!') continue
    const isMaking = words[at - 1] === 'macro_rules'
    const open = isMaking ? at + 2 : at + 1
    const close = closes[open] ?? open
    if (close === open) continue
    const from = pathStart(tokens, at - 1)
    const isOpen = words[open] === '{' || isStatic(tokens, open)
    const isCandidate = !isMaking && isOpen && BEFORE.has(words[from - 1] ?? ';')
    const inside = isCandidate ? hiddenInside(tokens, open, close) : undefined
    if (inside === undefined) at = isMaking || isCandidate ? close : at
    else found.push([from, open], ...inside, [close, close])
  }
  return found
}

/** After these a statement or an item begins. */
const BEFORE: ReadonlySet<string> = new Set([';', '{', '}', ']'])

/** `scoped!(static NAME: Type);` */
function isStatic({ words, closes }: Tokens, open: number): boolean {
  const first = words[open + 1] === 'pub' ? open + 2 : open + 1
  const at = words[first] === '(' ? (closes[first] ?? 0) + 1 : first
  return words[open] === '(' && words[at] === 'static' && words[(closes[open] ?? 0) + 1] === ';'
}

function pathStart({ words }: Tokens, name: number): number {
  let at = name
  while (words[at - 1] === '::') at -= 2
  return at
}

/** What else is to be hidden between the braces; nothing when there is more than items. */
function hiddenInside(tokens: Tokens, open: number, close: number): Hidden | undefined {
  if (isTemplate(tokens, open, close)) return undefined
  return tokens.words[open + 1] === 'if'
    ? hiddenInBranches(tokens, open, close)
    : hiddenInItems(tokens, open, close)
}

/** Text of a macro that is filled in later: `#name`, `$name`. */
function isTemplate({ words }: Tokens, open: number, close: number): boolean {
  for (let at = open; at < close; at += 1) {
    const next = words[at + 1]
    if (words[at] === '$' || (words[at] === '#' && next !== '[' && next !== '!')) return true
  }
  return false
}

/** `if #[cfg(unix)] { … } else { … }`: the items of all branches. */
function hiddenInBranches(tokens: Tokens, open: number, close: number): Hidden | undefined {
  const { words, closes } = tokens
  const found: (readonly [number, number])[] = []
  for (let at = open + 1; at < close; ) {
    const from = at
    if (words[at] === 'else') at += 1
    if (words[at] === 'if' && words[at + 1] === '#') at = (closes[at + 2] ?? at) + 1
    const end = closes[at] ?? at
    const inside = words[at] === '{' && at > from ? hiddenInItems(tokens, at, end) : undefined
    if (inside === undefined) return undefined
    found.push([from, at], ...inside, [end, end])
    at = end + 1
  }
  return found
}

function hiddenInItems(tokens: Tokens, open: number, close: number): Hidden | undefined {
  const { words, closes } = tokens
  const found: (readonly [number, number])[] = []
  for (let at = open + 1; at < close; ) {
    while (words[at] === '#') at = (closes[words[at + 1] === '!' ? at + 2 : at + 1] ?? at) + 1
    if (words[at] === 'pub') at += 1
    if (words[at] === '(') at = (closes[at] ?? at) + 1
    const word = words[at] ?? ''
    const isCall = words[at + 1] === '!' || words[at + 1] === '::'
    // `struct Flags: u32 { … }` only looks like an item.
    const isOther =
      (word === 'struct' && words[at + 2] === ':') || words[at + 1] === (isCall ? '' : '{')
    if (isOther || !(isCall || ITEMS.has(word))) return undefined
    if (word === 'static' && words[at + 1] === 'ref') found.push([at + 1, at + 1])
    at = itemEnd(tokens, at, close) + 1
  }
  return found
}

const ITEMS: ReadonlySet<string> = new Set(
  'async const enum extern fn impl mod static struct trait type union unsafe use'.split(' '),
)

/** An item ends with its body or with a semicolon; what holds a value or paths, never with a body. */
function itemEnd({ words, closes }: Tokens, start: number, close: number): number {
  const isFunction = /^(async|extern|fn|unsafe)$/.test(words[start + 1] ?? '')
  const hasBody = isFunction || !/^(const|static|type|use)$/.test(words[start] ?? '')
  for (let at = start; at < close; at += 1) {
    if (words[at] === ';') return at
    const end = closes[at] ?? at
    if (end > at && words[at] === '{' && hasBody) return end
    at = end
  }
  return close
}

function inPlaces({ starts, ends }: Tokens, hidden: Hidden): readonly number[] {
  return hidden
    .toSorted(ascending(([from]) => from))
    .flatMap(([from, to]) => [starts[from] ?? 0, ends[to] ?? 0])
}

/** Of the same length, with the same line breaks. */
function blanked(text: string, places: readonly number[]): string {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < places.length; at += 2) {
    const start = places[at] ?? 0
    const end = places[at + 1] ?? 0
    parts.push(text.slice(from, start), text.slice(start, end).replaceAll(/[^\r\n]/g, ' '))
    from = end
  }
  return from === 0 ? text : parts.join('') + text.slice(from)
}
