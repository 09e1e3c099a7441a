/**
 * What of a file can be cut out on its own: declarations by their whole lines, each with those
 * inside it, and with the comments and attributes that lead up to it.
 */
import { ascending, descending, inOrder } from '../../base/order.ts'
import { type Definition, type Facts, TRAIT } from '../../model/facts.ts'
import { kindMarks, MARK } from './kind-marks.ts'
import { type LineRange, type SourceLines, trimmedLines } from './source-lines.ts'
import { firstFrom } from './split-lines.ts'
import type { Syntax } from './syntax.ts'

export interface Item extends LineRange {
  /** That of the definition; `block` for a statement that holds definitions without being one. */
  readonly kind: string
  /** -1 for a statement. */
  readonly definition: number
  /** The node of the whole statement; -1 when the tree has none for it. */
  readonly node: number
  readonly children: readonly Item[]
}

export interface Outline {
  readonly items: readonly Item[]
  /** By line: 1 where it holds nothing but a comment, an attribute or a decorator. */
  readonly leads: Uint8Array
  /** By line: 1 where it brings names in from elsewhere. */
  readonly imports: Uint8Array
}

interface Source {
  readonly facts: Facts
  readonly syntax: Syntax
  readonly lines: SourceLines
}

interface Draft {
  first: number
  last: number
  readonly kind: string
  readonly definition: number
  readonly node: number
  children: Draft[]
}

/** A variable, a field or a key has to be so long to be a thing of its own. */
const LEAST_VALUE = 200

const LONGEST_END = 2

export function outline(source: Source): Outline {
  const leads = leadLines(source)
  const drafts = [...declarations(source), ...statements(source)].toSorted(
    inOrder(
      ascending((it) => it.first),
      descending((it) => it.last),
      // A declaration before the statement that it is.
      descending((it) => Math.sign(it.definition)),
      ascending((it) => it.definition),
    ),
  )
  const items = nested(drafts)
  withLeads(items, { floor: 0, leads, lines: source.lines })
  return { items, leads, imports: importLines(source) }
}

function declarations(source: Source): readonly Draft[] {
  const { facts, lines } = source
  return facts.definitions.flatMap((it, definition) => {
    if (!isCutOut(it)) return []
    const node = statementOf(source, it)
    const start = node < 0 ? it.from : Math.min(it.from, source.syntax.starts[node] ?? it.from)
    const end = node < 0 ? it.to : Math.max(it.to, source.syntax.ends[node] ?? it.to)
    const range = linesOf(lines, start, end)
    if (range === undefined || isClause(it, range)) return []
    return [{ ...range, kind: it.kind, definition, node, children: [] }]
  })
}

function isCutOut(it: Definition): boolean {
  if (it.name === '' || (it.traits & TRAIT.anonymous) !== 0) return false
  switch (it.kind) {
    case 'class':
    case 'interface':
    case 'enum':
    case 'type':
    case 'function':
    case 'method':
    case 'constructor':
    case 'namespace':
    case 'macro':
      return true
    case 'variable':
    case 'field':
    case 'label':
      return (it.traits & TRAIT.local) === 0 && it.to - it.from >= LEAST_VALUE
    default:
      return false
  }
}

/** `package store`: says where the file belongs, and holds nothing. */
function isClause({ kind }: Definition, { first, last }: LineRange): boolean {
  return kind === 'namespace' && first === last
}

/** The declaration's own node, or the one around it that is nothing but its wrapper. */
function statementOf({ syntax }: Source, { from, to }: Definition): number {
  const { starts, ends, kinds, parents, count, grammar } = syntax
  let node = firstFrom(syntax, from)
  while (node < count && starts[node] === from && ends[node] !== to) node += 1
  if (node >= count || starts[node] !== from) return -1
  const marks = kindMarks(grammar)
  for (let up = parents[node] ?? -1; up > 0; up = parents[up] ?? -1) {
    if (((marks[kinds[up] ?? 0] ?? 0) & MARK.wrapper) === 0) break
    // A wrapper ends with what it wraps, and perhaps a semicolon; what goes on holds others.
    if ((ends[up] ?? 0) - (ends[node] ?? 0) > LONGEST_END) break
    node = up
  }
  return node
}

