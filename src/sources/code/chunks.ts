/**
 * A file becomes chunks: declarations with what leads up to them, and the statements between.
 * Chunks stand in order, do not overlap, and every line that is not blank lies in one of them.
 *
 *     import …        imports
 *     class Router {  class Router     from its start to the first member that is cut out
 *       add() { … }   method Router.add
 *       get() { … }   method Router.get
 *     }
 *     start()         block
 */
import type { LineTable } from '../../base/line-table.ts'
import type { Facts } from '../../model/facts.ts'
import { type Item, type Outline, outline } from './outline.ts'
import {
  type LineRange,
  type SourceLines,
  sizeOf,
  sourceLines,
  trimmedLines,
} from './source-lines.ts'
import {
  depthCost,
  firstFrom,
  fits,
  paragraphCost,
  type SizeLimit,
  type Stretch,
  splitLines,
} from './split-lines.ts'
import type { Syntax } from './syntax.ts'
import { lineTitle, qualifiedNames, signatureTitle } from './titles.ts'

export interface Chunk {
  /** Of the definition, or `imports`, `block`, `section`, `front-matter`. */
  readonly kind: string
  /** `Router.add`; empty when it defines nothing. */
  readonly name: string
  readonly title: string
  /** UTF-16 offsets, half-open. */
  readonly start: number
  readonly end: number
  /** Number of the definition in the facts, on each of its parts; -1 when there is none. */
  readonly definition: number
}

/** Beyond this, a declaration is cut. */
const DECLARATION: SizeLimit = { characters: 4000, lines: 120 }
/** Statements between declarations have less to do with each other. */
const BLOCK: SizeLimit = { characters: 2000, lines: 60 }
const PLAIN: SizeLimit = { characters: 3000, lines: 60 }
/** A class up to this size stays whole. */
const SMALL_CLASS: SizeLimit = { characters: 1500, lines: 50 }
/** Neighbours below this are put together, and so many of them. */
const SMALL = 200
const MOST_MERGED = 800
/** What is not worth a chunk of its own: `}`, `'use strict'`, `export default app`. */
const TINY = 48
/** Inside a function that has to be cut, a shorter one stays with its surroundings. */
const LEAST_INNER = 400

export function cutCode(
  source: { readonly text: string; readonly facts: Facts; readonly syntax: Syntax },
  table?: LineTable,
): readonly Chunk[] {
  const lines = sourceLines(source.text, table)
  const shape = outline({ ...source, lines })
  const cutter = { ...source, lines, shape, nameOf: qualifiedNames(source.facts) }
  const file = { first: 1, last: lines.count, children: shape.items }
  return cutInside(cutter, file, undefined).map((unit) => chunkOf(unit))
}

/** Text of no known language: paragraphs, as many together as fit. */
export function cutPlain(text: string, table?: LineTable): readonly Chunk[] {
  const lines = sourceLines(text, table)
  const range = { first: 1, last: lines.count }
  const stretches = splitLines(lines, range, { limit: PLAIN, cost: paragraphCost(lines) })
  return stretches.map((it) => chunkOf({ ...it, ...nothing(text, it), isFinal: true }))
}

interface Cutter {
  readonly text: string
  readonly facts: Facts
  readonly syntax: Syntax
  readonly lines: SourceLines
  readonly shape: Outline
  nameOf(definition: number): string
}

interface Inside extends LineRange {
  readonly children: readonly Item[]
}

/** A chunk in the making. */
interface Unit extends Stretch {
  readonly kind: string
  readonly name: string
  readonly title: string
  readonly definition: number
  /** Nothing more is put to it. */
  readonly isFinal: boolean
}

function chunkOf({ kind, name, title, start, end, definition }: Unit): Chunk {
  return { kind, name, title, start, end, definition }
}

function cutInside(cutter: Cutter, inside: Inside, item: Item | undefined): readonly Unit[] {
  const units: Unit[] = []
  let next = inside.first
  for (const child of inside.children) {
    append(units, between(cutter, { first: next, last: child.first - 1 }, item))
    append(units, cutItem(cutter, child))
    next = child.last + 1
  }
  append(units, between(cutter, { first: next, last: inside.last }, item))
  return numbered(withoutScraps(cutter, merged(units, item), item), item)
}

