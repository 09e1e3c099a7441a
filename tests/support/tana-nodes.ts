/** A workspace as the Local API shows it: what its lists and its Markdown say of each node. */
import { COMPANY } from './tana-company.ts'
import {
  type FieldValue,
  fieldId,
  type NodeSpec,
  tagId,
  type WorkspaceSpec,
} from './tana-workspace.ts'

export interface ServedNode {
  readonly id: string
  /** With `{{id}}` and `{{date:…}}` in it. */
  readonly written: string
  readonly tags: readonly string[]
  readonly docType: string
  readonly description: string
  readonly created: number
  readonly owner: string | undefined
  readonly children: readonly string[]
  readonly fields: Readonly<Record<string, readonly FieldValue[]>>
  readonly inTrash: boolean
  /** Undefined where there is no checkbox. */
  readonly isDone: boolean | undefined
}

export interface ServedWorkspace {
  readonly id: string
  readonly name: string
  readonly homeNodeId: string
  readonly nodes: ReadonlyMap<string, ServedNode>
  /** Each tag with those that it extends. */
  readonly tags: Readonly<Record<string, readonly string[]>>
  /** Children that a node's Markdown shows as its own though they are somebody else's. */
  readonly claims?: ReadonlyMap<string, readonly string[]>
}

const DAY = 86_400_000

export function servedWorkspace(
  spec: WorkspaceSpec = COMPANY,
  trashed: ReadonlySet<string> = new Set(),
): ServedWorkspace {
  const nodes = new Map<string, ServedNode>()
  const home = `${spec.id}_HOME`
  function add(node: NodeSpec, owner: string | undefined, isInTrash: boolean): void {
    const inTrash = isInTrash || trashed.has(node.id)
    const children = node.children ?? []
    nodes.set(node.id, {
      id: node.id,
      written: node.name,
      tags: node.tags ?? [],
      docType: node.docType ?? 'node',
      description: node.description ?? '',
      created: spec.now - (1 + (node.daysAgo ?? 0)) * DAY,
      owner,
      children: children.map((it) => (typeof it === 'string' ? it : it.id)),
      fields: Object.fromEntries(
        Object.entries(node.fields ?? {}).map(([name, value]) => [name, [value].flat()]),
      ),
      inTrash,
      isDone: node.props?.['_done'] === undefined ? undefined : Boolean(node.props['_done']),
    })
    for (const child of children) if (typeof child !== 'string') add(child, node.id, inTrash)
  }
  const schema = [
    ...Object.keys(spec.tags).map((name) => ({ id: tagId(name), name, docType: 'tagDef' })),
    ...spec.fields.map(({ name }) => ({ id: fieldId(name), name, docType: 'attrDef' })),
  ]
  add({ id: home, name: spec.name, docType: 'home', children: spec.home }, undefined, false)
  add({ id: `${spec.id}_STASH`, name: 'Library', children: spec.library ?? [] }, undefined, false)
  add({ id: `${spec.id}_SCHEMA`, name: 'Schema', children: schema }, undefined, false)
  add({ id: `${spec.id}_CAPTURE_INBOX`, name: 'Inbox' }, undefined, false)
  add(
    { id: `${spec.id}_TRASH`, name: 'Deleted Nodes', children: spec.trash ?? [] },
    undefined,
    true,
  )
  return { id: spec.id, name: spec.name, homeNodeId: home, nodes, tags: spec.tags }
}

/** As lists have it: without marks, references as the names of what they point at. */
export function shownName(workspace: ServedWorkspace, written: string): string {
  return written
    .replace(REFERENCE, (_, date: string | undefined, what: string) =>
      date === undefined ? plainOf(workspace, what) : what,
    )
    .replace(/<\/?b>/g, '')
}

export function childEntry(workspace: ServedWorkspace, node: ServedNode) {
  return {
    id: node.id,
    name: shownName(workspace, node.written),
    tags: node.tags.map((name) => ({ id: tagId(name), name })),
    tagIds: node.tags.map(tagId),
    childCount: node.children.length,
    docType: node.docType,
    ...(node.description === '' ? {} : { description: shownName(workspace, node.description) }),
    created: new Date(node.created).toISOString(),
    inTrash: node.inTrash,
  }
}

