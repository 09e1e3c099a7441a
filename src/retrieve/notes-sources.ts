/**
 * What a query about notes stands for: the note with that id, or else the notes that a topic is
 * about. A topic that is somebody's name means that one and not every line that mentions it.
 */
import { ascending, descending, inOrder } from '../base/order.ts'
import { folded, isStopWord, stemOf, words } from '../base/words.ts'
import type { Note, NoteKind } from '../model/note.ts'
import type { NoteHit, NotesReader } from '../model/notes-index.ts'

export interface NoteSources {
  /** Best first; empty where nothing was found. */
  readonly notes: readonly Note[]
  /** Whether the query was an id. */
  readonly isNode: boolean
  /** What the question is about, to choose among too many by. */
  readonly words: readonly string[]
}

export type NotesFinder = Pick<NotesReader, 'search' | 'notes' | 'nearest'>

/** The vector of a topic is asked for only where the query is no id. */
export async function findNoteSources(
  reader: NotesFinder,
  query: string,
  vectorOf: (topic: string) => Promise<Float32Array | undefined> = async () => undefined,
): Promise<NoteSources> {
  const node = await noteWithId(reader, query)
  if (node !== undefined) return { notes: [node], isNode: true, words: topicWords(node.name) }
  const vector = await vectorOf(query)
  const hits = await reader.search({ text: query, limit: SOURCES.looked })
  const near = vector === undefined ? [] : await reader.nearest(vector, SOURCES.looked)
  const found = near.length === 0 ? hits : fused([hits, near])
  return { notes: await chosen(reader, query, found), isNode: false, words: topicWords(query) }
}

/** All numbers of the choice. */
const SOURCES = {
  /** Hits that are looked at, and at most so many of them are sources. */
  looked: 30,
  most: 10,
  /** Of a hit's score, what remains where its name says nothing of the query. */
  unnamed: 0.4,
  /** A source stands at least so near to the best one. */
  closeness: 0.75,
  /** Definitions tell how notes are made, seldom what was asked for. */
  definition: 0.5,
  /** How much the first places of a ranking stand out where two are fused. */
  smoothing: 20,
} as const

async function noteWithId(reader: NotesFinder, query: string): Promise<Note | undefined> {
  const ids = [...new Set([query, query.trim()])].filter((id) => id !== '')
  const found = await reader.notes(ids)
  return found.find((it) => it.kind !== 'system')
}

/** The words that tell something, each once. */
function topicWords(text: string): readonly string[] {
  const all = words(text)
  const telling = all.filter((it) => !isStopWord(it))
  return [...new Set((telling.length === 0 ? all : telling).map(folded))].slice(0, MOST_WORDS)
}

/** A name can be a whole paragraph. */
const MOST_WORDS = 24

interface Standing {
  readonly note: Note
  readonly about: number
  readonly standing: number
}

async function chosen(
  reader: NotesFinder,
  query: string,
  hits: readonly NoteHit[],
): Promise<readonly Note[]> {
  const notes = new Map((await reader.notes(hits.map((it) => it.id))).map((it) => [it.id, it]))
  const most = hits.reduce((best, it) => Math.max(best, it.score), 0)
  const wanted = stemsOf(query)
  const standings = hits.flatMap(({ id, score }): readonly Standing[] => {
    const note = notes.get(id)
    if (note === undefined || note.kind === 'system') return []
    const about = aboutness(wanted, note)
    const relative = most > 0 ? Math.max(0, score) / most : 1
    return [{ note, about, standing: relative * (SOURCES.unnamed + (1 - SOURCES.unnamed) * about) }]
  })
  const named = standings.filter((it) => it.about === 1)
  const ranked = (named.length > 0 ? named : standings).toSorted(BEST_STANDING)
  const least = named.length > 0 ? 0 : SOURCES.closeness * (ranked[0]?.standing ?? 0)
  return ranked
    .filter((it) => it.standing >= least)
    .slice(0, SOURCES.most)
    .toSorted(BEST_SOURCE)
    .map((it) => it.note)
}

const BEST_STANDING = inOrder<Standing>(
  descending((it) => it.standing),
  ascending((it) => it.note.id),
)

/** A line that mentions the topic may be shorter, and so nearer to it, than what the topic is about. */
const BEST_SOURCE = inOrder<Standing>(
  descending(({ note }) => (note.tags.length > 0 || note.fields.length > 0 ? 1 : 0)),
  BEST_STANDING,
)

/** By whichever of its names says most of the query. */
function aboutness(wanted: ReadonlySet<string>, note: Note): number {
  const aliases = note.fields
    .filter((it) => ALIAS.test(it.name))
    .flatMap((it) => it.values.flatMap(({ text }) => text.split(',')))
  return Math.max(...[note.name, ...aliases].map((name) => said(wanted, { ...note, name })))
}

const ALIAS = /^alias(?:es)?$/i

/** 1 where name and tags say the query and nothing else, 0 where they say nothing of it. */
function said(wanted: ReadonlySet<string>, { name, tags, kind }: Note): number {
  const own = stemsOf(name)
  const labels = stemsOf(tags.join(' '))
  const found = [...wanted].filter((it) => own.has(it) || labels.has(it)).length
  const shared = [...own].filter((it) => wanted.has(it)).length
  if (found === 0 || shared === 0) return 0
  const covered = found / wanted.size
  const exact = shared / own.size
  const both = (2 * covered * exact) / (covered + exact)
  return DEFINITIONS.has(kind) ? both * SOURCES.definition : both
}

const DEFINITIONS: ReadonlySet<NoteKind> = new Set(['tag', 'field', 'search'])

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(topicWords(text).map(stemOf))
}

/** By their places in either ranking: scores of different kinds do not add up. */
function fused(rankings: readonly (readonly NoteHit[])[]): readonly NoteHit[] {
  const sums = new Map<string, number>()
  for (const ranking of rankings) {
    for (const [place, { id }] of ranking.entries()) {
      sums.set(id, (sums.get(id) ?? 0) + 1 / (SOURCES.smoothing + place + 1))
    }
  }
  return [...sums].map(([id, score]) => ({ id, score }))
}
