/** JSON, with the comments of its relatives. Only what stands between keys is looked at. */
import type { Builder } from '../builder.ts'
import type { Language } from '../language.ts'
import { nothing } from '../rules.ts'
import { defineKey, keepSettings } from './keys.ts'

const SETTINGS =
  /^(?:package|composer|bower|lerna|nx|rush|project|import_?map|vcpkg|[jt]sconfig(?:\..*)?|deno|jsr|turbo)\.jsonc?$/

interface Level {
  /** The key that a value is being read for, or -1. */
  key: number
  readonly isObject: boolean
}

interface Reader {
  readonly build: Builder
  readonly text: string
  at: number
  readonly levels: Level[]
}

const MARKS = /["{}[\],]|\/[/*]/g

function readKeys(build: Builder): void {
  const reader: Reader = { build, text: build.text, at: 0, levels: [] }
  for (;;) {
    MARKS.lastIndex = reader.at
    const match = MARKS.exec(reader.text)
    if (match === null) return
    reader.at = match.index + 1
    const mark = match[0]
    if (mark === '"') readString(reader, match.index)
    else if (mark === '{' || mark === '[') reader.levels.push({ key: -1, isObject: mark === '{' })
    else if (mark === '//' || mark === '/*') skipComment(reader, match.index)
    else endValue(reader, match.index, mark !== ',')
  }
}

/** A string that a colon follows is a key; those of the first two levels are defined. */
function readString(reader: Reader, from: number): void {
  const { text, levels, build } = reader
  reader.at = endOfString(text, from) + 1
  const level = levels.at(-1)
  if (level?.isObject !== true || levels.length > 2 || level.key >= 0) return
  COLON.lastIndex = reader.at
  if (!COLON.test(text)) return
  const owner = levels.length === 1 ? 0 : (levels[0]?.key ?? -1)
  if (owner < 0) return
  const end = reader.at - 1
  const name = text.slice(from + 1, end)
  level.key = defineKey(build, { name, start: from + 1, end, from, to: reader.at }, owner)
}

const COLON = /\s*:/y

function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return end
  }
  return text.length
}

function endValue(reader: Reader, at: number, isClosing: boolean): void {
  const level = reader.levels.at(-1)
  if (level !== undefined && level.key >= 0) {
    const draft = reader.build.draft(level.key)
    draft.to = draft.from + reader.text.slice(draft.from, at).trimEnd().length
    level.key = -1
  }
  if (isClosing) reader.levels.pop()
}

function skipComment(reader: Reader, from: number): void {
  const { text, build } = reader
  const isLine = text[from + 1] === '/'
  const found = text.indexOf(isLine ? '\n' : '*/', from)
  reader.at = found < 0 ? text.length : found + (isLine ? 0 : 2)
  build.comments.push(from, reader.at)
}

/** A package is known to others by its name. */
function finish(build: Builder, path: string): void {
  readKeys(build)
  keepSettings(build, path, SETTINGS)
  if (!/(?:^|\/)package\.json$/.test(path)) return
  const key = build.findIn(0, 'name')
  const draft = key < 0 ? undefined : build.draft(key)
  const name = /:\s*"([^"\\]+)"$/.exec(build.text.slice(draft?.from ?? 0, draft?.to ?? 0))?.[1]
  if (name !== undefined) build.provides.push({ name: `npm:${name}`, definition: 0 })
}

export const json: Language = {
  id: 'json',
  grammar: 'json',
  longest: 64 * 1024,
  extensions: ['.json', '.jsonc', '.json5', '.webmanifest', '.avsc'],
  fileNames: ['.babelrc', '.eslintrc', '.prettierrc', '.swcrc', 'composer.lock', 'flake.lock'],
  rules: { document: nothing() },
  finish,
}