export function hitEntry(workspace: ServedWorkspace, node: ServedNode) {
  const { childCount: _, ...entry } = childEntry(workspace, node)
  return { ...entry, breadcrumb: breadcrumbOf(workspace, node), workspaceId: workspace.id }
}

/** One level deep: the node, its fields with their values, and its children. */
export function markdownOf(workspace: ServedWorkspace, node: ServedNode): string {
  const lines = [`- ${lineOf(workspace, node)}`]
  for (const [name, values] of Object.entries(node.fields)) {
    const shown = values.map((value, at) => valueOf(workspace, value, `${node.id}-${name}-${at}`))
    if (shown.length === 1) lines.push(`  - **${name}**: ${shown[0]}`)
    else lines.push(`  - **${name}**:`, ...shown.map((it) => `    - ${it}`))
  }
  const claimed = workspace.claims?.get(node.id) ?? []
  for (const id of node.children) {
    const child = workspace.nodes.get(id)
    const isOwn = child?.owner === node.id || claimed.includes(id)
    const shown = isOwn && child !== undefined ? lineOf(workspace, child) : linkTo(workspace, id)
    lines.push(`  - ${shown}`)
  }
  return `${lines.join('\n')}\n`
}

export function tagMarkdown(workspace: ServedWorkspace, name: string): string {
  const parents = (workspace.tags[name] ?? []).map((it) => `#${it} (id:${tagId(it)})`)
  const extended = parents.length === 0 ? '' : `\nExtends ${parents.join(', ')}`
  return `# Tag definition: ${name} (id:${tagId(name)})${extended}\n\n## Template Fields\n`
}

/** Whom a node points at: in its texts, as children that it does not own, in its fields. */
export function pointsAt(workspace: ServedWorkspace, node: ServedNode): ReadonlySet<string> {
  const texts = `${node.written} ${node.description}`
  const inline = [...texts.matchAll(REFERENCE)].filter((it) => it[1] === undefined)
  const listed = node.children.filter((id) => workspace.nodes.get(id)?.owner !== node.id)
  const values = Object.values(node.fields).flat()
  const refs = values.flatMap((it) => (typeof it === 'object' ? [it.ref] : []))
  return new Set([...inline.map((it) => it[2] ?? ''), ...listed, ...refs])
}

const REFERENCE = /\{\{(date:)?([^}]+)\}\}/g

function plainOf(workspace: ServedWorkspace, id: string): string {
  return shownName(workspace, workspace.nodes.get(id)?.written ?? '')
}

function lineOf(workspace: ServedWorkspace, node: ServedNode): string {
  const name = node.written
    .replace(REFERENCE, (_, date: string | undefined, what: string) =>
      date === undefined ? linkTo(workspace, what) : what,
    )
    .replace(/<\/?b>/g, '**')
  const box = node.isDone === undefined ? '' : node.isDone ? '[x] ' : '[ ] '
  return `${box}${name}${tagsOf(node)} <!-- node-id: ${node.id} -->`
}

function linkTo(workspace: ServedWorkspace, id: string): string {
  const node = workspace.nodes.get(id)
  return `[${plainOf(workspace, id)}${node === undefined ? '' : tagsOf(node)}](tana:${id})`
}

function tagsOf(node: ServedNode): string {
  return node.tags.map((it) => ` #${it.replaceAll(' ', '_')}`).join('')
}

function valueOf(workspace: ServedWorkspace, value: FieldValue, id: string): string {
  if (typeof value === 'boolean') return value ? '[x]' : '[ ]'
  if (typeof value === 'object') return linkTo(workspace, value.ref)
  return `${shownName(workspace, value)} <!-- node-id: ${id} -->`
}

function breadcrumbOf(workspace: ServedWorkspace, node: ServedNode): readonly string[] {
  const path: string[] = []
  for (let at = node.owner; at !== undefined; at = workspace.nodes.get(at)?.owner) {
    path.unshift(plainOf(workspace, at))
  }
  return path
}
