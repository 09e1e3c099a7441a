/** What was found, scored and ordered becomes a pack: what fits, at which detail, and what did not. */

import { changeShowings } from '../../budget/change-showings.ts'
import { type Cost, choose } from '../../budget/choose.ts'
import { tokensAround } from '../../budget/known-tokens.ts'
import { showingsOf, siteShowings, TITLE } from '../../budget/showings.ts'
import { type Block, blocksOf } from '../../format/pack-blocks.ts'
import { type PackParts, packParts, SECTION_TITLES } from '../../format/pack-text.ts'
import type { Candidate, Seed } from '../../model/candidate.ts'
import type { StoredChunk } from '../../model/code-index.ts'
import {
  type ClampedLimit,
  type Confidence,
  type ContextItem,
  type ContextPack,
  type ContextSection,
  type DropReason,
  type ExplainEnvelope,
  type SectionType,
  type TermsOfItems,
} from '../../model/context-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { PackChanges } from '../../model/pack-changes.ts'
import type { Budgets, PackRequest } from '../../model/pack-request.ts'
import type { ScoreTerm } from '../../model/search.ts'
import type { CountTokens } from '../../model/tokens.ts'
import type { Understood } from '../../retrieve/understand.ts'
import { candidateOrder, rounded, seedCandidate } from '../../score/context-score.ts'
import type { Walk } from '../../traverse/walk.ts'
import type { StopWatch } from '../stop-watch.ts'
import { type Dropped, dropHiddenAndDuplicates } from './drop-candidates.ts'
import { isHidden } from './hidden-files.ts'
import type { IntentPlan } from './intents.ts'
import { lineWeights, matcher } from './line-weights.ts'
import { packIdOf } from './pack-id.ts'
import { cutForChars, type ItemOptions, itemOf, seedEntry, titleOf } from './pack-item.ts'
import { ADDED_FRAME, offersOf } from './pack-offers.ts'
import { choosePointers } from './pointers.ts'

export interface Findings {
  readonly request: PackRequest
  readonly budgets: Budgets
  readonly clamped: readonly ClampedLimit[]
  readonly query: Understood
  readonly seeds: readonly Seed[]
  /** In the order of the pack. */
  readonly candidates: readonly Candidate[]
  readonly walked: Walk
  readonly focus: readonly StoredChunk[]
  readonly confidence: Confidence
  /** Of the diff that the pack is about. */
  readonly changes?: PackChanges
  readonly languageOf: (path: string) => string
}

export interface AssemblyParts {
  readonly countTokens: CountTokens
  readonly plan: IntentPlan
  readonly createdAt: string
  readonly watch: StopWatch
}

/**
 * What a token must add at least, in the units of `pack-offers.ts`. On the open tasks a default pack
 * of 8,000 tokens then holds .92 of the changed lines of one that is filled, for .56 of its tokens.
 */
const LEAST_WORTH = 0.00038

/** How many seeds the pack lists, and how many it names of what was left out. */
const MOST_LISTED = 50
const MOST_LEFT_OUT = 25

export function assemblePack(findings: Findings, parts: AssemblyParts): ContextPack {
  const { kept, dropped } = dropHiddenAndDuplicates(findings, parts.plan)
  const shelf = new Shelf(findings, parts, kept)
  const fixed = fixedParts(findings)
  // What stands at the end depends on what was chosen, and costs something as well.
  let reserve: Cost = NOTHING
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const { chosen, estimate } = shelf.choose(reserve)
    const pack = packOf(findings, parts, { chosen, kept, dropped, fixed })
    const counted = shelf.costOf(pack.sections)
    const ends = shelf.endsOf(pack)
    const whole = { tokens: counted.tokens + ends.tokens, chars: counted.chars + ends.chars }
    if (isWithin(whole, findings.budgets)) {
      const sections = shelf.withReasons(pack.sections, whole)
      return { ...pack, sections, stats: { ...pack.stats, ...whole } }
    }
    if (chosen.length === 0) throw tooSmall(findings, whole.tokens)
    reserve = {
      tokens: Math.max(reserve.tokens + LEAST_MORE, whole.tokens - estimate.tokens),
      chars: Math.max(reserve.chars + LEAST_MORE, whole.chars - estimate.chars),
    }
  }
  throw tooSmall(findings, 0)
}

function isWithin({ tokens, chars }: Cost, { maxTotalTokens, maxTotalChars }: Budgets): boolean {
  return tokens <= maxTotalTokens && chars <= maxTotalChars
}

/** Each leaves the room that the one before it lacked; the second fits nearly always. */
const MOST_ATTEMPTS = 40
const LEAST_MORE = 8
const NOTHING: Cost = { tokens: 0, chars: 0 }

