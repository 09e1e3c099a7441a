/**
 * The part of YAML that people write above their notes: scalars, quoted or not, lists in a row or
 * in lines, block scalars, and maps one level deep, which are flattened to `a.b`. Everything is
 * text. What is not read is named; nothing throws. Knows nothing of what the keys mean.
 */
import type { RawField } from './draft.ts'

export interface YamlReading {
  readonly fields: readonly RawField[]
  /** What was left out, and why, without a final stop. */
  readonly problems: readonly string[]
}

export function readYaml(text: string): YamlReading {
  const reader: Reader = { lines: text.split('\n'), at: 0, fields: [], problems: [] }
  readMap(reader, { indent: 0, prefix: '' })
  return { fields: reader.fields, problems: reader.problems }
}

interface Reader {
  readonly lines: readonly string[]
  at: number
  readonly fields: RawField[]
  readonly problems: string[]
}

interface Level {
  readonly indent: number
  readonly prefix: string
}

const KEY =
  /^(?:"([^"]*)"\s*|'([^']*)'\s*|([^\s"'#\-?[\]{}&*!|>%@`,:][^#:]*|-[^\s:#][^#:]*)):(?:\s+(.*))?$/

function readMap(reader: Reader, level: Level): void {
  for (; reader.at < reader.lines.length; ) {
    const line = reader.lines[reader.at] ?? ''
    if (isNothing(line)) {
      reader.at += 1
      continue
    }
    const indent = indentOf(line)
    if (indent < level.indent) return
    const match = KEY.exec(line.trim())
    reader.at += 1
    if (match === null || indent > level.indent) {
      reader.problems.push(`the line \`${shortened(line)}\` is not understood`)
      continue
    }
    const key = (match[1] ?? match[2] ?? match[3] ?? '').trim()
    readValue(reader, { name: level.prefix + key, rest: match[4] ?? '', indent, level })
  }
}

interface Pair {
  readonly name: string
  readonly rest: string
  readonly indent: number
  readonly level: Level
}

