/** YAML, read line by line: the indentation says what a key belongs to. */
import type { Builder } from '../builder.ts'
import type { Language } from '../language.ts'
import { nothing } from '../rules.ts'
import { defineKey, keepSettings } from './keys.ts'

const SETTINGS = /^(?:pnpm-workspace|pubspec|pubspec_overrides|melos|shard)\.ya?ml$/
const KEY =
  /^( *)(?:"((?:[^"\\]|\\.)+)"|'((?:[^']|'')+)'|([^\s#&*!|>'"%@`{}[\],:-][^#]*?|-[^\s#][^#]*?)) *:(?=\s|$)/
/** A value that goes on in the lines below, whatever they look like. */
const BLOCK = /(?:^|[\s:-])[|>][+-]?\d?[+-]?\s*(?:#.*)?$/

interface Reader {
  readonly build: Builder
  /** The keys that the reading is in, of the first and the second level; -1 is none. */
  first: number
  second: number
  /** Indentation of the second level below the present key; -1 until one is met. */
  indent: number
  /** Lines that are indented deeper than this are prose; -1 when none are. */
  prose: number
  /** The end of what was read last. */
  last: number
}

function readKeys(build: Builder): void {
  const reader: Reader = { build, first: -1, second: -1, indent: -1, prose: -1, last: 0 }
  for (const { 0: line, index } of build.text.matchAll(/[^\r\n]+/g))
    readLine(reader, line.trimEnd(), index)
  closeKeys(reader, 0)
}

function readLine(reader: Reader, line: string, from: number): void {
  const indent = line.search(/\S/)
  if (indent < 0) return
  if (reader.prose >= 0 && indent > reader.prose) {
    reader.last = from + line.length
    return
  }
  reader.prose = -1
  if (line[indent] === '#') {
    reader.build.comments.push(from + indent, from + line.length)
    return
  }
  if (/^(?:---|\.\.\.)(?:\s|$)/.test(line)) {
    closeKeys(reader, 0)
    return
  }
  const isInside = indent > 0 || line.startsWith('- ')
  if (!isInside) firstLevel(reader, line, from)
  else if (reader.first >= 0 && (reader.indent < 0 || indent <= reader.indent))
    secondLevel(reader, line, { from, indent })
  if (BLOCK.test(line)) reader.prose = indent
  reader.last = from + line.length
}

function firstLevel(reader: Reader, line: string, from: number): void {
  closeKeys(reader, 0)
  reader.first = keyOf(reader, line, { from, owner: 0 })
  reader.indent = -1
}

function secondLevel(
  reader: Reader,
  line: string,
  at: { readonly from: number; readonly indent: number },
): void {
  closeKeys(reader, 1)
  const isList = line[at.indent] === '-'
  // What is in a list has no names of its own.
  reader.indent = isList ? 0 : at.indent
  if (isList) return
  reader.second = keyOf(reader, line, { from: at.from, owner: reader.first })
}

function keyOf(
  reader: Reader,
  line: string,
  at: { readonly from: number; readonly owner: number },
): number {
  const match = KEY.exec(line)
  const name = match?.[2] ?? match?.[3] ?? match?.[4]
  if (match === null || name === undefined) return -1
  const isQuoted = match[4] === undefined
  const from = at.from + (match[1] ?? '').length
  const start = from + (isQuoted ? 1 : 0)
  const to = at.from + line.length
  return defineKey(reader.build, { name, start, end: start + name.length, from, to }, at.owner)
}

/** A key ends with the last line before the next of its level. */
function closeKeys(reader: Reader, level: 0 | 1): void {
  for (const it of level === 0 ? [reader.first, reader.second] : [reader.second])
    if (it >= 0) reader.build.draft(it).to = Math.max(reader.build.draft(it).to, reader.last)
  reader.second = -1
  if (level === 0) reader.first = -1
}

export const yaml: Language = {
  id: 'yaml',
  grammar: 'yaml',
  longest: 64 * 1024,
  extensions: ['.yaml', '.yml'],
  fileNames: ['.clang-format', '.clang-tidy', 'CITATION.cff'],
  rules: { stream: nothing() },
  finish: (build, path) => {
    readKeys(build)
    keepSettings(build, path, SETTINGS)
    // A package of Dart is known to others by its name.
    const name = /(?:^|\/)pubspec\.yaml$/.test(path)
      ? /^name: *["']?(\w+)/m.exec(build.text)?.[1]
      : undefined
    if (name !== undefined) build.provides.push({ name: `pub:${name}`, definition: 0 })
  },
}
