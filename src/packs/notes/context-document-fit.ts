/**
 * Fits candidates into a document within its token budget, counted on the rendered text. Notes are
 * chosen by their separate costs; then the whole text is counted, and the choice is repeated with
 * the difference. The text states its own length, so it is rendered until that is correct.
 */
import { fillNotes, type NotePricing, type NotesFilling, twinsOf } from '../../budget/notes-fill.ts'
import { contextJson } from '../../format/context-document-json.ts'
import { contextMarkdown, type MarkdownView } from '../../format/context-document-markdown.ts'
import { grouped } from '../../format/note-text.ts'
import type {
  ContextDocument,
  ContextMeta,
  ContextNode,
  NotesRequest,
} from '../../model/context-document.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { NoteCandidate } from '../../model/note-candidate.ts'
import type { CountTokens } from '../../model/tokens.ts'
import { createNotePricing, createSummary } from './context-document-prices.ts'

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
  /** Metadata of the document, with contents or with names only. */
  warnings(isSummary: boolean): readonly string[]
  readonly count: CountTokens
}

/** Below this budget, a document that cannot show everything only lists names. */
export const MIN_TOKENS_FOR_CONTENTS = 500

/** Each attempt is closer than the one before; the second is nearly always close enough. */
const MAX_ATTEMPTS = 8
/** Less than this share of the budget is not worth another attempt. */
const NEAR_ENOUGH = 0.02
const MIN_STEP = 4

export function fitDocument(request: FitRequest): AssembledContext {
  const byId = new Map(request.candidates.map((it) => [it.node.id, it]))
  const isSmall = request.request.maxTokens < MIN_TOKENS_FOR_CONTENTS
  const input = {
    ...request,
    // A line of an outline is shown with its outline; in a document of names only, it is listed
    // separately.
    contents: dropTwins(request.candidates.filter((it) => !it.isWithin)),
    names: dropTwins(request.candidates),
    byId,
  }
  const whole = isSmall ? tryWholeDocument(selectContents(input)) : undefined
  const { document, text } =
    whole ?? findBestDocument(isSmall ? selectNames(input) : selectContents(input))
  return { document, text }
}

interface DistinctNotes {
  readonly candidates: readonly NoteCandidate[]
  readonly twins: ReadonlyMap<string, string>
}

/** Each text once. */
function dropTwins(all: readonly NoteCandidate[]): DistinctNotes {
  const twins = twinsOf(all)
  return { candidates: all.filter((it) => !twins.has(it.node.id)), twins }
}

function selectContents(input: CandidateSets): FitInput {
  return { ...input, ...input.contents, isSummary: false }
}

function selectNames(input: CandidateSets): FitInput {
  return { ...input, ...input.names, isSummary: true }
}

/** Everything at its full length, where that is within the budget. */
function tryWholeDocument(input: FitInput): CountedDocument | undefined {
  const { candidates, request } = input
  const pricing = createPricing(input)
  const shown: ContextNode[] = []
  let sum = 0
  for (const candidate of candidates) {
    const { node, tokens } = pricing.whole(candidate)
    sum += tokens
    if (sum > request.maxTokens) return undefined
    shown.push(node)
  }
  const whole = countDocument(input, { shown, named: [], unlisted: 0, isAll: true })
  return whole.tokens > request.maxTokens ? undefined : whole
}

function findBestDocument(input: FitInput): CountedDocument {
  const { maxTokens: budget } = input.request
  const pricing = createPricing(input)
  const least = buildSmallestDocument(input)
  let best = least.tokens > budget ? undefined : least
  let room = budget - countDocument(input, createEmptyFilling(input.candidates.length)).tokens
  let overruns = 0
  const tried = new Set<number>()
  for (let attempt = 0; attempt < MAX_ATTEMPTS && room > 0 && !tried.has(room); attempt += 1) {
    tried.add(room)
    const filling = fillRoom(input, pricing, room)
    const made = countDocument(input, filling)
    const left = budget - made.tokens
    // The line that counts hidden notes may be longer than the notes.
    const isMore =
      filling.isAll || best === undefined || best === least || made.tokens > best.tokens
    const isSomething = filling.shown.length + filling.named.length > 0
    if (left >= 0 && isMore && isSomething) best = made
    if (left >= 0 && (filling.isAll || left <= budget * NEAR_ENOUGH)) break
    // A little less room may change nothing, so the reduction grows with each attempt.
    if (left < 0) overruns += 1
    const less = left < 0 ? overruns * MIN_STEP : 0
    room = Math.max(0, room + (Number.isFinite(left) ? left : 0) - less)
  }
  if (best === undefined) throw createTooSmallError(input)
  return best
}

