/**
 * Parses the Markdown that the Local API writes for a node:
 *
 *     - [ ] Launch the shop #project <!-- node-id: aB3 -->
 *       - **Owner**: [Ada #person](tana:cD4)
 *       - **Due**: 2026-03-01 <!-- node-id: eF5 -->
 *       - **Parts**:
 *         - the cart <!-- node-id: gH6 -->
 *       - ask [Ada](tana:cD4) about the stock <!-- node-id: iJ7 -->
 *       - [Ada #person](tana:cD4)
 *
 * A line with a node id is an owned child; a line that is only a link is a reference.
 */
import type { NoteField, NoteValue } from '../../../model/note.ts'
import { extractPlainText } from '../tana/plain-text.ts'

export interface ParsedNode {
  /** Without tags and marks, links as their words. */
  readonly name: string
  readonly tags: readonly string[]
  readonly fields: readonly NoteField[]
  /** In their order, owned or not. */
  readonly lines: readonly ParsedLine[]
  /** Ids referenced in the name and in plain values; each once. */
  readonly references: readonly string[]
  /** Values that are notes and are owned by this node. */
  readonly ownedValues: readonly string[]
  /** Text below the name that is neither a field nor a child. */
  readonly content: string
}

export interface ParsedLine {
  /** Undefined for a line without an id. */
  readonly id: string | undefined
  readonly isOwned: boolean
  readonly name: string
  readonly tags: readonly string[]
  /** Ids in its name, if it is owned. */
  readonly references: readonly string[]
}

export interface ParseHints {
  /** The node's name, if known: distinguishes tags from a name that ends like a tag. */
  readonly name?: string
  /** Ids of its children, if known: distinguishes a child with a bold start from a field. */
  readonly children?: ReadonlySet<string>
}

export function parseNodeMarkdown(markdown: string, hints: ParseHints = {}): ParsedNode {
  const root = parseItems(markdown)[0] ?? { text: '', id: undefined, below: [], more: [] }
  const fields = new Map<string, NoteValue[]>()
  const lines: ParsedLine[] = []
  const done = CHECKBOX.exec(root.text)?.[0]
  if (done !== undefined) fields.set('Done', [{ text: formatDone(done) }])
  const references = new Set(extractLinks(root.text))
  const ownedValues: string[] = []
  for (const item of root.below) {
    const field = parseField(item, hints)
    if (field === undefined) {
      lines.push(parseLine(item))
      continue
    }
    const values = fields.get(field.name) ?? []
    fields.set(field.name, values)
    for (const it of field.values) {
      const value = parseValue(it)
      if (value === undefined) continue
      values.push(value)
      if (value.target === undefined) for (const id of extractLinks(it.text)) references.add(id)
      else if (value.target === it.id) ownedValues.push(it.id)
    }
  }
  return {
    ...parseTitle(root.text, hints.name),
    fields: [...fields].map(([name, values]) => ({ name, values })).filter(hasValues),
    lines,
    references: [...references],
    ownedValues,
    content: root.more.join('\n').trim(),
  }
}

/** Removes Markdown and HTML markup and replaces links by their text, on one line. */
export function stripMarkup(text: string): string {
  const words = text
    .replace(LINK, (_, name: string) => splitTags(name).name)
    .replace(/(\*\*|~~|\^\^)(\S(?:.{0,500}?\S)?)\1/g, '$2')
  return extractPlainText(words, () => undefined)
}

