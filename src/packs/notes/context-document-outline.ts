/**
 * The outlines of notes: their children and what is below those, whatever links a lens follows,
 * because the text of an outline is in its children. A child that is a single line belongs to the
 * outline of its parent; a child with more content is a separate note of the document, and its text
 * is not repeated.
 */
import { assert } from '../../base/assert.ts'
import { type OutlineItem, outlineLines } from '../../format/note-outline.ts'
import { grouped, linesIn } from '../../format/note-text.ts'
import type { NotesRequest } from '../../model/context-document.ts'
import type { Note } from '../../model/note.ts'
import type { OutlineLine, ScoredNote } from '../../model/note-candidate.ts'
import type { NoteBackend, NotesReader } from '../../model/notes-index.ts'
import { isTold, type NoteCut, type NotesWalkCaps } from '../../traverse/notes-walk.ts'
import type { EnrichedNote } from './context-document-notes.ts'

export interface OutlinesRequest {
  readonly scored: readonly ScoredNote[]
  readonly notes: ReadonlyMap<string, EnrichedNote>
  readonly request: Pick<NotesRequest, 'format' | 'maxTokens'>
  readonly words: readonly string[]
  readonly caps: NotesWalkCaps
  /** Cuts that the document reports elsewhere. */
  readonly cuts: readonly NoteCut[]
}

export interface Outlines {
  /** By the id of the parent note. */
  readonly lines: ReadonlyMap<string, readonly OutlineLine[]>
  /** Notes that are lines of another note's outline and are not shown separately. */
  readonly within: ReadonlySet<string>
  /** Whether the caps cut something off. */
  readonly isCut: boolean
}

/**
 * How many of the best notes get an outline; with a running program each costs at least one
 * request.
 */
const MAX_OUTLINES: Readonly<Record<NoteBackend, number>> = { sqlite: 400, 'local-api': 40 }

/** Notes beyond this share of the budget are never shown with contents. */
const TOKENS_PER_OUTLINE = 20
const NO_LINES: ReadonlySet<string> = new Set()

/** Levels read below a note, by its distance: distant notes are less relevant. */
const LEVELS: readonly number[] = [6, 4, 2]
const MIN_LEVELS = 1

export async function buildOutlines(
  reader: NotesReader,
  request: OutlinesRequest,
): Promise<Outlines> {
  const { scored, notes } = request
  const { format, maxTokens } = request.request
  const most = Math.min(MAX_OUTLINES[reader.backend], Math.ceil(maxTokens / TOKENS_PER_OUTLINE))
  const heads = scored.filter((it) => !isLineBelow(it, notes)).slice(0, most)
  const forest = await collectChildren(reader, heads, request)
  const scores = new Map(scored.map((it) => [it.note.id, roundScore(it.score.total)]))
  const within = new Set<string>()
  const itemsBelow = (id: string): readonly OutlineItem[] => {
    const own = notes.get(id)?.content ?? ''
    const said = own === '' ? NO_LINES : linesIn(own)
    const items: OutlineItem[] = []
    for (const note of forest.children.get(id) ?? []) {
      if (forest.heads.has(note.id)) continue
      within.add(note.id)
      const { name, tags, content } = note
      const score = scores.get(note.id) ?? 0
      const item = { name, tags, content, score, items: itemsBelow(note.id) }
      if (!isRepeated(item, said)) items.push(item)
    }
    return [...dropRepeatedItems(items), ...createMoreItem(forest.more.get(id) ?? 0)]
  }
  const lines = heads.map(({ note: { id } }) => {
    const items = itemsBelow(id)
    const isSilent = items.length === 0 && notes.get(id)?.content === ''
    const named = isSilent && format === 'json' ? listHeadNames(id, forest, notes) : []
    return [id, outlineLines([...items, ...named])] as const
  })
  return { lines: new Map(lines), within, isCut: forest.isCut }
}

/** Rounded, so that lines with about the same score keep their order. */
function roundScore(score: number): number {
  return Math.round(score * 100) / 100
}

/** A line of text, or a block of code, that was reached from the note that it is below. */
function isLineBelow({ note, path }: ScoredNote, notes: OutlinesRequest['notes']): boolean {
  const own = notes.get(note.id)
  if (own === undefined || path.at(-1)?.type !== 'child') return false
  const isCode = note.kind === 'code' && own.tags.length === 0 && own.fields === undefined
  return own.isPlain || isCode
}

interface ChildTree {
  /** Ids of notes that are shown as separate notes. */
  readonly heads: ReadonlySet<string>
  readonly children: ReadonlyMap<string, readonly Note[]>
  /** Number of children of a note that were not read. */
  readonly more: ReadonlyMap<string, number>
  readonly isCut: boolean
}

