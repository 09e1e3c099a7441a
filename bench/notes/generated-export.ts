/**
 * A Tana export out of nothing, the same on every machine, written as it is made. Its proportions
 * are those of real workspaces: a quarter of all nodes are the tuples of fields, one note in ten has
 * a tag, one in twenty refers to another, a few have thousands of children, some lie in the trash.
 */
import { closeSync, openSync, writeSync } from 'node:fs'

/** Writes an export of about so many nodes, and gives the number of nodes and bytes. */
export function writeGeneratedExport(
  path: string,
  nodes: number,
): { readonly nodes: number; readonly bytes: number } {
  const out = writer(path)
  const made = generator(7)
  writePlaces(out)
  for (const at of TAGS.keys()) writeTag(out, at)
  for (const at of FIELDS.keys()) writeField(out, at)
  for (let day = 0; out.nodes < nodes; day += 1) writeDay({ out, random: made, day, limit: nodes })
  return out.finish()
}

/** Words that a bench can ask for: neither in every note nor in hardly any. */
export function generatedTopics(): readonly string[] {
  return VOCABULARY.slice(40, 60)
}

interface Tag {
  readonly name: string
  readonly extends?: string
  readonly fields: readonly string[]
}

const TAGS: readonly Tag[] = [
  { name: 'entity', fields: [] },
  { name: 'project', extends: 'entity', fields: ['Status', 'Owner', 'Due'] },
  { name: 'person', extends: 'entity', fields: ['Email'] },
  { name: 'meeting', fields: ['Date', 'Attendees'] },
  { name: 'task', fields: ['Status', 'Due', 'Assignee'] },
  { name: 'bug', extends: 'task', fields: ['Status', 'Priority', 'Assignee'] },
  { name: 'note', fields: [] },
  { name: 'draft', extends: 'note', fields: ['Status'] },
  { name: 'spec', fields: ['Status', 'Owner'] },
  { name: 'decision', fields: ['Date', 'Approved'] },
  { name: 'goal', fields: ['Due', 'Status'] },
  { name: 'article', extends: 'note', fields: ['Status', 'Owner'] },
]

const FIELDS = [
  'Status',
  'Owner',
  'Due',
  'Email',
  'Date',
  'Attendees',
  'Assignee',
  'Priority',
  'Approved',
] as const

const REFERRING: ReadonlySet<string> = new Set(['Owner', 'Attendees', 'Assignee'])
const STATES = ['open', 'active', 'waiting', 'done'] as const

const WORKSPACE = 'genWorkspace'
const FIRST_DAY = Date.UTC(2019, 0, 1)
const DAY = 86_400_000
const NOTES_A_DAY = 150
const BUFFERED = 1 << 20

const ONSETS = ['b', 'd', 'f', 'gr', 'k', 'l', 'm', 'n', 'p', 'r', 's', 'st', 't', 'v', 'z', 'tr']
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ou', 'ea']

/** By how often it is used: the first is in one word of six, the last hardly anywhere. */
const VOCABULARY: readonly string[] = vocabulary(6000)

type Random = () => number

interface Writer {
  nodes: number
  node(doc: Doc): void
  finish(): { readonly nodes: number; readonly bytes: number }
}

interface Doc {
  readonly id: string
  readonly props: Readonly<Record<string, unknown>>
  readonly children?: readonly string[]
  readonly modified?: number
}

function writer(path: string): Writer {
  const file = openSync(path, 'w')
  let parts: string[] = ['{"formatVersion":1,"docs":[']
  let length = 0
  let bytes = 0

  function flush(): void {
    const block = Buffer.from(parts.join(''))
    for (let at = 0; at < block.length; ) at += writeSync(file, block, at)
    bytes += block.length
    parts = []
    length = 0
  }

  const out: Writer = {
    nodes: 0,
    node: ({ modified, ...doc }) => {
      const times = modified === undefined ? {} : { modifiedTs: [modified], touchCounts: [1] }
      const text = `${out.nodes === 0 ? '' : ','}${JSON.stringify({ ...doc, ...times })}`
      out.nodes += 1
      parts.push(text)
      length += text.length
      if (length > BUFFERED) flush()
    },
    finish: () => {
      parts.push(`],"editors":[],"workspaces":{},"currentWorkspaceId":"${WORKSPACE}"}`)
      flush()
      closeSync(file)
      return { nodes: out.nodes, bytes }
    },
  }
  return out
}