function readValue(reader: Reader, pair: Pair): void {
  const rest = pair.rest.trim()
  const block = /^([|>])[+-]?\d?[+-]?(?:\s+#.*)?$/.exec(rest)
  if (block !== null) {
    const text = blockScalar(reader, pair.indent, block[1] === '>')
    return add(reader, pair.name, { values: [text], isList: false })
  }
  if (withoutComment(rest) === '') return readBelow(reader, pair)
  if (/^[&*!%@`]/.test(rest)) return leftOut(reader, pair)
  if (rest.startsWith('[') && !isWikilink(rest)) {
    const items = itemsOf(gathered(reader, rest, '[]'), '[]')
    if (items === undefined) return leftOut(reader, pair)
    return add(reader, pair.name, { values: items.map(scalar), isList: true })
  }
  if (rest.startsWith('{')) return readInlineMap(reader, pair)
  const value = /^["']/.test(rest) ? quoted(gatheredQuote(reader, rest)) : continued(reader, pair)
  if (value === undefined) return leftOut(reader, pair)
  add(reader, pair.name, { values: [value], isList: false })
}

function add(reader: Reader, name: string, value: Omit<RawField, 'name'>): void {
  if (reader.fields.some((it) => it.name === name)) {
    reader.problems.push(`\`${name}\` is there twice, and the first one counts`)
    return
  }
  reader.fields.push({ name, isList: value.isList, values: value.values.filter((it) => it !== '') })
}

/** Together with all that belongs to it. */
function leftOut(reader: Reader, pair: Pair): void {
  reader.problems.push(`the value of \`${pair.name}\` is not understood`)
  skipDeeper(reader, pair.indent)
}

function skipDeeper(reader: Reader, indent: number): void {
  while (reader.at < reader.lines.length) {
    const line = reader.lines[reader.at] ?? ''
    if (!isNothing(line) && indentOf(line) <= indent) return
    reader.at += 1
  }
}

/** What stands on the lines after `key:`: a list, a map, a text, or nothing. */
function readBelow(reader: Reader, pair: Pair): void {
  while (reader.at < reader.lines.length && isNothing(reader.lines[reader.at] ?? '')) reader.at += 1
  const next = reader.lines[reader.at] ?? ''
  const indent = indentOf(next)
  if (isItem(next) && indent >= pair.indent) return readItems(reader, pair, indent)
  if (next === '' || indent <= pair.indent) return add(reader, pair.name, NOTHING)
  if (KEY.test(next.trim()) && !isWikilink(next.trim())) {
    if (pair.level.prefix === '') return readMap(reader, { indent, prefix: `${pair.name}.` })
    return leftOut(reader, pair)
  }
  add(reader, pair.name, { values: [continued(reader, pair)], isList: false })
}

const NOTHING = { values: [], isList: false } as const

function readItems(reader: Reader, pair: Pair, indent: number): void {
  const values: string[] = []
  let isWhole = true
  for (; reader.at < reader.lines.length; ) {
    const line = reader.lines[reader.at] ?? ''
    if (isNothing(line)) {
      reader.at += 1
      continue
    }
    if (indentOf(line) < indent || (indentOf(line) === indent && !isItem(line))) break
    reader.at += 1
    const text = line.trim().slice(1).trim()
    const value = indentOf(line) === indent ? item(reader, text, indent) : undefined
    if (value === undefined) isWhole = false
    else values.push(value)
  }
  if (!isWhole) reader.problems.push(`some of the values of \`${pair.name}\` are not understood`)
  add(reader, pair.name, { values, isList: true })
}

/** A list's item that is a text; one that is a list or a map is not read. */
function item(reader: Reader, text: string, indent: number): string | undefined {
  if (/^["']/.test(text)) return quoted(gatheredQuote(reader, text))
  if (isWikilink(text)) return scalar(text)
  if (/^[&*!%@`[{|>]/.test(text) || text.startsWith('- ')) return undefined
  if (KEY.test(text) && !/^\S+:\/\//.test(text)) {
    skipDeeper(reader, indent)
    return undefined
  }
  return scalar(text)
}

function readInlineMap(reader: Reader, pair: Pair): void {
  const items = itemsOf(gathered(reader, pair.rest.trim(), '{}'), '{}')
  const pairs = items?.map((it) => KEY.exec(it))
  if (pairs === undefined || pairs.includes(null) || pair.level.prefix !== '')
    return leftOut(reader, pair)
  for (const match of pairs) {
    const key = (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim()
    const value = match?.[4] ?? ''
    if (/^[[{]/.test(value) && !isWikilink(value)) leftOut(reader, pair)
    else add(reader, `${pair.name}.${key}`, { values: [scalar(value)], isList: false })
  }
}

/** A plain text, with the deeper lines that it goes on in. */
function continued(reader: Reader, pair: Pair): string {
  const parts = [scalar(pair.rest.trim())]
  for (; reader.at < reader.lines.length; reader.at += 1) {
    const line = reader.lines[reader.at] ?? ''
    if (isNothing(line) || indentOf(line) <= pair.indent) break
    parts.push(withoutComment(line.trim()))
  }
  return parts.filter((it) => it !== '').join(' ')
}

function blockScalar(reader: Reader, indent: number, folds: boolean): string {
  const lines: string[] = []
  for (; reader.at < reader.lines.length; reader.at += 1) {
    const line = reader.lines[reader.at] ?? ''
    if (line.trim() !== '' && indentOf(line) <= indent) break
    lines.push(line)
  }
  const margin = Math.min(...lines.filter((it) => it.trim() !== '').map(indentOf))
  const text = lines.map((it) => it.slice(margin)).join('\n')
  return (folds ? text.replace(/([^\n])\n(?!\n)/g, '$1 ') : text).trim()
}

/** Each further line means looking at all of them again. */
const MOST_LINES = 500

/** A row of items may go on in the next lines, until its brackets are closed. */
function gathered(reader: Reader, start: string, brackets: string): string {
  let text = start
  const last = Math.min(reader.lines.length, reader.at + MOST_LINES)
  while (itemsOf(text, brackets) === undefined && reader.at < last) {
    const line = reader.lines[reader.at] ?? ''
    if (line.trim() !== '' && indentOf(line) === 0 && !/^[\]}]/.test(line)) break
    text += ` ${withoutComment(line.trim())}`
    reader.at += 1
  }
  return text
}

function gatheredQuote(reader: Reader, start: string): string {
  let text = start
  const last = Math.min(reader.lines.length, reader.at + MOST_LINES)
  while (quoted(text) === undefined && reader.at < last) {
    const line = reader.lines[reader.at] ?? ''
    if (indentOf(line) === 0 && line.trim() !== '') break
    text += ` ${line.trim()}`
    reader.at += 1
  }
  return text
}

/** The items of `[a, "b, c", [[d]]]`, or undefined while it is not closed. */
function itemsOf(text: string, brackets: string): readonly string[] | undefined {
  const items: string[] = []
  let depth = 0
  let quote = ''
  let from = 1
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (quote !== '') {
      if (character === '\\' && quote === '"') at += 1
      else if (character === quote) quote = ''
    } else if (/["']/.test(character) && /[[{,:\s]/.test(text.charAt(at - 1))) quote = character
    else if (/[[{]/.test(character)) depth += 1
    else if (/[\]}]/.test(character)) {
      depth -= 1
      if (depth > 0) continue
      if (character !== brackets[1] || withoutComment(text.slice(at + 1)).trim() !== '')
        return undefined
      items.push(text.slice(from, at).trim())
      return items.filter((it) => it !== '')
    } else if (character === ',' && depth === 1) {
      items.push(text.slice(from, at).trim())
      from = at + 1
    }
  }
  return undefined
}

/** A value on one line; nothing for YAML's words for nothing. */
function scalar(text: string): string {
  const bare = quoted(text) ?? withoutComment(text)
  return /^(?:~|null)$/i.test(text) ? '' : bare
}

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)/gs
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\n', '0': '' }

function quoted(text: string): string | undefined {
  const double = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/s.exec(text)?.[1]
  if (double !== undefined) return double.replace(ESCAPE, unescaped)
  return /^'((?:[^']|'')*)'\s*(?:#.*)?$/s.exec(text)?.[1]?.replaceAll("''", "'")
}

function unescaped(escape: string): string {
  const one = escape.charAt(1)
  if (escape.length > 2) return String.fromCharCode(Number.parseInt(escape.slice(2), 16))
  return ESCAPES[one] ?? one
}

/** YAML would read a list in a list; whoever writes `[[Page]]` means a link. */
function isWikilink(text: string): boolean {
  return /^!?\[\[[^[\]]+\]\]/.test(text)
}

/** A comment stands after a space: `#tag` at the start of a plain value is one, too. */
function withoutComment(text: string): string {
  return text.replace(/(?:^|\s)#.*$/, '').trimEnd()
}

function isNothing(line: string): boolean {
  return /^\s*(?:#.*)?$/.test(line)
}

function isItem(line: string): boolean {
  return /^\s*-(?:\s|$)/.test(line)
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

const MOST_SHOWN = 40

function shortened(line: string): string {
  const text = line.trim()
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}