/** The tags that a tag definition extends: `Extends #task (id:aB3)`. Built-in tags are left out. */
export function parseExtendedTags(
  markdown: string,
): readonly { readonly id: string; readonly name: string }[] {
  const lines = markdown.split(/\r?\n/).filter((it) => it.startsWith('Extends '))
  return lines
    .flatMap((it) => [...it.matchAll(/#(.+?)(?: \(base type\))? \(id:([\w-]+)\)/g)])
    .map(([, name = '', id = '']) => ({ id, name: name.trim() }))
    .filter((it) => !it.id.startsWith('SYS_'))
}

interface MarkdownItem {
  readonly text: string
  readonly id: string | undefined
  readonly below: MarkdownItem[]
  /** Continuation lines without a bullet. */
  readonly more: string[]
}

/** The name may have one pair of brackets in it; an id has none. */
const LINK = /\[((?:[^[\]]|\[[^[\]]*\])*)\]\(tana:([\w-]+)\)/g
const ONE_LINK = new RegExp(`^${LINK.source}$`)
const COMMENT = /<!--\s*node-id:\s*([^\s>]+)\s*-->$/
const BULLET = /^(\s*)- (.*)$/
const CHECKBOX = /^\[[ xX]\](?:\s+|$)/
const FIELD = /^\*\*(.+?)\*\*:(?:\s+(.*))?$/

function parseItems(markdown: string): readonly MarkdownItem[] {
  const top: MarkdownItem[] = []
  const open: { readonly indent: number; readonly item: MarkdownItem }[] = []
  let fence: string | undefined
  for (const line of markdown.split(/\r?\n/)) {
    const bullet = fence === undefined ? BULLET.exec(line) : null
    if (bullet === null) {
      open.at(-1)?.item.more.push(line.trim())
      if (fence !== undefined && line.trim().startsWith(fence)) fence = undefined
      else if (fence === undefined) fence = matchFence(line.trim())
      continue
    }
    const [, space = '', rest = ''] = bullet
    while ((open.at(-1)?.indent ?? -1) >= space.length) open.pop()
    const item = parseItem(rest)
    const list = open.at(-1)?.item.below ?? top
    list.push(item)
    open.push({ indent: space.length, item })
    fence = matchFence(item.text)
  }
  return top
}

/** Inside of a fence a dash is code. */
function matchFence(text: string): string | undefined {
  return /^(`{3,}|~{3,})[^`]*$/.exec(text)?.[1]
}

function parseItem(line: string): MarkdownItem {
  const whole = line.trimEnd()
  const id = COMMENT.exec(whole)?.[1]
  return { text: whole.replace(COMMENT, '').trimEnd(), id, below: [], more: [] }
}

interface FieldLine {
  readonly name: string
  readonly values: readonly MarkdownItem[]
}

function parseField(item: MarkdownItem, hints: ParseHints): FieldLine | undefined {
  if (item.id !== undefined && hints.children?.has(item.id) === true) return undefined
  const found = FIELD.exec(item.text)
  if (found === null) return undefined
  const [, name = '', inline = ''] = found
  const first = { ...item, text: inline }
  const isInline = inline !== ''
  // Lines below an inline value are its children; without an inline value, each line is a value.
  return { name: stripMarkup(name), values: isInline ? [first] : item.below }
}

function parseValue(item: MarkdownItem): NoteValue | undefined {
  const link = ONE_LINK.exec(item.text)
  if (link !== null) {
    const [, name = '', target = ''] = link
    return { text: stripMarkup(splitTags(name).name), target }
  }
  const { name, tags } = parseTitle(item.text)
  if (/^\[[ xX]\]$/.test(item.text)) return { text: formatDone(item.text) }
  const isNote = item.id !== undefined && (tags.length > 0 || item.below.length > 0)
  if (isNote && item.id !== undefined) return { text: name, target: item.id }
  const text = stripMarkup(item.text.replace(CHECKBOX, ''))
  return text === '' ? undefined : { text }
}

function formatDone(checkbox: string): string {
  return checkbox.startsWith('[ ]') ? 'no' : 'yes'
}

function hasValues(field: NoteField): boolean {
  return field.values.length > 0
}

function parseLine(item: MarkdownItem): ParsedLine {
  const link = item.id === undefined ? ONE_LINK.exec(item.text.replace(CHECKBOX, '')) : null
  if (link !== null) {
    const [, name = '', id = ''] = link
    return { id, isOwned: false, ...parseTitle(name), references: [] }
  }
  const references = [...new Set(extractLinks(item.text))]
  return { id: item.id, isOwned: item.id !== undefined, ...parseTitle(item.text), references }
}

function extractLinks(text: string): readonly string[] {
  return [...text.matchAll(LINK)].map((it) => it[2] ?? '')
}

interface Title {
  readonly name: string
  readonly tags: readonly string[]
}

function parseTitle(text: string, known?: string): Title {
  const line = text.replace(CHECKBOX, '').trim()
  if (known !== undefined && known !== '' && line.startsWith(known)) {
    const rest = splitTags(line.slice(known.length))
    if (rest.name === '') return { name: stripMarkup(known), tags: rest.tags }
  }
  const { name, tags } = splitTags(line)
  return { name: stripMarkup(name), tags }
}

/** Tags follow the name. `#5` is not a tag: it has no letter. */
function splitTags(text: string): Title {
  const tags: string[] = []
  let name = text.trimEnd()
  for (;;) {
    const at = name.lastIndexOf('#')
    const tag = at < 0 ? '' : name.slice(at + 1)
    const isApart = at === 0 || /\s/.test(name.charAt(at - 1))
    if (!isApart || !isTag(tag)) return { name: name.trim(), tags }
    tags.unshift(tag.replace(/^\[\[|\]\]$/g, ''))
    name = name.slice(0, at).trimEnd()
  }
}

/** The end of a link is not part of a tag: `[Ada #person](tana:cD4)`. */
function isTag(text: string): boolean {
  if (text.includes('](') || !/\p{L}/u.test(text)) return false
  return /^\S+$/.test(text) || /^\[\[[^\]]+\]\]$/.test(text)
}