const PLACES = ['SCHEMA', 'STASH', 'TRASH', 'CAPTURE_INBOX', 'USERS']

function writePlaces(out: Writer): void {
  const created = FIRST_DAY
  const places = PLACES.map((place) => `${WORKSPACE}_${place}`)
  out.node({ id: WORKSPACE, props: { created, name: 'Root node' }, children: places })
  for (const id of places) out.node({ id, props: { created, name: id, _ownerId: WORKSPACE } })
}

function writeTag(out: Writer, at: number): void {
  const tag = TAGS[at]
  if (tag === undefined) return
  const parent = tag.extends === undefined ? [] : [tagId(tag.extends)]
  writeTyped(out, { id: tagId(tag.name), name: tag.name, docType: 'tagDef' }, [
    'SYS_T01',
    ...parent,
  ])
}

function writeField(out: Writer, at: number): void {
  const name = FIELDS[at]
  if (name === undefined) return
  writeTyped(out, { id: fieldId(name), name, docType: 'attrDef' }, ['SYS_T02'])
}

interface Definition {
  readonly id: string
  readonly name: string
  readonly docType: string
}

function writeTyped(out: Writer, { id, name, docType }: Definition, types: string[]): void {
  const props = { created: FIRST_DAY, name, _docType: docType, _ownerId: `${WORKSPACE}_SCHEMA` }
  out.node({ id, props: { ...props, _metaNodeId: `${id}M` } })
  writeTypes(out, id, types)
}

function writeTypes(out: Writer, id: string, types: readonly string[]): void {
  const meta = `${id}M`
  const tuple = `${id}T`
  const created = FIRST_DAY
  out.node({ id: meta, props: { created, _docType: 'metanode', _ownerId: id }, children: [tuple] })
  out.node({
    id: tuple,
    props: { created, _docType: 'tuple', _ownerId: meta },
    children: ['SYS_A13', ...types],
  })
}

interface Day {
  readonly out: Writer
  readonly random: Random
  readonly day: number
  readonly limit: number
}

function writeDay({ out, random, day, limit }: Day): void {
  const id = nodeId(day, 0)
  const owner = day % 31 === 30 ? `${WORKSPACE}_TRASH` : WORKSPACE
  const isHuge = day % 200 === 20
  const wanted = isHuge ? 4000 : NOTES_A_DAY
  const children: string[] = []
  const outline: string[] = [id]
  for (let at = 1; at <= wanted && out.nodes < limit - 1; at += 1) {
    const note = nodeId(day, at)
    const under = isHuge || random() < 0.3 ? id : (outline.at(-1) ?? id)
    if (under === id) children.push(note)
    if (random() < 0.2) outline.push(note)
    writeNote({ out, random, day, id: note, owner: under })
  }
  const created = FIRST_DAY + day * DAY
  const name = new Date(created).toISOString().slice(0, 10)
  const props = { created, name, _docType: 'journalPart', _ownerId: owner }
  out.node({ id, props, children, modified: created + DAY })
}

interface GeneratedNote {
  readonly out: Writer
  readonly random: Random
  readonly day: number
  readonly id: string
  readonly owner: string
}

