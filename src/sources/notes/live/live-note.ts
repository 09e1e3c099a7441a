/**
 * A note and what it leads to, put together from all that the views know of a node: its line in a
 * list, its Markdown, its children. Asks for nothing.
 */
import type { Note, NoteField, NoteRecord } from '../../../model/note.ts'
import type { LiveSummary } from './client.ts'
import { plainName, type ReadLine } from './markdown.ts'
import type { LiveViews } from './views.ts'

/** Whom a node was found with. */
export interface Owner {
  readonly id: string
  /** How its owner's Markdown shows it. */
  readonly line?: ReadLine
}

export type Owners = ReadonlyMap<string, Owner>

/** A node that a list says all of: nothing hangs on it, and its text is its name. */
export function isPlain(summary: LiveSummary | undefined): boolean {
  return summary?.childCount === 0 && summary.tags.length === 0
}

/** Whether it is known to be in the trash, or no note at all, or a place of the program's own. */
export function isHidden(views: LiveViews, id: string): boolean {
  const kind = views.kind(id)
  return views.summary(id)?.inTrash === true || kind === undefined || kind === 'system'
}

/** Undefined where there is nothing that can be shown. */
export function recordOf(views: LiveViews, id: string, owners: Owners): NoteRecord | undefined {
  const summary = views.summary(id)
  const text = views.text(id)
  const kind = views.kind(id)
  if (text === 'absent' || text === 'poison' || kind === undefined) return undefined
  if (summary?.inTrash === true || (text === undefined && summary === undefined)) return undefined
  const owner = owners.get(id)
  const node = views.node(id)
  const code = kind === 'code' ? codeOf(views, id) : undefined
  const note: Note = {
    id,
    name: code?.name ?? node?.name ?? owner?.line?.name ?? plainName(summary?.name ?? ''),
    kind,
    content: contentOf(views, id, code),
    tags: views.tags(id) ?? node?.tags ?? [],
    fields: [...extendsField(views, id), ...(node?.fields ?? [])],
    ...(summary?.created === undefined ? {} : { created: summary.created }),
    ...(owner === undefined ? {} : { parent: owner.id }),
  }
  return { ...note, children: ownedBy(views, id), references: pointedAt(views, id, owners) }
}

/** The children that it owns, in their order, then values of its fields that nobody else owns. */
export function ownedBy(views: LiveViews, id: string): readonly string[] {
  const node = views.node(id)
  const listing = views.listing(id)
  const lines = node?.lines ?? []
  const foreign = new Set(lines.filter((it) => !it.isOwned).map((it) => it.id))
  const listed = listing?.children.map((it) => it.id) ?? lines.map((it) => it.id)
  const owned = listed.filter((it) => it !== undefined && !foreign.has(it))
  const all = new Set([...owned, ...(node?.ownedValues ?? [])])
  return [...all].filter((it): it is string => isOther(views, id, it))
}

/** Each child with the line that shows it, for whoever keeps account of owners. */
export function ownershipOf(views: LiveViews, id: string): ReadonlyMap<string, Owner> {
  const lines = new Map(views.node(id)?.lines.map((it) => [it.id, it]))
  return new Map(
    ownedBy(views, id).map((child) => {
      const line = lines.get(child)
      return [child, line === undefined ? { id } : { id, line }]
    }),
  )
}

function pointedAt(views: LiveViews, id: string, owners: Owners): readonly string[] {
  const node = views.node(id)
  const own = node?.references ?? owners.get(id)?.line?.references ?? []
  const listed = (node?.lines ?? []).filter((it) => !it.isOwned).map((it) => it.id)
  // On the line of a note stands its tag, as a reference would.
  const tags = views.summary(id)?.tags.map((it) => it.id) ?? []
  return [...new Set([...own, ...listed, ...tags])].filter((it): it is string =>
    isOther(views, id, it),
  )
}

function isOther(views: LiveViews, id: string, other: string | undefined): boolean {
  return other !== undefined && other !== id && !isHidden(views, other)
}

function extendsField(views: LiveViews, id: string): readonly NoteField[] {
  const tags = views.kind(id) === 'tag' ? views.extended(id) : []
  if (tags.length === 0) return []
  return [{ name: 'Extends', values: tags.map((it) => ({ text: it.name, target: it.id })) }]
}

interface Code {
  /** The first line that is not empty. */
  readonly name: string
  readonly fenced: string
}

/** All of its code is the node's name. */
function codeOf(views: LiveViews, id: string): Code | undefined {
  const text = views.text(id)
  const written = typeof text === 'object' ? text.name : undefined
  const code = (written ?? views.summary(id)?.name ?? '').trimEnd()
  if (code === '') return undefined
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map((it) => it[0].length))
  const fence = '`'.repeat(longest + 1)
  const name = code.split('\n').find((it) => it.trim() !== '') ?? ''
  return { name: name.trim(), fenced: `${fence}\n${code}\n${fence}` }
}

/** Its description, its code or what stands below its name, and lines that are no child we know. */
function contentOf(views: LiveViews, id: string, code: Code | undefined): string {
  const node = views.node(id)
  const text = views.text(id)
  const written = typeof text === 'object' ? text.description : ''
  const description = written || (views.summary(id)?.description ?? '')
  const names = new Set(views.listing(id)?.children.map((it) => plainName(it.name)))
  const loose = (node?.lines ?? [])
    .filter((it) => it.id === undefined && it.name !== '' && !names.has(it.name))
    .map((it) => `- ${it.name}`)
  const parts = [plainName(description), code?.fenced ?? node?.content ?? '', loose.join('\n')]
  return parts.filter((it) => it !== '').join('\n\n')
}