function cutItem(cutter: Cutter, item: Item): readonly Unit[] {
  const { lines } = cutter
  const isWhole = fits(lines, item, staysWhole(item) ? DECLARATION : SMALL_CLASS)
  if (isWhole) return [{ ...stretchOf(lines, item), ...declared(cutter, item), isFinal: false }]
  const children = isFunction(item)
    ? item.children.filter((it) => sizeOf(lines, it) >= LEAST_INNER)
    : item.children
  const inside = { first: item.first, last: item.last, children }
  return cutInside(cutter, inside, item).map((unit) => ({ ...unit, isFinal: true }))
}

/** Signatures of an interface say little alone; a body is read as a whole. */
function staysWhole(item: Item): boolean {
  return isFunction(item) || item.children.length === 0 || item.kind === 'interface'
}

function isFunction(item: Item): boolean {
  return ['function', 'method', 'constructor', 'macro'].includes(item.kind)
}

function declared(cutter: Cutter, item: Item): Omit<Unit, 'start' | 'end' | 'isFinal'> {
  const { text, lines, syntax, facts } = cutter
  const definition = facts.definitions[item.definition]
  if (definition === undefined) return nothing(text, stretchOf(lines, item))
  return {
    kind: item.kind,
    name: cutter.nameOf(item.definition),
    title: signatureTitle(syntax, definition, item.node),
    definition: item.definition,
  }
}

function nothing(text: string, { start, end }: Stretch): Omit<Unit, 'start' | 'end' | 'isFinal'> {
  return { kind: 'block', name: '', title: lineTitle(text, start, end), definition: -1 }
}

/** Lines that no child claims. In a declaration they are parts of it, else statements. */
function between(cutter: Cutter, range: LineRange, item: Item | undefined): readonly Unit[] {
  const { text, lines } = cutter
  const rest = trimmedLines(lines, range)
  if (rest === undefined) return []
  if (item !== undefined && item.definition >= 0) {
    const whole = declared(cutter, item)
    return split(cutter, rest, DECLARATION).map((it) => ({ ...it, ...whole, isFinal: false }))
  }
  return runs(cutter, rest).flatMap(({ isImport, ...run }) => {
    const limit = isSingle(cutter, run) ? DECLARATION : BLOCK
    return split(cutter, run, limit).map((it) => ({
      ...it,
      ...nothing(text, it),
      ...(isImport ? { kind: 'imports' } : {}),
      isFinal: false,
    }))
  })
}

function split(cutter: Cutter, range: LineRange, limit: SizeLimit): readonly Stretch[] {
  const { lines, syntax, shape } = cutter
  if (fits(lines, range, limit)) return [stretchOf(lines, range)]
  const cost = depthCost(lines, range, { syntax, leads: shape.leads })
  return splitLines(lines, range, { limit, cost })
}

/** Whether the lines are those of one statement of the file. */
function isSingle({ lines, syntax }: Cutter, { first, last }: LineRange): boolean {
  // The first node from there on is the outermost one that begins there.
  const node = firstFrom(syntax, lines.start(first))
  return node < syntax.count && (syntax.ends[node] ?? 0) >= lines.end(last)
}

/** Imports apart from other statements, each with the comments that lead up to it. */
function runs(
  { lines, shape }: Cutter,
  range: LineRange,
): readonly (LineRange & { readonly isImport: boolean })[] {
  const found: (LineRange & { readonly isImport: boolean })[] = []
  let first = range.first
  let isImport: boolean | undefined
  let lead = -1
  const close = (last: number): void => {
    const run = trimmedLines(lines, { first, last })
    if (run !== undefined) found.push({ ...run, isImport: isImport === true })
    first = last + 1
  }
  for (let line = range.first; line <= range.last; line += 1) {
    if (lines.blanks[line] === 1) {
      lead = -1
      continue
    }
    const isOwn = shape.imports[line] === 1
    if (!isOwn && shape.leads[line] === 1) {
      if (lead < 0) lead = line
      continue
    }
    if (isImport !== undefined ? isOwn !== isImport : isOwn) close((lead < 0 ? line : lead) - 1)
    isImport = isOwn
    lead = -1
  }
  close(range.last)
  return found
}

function stretchOf(lines: SourceLines, { first, last }: LineRange): Stretch {
  return { start: lines.start(first), end: lines.end(last) }
}

