/**
 * What a note is worth to a question: how near it is, how alike, how recent, and whether the lens
 * wants its kind. Several questions are blended by their weights. All numbers are in the table.
 */
import { computeCosine } from '../base/byte-vectors.ts'
import { ascending, descending, inOrder } from '../base/order.ts'
import type { Lens } from '../model/lens.ts'
import type { Note } from '../model/note.ts'
import type { ReachedNote, RelevanceScore, ScoredNote } from '../model/note-candidate.ts'

export const NOTES_WEIGHTS = {
  /** Where the workspace has vectors, whether or not a note has one. */
  withVectors: { distance: 0.4, semantic: 0.35, recency: 0.25 },
  withoutVectors: { distance: 0.6, semantic: 0, recency: 0.4 },
  /** Recency halves in so many days. */
  halfLife: 30,
  /** Of a note that does not say when it was written. */
  unknownRecency: 0.5,
  boost: 0.1,
} as const

const DAY = 24 * 60 * 60 * 1000

/** What one query has found. */
export interface QueryFindings {
  readonly weight: number
  readonly reached: readonly ReachedNote[]
  /** Similarity of a note to the query by its id, -1 to 1; absent for a note without a vector. */
  readonly similarity: ReadonlyMap<string, number>
}

export interface NotesScoring {
  readonly lens: Lens
  readonly now: number
  /** Of the workspace, never of one note: scores of two notes must compare. */
  readonly hasVectors: boolean
}

/** Every note that any query has reached, the sources first, then the best first. */
export function scoreNotes(
  findings: readonly QueryFindings[],
  scoring: NotesScoring,
): readonly ScoredNote[] {
  const weights = findings.reduce((sum, it) => sum + it.weight, 0) || 1
  const united = new Map<string, Blend>()
  for (const { weight, reached, similarity } of findings) {
    for (const it of reached) {
      const share = weight / weights
      const plain = plainScore(it, similarity.get(it.note.id), scoring)
      const before = united.get(it.note.id)
      united.set(
        it.note.id,
        blended(before, { best: it, worth: share * sumOf(plain), plain, share }),
      )
    }
  }
  return [...united.values()]
    .map(({ best, parts }) => ({ ...best, score: scoreOf(best.note, parts, scoring) }))
    .toSorted(NOTE_ORDER)
}

const NOTE_ORDER = inOrder<ScoredNote>(
  ascending((it) => (it.distance === 0 ? 0 : 1)),
  // Of what was written within a few minutes, nothing is better for being the last.
  descending((it) => roundedScore(it.score.rank)),
  ascending((it) => it.distance),
  // As its source lists them: chapters of a book, headings of a page.
  ascending((it) => it.order),
  ascending((it) => it.note.id),
)

/** More digits say no more: a document is ordered by what it prints, and by a boost above 1. */
export function roundedScore(score: number): number {
  return Math.round(score * 1e4) / 1e4
}

type Components = RelevanceScore['components']

interface Part {
  readonly share: number
  readonly plain: Components
}

interface Found extends Part {
  readonly best: ReachedNote
  readonly worth: number
}

interface Blend {
  readonly best: ReachedNote
  readonly worth: number
  readonly parts: readonly Part[]
}

/** The nearer way is the one that is told, so that what was asked for stays what was asked for. */
function blended(before: Blend | undefined, found: Found): Blend {
  const parts = [...(before?.parts ?? []), found]
  if (before === undefined) return { ...found, parts }
  const isNearer =
    found.best.distance < before.best.distance ||
    (found.best.distance === before.best.distance && found.worth > before.worth)
  return { ...(isNearer ? found : before), parts }
}

function plainScore(
  { note, distance }: ReachedNote,
  similarity: number | undefined,
  { now, hasVectors }: NotesScoring,
): Components {
  const weights = hasVectors ? NOTES_WEIGHTS.withVectors : NOTES_WEIGHTS.withoutVectors
  return {
    graphDistance: weights.distance / Math.max(1, distance),
    ...(hasVectors ? { semanticSim: weights.semantic * Math.max(0, similarity ?? 0) } : {}),
    recency: weights.recency * recencyOf(note, now),
  }
}

/** 1 now and in the future, half of it a half-life ago. */
export function recencyOf({ modified, created }: Note, now: number): number {
  const at = modified ?? created
  if (at === undefined) return NOTES_WEIGHTS.unknownRecency
  const days = Math.max(0, now - at) / DAY
  return 2 ** (-days / NOTES_WEIGHTS.halfLife)
}

function sumOf({ graphDistance, semanticSim = 0, recency }: Components): number {
  return graphDistance + semanticSim + recency
}

function scoreOf(note: Note, parts: readonly Part[], { lens, hasVectors }: NotesScoring) {
  const total = (of: (it: Components) => number): number =>
    parts.reduce((sum, { share, plain }) => sum + share * of(plain), 0)
  const components: Components = {
    graphDistance: total((it) => it.graphDistance),
    ...(hasVectors ? { semanticSim: total((it) => it.semanticSim ?? 0) } : {}),
    recency: total((it) => it.recency),
  }
  const boost = isBoosted(note, lens) ? NOTES_WEIGHTS.boost : 0
  const rank = sumOf(components) + boost
  return { total: Math.min(1, rank), rank, components, boost }
}

function isBoosted({ tags }: Note, { boostTags }: Lens): boolean {
  const wanted = new Set(boostTags.map((it) => it.toLowerCase()))
  return tags.some((it) => wanted.has(it.toLowerCase()))
}

/** From -1 to 1; 0 where one is all zero or where they are not of one kind. */
export function cosine(a: Float32Array, b: Float32Array): number {
  return a.length === b.length ? computeCosine(a, b) : 0
}
