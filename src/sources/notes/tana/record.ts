/** One node of an export as a note, with what it leads to. */
import type { NoteKind, NoteRecord, NoteValue } from '../../../model/note.ts'
import { fenced, firstLine } from './code-fence.ts'
import {
  BUILT_IN_LABELS,
  CODE,
  FIELD_DEFINITION,
  isBuiltIn,
  TAG_DEFINITION,
  typeOf,
} from './doc-types.ts'
import { addFields, type FieldMap, fieldList, isField } from './fields.ts'
import { UNKNOWN } from './id-table.ts'
import { nodeTexts } from './node-texts.ts'
import { inlineReferences, plainLines } from './plain-text.ts'
import { modifiedTime, propsOf, type RawDoc, time } from './raw-doc.ts'
import type { Reading } from './reading.ts'
import { childrenOf, isGiven, NOTE, PLACE, type Standing, typesOf } from './standing.ts'
import type { TroubleList } from './trouble-list.ts'

export interface RecordWish {
  readonly file: number
  readonly standing: Standing
  readonly trouble: TroubleList
}

/** Makes the record of a node that is given, from its own part of the file. */
export type MakeRecord = (node: number, doc: RawDoc) => NoteRecord

export function recordMaker({ file, standing, trouble }: RecordWish): MakeRecord {
  const { table } = standing
  const texts = nodeTexts(file, table)
  const tags = tagNames(standing, texts.nameOf)
  const links = linkList(standing)
  const fields: FieldMap = new Map()
  const reading: Reading = {
    standing,
    texts,
    text: (node, html) => {
      if (typeof html === 'string' && html.includes('<')) pointAt(node, html)
      return texts.words(node, html)
    },
    unresolved: (node, id) => {
      const message = `Refers to ${id}, which is not in the export`
      trouble.note({ code: 'unresolved', path: table.ids.textOf(node), message })
    },
  }

  function pointAt(node: number, html: string): void {
    for (const id of inlineReferences(html)) {
      const target = table.ids.find(id)
      if (target !== UNKNOWN && table.there[target] === 1) links.refer(target)
      else if (BUILT_IN_LABELS[id] === undefined) reading.unresolved(node, id)
    }
  }

  /** Its children and its fields, in the order in which it lists them. */
  function walkList(node: number): void {
    for (const child of childrenOf(table, node)) {
      if (isField(reading, { node, tuple: child })) {
        addFields(reading, { node, tuple: child }, fields)
        for (const value of childrenOf(table, child)) links.own(value)
      } else if (standing.parent[child] === node) links.own(child)
      else if (table.there[child] === 1) links.refer(child)
      else reportMissing(node, child)
    }
  }

  function reportMissing(node: number, child: number): void {
    const id = table.ids.textOf(child)
    if (!isBuiltIn(id)) reading.unresolved(node, id)
  }

  return (node, doc) => {
    const props = propsOf(doc)
    fields.clear()
    links.begin(node)
    const owner = table.owner[node] as number
    if (owner !== UNKNOWN && table.there[owner] === 0) reportMissing(node, owner)
    if (table.type[node] === TAG_DEFINITION) addExtended(reading, node, fields)
    const done = doneValue(props['_done'])
    if (done !== undefined) fields.set('Done', [done])
    const texted = textsOf(reading, node, props)
    walkList(node)
    // On the line of a note stands its tag, as a reference would.
    for (const tag of tags.own(node)) links.refer(tag)
    const { children, references } = links.finished()
    const record: Growing = {
      id: table.ids.textOf(node),
      name: texted.name,
      kind: kindOf(standing, node),
      content: texted.content,
      tags: tags.names(node),
      fields: fieldList(fields),
      children,
      references,
    }
    const created = time(props.created)
    const modified = modifiedTime(doc.modifiedTs)
    const parent = standing.parent[node] as number
    if (created !== undefined) record.created = created
    if (modified !== undefined) record.modified = modified
    if (parent !== UNKNOWN) record.parent = table.ids.textOf(parent)
    return record
  }
}

