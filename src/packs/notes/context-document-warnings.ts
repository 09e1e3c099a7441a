/** What a document has less of than was asked for, in sentences, the most important first. */
import { ascending, descending, inOrder } from '../../base/order.ts'
import { counted } from '../../base/text.ts'
import { cutWords } from '../../format/context-document-words.ts'
import { titleOf } from '../../format/note-text.ts'
import type { NotesRequest, WeightedQuery } from '../../model/context-document.ts'
import type { NotesStatus } from '../../model/notes-index.ts'
import type { NoteSources } from '../../retrieve/notes-sources.ts'
import type { NoteCut, NotesWalk } from '../../traverse/notes-walk.ts'
import { LEAST_FOR_CONTENTS } from './context-document-fit.ts'
import { type PassedLinks, passedWords } from './passed-links.ts'

/** What one query has led to. */
export interface QueryFinding {
  readonly query: WeightedQuery
  readonly sources: NoteSources
  readonly walk: NotesWalk
  /** Where nothing but the sources was reached: their links that the lens does not follow. */
  readonly passed: PassedLinks | undefined
}

export interface WarningsRequest {
  readonly request: NotesRequest
  readonly status: NotesStatus
  /** Whether there are names alone. */
  readonly isSummary: boolean
}

export function warningsOf(
  found: readonly QueryFinding[],
  { request, status, isSummary }: WarningsRequest,
): readonly string[] {
  const { lens, depth, maxTokens } = request
  return [
    ...(isSummary
      ? [`${maxTokens} tokens are fewer than ${LEAST_FOR_CONTENTS}: names alone, no contents.`]
      : []),
    ...(depth > lens.maxDepth
      ? [`Depth ${depth} was asked for; the ${lens.name} lens goes to ${lens.maxDepth}.`]
      : []),
    ...found.flatMap((it) => missing(it, request, status)),
    ...found.flatMap(({ passed }) => (passed === undefined ? [] : [passedWords(lens, passed)])),
    ...cutWarnings(
      found.flatMap((it) => it.walk.cuts),
      isSummary ? 0 : MOST_CUTS,
    ),
    ...(found.some((it) => it.walk.isCut)
      ? ['There is more within this depth than was looked at: a smaller depth sees all of it.']
      : []),
  ]
}

const LONGEST_QUERY = 60

function missing(
  { query, sources }: QueryFinding,
  { workspace }: NotesRequest,
  { notes }: NotesStatus,
): readonly string[] {
  if (sources.notes.length > 0) return []
  const tip =
    notes === 0
      ? `Workspace ${workspace} has no notes: import some first.`
      : 'Try fewer or other words, the id of a note, or another workspace.'
  return [`Nothing was found for "${titleOf(query.text, LONGEST_QUERY)}". ${tip}`]
}

/** Each costs a line; the largest tell enough. */
const MOST_CUTS = 3

function cutWarnings(cuts: readonly NoteCut[], most: number): readonly string[] {
  const each = new Map(cuts.map((it) => [`${it.note.id} ${it.type} ${it.direction}`, it]))
  const largest = [...each.values()].toSorted(LARGEST_CUT)
  const told = largest.slice(0, most).map((it) => cutWords(it.note.name, it))
  const notes = new Set(largest.slice(most).map((it) => it.note.id)).size
  if (notes === 0) return told
  const others = counted(notes, told.length === 0 ? 'note' : 'other note')
  return [...told, `${others} had more neighbours than were looked at.`]
}

const LARGEST_CUT = inOrder<NoteCut>(
  descending((it) => it.total),
  ascending((it) => it.note.id),
  ascending((it) => it.type),
  ascending((it) => it.direction),
)
