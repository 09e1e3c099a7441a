/**
 * The Markdown that the Local API writes of a node, read back. It knows lines and nothing of who
 * wrote them:
 *
 *     - [ ] Launch the shop #project <!-- node-id: aB3 -->
 *       - **Owner**: [Ada #person](tana:cD4)
 *       - **Due**: 2026-03-01 <!-- node-id: eF5 -->
 *       - **Parts**:
 *         - the cart <!-- node-id: gH6 -->
 *       - ask [Ada](tana:cD4) about the stock <!-- node-id: iJ7 -->
 *       - [Ada #person](tana:cD4)
 *
 * A line with an id of its own is owned; a line that is a link and nothing else is a reference.
 */
import type { NoteField, NoteValue } from '../../../model/note.ts'
import { plainText } from '../tana/plain-text.ts'

export interface ReadNode {
  /** Without tags and marks, links as their words. */
  readonly name: string
  readonly tags: readonly string[]
  readonly fields: readonly NoteField[]
  /** In their order, owned or not. */
  readonly lines: readonly ReadLine[]
  /** Ids that the name and the plain values point at; each once. */
  readonly references: readonly string[]
  /** Values that are notes in their own right and that nobody else owns. */
  readonly ownedValues: readonly string[]
  /** What stands below the name and is neither a field nor a child. */
  readonly content: string
}

export interface ReadLine {
  /** Undefined for a line that does not say who it is. */
  readonly id: string | undefined
  readonly isOwned: boolean
  readonly name: string
  readonly tags: readonly string[]
  /** Ids in its name, if it is owned. */
  readonly references: readonly string[]
}

export interface ReadHelp {
  /** The node's name, if it is known: tells tags from a name that ends like one. */
  readonly name?: string
  /** Ids of its children, if they are known: tells a child with a bold beginning from a field. */
  readonly children?: ReadonlySet<string>
}

export function readMarkdown(markdown: string, help: ReadHelp = {}): ReadNode {
  const root = treeOf(markdown)[0] ?? { text: '', id: undefined, below: [], more: [] }
  const fields = new Map<string, NoteValue[]>()
  const lines: ReadLine[] = []
  const done = CHECKBOX.exec(root.text)?.[0]
  if (done !== undefined) fields.set('Done', [{ text: doneWord(done) }])
  const references = new Set(linksIn(root.text))
  const ownedValues: string[] = []
  for (const item of root.below) {
    const field = fieldOf(item, help)
    if (field === undefined) {
      lines.push(lineOf(item))
      continue
    }
    const values = fields.get(field.name) ?? []
    fields.set(field.name, values)
    for (const it of field.values) {
      const value = valueOf(it)
      if (value === undefined) continue
      values.push(value)
      if (value.target === undefined) for (const id of linksIn(it.text)) references.add(id)
      else if (value.target === it.id) ownedValues.push(it.id)
    }
  }
  return {
    ...titleOf(root.text, help.name),
    fields: [...fields].map(([name, values]) => ({ name, values })).filter(hasValues),
    lines,
    references: [...references],
    ownedValues,
    content: root.more.join('\n').trim(),
  }
}

/** Without the marks of Markdown and of HTML, with links to nodes as their words, on one line. */
export function plainName(text: string): string {
  const words = text
    .replace(LINK, (_, name: string) => splitTags(name).name)
    .replace(/(\*\*|~~|\^\^)(\S(?:.{0,500}?\S)?)\1/g, '$2')
  return plainText(words, () => undefined)
}

