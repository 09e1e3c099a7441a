/** Converts one node of an export to a note with its links. */
import type { NoteKind, NoteRecord, NoteValue } from '../../../model/note.ts'
import { fenceCode, firstNonEmptyLine } from './code-fence.ts'
import type { DiagnosticList } from './diagnostic-list.ts'
import {
  BUILT_IN_LABELS,
  CODE,
  FIELD_DEFINITION,
  getDocType,
  isBuiltIn,
  TAG_DEFINITION,
} from './doc-types.ts'
import { addFields, type FieldMap, isField, listFields } from './fields.ts'
import { UNKNOWN } from './id-table.ts'
import {
  isIncluded,
  listChildren,
  listTypes,
  NOTE,
  type NodeStatuses,
  PLACE,
} from './node-status.ts'
import { createNodeTexts } from './node-texts.ts'
import { extractPlainLines, extractReferences } from './plain-text.ts'
import { asTime, type RawDoc, readModifiedTime, readProps } from './raw-doc.ts'
import type { ExportReading } from './reading.ts'

export interface RecordOptions {
  readonly file: number
  readonly standing: NodeStatuses
  readonly trouble: DiagnosticList
}

/** Builds the record of a node from its part of the file. */
export type MakeRecord = (node: number, doc: RawDoc) => NoteRecord

export function createRecordMaker({ file, standing, trouble }: RecordOptions): MakeRecord {
  const { table } = standing
  const texts = createNodeTexts(file, table)
  const tags = createTagNamer(standing, texts.resolveName)
  const links = createLinkList(standing)
  const fields: FieldMap = new Map()
  const reading: ExportReading = {
    standing,
    texts,
    text: (node, html) => {
      if (typeof html === 'string' && html.includes('<')) addReferences(node, html)
      return texts.words(node, html)
    },
    reportUnresolved: (node, id) => {
      const message = `Refers to ${id}, which is not in the export`
      trouble.add({ code: 'unresolved', path: table.ids.getText(node), message })
    },
  }

  function addReferences(node: number, html: string): void {
    for (const id of extractReferences(html)) {
      const target = table.ids.find(id)
      if (target !== UNKNOWN && table.isPresent[target] === 1) links.refer(target)
      else if (BUILT_IN_LABELS[id] === undefined) reading.reportUnresolved(node, id)
    }
  }

  /** Its children and its fields, in the order in which it lists them. */
  function addListedNodes(node: number): void {
    for (const child of listChildren(table, node)) {
      if (isField(reading, { node, tuple: child })) {
        addFields(reading, { node, tuple: child }, fields)
        for (const value of listChildren(table, child)) links.own(value)
      } else if (standing.parent[child] === node) links.own(child)
      else if (table.isPresent[child] === 1) links.refer(child)
      else reportMissing(node, child)
    }
  }

  function reportMissing(node: number, child: number): void {
    const id = table.ids.getText(child)
    if (!isBuiltIn(id)) reading.reportUnresolved(node, id)
  }

  return (node, doc) => {
    const props = readProps(doc)
    fields.clear()
    links.begin(node)
    const owner = table.owner[node] as number
    if (owner !== UNKNOWN && table.isPresent[owner] === 0) reportMissing(node, owner)
    if (table.type[node] === TAG_DEFINITION) addExtendsField(reading, node, fields)
    const done = buildDoneValue(props['_done'])
    if (done !== undefined) fields.set('Done', [done])
    const texted = buildTexts(reading, node, props)
    addListedNodes(node)
    // The tag of a note is written on its line like a reference.
    for (const tag of tags.own(node)) links.refer(tag)
    const { children, references } = links.finished()
    const record: MutableRecord = {
      id: table.ids.getText(node),
      name: texted.name,
      kind: noteKind(standing, node),
      content: texted.content,
      tags: tags.names(node),
      fields: listFields(fields),
      children,
      references,
    }
    const created = asTime(props.created)
    const modified = readModifiedTime(doc.modifiedTs)
    const parent = standing.parent[node] as number
    if (created !== undefined) record.created = created
    if (modified !== undefined) record.modified = modified
    if (parent !== UNKNOWN) record.parent = table.ids.getText(parent)
    return record
  }
}

