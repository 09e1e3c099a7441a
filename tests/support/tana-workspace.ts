/**
 * A Tana export from a literal that a person can read. In names and texts `{{id}}` stands for an
 * inline reference and `{{date:2026-01-15}}` for an inline date, as Tana writes them into its own.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMPANY } from './tana-company.ts'

export interface WorkspaceSpec {
  /** The workspace's own id, which its places are named after. */
  readonly id: string
  readonly name: string
  /** Milliseconds since 1970 that `daysAgo` counts back from. */
  readonly now: number
  /** Names of tags, and what each extends. */
  readonly tags: Readonly<Record<string, readonly string[]>>
  readonly fields: readonly FieldSpec[]
  readonly home: readonly NodeSpec[]
  readonly library?: readonly NodeSpec[]
  readonly trash?: readonly NodeSpec[]
}

export interface FieldSpec {
  readonly name: string
  readonly type: keyof typeof FIELD_TYPES
}

export interface NodeSpec {
  readonly id: string
  readonly name: string
  readonly tags?: readonly string[]
  /** By the field's name. A text is a plain value, a boolean a checkbox. */
  readonly fields?: Readonly<Record<string, FieldValue | readonly FieldValue[]>>
  /** A text is the id of somebody else's node: a reference. */
  readonly children?: readonly (NodeSpec | string)[]
  readonly description?: string
  readonly docType?: string
  readonly daysAgo?: number
  /** More of what Tana keeps with a node, such as `_done`. */
  readonly props?: Readonly<Record<string, unknown>>
}

/** `ref`: a node in its own right. */
export type FieldValue = string | boolean | { readonly ref: string }

export interface TanaDoc {
  readonly id: string
  readonly props: Record<string, unknown>
  readonly children?: string[]
  readonly modifiedTs?: number[]
}

export interface TanaExport {
  readonly formatVersion: number
  readonly docs: TanaDoc[]
  readonly editors: readonly (readonly [string, number])[]
  readonly workspaces: Readonly<Record<string, string>>
  readonly currentWorkspaceId: string
}

const FIELD_TYPES = {
  checkbox: 'SYS_D01',
  date: 'SYS_D03',
  reference: 'SYS_D05',
  text: 'SYS_D06',
  number: 'SYS_D08',
  url: 'SYS_D10',
  options: 'SYS_D12',
} as const

const DAY = 86_400_000

/** The export of such a workspace, the small one of a company unless another is given. */
export function tanaWorkspace(spec: WorkspaceSpec = COMPANY): TanaExport {
  const docs: TanaDoc[] = []
  const builder = { spec, docs, made: 0 }
  addPlaces(builder)
  for (const name of Object.keys(spec.tags)) addTag(builder, name)
  for (const field of spec.fields) addField(builder, field)
  addUnder(builder, `${spec.id}_HOME`, spec.home)
  addUnder(builder, `${spec.id}_STASH`, spec.library ?? [])
  addUnder(builder, `${spec.id}_TRASH`, spec.trash ?? [])
  return {
    formatVersion: 1,
    docs,
    editors: [['someone@example.com', 0]],
    workspaces: { [spec.id]: JSON.stringify({ name: spec.name }) },
    currentWorkspaceId: spec.id,
  }
}

/** Writes the export into the folder and gives the path of the file. */
export function writeTanaWorkspace(folder: string, spec: WorkspaceSpec = COMPANY): string {
  const path = join(folder, `${spec.id}.json`)
  writeFileSync(path, JSON.stringify(tanaWorkspace(spec)))
  return path
}

/** What a tag or a field of the workspace is called in the export. */
export function tagId(name: string): string {
  return `tag-${slug(name)}`
}

export function fieldId(name: string): string {
  return `field-${slug(name)}`
}

interface Builder {
  readonly spec: WorkspaceSpec
  readonly docs: TanaDoc[]
  made: number
}

const PLACES = {
  STASH: 'Library',
  SCHEMA: 'Schema',
  TRASH: 'Deleted Nodes',
  CAPTURE_INBOX: 'Inbox',
  USERS: 'Users',
} as const

function addPlaces(builder: Builder): void {
  const { id, name } = builder.spec
  const home = `${id}_HOME`
  const places = Object.keys(PLACES).map((place) => `${id}_${place}`)
  add(builder, { id, name: `Root node for file:${id}` }, { children: [...places, home] })
  for (const [place, label] of Object.entries(PLACES)) {
    const own = `${id}_${place}`
    add(builder, { id: own, name: label }, { owner: id, children: listOf(builder, place) })
  }
  const children = builder.spec.home.map((node) => node.id)
  add(builder, { id: home, name, docType: 'home' }, { owner: id, children })
}

