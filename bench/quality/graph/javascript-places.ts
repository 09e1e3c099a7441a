/**
 * Between the ranges that Jelly records and the places that an index knows: a call as a whole
 * against the name that is called, a function as a whole against the name that stands for it.
 */
import type { Place } from './places.ts'

/** Both ends 1-based, the last column exclusive. */
export interface Range {
  readonly path: string
  readonly startLine: number
  readonly startColumn: number
  readonly endLine: number
  readonly endColumn: number
}

/** `2:6:1:6:8` is of the third file, from line 6 column 1 to before column 8. */
export function readRange(text: string, files: readonly string[]): Range | undefined {
  const [file, startLine, startColumn, endLine, endColumn] = text.split(':').map(Number)
  const path = file === undefined ? undefined : files[file]
  if (path === undefined || startLine === undefined || startColumn === undefined) return undefined
  if (endLine === undefined || endColumn === undefined) return undefined
  return { path, startLine, startColumn, endLine, endColumn }
}

/** A source whose places can be counted as offsets and back. */
export interface Source {
  readonly path: string
  readonly text: string
  readonly lineStarts: readonly number[]
}

export function sourceOf(path: string, text: string): Source {
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map((found) => found.index + 1)]
  return { path, text, lineStarts }
}

export function offsetOf(source: Source, line: number, column: number): number {
  return (source.lineStarts[line - 1] ?? source.text.length) + column
}

function placeAt(source: Source, offset: number): Place {
  const line = source.lineStarts.findLastIndex((start) => start <= offset)
  return { path: source.path, line: line + 1, column: offset - (source.lineStarts[line] ?? 0) }
}

/**
 * Where the called name stands: `foo` in `x.y.foo(1)`. Of `f.call(x)` and `f.apply(x)` both the
 * method and `f`, since what runs is `f`. None where what is called has no name.
 */
export function calleePlaces(source: Source, call: Range): readonly Place[] {
  const start = offsetOf(source, call.startLine, call.startColumn - 1)
  const end = offsetOf(source, call.endLine, call.endColumn - 1)
  const text = source.text.slice(start, end)
  const head = text.slice(0, argumentsAt(text)).replace(/[\s)!?.]+$/, '')
  const last = /(#?[\w$]+)$/.exec(head)
  if (last === null) return []
  const place = placeAt(source, start + last.index)
  const before = /([\w$]+)\s*\.\s*(?:call|apply|bind)$/.exec(head)
  return before === null ? [place] : [place, placeAt(source, start + before.index)]
}

/** Where the arguments begin: the last bracket or template that opens at the outermost level. */
function argumentsAt(text: string): number {
  let depth = 0
  let last = text.length
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? ''
    if (/["'`]/.test(char)) {
      if (char === '`' && depth === 0) last = at
      at = closingQuote(text, at)
    } else if (/[([{]/.test(char)) {
      if (char === '(' && depth === 0 && at > 0) last = at
      depth += 1
    } else if (/[)\]}]/.test(char)) {
      // A range may begin within a bracket that closes in it.
      depth = Math.max(0, depth - 1)
    }
  }
  return last
}

function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === text[open]) return at
  }
  return text.length
}

/** The whole file as a function: it begins at the first character and ends with the last. */
export function isModule(source: Source, range: Range): boolean {
  if (range.startLine !== 1 || range.startColumn !== 1) return false
  const end = offsetOf(source, range.endLine, range.endColumn - 1)
  return end >= source.text.trimEnd().length
}

/**
 * Whether a definition at this place is this function: it is its first character, its own name
 * (`async function name`), the name that it is given (`name = () =>`, `name: function`), or, for
 * a class, its constructor.
 */
export function standsFor(source: Source, place: Place, range: Range): boolean {
  if (place.path !== range.path || isModule(source, range)) return false
  const name = offsetOf(source, place.line, place.column)
  const start = offsetOf(source, range.startLine, range.startColumn - 1)
  const end = offsetOf(source, range.endLine, range.endColumn - 1)
  if (name === start) return true
  if (name < start) return GIVEN_NAME.test(source.text.slice(name, start))
  if (name >= end) return false
  const isClass = source.text.startsWith('class', start)
  return (
    OWN_NAME.test(source.text.slice(start, name)) ||
    (isClass && source.text.startsWith('constructor', name))
  )
}

const GIVEN_NAME = /^(?:[#\w$]+|'[^'\n]*'|"[^"\n]*")\]?\s*[?!]?\s*(?::[^=;{}\n]*=|[=:])\s*\(*\s*$/
const OWN_NAME = /^(?:(?:async|function|class|get|set|static|export|default)\b|[\s*[(#'"])*$/