/** Statements at the top of the file: they matter where they hold declarations. */
function statements({ syntax, lines }: Source): readonly Draft[] {
  const { nexts, starts, ends, count } = syntax
  const found: Draft[] = []
  for (let node = 1; node < count; node = nexts[node] ?? count) {
    const range = linesOf(lines, starts[node] ?? 0, ends[node] ?? 0)
    if (range === undefined || range.first === range.last) continue
    found.push({ ...range, kind: 'block', definition: -1, node, children: [] })
  }
  return found
}

/** Nodes of some grammars, and those of broken code, begin or end with line breaks. */
function linesOf(lines: SourceLines, start: number, end: number): LineRange | undefined {
  return trimmedLines(lines, {
    first: lines.lineAt(start),
    last: lines.lineAt(Math.max(start, end - 1)),
  })
}

/** Drafts come in the order of their lines, the longer first. */
function nested(drafts: readonly Draft[]): readonly Draft[] {
  const roots: Draft[] = []
  const open: Draft[] = []
  for (const it of drafts) {
    while ((open.at(-1)?.last ?? Number.POSITIVE_INFINITY) < it.first) open.pop()
    const around = open.at(-1)
    const siblings = around === undefined ? roots : around.children
    if (around !== undefined && it.first === around.first) continue
    if (around !== undefined && it.last > around.last) {
      // Two that share a line cannot be told apart by lines.
      for (const each of open) each.last = Math.max(each.last, it.last)
      continue
    }
    siblings.push(it)
    open.push(it)
  }
  return roots.filter((it) => it.definition >= 0 || it.children.length > 0)
}

interface Leading {
  /** Lines up to this one belong to something else. */
  readonly floor: number
  readonly leads: Uint8Array
  readonly lines: SourceLines
}

function withLeads(items: readonly Draft[], { floor, leads, lines }: Leading): void {
  let taken = floor
  for (const it of items) {
    withLeads(it.children, { floor: it.first, leads, lines })
    while (it.first - 1 > taken && leads[it.first - 1] === 1) it.first -= 1
    taken = it.last
  }
}

function leadLines({ syntax, lines }: Source): Uint8Array {
  const { kinds, starts, ends, count, grammar, text, hidden } = syntax
  const marks = kindMarks(grammar)
  const leads = new Uint8Array(lines.count + 2)
  const mark = (start: number, end: number): void => {
    if (end <= start) return
    let first = lines.lineAt(start)
    let last = lines.lineAt(end - 1)
    // Code before or after it on its line is not led up to.
    if (hasCode(text, lines.start(first), start) && leads[first] === 0) first += 1
    if (hasCode(text, end, lines.end(last))) last -= 1
    for (let line = first; line <= last; line += 1) leads[line] = 1
  }
  for (let node = 1; node < count; node += 1) {
    if (((marks[kinds[node] ?? 0] ?? 0) & MARK.lead) !== 0) mark(starts[node] ?? 0, ends[node] ?? 0)
  }
  // What the grammar has not seen is written in front of what it belongs to.
  for (let at = 0; at < hidden.length; at += 2) mark(hidden[at] ?? 0, hidden[at + 1] ?? 0)
  return leads
}

function hasCode(text: string, start: number, end: number): boolean {
  return start < end && text.slice(start, end).trim() !== ''
}

function importLines({ facts, syntax, lines }: Source): Uint8Array {
  const { kinds, nexts, starts, ends, count, grammar } = syntax
  const marks = kindMarks(grammar)
  const imports = new Uint8Array(lines.count + 2)
  const mark = (start: number, end: number): void => {
    const last = lines.lineAt(Math.max(start, end - 1))
    for (let line = lines.lineAt(start); line <= last; line += 1) imports[line] = 1
  }
  for (let node = 1; node < count; node = nexts[node] ?? count) {
    const isImport = ((marks[kinds[node] ?? 0] ?? 0) & MARK.import) !== 0
    if (isImport) mark(starts[node] ?? 0, ends[node] ?? 0)
  }
  for (const it of facts.definitions) {
    const isImport = it.kind === 'import' && (it.traits & TRAIT.local) === 0
    const range = it.kind === 'namespace' ? linesOf(lines, it.from, it.to) : undefined
    if (isImport || (range !== undefined && isClause(it, range))) mark(it.from, it.to)
  }
  return imports
}