/** Small neighbours become one, and a function takes in the overloads before it. */
function merged(units: readonly Unit[], item: Item | undefined): readonly Unit[] {
  const result: Unit[] = []
  // Size of the last thing put in, which decides together with the next.
  let lastSize = 0
  for (const unit of units) {
    const before = result.at(-1)
    const size = unit.end - unit.start
    const isMerged = before !== undefined && belongs(before, unit, lastSize)
    if (isMerged) result[result.length - 1] = together(before, unit, item?.definition ?? -1)
    else result.push(unit)
    lastSize = size
  }
  return result
}

function belongs(before: Unit, unit: Unit, lastSize: number): boolean {
  if (before.isFinal || unit.isFinal) return false
  const size = unit.end - before.start
  const isOverload =
    unit.name !== '' && unit.name === before.name && unit.definition !== before.definition
  if (lastSize >= SMALL) return false
  return isOverload
    ? size <= DECLARATION.characters
    : unit.end - unit.start < SMALL && size <= MOST_MERGED
}

function together(before: Unit, unit: Unit, owner: number): Unit {
  const range = { start: before.start, end: unit.end, isFinal: before.isFinal || unit.isFinal }
  if (unit.definition < 0 && before.definition < 0) {
    return { ...before, ...range, kind: before.kind === unit.kind ? before.kind : 'block' }
  }
  if (unit.definition < 0 || unit.definition === before.definition) return { ...before, ...range }
  if (before.definition < 0) return { ...unit, ...range }
  if (before.definition === owner || unit.definition === owner) return { ...before, ...range }
  const title = `${before.title}; ${unit.title}`
  return { ...before, ...range, title: title.length <= LONGEST_JOINED ? title : before.title }
}

const LONGEST_JOINED = 200

/** Scraps go to a neighbour: what closes to the one before, what opens to the one after. */
function withoutScraps(
  { text, lines }: Cutter,
  units: readonly Unit[],
  item: Item | undefined,
): readonly Unit[] {
  const result: Unit[] = []
  let opening: Unit | undefined
  for (const [at, unit] of units.entries()) {
    const before = result.at(-1)
    const next = units[at + 1]
    const isLater = at > 0 && unit.definition === item?.definition
    const isLoose = isScrap(text, unit) || (isLater && unit.end - unit.start < TINY)
    const isLast = next === undefined || isClosing(text, unit) || hugs(lines, unit, next)
    if (!isLoose || opening !== undefined) {
      result.push(opening === undefined ? unit : { ...unit, start: opening.start })
      opening = undefined
    } else if (before !== undefined && isLast && !isFull(before, unit)) {
      result[result.length - 1] = { ...before, end: unit.end }
    } else if (next !== undefined && !isFull(unit, next)) {
      opening = unit
    } else {
      result.push(unit)
    }
  }
  return result
}

/** Whether it stands right below the one before it, and apart from the next. */
function hugs(lines: SourceLines, unit: Unit, next: Unit): boolean {
  const line = lines.lineAt(unit.start)
  const isBelow = line > 1 && lines.blanks[line - 1] === 0
  return isBelow && lines.blanks[lines.lineAt(next.start) - 1] === 1
}

/** Their first lines say nothing but a name that each of their members carries as well. */
const HOLDERS: readonly string[] = ['namespace', 'label']

function isScrap(text: string, unit: Unit): boolean {
  if (unit.end - unit.start >= TINY) return false
  return unit.definition < 0 || HOLDERS.includes(unit.kind) || isClosing(text, unit)
}

function isFull(first: Stretch, last: Stretch): boolean {
  return last.end - first.start > DECLARATION.characters + TINY
}

function isClosing(text: string, { start, end }: Stretch): boolean {
  return end - start < TINY && /^(?:[\s)\]}>;,]|end\b|#endif|<\/)+$/.test(text.slice(start, end))
}

/** `class Router (part 2)`, from the second part on. */
function numbered(units: readonly Unit[], item: Item | undefined): readonly Unit[] {
  if (item === undefined || item.definition < 0) return units
  let part = 0
  return units.map((unit) => {
    if (unit.definition !== item.definition) return unit
    part += 1
    return part === 1 ? unit : { ...unit, title: `${unit.title} (part ${part})` }
  })
}

/** Not `push(...)`: there may be more of them than a call may have arguments. */
function append(units: Unit[], more: readonly Unit[]): void {
  for (const unit of more) units.push(unit)
}