/** Parents are shown only as location, without their other children. */
function levelsBelow({ distance, path }: ScoredNote): number {
  if (path.at(-1)?.type === 'parent') return MIN_LEVELS
  return LEVELS[distance] ?? MIN_LEVELS
}

/** A note whose children are to be read. */
interface OpenedNote {
  readonly note: Note
  /** Maximum number of children. */
  readonly limit: number
  /** Levels left to read, including this one. */
  readonly levels: number
}

/** Breadth first, starting with the best notes. */
async function collectChildren(
  reader: NotesReader,
  best: readonly ScoredNote[],
  { scored, notes, words, caps, cuts }: OutlinesRequest,
): Promise<ChildTree> {
  const heads = new Set(scored.filter((it) => !isLineBelow(it, notes)).map((it) => it.note.id))
  const known = new Set(heads)
  const read = new Map(scored.map((it) => [it.note.id, it.note]))
  const saidElsewhere = new Set(cuts.filter((it) => it.type === 'child').map((it) => it.note.id))
  const children = new Map<string, readonly Note[]>()
  const more = new Map<string, number>()
  let room = caps.notes
  let level: readonly OpenedNote[] = best.map((it) => ({
    note: it.note,
    limit: it.distance === 0 ? caps.perSource : caps.perType,
    levels: levelsBelow(it),
  }))
  while (level.length > 0 && room > 0) {
    const below: OpenedNote[] = []
    for (let at = 0; at < level.length && room > 0; at += caps.batch) {
      const batch = level.slice(at, at + caps.batch)
      for (const found of await loadChildren(reader, batch, { words, read })) {
        const { id } = found.opened.note
        const fresh = found.children.filter((it) => heads.has(it.id) || !known.has(it.id))
        children.set(id, fresh)
        if (!saidElsewhere.has(id)) more.set(id, found.more)
        room -= fresh.length
        for (const note of fresh) {
          if (known.has(note.id)) continue
          known.add(note.id)
          const levels = found.opened.levels - 1
          if (levels > 0) below.push({ note, limit: caps.perType, levels })
        }
      }
    }
    level = below
  }
  return { heads, children, more, isCut: level.length > 0 }
}

interface FoundChildren {
  readonly opened: OpenedNote
  readonly children: readonly Note[]
  readonly more: number
}

async function loadChildren(
  reader: NotesReader,
  batch: readonly OpenedNote[],
  { words, read }: { readonly words: readonly string[]; readonly read: ReadonlyMap<string, Note> },
): Promise<readonly FoundChildren[]> {
  const all: FoundChildren[] = []
  for (const limit of new Set(batch.map((it) => it.limit))) {
    const asked = batch.filter((it) => it.limit === limit)
    const ids = asked.map((it) => it.note.id)
    const around = await reader.around(ids, { types: ['child'], limit, words })
    const wanted = around.flatMap((it) => it.neighbours.map(({ id }) => id))
    const unread = await reader.notes(wanted.filter((id) => !read.has(id)))
    const notes = new Map(unread.map((it) => [it.id, it]))
    for (const [place, opened] of asked.entries()) {
      const found = around[place]
      assert(found?.id === opened.note.id, 'an answer for each note, in the order of the question')
      const children = found.neighbours.flatMap(({ id }) => read.get(id) ?? notes.get(id) ?? [])
      const more = found.cut.reduce((sum, it) => sum + it.total - it.given, 0)
      all.push({ opened, children: children.filter(isTold), more })
    }
  }
  return all
}

export function formatOutlinesCut(most: number): string {
  return `The outlines below these notes were read up to ${grouped(most)} lines; there are more.`
}

function createMoreItem(count: number): readonly OutlineItem[] {
  const name = `… (${grouped(count)} more)`
  return count === 0 ? [] : [{ name, tags: [], content: '', score: 0, items: [] }]
}

/** A referenced block is a child of its page and also part of the text of the page. */
function isRepeated({ name, content, items }: OutlineItem, said: ReadonlySet<string>): boolean {
  return items.length === 0 && content === '' && said.has(name)
}

/** Keeps the first of several equal lines without children. */
function dropRepeatedItems(items: readonly OutlineItem[]): readonly OutlineItem[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    if (item.items.length > 0) return true
    const key = JSON.stringify([item.name, item.content, item.tags])
    return !seen.has(key) && seen.add(key)
  })
}

/**
 * If all children of a note are separate notes of the document, lists their names. In Markdown
 * their headings show it.
 */
function listHeadNames(
  id: string,
  { children, heads }: ChildTree,
  notes: OutlinesRequest['notes'],
): readonly OutlineItem[] {
  return (children.get(id) ?? []).flatMap((child) => {
    const own = notes.get(child.id)
    if (!heads.has(child.id) || own === undefined || own.isPlain) return []
    return [{ name: own.name, tags: own.tags, content: '', score: 0, items: [] }]
  })
}
