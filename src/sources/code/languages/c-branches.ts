/**
 * `#if` around a part of a declaration or statement:
 *
 *     #ifdef __cplusplus        #if WIDE
 *     extern "C" {              if (a) {
 *     #endif                    #else
 *                               if (b) {
 *                               #endif
 *
 * The grammar wants whole ones between directives. Where they are not, the directives are hidden
 * from it, and all branches but one.
 */
import { CHARACTER, isEnumBody, SEEN, TOKEN, type Tokens } from './c-tokens.ts'

/** Marks the tokens that the grammar is not to see; false when there are none. */
export function hideHalves(tokens: Tokens, hidden: Uint8Array): boolean {
  const { kinds, count } = tokens
  const open: Group[] = []
  const enums: boolean[] = []
  const now: Place = { braces: 0, parens: 0, last: -1 }
  let branch: Branch | undefined
  let isAny = false
  for (let at = 0; at < count; at += 1) {
    const kind = kinds[at] ?? 0
    if (kind === TOKEN.directive) {
      const what = directiveOf(tokens, at)
      if (what === 0) continue
      if (what === IF) open.push(groupAt(tokens, at, now))
      const group = open.at(-1)
      branch = group?.branches.at(-1)
      if (what === IF || group === undefined) continue
      endBranch(group, at, now)
      if (what === ELSE) {
        Object.assign(now, group.before)
        branch = branchFrom(at, now)
        group.branches.push(branch)
        continue
      }
      open.pop()
      const taken = takenOf(group)
      const isInEnum = group.before.parens === 0 && enums[group.before.braces] === true
      if (!isInEnum && hide(tokens, hidden, group)) isAny = true
      Object.assign(now, taken.end)
      branch = open.at(-1)?.branches.at(-1)
      if (branch !== undefined && taken.first >= 0) {
        note(branch, taken.first, taken.least)
        note(branch, taken.first, now)
      }
      continue
    }
    now.last = at
    if (kind === CHARACTER.openBrace) {
      now.braces += 1
      enums[now.braces] = isEnumBody(tokens, at)
    } else if (kind === CHARACTER.closeBrace) now.braces -= 1
    else if (kind === CHARACTER.openParen || kind === CHARACTER.openBracket) now.parens += 1
    else if (kind === CHARACTER.closeParen || kind === CHARACTER.closeBracket) now.parens -= 1
    if (branch !== undefined) note(branch, at, now)
  }
  return isAny
}

/** How deep the text is at some place, as if only one branch of each group were there. */
interface Place {
  braces: number
  parens: number
  /** The token before it; -1 at the beginning. */
  last: number
}

interface Branch {
  /** Between these directives. */
  readonly from: number
  to: number
  /** Its first token; -1 when it has none. */
  first: number
  readonly least: { braces: number; parens: number }
  end: Place
}

interface Group {
  readonly before: Place
  readonly isNever: boolean
  readonly branches: Branch[]
}

const IF = 1
const ELSE = 2
const END = 3

function directiveOf({ text, starts }: Tokens, at: number): number {
  let from = (starts[at] ?? 0) + 1
  while (text.charCodeAt(from) === 32 || text.charCodeAt(from) === 9) from += 1
  if (text.startsWith('if', from)) return IF
  if (text.startsWith('el', from)) return ELSE
  return text.startsWith('endif', from) ? END : 0
}

function groupAt({ text, starts, ends }: Tokens, at: number, now: Place): Group {
  const isNever = /^#\s*if\s+0\b/.test(text.slice(starts[at], ends[at]))
  return { before: { ...now }, isNever, branches: [branchFrom(at, now)] }
}

function branchFrom(from: number, { braces, parens, last }: Place): Branch {
  return { from, to: from, first: -1, least: { braces, parens }, end: { braces, parens, last } }
}

function endBranch({ branches }: Group, at: number, now: Place): void {
  const branch = branches.at(-1)
  if (branch === undefined) return
  branch.to = at
  branch.end = { ...now }
}

function note(branch: Branch, first: number, now: Omit<Place, 'last'>): void {
  if (branch.first < 0) branch.first = first
  const { least } = branch
  if (now.braces < least.braces) least.braces = now.braces
  if (now.parens < least.parens) least.parens = now.parens
}

/** The first that has anything in it, and is ever read. */
function takenOf({ branches, isNever }: Group): Branch {
  const offered = isNever && branches.length > 1 ? branches.slice(1) : branches
  return (offered.find((it) => it.first >= 0) ?? branches[0]) as Branch
}

function hide(tokens: Tokens, hidden: Uint8Array, group: Group): boolean {
  const filled = group.branches.filter((it) => it.first >= 0)
  if (filled.length === 0) return false
  const areItems = filled.every((it) => isItems(tokens, group, it))
  if (!areItems && !filled.some((it) => isHalf(tokens, group, it))) return false
  const taken = takenOf(group)
  for (const it of group.branches) {
    hidden[it.from] = SEEN.nothing
    hidden[it.to] = SEEN.nothing
    // Items of a list may all stand one after the other.
    if (it !== taken && !areItems) hidden.fill(SEEN.nothing, it.from, it.to)
  }
  return true
}

function isBalanced({ before }: Group, { least, end }: Branch): boolean {
  return (
    least.braces === before.braces &&
    least.parens === before.parens &&
    end.braces === before.braces &&
    end.parens === before.parens
  )
}

function isItems({ kinds }: Tokens, group: Group, branch: Branch): boolean {
  return isBalanced(group, branch) && kinds[branch.end.last] === CHARACTER.comma
}

/** Whether it begins or ends in the middle of something. */
function isHalf(tokens: Tokens, group: Group, branch: Branch): boolean {
  const { kinds, count } = tokens
  if (group.before.parens > 0 || !isBalanced(group, branch)) return true
  const { first } = branch
  if (isGoingOn(tokens, first)) return true
  const before = group.before.last < 0 ? TOKEN.none : (kinds[group.before.last] ?? 0)
  if (!COMES_BEFORE.has(before)) return true
  const last = kinds[branch.end.last] ?? 0
  if (ENDS.has(last)) return false
  if (last !== CHARACTER.closeParen && last !== TOKEN.capitals) return true
  // A macro may stand for something whole: unless a body follows.
  let next = (group.branches.at(-1)?.to ?? 0) + 1
  while (next < count && kinds[next] === TOKEN.directive) next += 1
  return kinds[first] !== TOKEN.capitals || kinds[next] === CHARACTER.openBrace
}

const ENDS: ReadonlySet<number> = new Set([
  CHARACTER.semicolon,
  CHARACTER.closeBrace,
  CHARACTER.colon,
])

/** After a macro something may begin. */
const COMES_BEFORE: ReadonlySet<number> = new Set([
  ...ENDS,
  TOKEN.none,
  TOKEN.capitals,
  CHARACTER.openBrace,
  CHARACTER.closeParen,
  CHARACTER.comma,
])

/** `, b` or `else` or `&& c`. */
function isGoingOn({ text, kinds, starts, ends }: Tokens, at: number): boolean {
  const kind = kinds[at] ?? 0
  if (kind === TOKEN.word) {
    const start = starts[at] ?? 0
    return (ends[at] ?? 0) - start === 4 && text.startsWith('else', start)
  }
  const character = String.fromCharCode(kind)
  return ',.?=|/<>%^):'.includes(character) || (character === '&' && kinds[at + 1] === kind)
}
