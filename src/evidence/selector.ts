/**
 * Selectors of evidence: `file[::range][#tags]`, or a name in the code index, a docs pack or notes.
 *
 *     core/flow.sh::100,200#bug        lines 100 to 200, tagged
 *     core/flow.sh::100                from line 100 on
 *     core/flow.sh::100c,500c          bytes 100 to 499
 *     "odd #1::name.md"::5,9#draft     a path that holds the signs themselves, in quotes
 *     src/**\/*.ts                      every file that matches
 *     symbol:login                     chunk:xxh64:…   doc:guide:0123456789   note:abc123
 *
 * A text that is exactly the path of a file means that file, whatever characters it contains.
 */
import { EngineError } from '../model/engine-error.ts'

export interface Selector {
  readonly scheme: SelectorScheme
  /** The path as it was typed, or the name after the scheme. */
  readonly name: string
  readonly range: RequestedRange | undefined
  readonly tags: readonly string[]
}

const NAMED_SCHEMES = ['symbol', 'chunk', 'doc', 'note'] as const

export type NamedScheme = (typeof NAMED_SCHEMES)[number]

export type SelectorScheme = 'file' | NamedScheme

export interface RequestedRange {
  readonly unit: 'lines' | 'bytes'
  readonly start: number
  /** If absent, to the end of the file. */
  readonly end?: number
}

const QUOTED = /^"((?:[^"\\]|\\.)*)"(.*)$/su
const TAGS = /#([\p{L}\p{N}_.-]+(?:,[\p{L}\p{N}_.-]+)*)$/u
const RANGE = /^(\d+)(c?)(?:(,)(?:(\d+)(c?))?)?$/

export function parseSelector(text: string, isFile: (path: string) => boolean): Selector {
  const [, quoted, rest = ''] = QUOTED.exec(text) ?? []
  if (quoted !== undefined) {
    return {
      ...parseAfterQuotes(text, rest),
      scheme: 'file',
      name: quoted.replace(/\\(.)/gsu, '$1'),
    }
  }
  if (isFile(text)) return { scheme: 'file', name: text, range: undefined, tags: [] }
  const { before, tags } = isNameWithoutTags(text) ? { before: text, tags: [] } : splitTags(text)
  const colon = before.indexOf(':')
  const scheme = before.slice(0, colon)
  if (isNamedScheme(scheme)) {
    const name = before.slice(colon + 1)
    if (name === '') throw createSelectorError(text, 'has no name', `give a name after ${scheme}:`)
    return { scheme, name, range: undefined, tags }
  }
  const at = before.lastIndexOf('::')
  if (at < 0) return { scheme: 'file', name: requireName(text, before), range: undefined, tags }
  const range = parseRange(text, before.slice(at + 2))
  return { scheme: 'file', name: requireName(text, before.slice(0, at)), range, tags }
}

export function isNamedScheme(scheme: string | undefined): scheme is NamedScheme {
  return NAMED_SCHEMES.some((it) => it === scheme)
}

/** Parses the range and tags after a quoted path. */
function parseAfterQuotes(text: string, rest: string): Pick<Selector, 'range' | 'tags'> {
  const { before, tags } = splitTags(rest)
  if (before === '') return { range: undefined, tags }
  if (!before.startsWith('::')) {
    throw createSelectorError(
      text,
      'has text after the quotes that is neither a range nor tags',
      'write "path"::10,20#tag',
    )
  }
  return { range: parseRange(text, before.slice(2)), tags }
}

function splitTags(text: string): { readonly before: string; readonly tags: readonly string[] } {
  const match = TAGS.exec(text)
  if (match === null) return { before: text, tags: [] }
  return { before: text.slice(0, match.index), tags: [...new Set((match[1] ?? '').split(','))] }
}

/**
 * Symbol ids contain `#`; each id ends in a punctuation character, and tags can only follow that.
 * Names of private members start with `#`: `symbol:Pier.#length`.
 */
function isNameWithoutTags(text: string): boolean {
  if (text.startsWith('symbol:scip:')) return !/[.#)\]/!:]#[^#]+$/.test(text)
  return /^symbol:(?:[^#]*[.:/])?#[^#]+$/.test(text)
}

function parseRange(text: string, range: string): RequestedRange {
  const [matched, start, startUnit, comma, end, endUnit] = RANGE.exec(range) ?? []
  if (matched === undefined || start === undefined) {
    throw createSelectorError(
      text,
      `has an invalid range: ${JSON.stringify(range)}`,
      'lines are 100,200 or 100, and bytes 100c,500c; put a path with :: in it in quotes',
    )
  }
  const isBytes = startUnit === 'c'
  if (comma !== undefined && end !== undefined && isBytes !== (endUnit === 'c')) {
    throw createSelectorError(
      text,
      'mixes lines and bytes in one range',
      `write ${start}c,${end}c or ${start},${end}`,
    )
  }
  return {
    unit: isBytes ? 'bytes' : 'lines',
    start: Number(start),
    ...(end === undefined ? {} : { end: Number(end) }),
  }
}

function requireName(text: string, name: string): string {
  if (name === '')
    throw createSelectorError(text, 'has no file name', 'write file, file::10,20 or file#tag')
  return name
}

function createSelectorError(text: string, what: string, hint: string): EngineError {
  return new EngineError('POC_E_SELECTOR_INVALID', `the selector ${JSON.stringify(text)} ${what}`, {
    hint,
  })
}