/** Made by the million: filled in rather than put together from parts. */
type Growing = { -readonly [Key in keyof NoteRecord]: NoteRecord[Key] }

function kindOf(standing: Standing, node: number): NoteKind {
  if (standing.is[node] === PLACE) return 'system'
  return typeOf(standing.table.type[node] as number).kind
}

interface Texts {
  readonly name: string
  readonly content: string
}

function textsOf(reading: Reading, node: number, props: ReturnType<typeof propsOf>): Texts {
  const name = reading.text(node, props.name)
  const description = reading.text(node, props.description)
  if (reading.standing.table.type[node] !== CODE || typeof props.name !== 'string') {
    return { name, content: description }
  }
  const code = plainLines(props.name, () => undefined).trimEnd()
  const content = [description, fenced(code)].filter((part) => part !== '').join('\n\n')
  return { name: firstLine(code), content }
}

/** Tana notes when something was done, or that it is, or that it could be. */
function doneValue(done: unknown): NoteValue | undefined {
  if (typeof done === 'boolean') return { text: done ? 'yes' : 'no' }
  const at = time(done)
  if (at === undefined || at > LAST_DAY) return undefined
  return { text: `yes, ${new Date(at).toISOString().slice(0, 10)}` }
}

/** No date is later than this number says. */
const LAST_DAY = 8_640_000_000_000_000

function addExtended(reading: Reading, tag: number, fields: FieldMap): void {
  const { table } = reading.standing
  const extended = typesOf(table, tag).filter((it) => reading.standing.is[it] === NOTE)
  if (extended.length === 0) return
  const values = extended.map((it) => ({
    text: reading.texts.nameOf(it),
    target: table.ids.textOf(it),
  }))
  fields.set('Extends', values)
}

/** Names of a node's tags, then of those that these extend. A tag is its id, whatever its name. */
function tagNames(standing: Standing, nameOf: (node: number) => string) {
  const { table } = standing
  const known = new Map<number, readonly number[]>()

  function withExtended(tag: number): readonly number[] {
    const before = known.get(tag)
    if (before !== undefined) return before
    const found = new Set([tag])
    for (const it of found) for (const up of typesOf(table, it)) if (isTag(up)) found.add(up)
    const list = [...found]
    known.set(tag, list)
    return list
  }

  function isTag(node: number): boolean {
    return standing.is[node] === NOTE && table.type[node] === TAG_DEFINITION
  }

  function own(node: number): readonly number[] {
    const type = table.type[node]
    if (type === TAG_DEFINITION || type === FIELD_DEFINITION) return []
    return typesOf(table, node).filter(isTag)
  }

  return {
    own,
    names: (node: number): readonly string[] => {
      const tags = own(node)
      if (tags.length === 0) return []
      const all = new Set([...tags, ...tags.flatMap(withExtended)])
      return [...new Set([...all].map(nameOf).filter((name) => name !== ''))]
    },
  }
}

/** Children and references of one note after the other, each once. */
function linkList(standing: Standing) {
  const { table, parent, ownedFrom, owned } = standing
  /** The last note that each was a link of, and how. */
  const marks = new Int32Array(parent.length)
  let stamp = 0
  let node = UNKNOWN
  let children: string[] = []
  let references: string[] = []

  function own(child: number): void {
    if (parent[child] !== node || !isGiven(standing, child) || marks[child] === stamp) return
    marks[child] = stamp
    children.push(table.ids.textOf(child))
  }

  return {
    begin: (of: number) => {
      node = of
      stamp += 1
      children = []
      references = []
    },
    own,
    refer: (target: number) => {
      const isOwn = target === node || parent[target] === node
      if (isOwn || standing.is[target] !== NOTE || marks[target] === stamp) return
      marks[target] = stamp
      references.push(table.ids.textOf(target))
    },
    finished: () => {
      const from = ownedFrom[node] as number
      const to = ownedFrom[node + 1] as number
      if (children.length < to - from) for (const child of owned.subarray(from, to)) own(child)
      return { children, references }
    },
  }
}
