/**
 * From notes to what hangs on them: breadth first, the shortest way to each note, never more than
 * the caps say. It asks through the port, many notes at a time, and what it finds depends on what
 * the links are and not on how they were asked for.
 */
import { assert } from '../base/assert.ts'
import { ascending, inOrder } from '../base/order.ts'
import type { RelationshipPath } from '../model/context-document.ts'
import type { Note, NoteKind, RelationType } from '../model/note.ts'
import type { ReachedNote } from '../model/note-candidate.ts'
import type { Cut, NotesReader, Surroundings } from '../model/notes-index.ts'

export interface NotesWalkRequest {
  /** Best first. */
  readonly sources: readonly Note[]
  /** The links that are followed. Of two equally short ways, the type that stands first decides. */
  readonly types: readonly RelationType[]
  readonly depth: number
  /** What decides who is looked at where a note has too many neighbours. */
  readonly words: readonly string[]
  readonly caps: NotesWalkCaps
}

export interface NotesWalkCaps {
  /** Neighbours of a source, of one type and direction. */
  readonly perSource: number
  /** Neighbours of any other note, of one type and direction. */
  readonly perType: number
  readonly notes: number
  /** Notes that are asked about at once. */
  readonly batch: number
}

/** More than any budget shows, and as much as one waits for. */
export const NOTES_WALK_CAPS: NotesWalkCaps = {
  perSource: 200,
  perType: 60,
  notes: 2_000,
  batch: 100,
}

/** Where every note is a request to another program. */
export const LIVE_WALK_CAPS: NotesWalkCaps = {
  perSource: 100,
  perType: 30,
  notes: 400,
  batch: 50,
}

export interface NotesWalk {
  /** The sources, then by distance and order. */
  readonly reached: readonly ReachedNote[]
  /** Notes that had more neighbours than were looked at. */
  readonly cuts: readonly NoteCut[]
  /** Whether there was more within the depth than the cap on notes lets in. */
  readonly isCut: boolean
}

export interface NoteCut extends Cut {
  readonly note: Note
}

export type NotesGraph = Pick<NotesReader, 'around' | 'notes'>

export async function walkNotes(graph: NotesGraph, request: NotesWalkRequest): Promise<NotesWalk> {
  const reached = new Map<string, ReachedNote>()
  for (const note of request.sources) {
    if (!reached.has(note.id)) {
      reached.set(note.id, { note, distance: 0, path: [], order: reached.size })
    }
  }
  const cuts: NoteCut[] = []
  // What no walk comes to, and ids that nothing is behind: not asked for a second time.
  const closed = new Set<string>()
  let isCut = false
  let frontier: readonly ReachedNote[] = [...reached.values()]
  for (let hop = 1; hop <= request.depth && frontier.length > 0 && !isCut; hop += 1) {
    const room = request.caps.notes - reached.size
    const { steps, cut, isWhole } = await stepsFrom(graph, frontier, {
      ...request,
      room,
      limit: hop === 1 ? request.caps.perSource : request.caps.perType,
      isKnown: (id) => reached.has(id) || closed.has(id),
    })
    cuts.push(...cut)
    const notes = new Map((await graph.notes(steps.map((it) => it.to))).map((it) => [it.id, it]))
    const open = steps.filter(({ to }) => isTold(notes.get(to)))
    const isAlone = hop === 1 && open.length === 0
    const taken = isAlone ? steps.filter(({ to }) => DEFINITIONS.has(notes.get(to)?.kind)) : open
    const fresh: ReachedNote[] = []
    for (const { to, before, ...how } of taken) {
      const note = notes.get(to)
      assert(note, 'a note behind each step that is taken')
      const step: RelationshipPath = { from: before.note.id, to, ...how }
      const order = reached.size + fresh.length
      fresh.push({ note, distance: hop, path: [...before.path, step], order })
    }
    const isTaken = new Set(taken)
    for (const it of steps) if (!isTaken.has(it)) closed.add(it.to)
    isCut = !isWhole || fresh.length > room
    frontier = fresh.slice(0, Math.max(0, room))
    for (const it of frontier) reached.set(it.note.id, it)
  }
  return { reached: [...reached.values()], cuts, isCut }
}

/**
 * A note says its tags and fields itself, and all notes with the same tag are not for that reason
 * about the same thing. So a definition is walked to only from notes that nothing else hangs on.
 */
const DEFINITIONS: ReadonlySet<NoteKind | undefined> = new Set(['tag', 'field'])

export function isTold(note: Note | undefined): note is Note {
  return note !== undefined && note.kind !== 'system' && !DEFINITIONS.has(note.kind)
}

interface Step {
  readonly to: string
  readonly before: ReachedNote
  readonly type: RelationType
  readonly direction: 'out' | 'in'
}

interface StepsWish extends NotesWalkRequest {
  readonly room: number
  readonly limit: number
  isKnown(id: string): boolean
}

/** The best step to each note that is new, the most wanted types first. */
async function stepsFrom(
  graph: NotesGraph,
  frontier: readonly ReachedNote[],
  wish: StepsWish,
): Promise<{
  readonly steps: readonly Step[]
  readonly cut: readonly NoteCut[]
  readonly isWhole: boolean
}> {
  const { types, caps, words, limit } = wish
  const best = new Map<
    string,
    { readonly step: Step; readonly rank: number; readonly at: number }
  >()
  const cut: NoteCut[] = []
  let at = 0
  let asked = 0
  // Once there is more than room for, the rest of the frontier would be read for nothing.
  while (asked < frontier.length && best.size <= wish.room) {
    const batch = frontier.slice(asked, asked + caps.batch)
    asked += batch.length
    const ids = batch.map((it) => it.note.id)
    const around = await graph.around(ids, { types, limit, words })
    for (const [place, before] of batch.entries()) {
      const { neighbours, cut: more } = surroundingsOf(around, place, before)
      for (const it of more) cut.push({ ...it, note: before.note })
      for (const { id: to, type, direction } of neighbours) {
        const rank = types.indexOf(type)
        at += 1
        if (rank < 0 || wish.isKnown(to)) continue
        const known = best.get(to)
        if (known !== undefined && known.rank <= rank) continue
        best.set(to, { step: { to, before, type, direction }, rank, at })
      }
    }
  }
  const steps = [...best.values()].toSorted(WANTED).map((it) => it.step)
  return { steps, cut, isWhole: asked === frontier.length }
}

/** Each is the first of its rank by its place, so that no two are equal. */
const WANTED = inOrder<{ readonly rank: number; readonly at: number }>(
  ascending((it) => it.rank),
  ascending((it) => it.at),
)

function surroundingsOf(
  around: readonly Surroundings[],
  place: number,
  { note }: ReachedNote,
): Surroundings {
  const found = around[place]
  assert(found?.id === note.id, 'an answer for each note, in the order of the question')
  return found
}
