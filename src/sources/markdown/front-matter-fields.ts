/**
 * The fields of YAML front matter, all as text. Each top-level entry is parsed separately, so a
 * broken entry costs only itself. Maps one level deep are flattened to `a.b`; anchors, aliases, tags
 * and deeper structures are reported. Never throws, and does not know what the keys mean.
 */
import { isMap, isPair, isScalar, isSeq, type Pair, parseDocument } from 'yaml'

export interface FrontMatterField {
  readonly name: string
  readonly values: readonly string[]
  /** Whether the values are items of a list, and so whole. */
  readonly isList: boolean
}

export interface FrontMatterFields {
  readonly fields: readonly FrontMatterField[]
  /** What was skipped and why, without a final stop. */
  readonly problems: readonly string[]
}

export function readFrontMatterFields(yaml: string): FrontMatterFields {
  const result: FieldsResult = { fields: new Map(), problems: [] }
  for (const entry of splitEntries(yaml)) readEntry(result, entry)
  return { fields: [...result.fields.values()], problems: result.problems }
}

interface FieldsResult {
  readonly fields: Map<string, FrontMatterField>
  readonly problems: string[]
}

/** A line that is not indented starts an entry, unless it is an item or a bracket of the one above. */
function splitEntries(yaml: string): readonly string[] {
  const entries: string[] = []
  for (const line of yaml.split('\n')) {
    const isContinuation = /^(?:\s|-(?:\s|$)|[\]}#]|$)/.test(line)
    if (isContinuation && entries.length > 0) entries.push(`${entries.pop() ?? ''}\n${line}`)
    else if (!/^\s*(?:#.*)?$/.test(line)) entries.push(line)
  }
  return entries
}

function readEntry(result: FieldsResult, entry: string): void {
  const source = quoteWikilinks(entry)
  const [first = ''] = source.split('\n')
  const pair = parsePair(source)
  if (pair !== undefined) return addPair(result, pair, { source, prefix: '' })
  const firstPair = parsePair(first)
  if (firstPair !== undefined && first !== source) {
    addPair(result, firstPair, { source: first, prefix: '' })
    const below = entry.slice(entry.indexOf('\n') + 1)
    result.problems.push(`the line \`${shorten(below)}\` cannot be parsed`)
    return
  }
  const text = first === source ? UNQUOTED_COLON.exec(source) : null
  if (text !== null) {
    const values = [removeComment(text[2] ?? '')]
    return addField(result, { name: keyText(text[1]), values, isList: false })
  }
  const name = /^[^:]+(?=:)/.exec(entry)?.[0]
  result.problems.push(
    name === undefined
      ? `the line \`${shorten(entry)}\` cannot be parsed`
      : `the value of \`${keyText(name)}\` cannot be parsed`,
  )
}

/** People write `title: Part 2: the end` without quotes. */
const UNQUOTED_COLON = /^([^\s:#][^:#]*):\s+([^\s&*!%@`[\]{}"'|>].*)$/

/** The only pair of the text, or undefined where that is not what it is. */
function parsePair(text: string): Pair | undefined {
  const contents = parseContents(text)
  return isMap(contents) && contents.items.length === 1 ? contents.items[0] : undefined
}

function parseContents(text: string): unknown {
  try {
    const document = parseDocument(text, {
      // Everything is text: no numbers, no dates, no booleans.
      schema: 'failsafe',
      uniqueKeys: false,
      prettyErrors: false,
    })
    return document.errors.length > 0 ? undefined : document.contents
  } catch (error) {
    // Brackets nested by the thousand exhaust the stack of the parser.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

interface PairPosition {
  /** The text that the ranges of nodes refer to. */
  readonly source: string
  /** `a.` inside of the map `a`. */
  readonly prefix: string
}

function addPair(result: FieldsResult, pair: Pair, position: PairPosition): void {
  const name = position.prefix + (isScalar(pair.key) ? String(pair.key.value ?? '').trim() : '')
  const { value } = pair
  const text = readText(value, position.source)
  if (name === '') result.problems.push(`the line \`${shorten(position.source)}\` cannot be parsed`)
  else if (text !== undefined) addField(result, { name, values: [text], isList: false })
  else if (isSeq(value) && isPlainNode(value)) {
    const texts = value.items.map((it) => readText(it, position.source))
    if (texts.includes(undefined)) {
      result.problems.push(`some values of \`${name}\` cannot be parsed`)
    }
    addField(result, { name, values: texts.filter((it) => it !== undefined), isList: true })
  } else if (isMap(value) && isPlainNode(value) && position.prefix === '') {
    for (const it of value.items) {
      if (isPair(it)) addPair(result, it, { source: position.source, prefix: `${name}.` })
    }
  } else result.problems.push(`the value of \`${name}\` cannot be parsed`)
}

function addField(result: FieldsResult, { name, values, isList }: FrontMatterField): void {
  if (result.fields.has(name)) {
    result.problems.push(`duplicate key \`${name}\`: the first one is used`)
    return
  }
  result.fields.set(name, { name, values: values.filter((it) => it !== ''), isList })
}

/** Undefined where the value is not a text. */
function readText(node: unknown, source: string): string | undefined {
  if (node === null) return ''
  if (isSeq(node)) {
    // YAML reads `[[Page]]` as a list in a list; people mean a link.
    const written = source.slice(node.range?.[0], node.range?.[1])
    return /^\[\[[^[\]]+\]\]$/.test(written) ? written : undefined
  }
  if (!isScalar(node) || !isPlainNode(node)) return undefined
  const text = String(node.value ?? '')
  return node.type === 'PLAIN' && /^(?:~|null)$/i.test(text) ? '' : text.trim()
}

function isPlainNode(node: { readonly anchor?: string; readonly tag?: string }): boolean {
  return node.anchor === undefined && node.tag === undefined
}

/** A value or an item that begins with `[[Page]]` is a text: YAML refuses what follows the brackets. */
function quoteWikilinks(entry: string): string {
  if (!entry.includes('[[') || /^[^\n]*[|>][-+\d]*(?:\n|$)/.test(entry)) return entry
  return entry.replace(
    /^(\s*(?:-\s+|[^\s"'#:-][^:#\n]*:\s+))(!?\[\[[^[\]\n]+\]\].*)$/gm,
    (_, head: string, value: string) => `${head}'${removeComment(value).replaceAll("'", "''")}'`,
  )
}

function keyText(key: string | undefined): string {
  return (key ?? '').trim().replace(/^(["'])(.*)\1$/, '$2')
}

function removeComment(text: string): string {
  return text.replace(/\s#.*$/, '').trimEnd()
}

const MAX_SHOWN_LENGTH = 40

function shorten(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return line.length > MAX_SHOWN_LENGTH ? `${line.slice(0, MAX_SHOWN_LENGTH)}…` : line
}
