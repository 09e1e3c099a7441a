/**
 * Builds a note and its links from what the views know of a node: its summary, its Markdown, its
 * children. Sends no requests.
 */
import type { Note, NoteField, NoteRecord } from '../../../model/note.ts'
import type { LiveSummary } from './client.ts'
import { type ParsedLine, stripMarkup } from './markdown.ts'
import type { LiveViews } from './views.ts'

/** The owner of a node. */
export interface NodeOwner {
  readonly id: string
  /** The line of the owner's Markdown that shows it. */
  readonly line?: ParsedLine
}

export type NodeOwners = ReadonlyMap<string, NodeOwner>

/** Whether the summary of a node is complete: it has no children, and its text is its name. */
export function isPlain(summary: LiveSummary | undefined): boolean {
  return summary?.childCount === 0 && summary.tags.length === 0
}

/** Whether the node is in the trash, is not a note, or is a system node. */
export function isHidden(views: LiveViews, id: string): boolean {
  const kind = views.kind(id)
  return views.summary(id)?.inTrash === true || kind === undefined || kind === 'system'
}

/** Undefined if there is nothing to show. */
export function buildRecord(
  views: LiveViews,
  id: string,
  owners: NodeOwners,
): NoteRecord | undefined {
  const summary = views.summary(id)
  const text = views.text(id)
  const kind = views.kind(id)
  if (text === 'absent' || text === 'poison' || kind === undefined) return undefined
  if (summary?.inTrash === true || (text === undefined && summary === undefined)) return undefined
  const owner = owners.get(id)
  const node = views.node(id)
  const code = kind === 'code' ? findCode(views, id) : undefined
  const note: Note = {
    id,
    name: code?.name ?? node?.name ?? owner?.line?.name ?? stripMarkup(summary?.name ?? ''),
    kind,
    content: buildContent(views, id, code),
    tags: views.tags(id) ?? node?.tags ?? [],
    fields: [...buildExtendsField(views, id), ...(node?.fields ?? [])],
    ...(summary?.created === undefined ? {} : { created: summary.created }),
    ...(owner === undefined ? {} : { parent: owner.id }),
  }
  return { ...note, children: listOwned(views, id), references: listReferenced(views, id, owners) }
}

/** The owned children in order, then owned values of its fields. */
export function listOwned(views: LiveViews, id: string): readonly string[] {
  const node = views.node(id)
  const listing = views.listing(id)
  const lines = node?.lines ?? []
  const foreign = new Set(lines.filter((it) => !it.isOwned).map((it) => it.id))
  const listed = listing?.children.map((it) => it.id) ?? lines.map((it) => it.id)
  const owned = listed.filter((it) => it !== undefined && !foreign.has(it))
  const all = new Set([...owned, ...(node?.ownedValues ?? [])])
  return [...all].filter((it): it is string => isReferenceToOther(views, id, it))
}

/** Each owned child with the line that shows it. */
export function mapOwnership(views: LiveViews, id: string): ReadonlyMap<string, NodeOwner> {
  const lines = new Map(views.node(id)?.lines.map((it) => [it.id, it]))
  return new Map(
    listOwned(views, id).map((child) => {
      const line = lines.get(child)
      return [child, line === undefined ? { id } : { id, line }]
    }),
  )
}

function listReferenced(views: LiveViews, id: string, owners: NodeOwners): readonly string[] {
  const node = views.node(id)
  const own = node?.references ?? owners.get(id)?.line?.references ?? []
  const listed = (node?.lines ?? []).filter((it) => !it.isOwned).map((it) => it.id)
  // The tag of a note is written on its line like a reference.
  const tags = views.summary(id)?.tags.map((it) => it.id) ?? []
  return [...new Set([...own, ...listed, ...tags])].filter((it): it is string =>
    isReferenceToOther(views, id, it),
  )
}

function isReferenceToOther(views: LiveViews, id: string, other: string | undefined): boolean {
  return other !== undefined && other !== id && !isHidden(views, other)
}

function buildExtendsField(views: LiveViews, id: string): readonly NoteField[] {
  const tags = views.kind(id) === 'tag' ? views.extended(id) : []
  if (tags.length === 0) return []
  return [{ name: 'Extends', values: tags.map((it) => ({ text: it.name, target: it.id })) }]
}

interface CodeText {
  /** The first line that is not empty. */
  readonly name: string
  readonly fenced: string
}

/** The whole code is the node's name. */
function findCode(views: LiveViews, id: string): CodeText | undefined {
  const text = views.text(id)
  const written = typeof text === 'object' ? text.name : undefined
  const code = (written ?? views.summary(id)?.name ?? '').trimEnd()
  if (code === '') return undefined
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map((it) => it[0].length))
  const fence = '`'.repeat(longest + 1)
  const name = code.split('\n').find((it) => it.trim() !== '') ?? ''
  return { name: name.trim(), fenced: `${fence}\n${code}\n${fence}` }
}

/** Its description, its code or the text below its name, and lines that are not known children. */
function buildContent(views: LiveViews, id: string, code: CodeText | undefined): string {
  const node = views.node(id)
  const text = views.text(id)
  const written = typeof text === 'object' ? text.description : ''
  const description = written || (views.summary(id)?.description ?? '')
  const names = new Set(views.listing(id)?.children.map((it) => stripMarkup(it.name)))
  const loose = (node?.lines ?? [])
    .filter((it) => it.id === undefined && it.name !== '' && !names.has(it.name))
    .map((it) => `- ${it.name}`)
  const parts = [stripMarkup(description), code?.fenced ?? node?.content ?? '', loose.join('\n')]
  return parts.filter((it) => it !== '').join('\n\n')
}