function writeNote(note: GeneratedNote): void {
  const { out, random, day, id, owner } = note
  const created = FIRST_DAY + day * DAY + Math.floor(random() * DAY)
  const tag = random() < 0.1 ? TAGS[1 + Math.floor(random() * (TAGS.length - 1))] : undefined
  const children = (tag?.fields ?? []).map((field) => writeFieldValue(note, field))
  if (random() < 0.03) children.push(someNode(random, day))
  out.node({
    id,
    props: {
      created,
      name: nameOf(random, day),
      _ownerId: owner,
      ...(random() < 0.02 ? { description: words(random, 12) } : {}),
      ...(tag === undefined ? {} : { _metaNodeId: `${id}M` }),
    },
    ...(children.length === 0 ? {} : { children }),
    modified: created + Math.floor(random() * 30 * DAY),
  })
  if (tag !== undefined) writeTypes(out, id, [tagId(tag.name)])
}

function writeFieldValue({ out, random, day, id }: GeneratedNote, field: string): string {
  const tuple = `${id}${field.slice(0, 3)}`
  const value = valueOf(random, field, day)
  const created = FIRST_DAY + day * DAY
  const isId = REFERRING.has(field) || field === 'Approved'
  const child = isId ? value : `${tuple}v`
  if (!isId) out.node({ id: child, props: { created, name: value, _ownerId: tuple } })
  const props = { created, _docType: 'tuple', _ownerId: id }
  out.node({ id: tuple, props, children: [fieldId(field), child] })
  return tuple
}

function valueOf(random: Random, field: string, day: number): string {
  if (REFERRING.has(field)) return someNode(random, day)
  if (field === 'Approved') return random() < 0.5 ? 'SYS_V03' : 'SYS_V04'
  if (field === 'Due' || field === 'Date') return dateSpan(day + Math.floor(random() * 60))
  if (field === 'Email') return `${word(random)}@example.com`
  return STATES[Math.floor(random() * STATES.length)] ?? ''
}

function nameOf(random: Random, day: number): string {
  const length = random() < 0.15 ? 20 + Math.floor(random() * 60) : 2 + Math.floor(random() * 9)
  const text = words(random, length)
  const kind = random()
  if (kind < 0.05) return `${text} <span data-inlineref-node="${someNode(random, day)}"></span>`
  if (kind < 0.06) return `${text} ${dateSpan(day)}`
  return kind < 0.08 ? `${text} <b>${word(random)}</b> &amp; more` : text
}

/** A note of an earlier day: recent ones are referred to more than old ones. */
function someNode(random: Random, day: number): string {
  const age = 1 + Math.floor(day * random() * random())
  return nodeId(Math.max(0, day - age), Math.floor(random() * 20))
}

function dateSpan(day: number): string {
  const date = new Date(FIRST_DAY + day * DAY).toISOString().slice(0, 10)
  const json = `{&quot;dateTimeString&quot;:&quot;${date}&quot;,&quot;timezone&quot;:&quot;UTC&quot;}`
  return `<span data-inlineref-date="${json}"></span>`
}

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => word(random)).join(' ')
}

function word(random: Random): string {
  // The rank is drawn so that each decade of ranks is as likely as the next.
  const rank = Math.floor(VOCABULARY.length ** random()) - 1
  return VOCABULARY[rank] ?? ''
}

function vocabulary(size: number): readonly string[] {
  const random = generator(11)
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
  const found = new Set<string>()
  while (found.size < size) {
    const syllables = 1 + Math.floor(random() * 3)
    const parts = Array.from({ length: syllables }, () => pick(ONSETS) + pick(VOWELS))
    found.add(`${parts.join('')}${pick(['', 'n', 'r', 's', 'l'])}`)
  }
  return [...found]
}

function generator(seed: number): Random {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 0x1_0000_0000
  }
}

/** Ids look like Tana's: twelve signs that say nothing, here of the day and the number in it. */
function nodeId(day: number, at: number): string {
  const mixed = Math.imul(day * 8192 + at + 1, 0x9e3779b1) >>> 0
  return `${mixed.toString(36).padStart(7, '0')}${(day * 8192 + at).toString(36).padStart(5, '0')}`
}

function tagId(name: string): string {
  return `tag${name}00`
}

function fieldId(name: string): string {
  return `fld${name}00`
}