function tooSmall({ budgets }: Findings, tokens: number): EngineError {
  return new EngineError(
    'POC_E_BUDGET_EXCEEDED',
    `no pack fits into ${budgets.maxTotalTokens} tokens and ${budgets.maxTotalChars} characters`,
    { hint: `give at least ${Math.max(200, tokens)} tokens` },
  )
}

interface Shown {
  readonly candidate: Candidate
  readonly section: SectionType
  readonly item: ContextItem
}

/** The offers and what they cost, counted once however often a choice is made. */
class Shelf {
  readonly #findings: Findings
  readonly #parts: AssemblyParts
  readonly #texts: PackParts
  readonly #offers: ReturnType<typeof offersOf>
  readonly #items = new Map<string, ContextItem>()
  /** Of each alone. */
  readonly #costs = new Map<ContextItem, Cost>()
  readonly #chunks: ReadonlyMap<string, StoredChunk>
  readonly #frames: ReadonlyMap<string, Cost>
  readonly #head: Cost
  readonly #options: ItemOptions

  constructor(findings: Findings, parts: AssemblyParts, kept: readonly Candidate[]) {
    const { request, budgets, query } = findings
    this.#findings = findings
    this.#parts = parts
    this.#options = { languageOf: findings.languageOf, maxBytes: budgets.maxBytesPerItem }
    this.#texts = packParts(request.rendering)
    const weigh = lineWeights(query.words)
    const { maxBytesPerItem: maxBytes } = budgets
    const { plan } = parts
    this.#offers = offersOf(kept, { plan, fill: request.fill }, (candidate) => {
      const { chunk, sites, scores, section, changes } = candidate
      if (changes !== undefined) return changeShowings(chunk, changes, { maxBytes, ...request })
      const isListed = scores.graphDistance > 1 || section === 'tests' || section === 'docs'
      if (sites !== undefined && !request.fill)
        return siteShowings(chunk, isListed ? [] : sites, maxBytes)
      if (!request.fill && !plan.isGraphFirst && candidate.via !== undefined) return [TITLE]
      return showingsOf(chunk, { matches: matcher(candidate, weigh), maxBytes })
    })
    this.#chunks = new Map(kept.map((it) => [it.chunk.uid, it.chunk]))
    this.#frames = new Map(
      parts.plan.sections.map(({ type }) => [type, this.#costOf(this.#frame(type))]),
    )
    const { indexSignature } = request
    const { confidence, changes } = findings
    this.#head = this.#costOf(
      this.#texts.head({ request, indexSignature, confidence, ...(changes && { changes }) }),
    )
  }

  /** With what it costs, about, the head included. */
  choose(reserve: Cost): { readonly chosen: readonly Shown[]; readonly estimate: Cost } {
    const { budgets } = this.#findings
    const { choices, cost } = choose({
      offers: this.#offers,
      sections: this.#parts.plan.sections,
      leastWorth: this.#findings.request.fill || this.#parts.plan.isGraphFirst ? 0 : LEAST_WORTH,
      caps: {
        tokens: budgets.maxTotalTokens - this.#head.tokens - reserve.tokens,
        chars: budgets.maxTotalChars - this.#head.chars - reserve.chars,
        items: budgets.maxItems,
        itemsPerSection: budgets.maxItemsPerSection,
      },
      cost: (offer, option) => this.#cost(offer, option),
      saved: (offer) => this.#saved(offer),
      frame: (section) => this.#frames.get(section) ?? NOTHING,
    })
    const chosen = choices.flatMap(({ offer, option, section }) => {
      const candidate = this.#offers[offer]?.candidate
      const item = this.#item(offer, option)
      const type = this.#parts.plan.sections.find((it) => it.type === section)?.type
      if (candidate === undefined || item === undefined || type === undefined) return []
      return [{ candidate, section: type, item }]
    })
    return { chosen, estimate: total([this.#head, cost]) }
  }

  /** Exact, of the head, the items and the frames of their sections. */
  costOf(sections: readonly ContextSection[]): Cost {
    const frames = sections.map(({ type }) => this.#frames.get(type) ?? NOTHING)
    const blocks = sections.flatMap(({ items }) => blocksOf(items))
    const costs = blocks.map((block) => {
      const [first, second] = block
      return first === undefined || second !== undefined
        ? this.#costOfBlock(block)
        : this.#costOfItem(first)
    })
    return total([this.#head, ...frames, ...costs])
  }

  /** What was cut says for want of what: of tokens, unless its whole chunk would have had them. */
  withReasons(sections: readonly ContextSection[], used: Cost): readonly ContextSection[] {
    const { maxTotalTokens, maxTotalChars } = this.#findings.budgets
    const lacksChars = (item: ContextItem): boolean => {
      const { text = '', tokens = 0 } = this.#chunks.get(item.chunkUid) ?? {}
      const hidden = text.length - item.excerpt.text.length
      const hiddenTokens = (tokens * hidden) / Math.max(1, text.length)
      return used.chars + hidden > maxTotalChars && used.tokens + hiddenTokens <= maxTotalTokens
    }
    return sections.map((section) => ({
      ...section,
      items: section.items.map((it) => (lacksChars(it) ? cutForChars(it) : it)),
    }))
  }

  /** Of what the sections and the pack end with. The tokens of parts add up, so none is counted twice. */
  endsOf(pack: ContextPack): Cost {
    const ends = pack.sections.map((section) => this.#texts.sectionTail(section))
    return this.#costOf([...ends, this.#texts.tail(pack)].join(''))
  }

  #cost(offer: number, option: number): Cost {
    const item = this.#item(offer, option)
    return item === undefined ? { tokens: Infinity, chars: Infinity } : this.#costOfItem(item)
  }

  /** The heading, but for what it adds to that of the block. */
  #saved(offer: number): Cost {
    const own = this.#offers[offer]
    if (own === undefined) return NOTHING
    const { tokens, chars } = this.#cost(offer, own.options.length - 1)
    const { chunk } = own.candidate
    return {
      tokens: Math.max(0, tokens - chunk.tokens - ADDED.tokens),
      chars: Math.max(0, chars - chunk.text.length - ADDED.chars),
    }
  }

  #item(offer: number, option: number): ContextItem | undefined {
    const key = `${offer} ${option}`
    const known = this.#items.get(key)
    if (known !== undefined) return known
    const own = this.#offers[offer]
    const showing = own?.showings[option]
    if (own === undefined || showing === undefined) return undefined
    const made = itemOf(own.candidate, showing, this.#options)
    this.#items.set(key, made)
    return made
  }

  #costOfItem(item: ContextItem): Cost {
    const known = this.#costs.get(item)
    if (known !== undefined) return known
    const made = this.#costOfBlock([item])
    this.#costs.set(item, made)
    return made
  }

  #costOfBlock(block: Block): Cost {
    const text = this.#texts.block(block)
    // Most of what is counted are whole chunks, and these were counted when they were indexed.
    const chunks = block.flatMap(({ excerpt, chunkUid }) =>
      excerpt.level === 'whole' ? (this.#chunks.get(chunkUid) ?? []) : [],
    )
    return { tokens: tokensAround(this.#parts.countTokens, text, chunks), chars: text.length }
  }

  #frame(type: SectionType): string {
    return this.#texts.sectionHead({ type, title: titleIn(this.#parts.plan, type) })
  }

  #costOf(text: string): Cost {
    return { tokens: this.#parts.countTokens(text), chars: text.length }
  }
}

/** What an item adds to the heading of its block. */
const ADDED: Cost = { tokens: ADDED_FRAME, chars: 40 }

function total(costs: readonly Cost[]): Cost {
  return {
    tokens: costs.reduce((sum, it) => sum + it.tokens, 0),
    chars: costs.reduce((sum, it) => sum + it.chars, 0),
  }
}

interface Chosen {
  readonly chosen: readonly Shown[]
  readonly kept: readonly Candidate[]
  readonly dropped: readonly Dropped[]
  readonly fixed: ReturnType<typeof fixedParts>
}

/** What does not depend on the choice, however often one is made. */
function fixedParts(findings: Findings) {
  const { request, seeds, languageOf, budgets } = findings
  const options = { languageOf, maxBytes: budgets.maxBytesPerItem }
  const order = candidateOrder(request.ordering)
  return {
    packId: packIdOf(request),
    seeds: seeds
      .filter((it) => !isHidden(findings, it.chunk.path))
      .map((seed) => ({ seed, candidate: seedCandidate(seed, 'seed') }))
      .toSorted((a, b) => order(a.candidate, b.candidate))
      .slice(0, MOST_LISTED)
      .map((it) => seedEntry(it.seed, options)),
  }
}

function packOf(findings: Findings, parts: AssemblyParts, choice: Chosen): ContextPack {
  const { request, budgets, clamped, walked } = findings
  const shown = new Set(choice.chosen.map((it) => it.candidate))
  const over = choice.kept
    .filter((it) => !shown.has(it))
    .map((candidate): Dropped => ({ candidate, reason: 'budget' }))
  const out = [...choice.dropped, ...over]
  const sections = sectionsOf(parts.plan, { chosen: choice.chosen, out })
  const pointers = pointersOf(findings, out)
  const count = (reason: DropReason): number =>
    choice.dropped.filter((it) => it.reason === reason).length
  const counts: Partial<Record<SectionType, number>> = {}
  for (const { type, items } of sections) counts[type] = items.length
  return {
    formatVersion: 1,
    schema: 'ContextPack',
    schemaVersion: '1.0.0',
    indexSignature: request.indexSignature,
    packId: choice.fixed.packId,
    createdAt: parts.createdAt,
    request,
    budgets: { ...budgets, clamped },
    confidence: findings.confidence,
    ...(findings.changes && { changes: findings.changes }),
    seeds: choice.fixed.seeds,
    sections,
    pointers,
    ...(request.includeExplain ? { explain: explainOf(findings, choice, over) } : {}),
    stats: {
      itemsPerSection: counts,
      dropped: {
        budget: count('budget') + over.length,
        noEvidence: walked.dropped.noEvidence,
        duplicate: count('duplicate'),
        unsupported: 0,
        secret: count('secret'),
      },
      maxHop: walked.maxHop,
      candidates: findings.candidates.length,
      edgesWalked: walked.edgesWalked,
      tokens: 0,
      chars: 0,
      timings: parts.watch.timings(),
    },
  }
}

/** Of what there was no room for, or what was not worth it. */
function pointersOf(
  { budgets, languageOf, candidates }: Findings,
  out: readonly Dropped[],
): readonly ContextItem[] {
  const left = new Set(out.filter((it) => it.reason === 'budget').map((it) => it.candidate))
  const named = choosePointers(
    candidates.filter((it) => left.has(it)),
    budgets,
  )
  const options = { languageOf, maxBytes: budgets.maxBytesPerItem }
  return named.map((candidate) => itemOf(candidate, TITLE, options))
}

function titleIn({ titles }: IntentPlan, type: SectionType): string {
  return titles?.[type] ?? SECTION_TITLES[type]
}

function sectionsOf(
  plan: IntentPlan,
  { chosen, out }: { readonly chosen: readonly Shown[]; readonly out: readonly Dropped[] },
): readonly ContextSection[] {
  return plan.sections.flatMap(({ type }) => {
    const items = chosen.filter(({ section }) => section === type).map(({ item }) => item)
    if (items.length === 0) return []
    const reasons = Map.groupBy(
      out.filter((it) => it.candidate.section === type),
      (it) => it.reason,
    )
    const omitted = [...reasons]
      .map(([reason, list]) => ({ reason, count: list.length }))
      .toSorted((a, b) => (a.reason < b.reason ? -1 : 1))
    return [{ type, title: titleIn(plan, type), items, omitted }]
  })
}

/** In the order of the candidates, whatever the reason. */
function bestFirst(out: readonly Dropped[], candidates: readonly Candidate[]): readonly Dropped[] {
  const left = new Map(out.map((it) => [it.candidate, it]))
  return candidates.flatMap((it) => left.get(it) ?? []).slice(0, MOST_LEFT_OUT)
}

function termsOf(
  chosen: readonly Shown[],
  terms: (candidate: Candidate) => readonly ScoreTerm[],
): TermsOfItems {
  const found = chosen.map(({ candidate }) => {
    const own = terms(candidate).map(({ name, value }) => ({ name, value: rounded(value) }))
    return [candidate.chunk.uid, own] as const
  })
  return Object.fromEntries(found.filter(([, own]) => own.length > 0))
}

function explainOf(
  { query, walked, request, candidates }: Findings,
  { chosen, dropped }: Chosen,
  over: readonly Dropped[],
): ExplainEnvelope {
  const gaps =
    request.strictness === 'warn' && request.expansion.requireEvidence
      ? chosen.flatMap(({ candidate }) =>
          candidate.steps.flatMap((it, step) =>
            it.isSupported ? [] : [{ chunkUid: candidate.chunk.uid, step }],
          ),
        )
      : []
  return {
    query: {
      words: query.words.map((it) => it.word),
      identifiers: query.identifiers,
      paths: query.places.map(({ path, line }) => (line === 0 ? path : `${path}:${line}`)),
      phrases: query.phrases,
    },
    terms: termsOf(chosen, (it) => it.terms),
    seedTerms: termsOf(chosen, (it) => it.seedTerms),
    evidenceGaps: gaps,
    leftOut: bestFirst([...over, ...dropped], candidates).map(({ candidate, reason, of }) => ({
      chunkUid: candidate.chunk.uid,
      ...(candidate.chunk.symbol === '' ? {} : { symbolId: candidate.chunk.symbol }),
      fileRelPath: candidate.chunk.path,
      lines: { start: candidate.chunk.startLine, end: candidate.chunk.endLine },
      title: reason === 'secret' ? 'credentials' : titleOf(candidate.chunk),
      reason,
      ...(of === undefined ? {} : { of }),
    })),
    notes: [
      ...(candidates.length === 0 && request.diff === undefined
        ? ['nothing in the index holds a word of the query']
        : []),
      ...(walked.isCut ? ['the graph around the seeds is larger than what was looked at'] : []),
    ],
  }
}
