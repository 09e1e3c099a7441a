/**
 * Locates the first JSON syntax error of a text. Messages quote nothing of the text, because a
 * settings file may contain a token.
 */
export interface JsonErrorLocation {
  /** Both start at 1. */
  readonly line: number
  readonly column: number
  readonly what: string
}

/** For a text that `JSON.parse` has refused. */
export function locateJsonError(text: string): JsonErrorLocation {
  const { at, what } = findError(text)
  const before = text.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: at - lineStart + 1, what }
}

interface JsonError {
  readonly at: number
  readonly what: string
}

class StopParsing extends Error {
  readonly fault: JsonError

  constructor(at: number, what: string) {
    super(what)
    this.fault = { at, what }
  }
}

function findError(text: string): JsonError {
  try {
    const end = skipSpace(text, skipValue(text, 0, 0))
    return { at: end, what: 'unexpected text after the end' }
  } catch (error) {
    if (error instanceof StopParsing) return error.fault
    throw error
  }
}

const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const PLAIN = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y
/** Settings are never nested deeper. */
const MAX_DEPTH = 200

function skipValue(text: string, from: number, depth: number): number {
  const at = skipSpace(text, from)
  const first = text[at]
  if (depth > MAX_DEPTH) throw new StopParsing(at, 'nested too deeply')
  if (first === '{') return skipList(text, at, { close: '}', depth, isNamed: true })
  if (first === '[') return skipList(text, at, { close: ']', depth, isNamed: false })
  if (first === '"') return skipString(text, at)
  return skipMatch(PLAIN, text, at) ?? throwError(text, at, 'a value is expected')
}

interface ListSyntax {
  readonly close: string
  readonly depth: number
  readonly isNamed: boolean
}

function skipList(text: string, open: number, { close, depth, isNamed }: ListSyntax): number {
  let at = skipSpace(text, open + 1)
  if (text[at] === close) return at + 1
  for (;;) {
    if (isNamed) {
      if (text[at] !== '"') throwError(text, at, 'a name in double quotes is expected')
      at = skipSpace(text, skipString(text, at))
      if (text[at] !== ':') throwError(text, at, 'a colon is expected')
      at += 1
    }
    at = skipSpace(text, skipValue(text, at, depth + 1))
    if (text[at] === close) return at + 1
    if (text[at] !== ',') throwError(text, at, `a comma or ${close} is expected`)
    at = skipSpace(text, at + 1)
    if (text[at] === close) throwError(text, at, 'a trailing comma is not allowed')
  }
}

function skipString(text: string, at: number): number {
  return skipMatch(STRING, text, at) ?? throwError(text, at, 'a string is not well formed')
}

function skipMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (' \t\n\r'.includes(text[at] ?? 'x')) at += 1
  return at
}

function throwError(text: string, at: number, what: string): never {
  throw new StopParsing(at, at >= text.length ? `unexpected end of the file: ${what}` : what)
}
