/**
 * The outlines of notes: their children and what is below those, whatever links a lens follows,
 * since the text of an outline lives in its children. A child that is nothing but a line belongs to
 * the outline of the note that it is below; one that says more is a note of the document itself,
 * and its text is not repeated.
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
  /** Cuts that the document says elsewhere. */
  readonly cuts: readonly NoteCut[]
}

export interface Outlines {
  /** By the id of the note that they are below. */
  readonly lines: ReadonlyMap<string, readonly OutlineLine[]>
  /** Notes that are lines of another one's outline, and so need no place of their own. */
  readonly within: ReadonlySet<string>
  /** Whether there is more below the notes than the caps let in. */
  readonly isCut: boolean
}

/** Notes whose outlines are read, the best first; of a running program, each is a request or more. */
const MOST_OUTLINES: Readonly<Record<NoteBackend, number>> = { sqlite: 400, 'local-api': 40 }

/** More notes than this share of the budget lets in are not shown with contents. */
const TOKENS_PER_OUTLINE = 20
const NO_LINES: ReadonlySet<string> = new Set()

/** Levels below a note, by its distance. The farther it is, the less it is about what was asked. */
const LEVELS: readonly number[] = [6, 4, 2]
const LEAST_LEVELS = 1

export async function outlinesOf(reader: NotesReader, request: OutlinesRequest): Promise<Outlines> {
  const { scored, notes } = request
  const { format, maxTokens } = request.request
  const most = Math.min(MOST_OUTLINES[reader.backend], Math.ceil(maxTokens / TOKENS_PER_OUTLINE))
  const heads = scored.filter((it) => !isLineBelow(it, notes)).slice(0, most)
  const forest = await childrenBelow(reader, heads, request)
  const scores = new Map(scored.map((it) => [it.note.id, coarse(it.score.total)]))
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
    return [...withoutRepetition(items), ...moreBelow(forest.more.get(id) ?? 0)]
  }
  const lines = heads.map(({ note: { id } }) => {
    const items = itemsBelow(id)
    const isSilent = items.length === 0 && notes.get(id)?.content === ''
    const named = isSilent && format === 'json' ? namesBelow(id, forest, notes) : []
    return [id, outlineLines([...items, ...named])] as const
  })
  return { lines: new Map(lines), within, isCut: forest.isCut }
}

/** Lines that were written at about the same time are read from the first to the last. */
function coarse(score: number): number {
  return Math.round(score * 100) / 100
}

/** A line of text, or a block of code, that was reached from the note that it is below. */
function isLineBelow({ note, path }: ScoredNote, notes: OutlinesRequest['notes']): boolean {
  const own = notes.get(note.id)
  if (own === undefined || path.at(-1)?.type !== 'child') return false
  const isCode = note.kind === 'code' && own.tags.length === 0 && own.fields === undefined
  return own.isPlain || isCode
}

interface Forest {
  /** Ids of notes that are shown by themselves. */
  readonly heads: ReadonlySet<string>
  readonly children: ReadonlyMap<string, readonly Note[]>
  /** How many more children a note has than were looked at. */
  readonly more: ReadonlyMap<string, number>
  readonly isCut: boolean
}

/** What a note is part of is there to say where it is, not to tell all that is beside it. */
function levelsBelow({ distance, path }: ScoredNote): number {
  if (path.at(-1)?.type === 'parent') return LEAST_LEVELS
  return LEVELS[distance] ?? LEAST_LEVELS
}

/** A note whose children are wanted. */
interface Opened {
  readonly note: Note
  /** How many of them at most. */
  readonly limit: number
  /** Levels that are still to be opened, this one included. */
  readonly levels: number
}

/** Level by level, the children of the best notes first. */
async function childrenBelow(
  reader: NotesReader,
  best: readonly ScoredNote[],
  { scored, notes, words, caps, cuts }: OutlinesRequest,
): Promise<Forest> {
  const heads = new Set(scored.filter((it) => !isLineBelow(it, notes)).map((it) => it.note.id))
  const known = new Set(heads)
  const read = new Map(scored.map((it) => [it.note.id, it.note]))
  const saidElsewhere = new Set(cuts.filter((it) => it.type === 'child').map((it) => it.note.id))
  const children = new Map<string, readonly Note[]>()
  const more = new Map<string, number>()
  let room = caps.notes
  let level: readonly Opened[] = best.map((it) => ({
    note: it.note,
    limit: it.distance === 0 ? caps.perSource : caps.perType,
    levels: levelsBelow(it),
  }))
  while (level.length > 0 && room > 0) {
    const below: Opened[] = []
    for (let at = 0; at < level.length && room > 0; at += caps.batch) {
      const batch = level.slice(at, at + caps.batch)
      for (const found of await childrenOf(reader, batch, { words, read })) {
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
  readonly opened: Opened
  readonly children: readonly Note[]
  readonly more: number
}

async function childrenOf(
  reader: NotesReader,
  batch: readonly Opened[],
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

export function outlinesCutWords(most: number): string {
  return `The outlines below these notes were read up to ${grouped(most)} lines; there are more.`
}

function moreBelow(count: number): readonly OutlineItem[] {
  const name = `… (${grouped(count)} more)`
  return count === 0 ? [] : [{ name, tags: [], content: '', score: 0, items: [] }]
}

/** A block that others refer to is a child of its page, and is in the text of the page as well. */
function isRepeated({ name, content, items }: OutlineItem, said: ReadonlySet<string>): boolean {
  return items.length === 0 && content === '' && said.has(name)
}

/** Of lines that are the same and have nothing below them, the first. */
function withoutRepetition(items: readonly OutlineItem[]): readonly OutlineItem[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    if (item.items.length > 0) return true
    const key = JSON.stringify([item.name, item.content, item.tags])
    return !seen.has(key) && seen.add(key)
  })
}

/**
 * Where all that a note has are notes of the document, their names say what it holds. In Markdown
 * their headings do.
 */
function namesBelow(
  id: string,
  { children, heads }: Forest,
  notes: OutlinesRequest['notes'],
): readonly OutlineItem[] {
  return (children.get(id) ?? []).flatMap((child) => {
    const own = notes.get(child.id)
    if (!heads.has(child.id) || own === undefined || own.isPlain) return []
    return [{ name: own.name, tags: own.tags, content: '', score: 0, items: [] }]
  })
}
