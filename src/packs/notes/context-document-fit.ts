/**
 * Candidates become a document that keeps its budget, counted on the text that is handed out. Notes
 * are chosen by what each costs alone; the whole is then counted, and chosen again with what that
 * was off by. The text says how long it is, so it is written until that is true.
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
  /** What the document is to say of itself, with contents or with names alone. */
  warnings(isSummary: boolean): readonly string[]
  readonly count: CountTokens
}

/** Below this, a document that cannot show everything names what there is and shows nothing of it. */
export const LEAST_FOR_CONTENTS = 500

/** Each is off by less than the one before; the second is near enough nearly always. */
const MOST_ATTEMPTS = 8
/** Less than this share of the budget is not worth another attempt. */
const NEAR_ENOUGH = 0.02
const LEAST_STEP = 4

export function fitDocument(request: FitRequest): AssembledContext {
  const byId = new Map(request.candidates.map((it) => [it.node.id, it]))
  const isSmall = request.request.maxTokens < LEAST_FOR_CONTENTS
  const asked = {
    ...request,
    // A line that is in an outline is shown with it. Where there are names alone, it is one of them.
    contents: distinct(request.candidates.filter((it) => !it.isWithin)),
    names: distinct(request.candidates),
    byId,
  }
  const whole = isSmall ? wholeOf(contentsOf(asked)) : undefined
  const { document, text } = whole ?? bestOf(isSmall ? namesOf(asked) : contentsOf(asked))
  return { document, text }
}

interface Distinct {
  readonly candidates: readonly NoteCandidate[]
  readonly twins: ReadonlyMap<string, string>
}

/** Each text once. */
function distinct(all: readonly NoteCandidate[]): Distinct {
  const twins = twinsOf(all)
  return { candidates: all.filter((it) => !twins.has(it.node.id)), twins }
}

function contentsOf(asked: Choices): Asked {
  return { ...asked, ...asked.contents, isSummary: false }
}

function namesOf(asked: Choices): Asked {
  return { ...asked, ...asked.names, isSummary: true }
}

/** Everything at its full length, where that is within the budget. */
function wholeOf(asked: Asked): Settled | undefined {
  const { candidates, request } = asked
  const pricing = pricingOf(asked)
  const shown: ContextNode[] = []
  let sum = 0
  for (const candidate of candidates) {
    const { node, tokens } = pricing.whole(candidate)
    sum += tokens
    if (sum > request.maxTokens) return undefined
    shown.push(node)
  }
  const whole = settled(asked, { shown, named: [], unlisted: 0, isAll: true })
  return whole.tokens > request.maxTokens ? undefined : whole
}

function bestOf(asked: Asked): Settled {
  const { maxTokens: budget } = asked.request
  const pricing = pricingOf(asked)
  const least = leastOf(asked)
  let best = least.tokens > budget ? undefined : least
  let room = budget - settled(asked, nothingOf(asked.candidates.length)).tokens
  let overruns = 0
  const tried = new Set<number>()
  for (let attempt = 0; attempt < MOST_ATTEMPTS && room > 0 && !tried.has(room); attempt += 1) {
    tried.add(room)
    const filling = filled(asked, pricing, room)
    const made = settled(asked, filling)
    const left = budget - made.tokens
    // To count what is not shown may take more than to show it.
    const isMore =
      filling.isAll || best === undefined || best === least || made.tokens > best.tokens
    const isSomething = filling.shown.length + filling.named.length > 0
    if (left >= 0 && isMore && isSomething) best = made
    if (left >= 0 && (filling.isAll || left <= budget * NEAR_ENOUGH)) break
    // A little less room may change nothing, so it gets less by more each time.
    if (left < 0) overruns += 1
    const less = left < 0 ? overruns * LEAST_STEP : 0
    room = Math.max(0, room + (Number.isFinite(left) ? left : 0) - less)
  }
  if (best === undefined) throw tooSmall(asked)
  return best
}

function pricingOf(asked: Asked): NotePricing {
  const { request, count } = asked
  const { format, maxTokens: most } = request
  return notePrices({ format, view: viewOf(asked, 0), count, most })
}

interface Choices extends FitRequest {
  readonly byId: ReadonlyMap<string, NoteCandidate>
  readonly contents: Distinct
  readonly names: Distinct
}

interface Asked extends Choices, Distinct {
  /** Whether there are names alone. */
  readonly isSummary: boolean
}

function filled(asked: Asked, pricing: NotePricing, room: number): NotesFilling {
  const { candidates, twins, isSummary } = asked
  return fillNotes({ candidates, twins, room, pricing, isSummary })
}

function nothingOf(unlisted: number): NotesFilling {
  return { shown: [], named: [], unlisted, isAll: unlisted === 0 }
}

/** The head and what was asked for by its name; the head alone where nothing was found. */
function leastOf(asked: Asked): Settled {
  const named = asked.candidates.slice(0, 1)
  const unlisted = asked.candidates.length - named.length
  return settled(asked, { shown: [], named, unlisted, isAll: asked.candidates.length === 0 })
}

/** What the head says of the budget has a length of its own, so the least is tried and not computed. */
function tooSmall(asked: Asked): EngineError {
  const budget = asked.request.maxTokens
  let least = budget + 1
  while (!isEnough(asked, least)) least += 1
  return new EngineError(
    'POC_E_BUDGET_EXCEEDED',
    `no document fits into ${budget} tokens: the shortest takes ${least}`,
    { hint: `give at least ${least} tokens` },
  )
}

function isEnough(asked: Asked, budget: number): boolean {
  const request = { ...asked.request, maxTokens: budget }
  if (leastOf({ ...asked, request }).tokens <= budget) return true
  // To say that there are names alone may take more than to show all.
  return wholeOf(contentsOf({ ...asked, request })) !== undefined
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
  { request, about, warnings, candidates, isSummary }: Asked,
  { shown, named, unlisted }: NotesFilling,
  used: number,
): ContextDocument {
  const budget = request.maxTokens
  const all = [...warnings(isSummary), ...unlistedWarning(unlisted, candidates.length)]
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

function viewOf(asked: Asked, unlisted: number): MarkdownView {
  const { byId, twins, depth, warnings, isSummary } = asked
  return { candidates: byId, twins, depth, unlisted, warnings: warnings(isSummary) }
}