function createPricing(input: FitInput): NotePricing {
  const { request, count } = input
  const { format, maxTokens: most } = request
  return createNotePricing({ format, view: createView(input, 0), count, most })
}

interface CandidateSets extends FitRequest {
  readonly byId: ReadonlyMap<string, NoteCandidate>
  readonly contents: DistinctNotes
  readonly names: DistinctNotes
}

interface FitInput extends CandidateSets, DistinctNotes {
  /** Whether there are names alone. */
  readonly isSummary: boolean
}

function fillRoom(input: FitInput, pricing: NotePricing, room: number): NotesFilling {
  const { candidates, twins, isSummary } = input
  return fillNotes({ candidates, twins, room, pricing, isSummary })
}

function createEmptyFilling(unlisted: number): NotesFilling {
  return { shown: [], named: [], unlisted, isAll: unlisted === 0 }
}

/** The head and what was asked for by its name; the head alone where nothing was found. */
function buildSmallestDocument(input: FitInput): CountedDocument {
  const named = input.candidates.slice(0, 1)
  const unlisted = input.candidates.length - named.length
  return countDocument(input, { shown: [], named, unlisted, isAll: input.candidates.length === 0 })
}

/** What the head says of the budget has a length of its own, so the least is tried and not computed. */
function createTooSmallError(input: FitInput): EngineError {
  const budget = input.request.maxTokens
  let least = budget + 1
  while (!fitsBudget(input, least)) least += 1
  return new EngineError(
    'POC_E_BUDGET_EXCEEDED',
    `no document fits into ${budget} tokens: the shortest takes ${least}`,
    { hint: `give at least ${least} tokens` },
  )
}

function fitsBudget(input: FitInput, budget: number): boolean {
  const request = { ...input.request, maxTokens: budget }
  if (buildSmallestDocument({ ...input, request }).tokens <= budget) return true
  // To say that there are names alone may take more than to show all.
  return tryWholeDocument(selectContents({ ...input, request })) !== undefined
}

interface CountedDocument extends AssembledContext {
  readonly tokens: number
}

/** A number of another length changes the count, seldom more than once. */
const MAX_COUNTS = 6
/** A full budget is `1`, a nearly full one `0.99`, which is longer: a blank line breaks the tie. */
const MAX_BLANK_LINES = 3

/** Renders the document until the length that it states is correct. */
function countDocument(input: FitInput, filling: NotesFilling): CountedDocument {
  const { count } = input
  let used = input.request.maxTokens
  for (let blanks = 0; blanks <= MAX_BLANK_LINES; blanks += 1) {
    for (let time = 0; time < MAX_COUNTS; time += 1) {
      const document = buildDocument(input, filling, used)
      const text = renderText(input, document, filling) + ' \n'.repeat(blanks)
      const tokens = count(text)
      if (tokens === used) return { document, text, tokens }
      used = tokens
    }
  }
  // Never returned: a text that states a wrong length counts as too long.
  return { document: buildDocument(input, filling, used), text: '', tokens: Infinity }
}

function buildDocument(
  { request, about, warnings, candidates, isSummary }: FitInput,
  { shown, named, unlisted }: NotesFilling,
  used: number,
): ContextDocument {
  const budget = request.maxTokens
  const all = [...warnings(isSummary), ...warnUnlisted(unlisted, candidates.length)]
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
    overflow: named.map(createSummary),
  }
}

function warnUnlisted(unlisted: number, found: number): readonly string[] {
  if (unlisted === 0) return []
  return [`${grouped(unlisted)} of ${grouped(found)} notes are neither shown nor named.`]
}

function renderText(
  input: FitInput,
  document: ContextDocument,
  { unlisted }: NotesFilling,
): string {
  return input.request.format === 'json'
    ? contextJson(document)
    : contextMarkdown(document, createView(input, unlisted))
}

function createView(input: FitInput, unlisted: number): MarkdownView {
  const { byId, twins, depth, warnings, isSummary } = input
  return { candidates: byId, twins, depth, unlisted, warnings: warnings(isSummary) }
}
