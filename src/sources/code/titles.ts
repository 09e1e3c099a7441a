/** What a chunk is called: the signature of what it declares, or its first line. */
import { collapseSpaces } from '../../base/text.ts'
import type { Definition, Facts } from '../../model/facts.ts'
import { kindMarks, MARK } from './kind-marks.ts'
import { owners } from './owners.ts'
import type { Syntax } from './syntax.ts'

const LONGEST_TITLE = 200
/** So much of the text is looked at: white space and attributes fall away. */
const LOOKED_AT = 1200

/** `export class Router<T> extends Base`: the text of the declaration up to its body. */
export function signatureTitle(syntax: Syntax, definition: Definition, node: number): string {
  const { text, starts, ends } = syntax
  const start = node < 0 ? definition.from : Math.min(definition.from, starts[node] ?? 0)
  const end = node < 0 ? definition.to : Math.max(definition.to, ends[node] ?? 0)
  const isValue = ['variable', 'field', 'label'].includes(definition.kind)
  const until = isValue || node < 0 ? end : bodyStart(syntax, node, end)
  // Decorators of an exported declaration stand before `export` or after it.
  const from = headStart(syntax, { node, start, until })
  const declaration = text.slice(from, Math.min(until, from + LOOKED_AT))
  const shown = isValue ? firstLineOf(declaration) : declaration
  const title = collapseSpaces(shown).replace(/\s*(?:=>|[={:;]|\bdo\b)$/, '')
  return title === '' ? definition.name : shortened(title)
}

/** The first line that says something, not `/**`; else the first that is not blank. */
export function lineTitle(text: string, start: number, end: number): string {
  return shortened(collapseSpaces(firstLineOf(text.slice(start, Math.min(end, start + LOOKED_AT)))))
}

/** `Router.add`; what has no name is left out. */
export function qualifiedNames(facts: Facts): (definition: number) => string {
  const known = new Map<number, string>()
  const ownerOf = owners(facts)
  const nameOf = (definition: number, depth: number): string => {
    const it = facts.definitions[definition]
    if (it === undefined || it.kind === 'file' || depth > DEEPEST) return ''
    const found = known.get(definition)
    if (found !== undefined) return found
    const owner = nameOf(ownerOf[definition] ?? -1, depth + 1)
    const name = owner === '' || it.name === '' ? owner + it.name : `${owner}.${it.name}`
    known.set(definition, name)
    return name
  }
  return (definition) => nameOf(definition, 0)
}

const DEEPEST = 64

function firstLineOf(text: string): string {
  return (
    (/[^\r\n]*[\p{L}\p{N}][^\r\n]*/u.exec(text) ?? /[^\r\n]*\S[^\r\n]*/.exec(text))?.[0] ?? text
  )
}

/** At most so long as a title may be, and never cut inside a character. */
export function shortened(title: string): string {
  if (title.length <= LONGEST_TITLE) return title
  const unit = title.charCodeAt(LONGEST_TITLE - 2)
  const end = unit >= 0xd800 && unit <= 0xdbff ? LONGEST_TITLE - 2 : LONGEST_TITLE - 1
  return `${title.slice(0, end).trimEnd()}…`
}

/** Where the first body inside a node begins, those of its parameters aside. */
function bodyStart(syntax: Syntax, node: number, end: number): number {
  const { kinds, fields, nexts, starts, grammar } = syntax
  const marks = kindMarks(grammar)
  const body = grammar.field('body')
  const last = nexts[node] ?? 0
  for (let at = node + 1; at < last; ) {
    const mark = marks[kinds[at] ?? 0] ?? 0
    const start = starts[at] ?? 0
    if (start > (starts[node] ?? 0) + LOOKED_AT) break
    if (fields[at] === body || (mark & (MARK.body | MARK.comment)) !== 0) return start
    at = (mark & (MARK.parameters | MARK.decorator)) === 0 ? at + 1 : (nexts[at] ?? last)
  }
  return end
}

/** After the decorators, annotations and attributes that a node begins with. */
function headStart(
  syntax: Syntax,
  { node, start, until }: { readonly node: number; readonly start: number; readonly until: number },
): number {
  if (node < 0) return start
  const { kinds, nexts, starts, ends, grammar } = syntax
  const marks = kindMarks(grammar)
  const last = nexts[node] ?? 0
  let from = start
  for (let at = node + 1; at < last; ) {
    if ((starts[at] ?? 0) >= until) break
    const isDecorator = ((marks[kinds[at] ?? 0] ?? 0) & MARK.decorator) !== 0
    const isNext = syntax.text.slice(from, starts[at]).trim() === ''
    if (!isNext) break
    if (isDecorator) from = ends[at] ?? from
    at = isDecorator ? (nexts[at] ?? last) : at + 1
  }
  return from
}