/** What a tag's definition says that it extends: `Extends #task (id:aB3)`. Tana's own are left out. */
export function extendedIn(
  markdown: string,
): readonly { readonly id: string; readonly name: string }[] {
  const lines = markdown.split(/\r?\n/).filter((it) => it.startsWith('Extends '))
  return lines
    .flatMap((it) => [...it.matchAll(/#(.+?)(?: \(base type\))? \(id:([\w-]+)\)/g)])
    .map(([, name = '', id = '']) => ({ id, name: name.trim() }))
    .filter((it) => !it.id.startsWith('SYS_'))
}

interface Item {
  readonly text: string
  readonly id: string | undefined
  readonly below: Item[]
  /** Lines that go on without a bullet. */
  readonly more: string[]
}

/** The name may have one pair of brackets in it; an id has none. */
const LINK = /\[((?:[^[\]]|\[[^[\]]*\])*)\]\(tana:([\w-]+)\)/g
const ONE_LINK = new RegExp(`^${LINK.source}$`)
const COMMENT = /<!--\s*node-id:\s*([^\s>]+)\s*-->$/
const BULLET = /^(\s*)- (.*)$/
const CHECKBOX = /^\[[ xX]\](?:\s+|$)/
const FIELD = /^\*\*(.+?)\*\*:(?:\s+(.*))?$/

function treeOf(markdown: string): readonly Item[] {
  const top: Item[] = []
  const open: { readonly indent: number; readonly item: Item }[] = []
  let fence: string | undefined
  for (const line of markdown.split(/\r?\n/)) {
    const bullet = fence === undefined ? BULLET.exec(line) : null
    if (bullet === null) {
      open.at(-1)?.item.more.push(line.trim())
      if (fence !== undefined && line.trim().startsWith(fence)) fence = undefined
      else if (fence === undefined) fence = fenceOf(line.trim())
      continue
    }
    const [, space = '', rest = ''] = bullet
    while ((open.at(-1)?.indent ?? -1) >= space.length) open.pop()
    const item = itemOf(rest)
    const list = open.at(-1)?.item.below ?? top
    list.push(item)
    open.push({ indent: space.length, item })
    fence = fenceOf(item.text)
  }
  return top
}

/** Inside of a fence a dash is code. */
function fenceOf(text: string): string | undefined {
  return /^(`{3,}|~{3,})[^`]*$/.exec(text)?.[1]
}

function itemOf(line: string): Item {
  const whole = line.trimEnd()
  const id = COMMENT.exec(whole)?.[1]
  return { text: whole.replace(COMMENT, '').trimEnd(), id, below: [], more: [] }
}

interface FieldLine {
  readonly name: string
  readonly values: readonly Item[]
}

function fieldOf(item: Item, help: ReadHelp): FieldLine | undefined {
  if (item.id !== undefined && help.children?.has(item.id) === true) return undefined
  const found = FIELD.exec(item.text)
  if (found === null) return undefined
  const [, name = '', inline = ''] = found
  const first = { ...item, text: inline }
  const isInline = inline !== ''
  // Lines below an inline value are its own children; without one, each is a value.
  return { name: plainName(name), values: isInline ? [first] : item.below }
}

function valueOf(item: Item): NoteValue | undefined {
  const link = ONE_LINK.exec(item.text)
  if (link !== null) {
    const [, name = '', target = ''] = link
    return { text: plainName(splitTags(name).name), target }
  }
  const { name, tags } = titleOf(item.text)
  if (/^\[[ xX]\]$/.test(item.text)) return { text: doneWord(item.text) }
  const isNote = item.id !== undefined && (tags.length > 0 || item.below.length > 0)
  if (isNote && item.id !== undefined) return { text: name, target: item.id }
  const text = plainName(item.text.replace(CHECKBOX, ''))
  return text === '' ? undefined : { text }
}

function doneWord(checkbox: string): string {
  return checkbox.startsWith('[ ]') ? 'no' : 'yes'
}

function hasValues(field: NoteField): boolean {
  return field.values.length > 0
}

function lineOf(item: Item): ReadLine {
  const link = item.id === undefined ? ONE_LINK.exec(item.text.replace(CHECKBOX, '')) : null
  if (link !== null) {
    const [, name = '', id = ''] = link
    return { id, isOwned: false, ...titleOf(name), references: [] }
  }
  const references = [...new Set(linksIn(item.text))]
  return { id: item.id, isOwned: item.id !== undefined, ...titleOf(item.text), references }
}

function linksIn(text: string): readonly string[] {
  return [...text.matchAll(LINK)].map((it) => it[2] ?? '')
}

interface Title {
  readonly name: string
  readonly tags: readonly string[]
}

function titleOf(text: string, known?: string): Title {
  const line = text.replace(CHECKBOX, '').trim()
  if (known !== undefined && known !== '' && line.startsWith(known)) {
    const rest = splitTags(line.slice(known.length))
    if (rest.name === '') return { name: plainName(known), tags: rest.tags }
  }
  const { name, tags } = splitTags(line)
  return { name: plainName(name), tags }
}

/** Tags stand behind the name. `#5` is none: it has no letter. */
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

/** The end of a link is no part of a tag: `[Ada #person](tana:cD4)`. */
function isTag(text: string): boolean {
  if (text.includes('](') || !/\p{L}/u.test(text)) return false
  return /^\S+$/.test(text) || /^\[\[[^\]]+\]\]$/.test(text)
}
