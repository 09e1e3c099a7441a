/** Warnings about what a document lacks, most important first. */
import { ascending, descending, inOrder } from '../../base/order.ts'
import { counted } from '../../base/text.ts'
import { cutWords } from '../../format/context-document-words.ts'
import { titleOf } from '../../format/note-text.ts'
import type { NotesRequest, WeightedQuery } from '../../model/context-document.ts'
import type { NotesStatus } from '../../model/notes-index.ts'
import type { NoteSources } from '../../retrieve/notes-sources.ts'
import type { NoteCut, NotesWalk } from '../../traverse/notes-walk.ts'
import { MIN_TOKENS_FOR_CONTENTS } from './context-document-fit.ts'
import { describeIgnoredLinks, type IgnoredLinks } from './ignored-links.ts'

/** The result of one query. */
export interface QueryOutcome {
  readonly query: WeightedQuery
  readonly sources: NoteSources
  readonly walk: NotesWalk
  /** If only the sources were reached: their links that the lens does not follow. */
  readonly passed: IgnoredLinks | undefined
}

export interface WarningsRequest {
  readonly request: NotesRequest
  readonly status: NotesStatus
  /** Whether only names are shown. */
  readonly isSummary: boolean
}

export function buildWarnings(
  found: readonly QueryOutcome[],
  { request, status, isSummary }: WarningsRequest,
): readonly string[] {
  const { lens, depth, maxTokens } = request
  return [
    ...(isSummary
      ? [`${maxTokens} tokens are fewer than ${MIN_TOKENS_FOR_CONTENTS}: only names are shown.`]
      : []),
    ...(depth > lens.maxDepth
      ? [`Depth ${depth} was requested; the ${lens.name} lens allows ${lens.maxDepth}.`]
      : []),
    ...found.flatMap((it) => warnNotFound(it, request, status)),
    ...found.flatMap(({ passed }) =>
      passed === undefined ? [] : [describeIgnoredLinks(lens, passed)],
    ),
    ...warnCuts(
      found.flatMap((it) => it.walk.cuts),
      isSummary ? 0 : MAX_CUT_WARNINGS,
    ),
    ...(found.some((it) => it.walk.isCut)
      ? [
          'The walk stopped at its limit before it reached everything at this depth; use a smaller depth.',
        ]
      : []),
  ]
}

const MAX_QUERY_LENGTH = 60

function warnNotFound(
  { query, sources }: QueryOutcome,
  { workspace }: NotesRequest,
  { notes }: NotesStatus,
): readonly string[] {
  if (sources.notes.length > 0) return []
  const tip =
    notes === 0
      ? `Workspace ${workspace} has no notes: import some first.`
      : 'Try fewer or other words, the id of a note, or another workspace.'
  return [`No notes match "${titleOf(query.text, MAX_QUERY_LENGTH)}". ${tip}`]
}

/** Each costs a line, so only the largest are listed. */
const MAX_CUT_WARNINGS = 3

function warnCuts(cuts: readonly NoteCut[], most: number): readonly string[] {
  const each = new Map(cuts.map((it) => [`${it.note.id} ${it.type} ${it.direction}`, it]))
  const largest = [...each.values()].toSorted(LARGEST_CUT)
  const told = largest.slice(0, most).map((it) => cutWords(it.note.name, it))
  const notes = new Set(largest.slice(most).map((it) => it.note.id)).size
  if (notes === 0) return told
  const others = counted(notes, told.length === 0 ? 'note' : 'other note')
  return [...told, `${others} had more neighbours than the limit.`]
}

const LARGEST_CUT = inOrder<NoteCut>(
  descending((it) => it.total),
  ascending((it) => it.note.id),
  ascending((it) => it.type),
  ascending((it) => it.direction),
)