/** Millions are created, so objects are filled in place instead of spread. */
type MutableRecord = { -readonly [Key in keyof NoteRecord]: NoteRecord[Key] }

function noteKind(standing: NodeStatuses, node: number): NoteKind {
  if (standing.status[node] === PLACE) return 'system'
  return getDocType(standing.table.type[node] as number).kind
}

interface NameAndContent {
  readonly name: string
  readonly content: string
}

function buildTexts(
  reading: ExportReading,
  node: number,
  props: ReturnType<typeof readProps>,
): NameAndContent {
  const name = reading.text(node, props.name)
  const description = reading.text(node, props.description)
  if (reading.standing.table.type[node] !== CODE || typeof props.name !== 'string') {
    return { name, content: description }
  }
  const code = extractPlainLines(props.name, () => undefined).trimEnd()
  const content = [description, fenceCode(code)].filter((part) => part !== '').join('\n\n')
  return { name: firstNonEmptyLine(code), content }
}

/** Tana stores the time when something was done, or true, or false. */
function buildDoneValue(done: unknown): NoteValue | undefined {
  if (typeof done === 'boolean') return { text: done ? 'yes' : 'no' }
  const at = asTime(done)
  if (at === undefined || at > MAX_TIME) return undefined
  return { text: `yes, ${new Date(at).toISOString().slice(0, 10)}` }
}

/** The latest time that a Date can hold. */
const MAX_TIME = 8_640_000_000_000_000

function addExtendsField(reading: ExportReading, tag: number, fields: FieldMap): void {
  const { table } = reading.standing
  const extended = listTypes(table, tag).filter((it) => reading.standing.status[it] === NOTE)
  if (extended.length === 0) return
  const values = extended.map((it) => ({
    text: reading.texts.resolveName(it),
    target: table.ids.getText(it),
  }))
  fields.set('Extends', values)
}

/** Names of a node's tags, then of those that these extend. A tag is its id, whatever its name. */
function createTagNamer(standing: NodeStatuses, nameOf: (node: number) => string) {
  const { table } = standing
  const known = new Map<number, readonly number[]>()

  function withExtended(tag: number): readonly number[] {
    const before = known.get(tag)
    if (before !== undefined) return before
    const found = new Set([tag])
    for (const it of found) for (const up of listTypes(table, it)) if (isTag(up)) found.add(up)
    const list = [...found]
    known.set(tag, list)
    return list
  }

  function isTag(node: number): boolean {
    return standing.status[node] === NOTE && table.type[node] === TAG_DEFINITION
  }

  function own(node: number): readonly number[] {
    const type = table.type[node]
    if (type === TAG_DEFINITION || type === FIELD_DEFINITION) return []
    return listTypes(table, node).filter(isTag)
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
function createLinkList(standing: NodeStatuses) {
  const { table, parent, ownedFrom, owned } = standing
  /** The last note that linked to each node, and how. */
  const marks = new Int32Array(parent.length)
  let stamp = 0
  let node = UNKNOWN
  let children: string[] = []
  let references: string[] = []

  function own(child: number): void {
    if (parent[child] !== node || !isIncluded(standing, child) || marks[child] === stamp) return
    marks[child] = stamp
    children.push(table.ids.getText(child))
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
      if (isOwn || standing.status[target] !== NOTE || marks[target] === stamp) return
      marks[target] = stamp
      references.push(table.ids.getText(target))
    },
    finished: () => {
      const from = ownedFrom[node] as number
      const to = ownedFrom[node + 1] as number
      if (children.length < to - from) for (const child of owned.subarray(from, to)) own(child)
      return { children, references }
    },
  }
}