function listOf(builder: Builder, place: string): string[] {
  const { tags, fields, library, trash } = builder.spec
  if (place === 'STASH') return (library ?? []).map((node) => node.id)
  if (place === 'TRASH') return (trash ?? []).map((node) => node.id)
  if (place !== 'SCHEMA') return []
  return [...Object.keys(tags).map(tagId), ...fields.map((field) => fieldId(field.name))]
}

function addTag(builder: Builder, name: string): void {
  const parents = builder.spec.tags[name] ?? []
  add(
    builder,
    { id: tagId(name), name, docType: 'tagDef' },
    { owner: `${builder.spec.id}_SCHEMA`, types: ['SYS_T01', ...parents.map(tagId)] },
  )
}

function addField(builder: Builder, field: FieldSpec): void {
  const id = fieldId(field.name)
  const choice = `${id}-type`
  const node = { id, name: field.name, docType: 'attrDef' }
  const owner = `${builder.spec.id}_SCHEMA`
  add(builder, node, { owner, types: ['SYS_T02'], children: [choice] })
  add(
    builder,
    { id: choice, name: 'typeChoice', docType: 'tuple', props: { _sourceId: 'SYS_A02' } },
    { owner: id, children: ['SYS_T06', FIELD_TYPES[field.type]] },
  )
}

function addUnder(builder: Builder, owner: string, nodes: readonly NodeSpec[]): void {
  for (const node of nodes) addNode(builder, owner, node)
}

function addNode(builder: Builder, owner: string, node: NodeSpec): void {
  const tuples = Object.entries(node.fields ?? {}).map(([name, value]) =>
    addFieldTuple(builder, node.id, { name, values: [value].flat() }),
  )
  const listed = (node.children ?? []).map((it) => (typeof it === 'string' ? it : it.id))
  const types = (node.tags ?? []).map(tagId)
  add(builder, node, { owner, children: [...tuples, ...listed], types })
  for (const child of node.children ?? []) {
    if (typeof child !== 'string') addNode(builder, node.id, child)
  }
}

interface FieldOfNode {
  readonly name: string
  readonly values: readonly FieldValue[]
}

function addFieldTuple(builder: Builder, owner: string, field: FieldOfNode): string {
  const tuple = fresh(builder, owner)
  const values = field.values.map((value) => {
    if (typeof value === 'boolean') return value ? 'SYS_V03' : 'SYS_V04'
    if (typeof value === 'object') return value.ref
    const id = fresh(builder, owner)
    add(builder, { id, name: value }, { owner: tuple })
    return id
  })
  const children = [fieldId(field.name), ...values]
  add(builder, { id: tuple, name: '', docType: 'tuple' }, { owner, children })
  return tuple
}

interface Place {
  readonly owner?: string
  readonly children?: string[]
  /** What the node's metanode says it is: ids of tags. */
  readonly types?: readonly string[]
}

function add(builder: Builder, node: NodeSpec, place: Place): void {
  const changed = builder.spec.now - (node.daysAgo ?? 0) * DAY
  const types = place.types ?? []
  const meta = types.length > 0 ? `${node.id}-meta` : undefined
  const props = {
    created: changed - DAY,
    ...(node.name === '' ? {} : { name: written(node.name) }),
    ...(node.description === undefined ? {} : { description: written(node.description) }),
    ...(place.owner === undefined ? {} : { _ownerId: place.owner }),
    ...(node.docType === undefined ? {} : { _docType: node.docType }),
    ...(meta === undefined ? {} : { _metaNodeId: meta }),
    ...node.props,
  }
  const children = place.children ?? []
  builder.docs.push({
    id: node.id,
    props,
    ...(children.length > 0 ? { children } : {}),
    modifiedTs: [changed],
  })
  if (meta === undefined) return
  const tuple = `${node.id}-types`
  add(builder, { id: meta, name: '', docType: 'metanode' }, { owner: node.id, children: [tuple] })
  const tupleChildren = ['SYS_A13', ...types]
  add(builder, { id: tuple, name: '', docType: 'tuple' }, { owner: meta, children: tupleChildren })
}

function fresh(builder: Builder, owner: string): string {
  builder.made += 1
  return `${owner}-v${builder.made}`
}

function written(text: string): string {
  return text.replace(/\{\{(date:)?([^}]+)\}\}/g, (_all, date: string | undefined, what: string) =>
    date === undefined
      ? `<span data-inlineref-node="${what}"></span>`
      : `<span data-inlineref-date="{&quot;dateTimeString&quot;:&quot;${what}&quot;,&quot;timezone&quot;:&quot;Europe/Zurich&quot;}"></span>`,
  )
}

function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}
