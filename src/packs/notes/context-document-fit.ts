/**
 * Candidates become a document that keeps its budget, counted on the text that is handed out. Notes
 * are chosen by what each costs alone; the whole is then counted, and chosen again with what that
 * was off by. The text says how long it is, so it is written until that is true.
 */
import { fillNotes, type NotePricing, type NotesFilling, twinsOf } from '../../budget/notes-fill.ts'
import { contextJson } from '../../format/context-document-json.ts'
import { contextMarkdown, type MarkdownView } from '../../format/context-document-markdown.ts'
import { grouped } from '../../format/note-text.ts'
import type { ContextDocument, ContextMeta, NotesRequest } from '../../model/context-document.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { NoteCandidate } from '../../model/note-candidate.ts'
import type { CountTokens } from '../../model/tokens.ts'
import { notePrices, summaryOf } from './context-document-prices.ts'

export interface AssembledContext {
  readonly document: ContextDocument
  /** The document in the format that was asked for. */
  readonly text: string
}

export interface FitRequest {
  readonly request: NotesRequest
  /** What the lens allows of it. */
  readonly depth: number
  readonly candidates: readonly NoteCandidate[]
  readonly about: Omit<ContextMeta, 'tokens' | 'warnings'>
  readonly warnings: readonly string[]
  readonly count: CountTokens
}

/** Below this, a document names what there is and shows nothing of it. */
export const LEAST_FOR_CONTENTS = 500

/** Each is off by less than the one before; the second is near enough nearly always. */
const MOST_ATTEMPTS = 8
/** Less than this share of the budget is not worth another attempt. */
const NEAR_ENOUGH = 0.02
const LEAST_STEP = 4

export function fitDocument(request: FitRequest): AssembledContext {
  const { count } = request
  const { maxTokens: budget, format } = request.request
  const twins = twinsOf(request.candidates)
  const candidates = request.candidates.filter((it) => !twins.has(it.node.id))
  const byId = new Map(request.candidates.map((it) => [it.node.id, it]))
  const asked = { ...request, candidates, byId, twins }
  const empty = settled(asked, nothingOf(candidates.length))
  if (empty.tokens > budget) throw tooSmall(budget, leastFor(asked))
  const pricing = notePrices({ format, view: viewOf(asked, 0), count, most: budget })
  let best = empty
  let room = budget - empty.tokens
  let overruns = 0
  const tried = new Set<number>()
  for (let attempt = 0; attempt < MOST_ATTEMPTS && !tried.has(room); attempt += 1) {
    tried.add(room)
    const filling = filled(asked, pricing, room)
    const made = settled(asked, filling)
    const left = budget - made.tokens
    // To count what is not shown may take more than to show it.
    const isMore = filling.isAll || best === empty || made.tokens > best.tokens
    if (left >= 0 && isMore) best = made
    if (left >= 0 && (filling.isAll || left <= budget * NEAR_ENOUGH)) break
    // A little less room may change nothing, so it gets less by more each time.
    if (left < 0) overruns += 1
    const less = left < 0 ? overruns * LEAST_STEP : 0
    room = Math.max(0, room + (Number.isFinite(left) ? left : 0) - less)
  }
  return { document: best.document, text: best.text }
}

interface Asked extends FitRequest {
  readonly byId: ReadonlyMap<string, NoteCandidate>
  readonly twins: ReadonlyMap<string, string>
}

function filled(asked: Asked, pricing: NotePricing, room: number): NotesFilling {
  const { candidates, twins, request } = asked
  const isSummary = request.maxTokens < LEAST_FOR_CONTENTS
  return fillNotes({ candidates, twins, room, pricing, isSummary })
}

function nothingOf(unlisted: number): NotesFilling {
  return { shown: [], named: [], unlisted, isAll: unlisted === 0 }
}

/** What the head says of the budget has a length of its own, so the least is tried and not computed. */
function leastFor(asked: Asked): number {
  let least = asked.request.maxTokens
  for (;;) {
    const request = { ...asked.request, maxTokens: least }
    const { tokens } = settled({ ...asked, request }, nothingOf(asked.candidates.length))
    if (tokens <= least) return least
    least = Number.isFinite(tokens) ? tokens : least + 1
  }
}

function tooSmall(budget: number, least: number): EngineError {
  return new EngineError(
    'POC_E_BUDGET_EXCEEDED',
    `no document fits into ${budget} tokens: its head alone takes ${least}`,
    { hint: `give at least ${least} tokens` },
  )
}

interface Settled extends AssembledContext {
  readonly tokens: number
}

/** A number of another length changes the count, seldom more than once. */
const MOST_COUNTS = 6
/** A full budget is `1`, a nearly full one `0.99`, which is longer: a blank line breaks the tie. */
const MOST_BLANKS = 3

/** The document that says of itself how long it is. */
function settled(asked: Asked, filling: NotesFilling): Settled {
  const { count } = asked
  let used = asked.request.maxTokens
  for (let blanks = 0; blanks <= MOST_BLANKS; blanks += 1) {
    for (let time = 0; time < MOST_COUNTS; time += 1) {
      const document = documentOf(asked, filling, used)
      const text = textOf(asked, document, filling) + ' \n'.repeat(blanks)
      const tokens = count(text)
      if (tokens === used) return { document, text, tokens }
      used = tokens
    }
  }
  // Never handed out: a text that lies about its length is as good as one that is too long.
  return { document: documentOf(asked, filling, used), text: '', tokens: Infinity }
}

function documentOf(
  { request, about, warnings, candidates }: FitRequest,
  { shown, named, unlisted }: NotesFilling,
  used: number,
): ContextDocument {
  const budget = request.maxTokens
  const all = [...warnings, ...unlistedWarning(unlisted, candidates.length)]
  const { query, workspace, lens, assembledAt, backend, embedder } = about
  return {
    meta: {
      query,
      workspace,
      lens,
      tokens: {
        budget,
        used,
        utilization: Math.round((used / budget) * 100) / 100,
        nodesIncluded: shown.length,
        nodesSummarized: named.length,
      },
      assembledAt,
      backend,
      ...(embedder === undefined ? {} : { embedder }),
      ...(all.length === 0 ? {} : { warnings: all }),
    },
    nodes: shown,
    overflow: named.map(summaryOf),
  }
}

function unlistedWarning(unlisted: number, found: number): readonly string[] {
  if (unlisted === 0) return []
  return [`${grouped(unlisted)} of ${grouped(found)} notes are neither shown nor named.`]
}

function textOf(asked: Asked, document: ContextDocument, { unlisted }: NotesFilling): string {
  return asked.request.format === 'json'
    ? contextJson(document)
    : contextMarkdown(document, viewOf(asked, unlisted))
}

function viewOf({ byId, twins, depth, warnings }: Asked, unlisted: number): MarkdownView {
  return { candidates: byId, twins, depth, unlisted, warnings }
}
