/**
 * Where a text stops being JSON, and what is wrong there. Quotes nothing of it: a settings file may
 * hold a token, and errors get around.
 */
export interface JsonFault {
  /** Both from 1. */
  readonly line: number
  readonly column: number
  readonly what: string
}

/** For a text that `JSON.parse` has refused. */
export function jsonFault(text: string): JsonFault {
  const { at, what } = faultIn(text)
  const before = text.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: at - lineStart + 1, what }
}

interface Fault {
  readonly at: number
  readonly what: string
}

class Stop extends Error {
  readonly fault: Fault

  constructor(at: number, what: string) {
    super(what)
    this.fault = { at, what }
  }
}

function faultIn(text: string): Fault {
  try {
    const end = pastSpace(text, pastValue(text, 0, 0))
    return { at: end, what: 'something follows after the end' }
  } catch (error) {
    if (error instanceof Stop) return error.fault
    throw error
  }
}

const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const PLAIN = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y
/** Nobody nests settings so deep. */
const DEEPEST = 200

function pastValue(text: string, from: number, depth: number): number {
  const at = pastSpace(text, from)
  const first = text[at]
  if (depth > DEEPEST) throw new Stop(at, 'nested too deep')
  if (first === '{') return pastList(text, at, { close: '}', depth, isNamed: true })
  if (first === '[') return pastList(text, at, { close: ']', depth, isNamed: false })
  if (first === '"') return pastString(text, at)
  return pastMatch(PLAIN, text, at) ?? stop(text, at, 'a value is expected')
}

interface Listing {
  readonly close: string
  readonly depth: number
  readonly isNamed: boolean
}

function pastList(text: string, open: number, { close, depth, isNamed }: Listing): number {
  let at = pastSpace(text, open + 1)
  if (text[at] === close) return at + 1
  for (;;) {
    if (isNamed) {
      if (text[at] !== '"') stop(text, at, 'a name in double quotes is expected')
      at = pastSpace(text, pastString(text, at))
      if (text[at] !== ':') stop(text, at, 'a colon is expected')
      at += 1
    }
    at = pastSpace(text, pastValue(text, at, depth + 1))
    if (text[at] === close) return at + 1
    if (text[at] !== ',') stop(text, at, `a comma or ${close} is expected`)
    at = pastSpace(text, at + 1)
    if (text[at] === close) stop(text, at, 'a comma stands before it that has nothing to part')
  }
}

function pastString(text: string, at: number): number {
  return pastMatch(STRING, text, at) ?? stop(text, at, 'a text in quotes that is not well formed')
}

function pastMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function pastSpace(text: string, from: number): number {
  let at = from
  while (' \t\n\r'.includes(text[at] ?? 'x')) at += 1
  return at
}

function stop(text: string, at: number, what: string): never {
  throw new Stop(at, at >= text.length ? `it ends where ${what}` : what)
}
