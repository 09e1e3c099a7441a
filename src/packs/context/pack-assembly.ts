/** What was found, scored and ordered becomes a pack: what fits, at which detail, and what did not. */
import type { Cost } from '../../budget/fit.ts'
import { TITLE } from '../../budget/showings.ts'
import type { Candidate, Relation } from '../../model/candidate.ts'
import type {
  ContextItem,
  ContextPack,
  ContextSection,
  DropReason,
  ItemRelation,
  SectionType,
} from '../../model/context-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Budgets } from '../../model/pack-request.ts'
import { candidateOrder, seedCandidate } from '../../score/context-score.ts'
import { type Dropped, dropHiddenAndDuplicates } from './drop-candidates.ts'
import { explainPack } from './explain-pack.ts'
import type { AssemblyParts, Findings } from './findings.ts'
import { isHidden } from './hidden-files.ts'
import { type IntentPlan, titleSection } from './intents.ts'
import { joinTouching } from './join-touching.ts'
import { OfferCosts } from './offer-costs.ts'
import { packIdOf } from './pack-id.ts'
import { itemOf, type Shown, seedEntry } from './pack-item.ts'
import { choosePointers } from './pointers.ts'

/** How many seeds the pack lists. */
const MOST_LISTED = 50

export function assemblePack(findings: Findings, parts: AssemblyParts): ContextPack {
  const { kept, dropped, named } = dropHiddenAndDuplicates(findings, parts.plan)
  const costs = new OfferCosts(findings, parts, { kept, named })
  const fixed = fixedParts(findings)
  // The overview and the ends depend on what was chosen, and cost something as well.
  let reserve: Cost = NOTHING
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const { chosen: apart, estimate } = costs.choose(reserve)
    const chosen = joinTouching(apart, findings.budgets)
    const pack = packOf(findings, parts, { chosen, kept, dropped, fixed })
    const counted = costs.costOf(pack.sections)
    const ends = costs.endsOf(pack)
    const whole = { tokens: counted.tokens + ends.tokens, chars: counted.chars + ends.chars }
    if (isWithin(whole, findings.budgets)) {
      const sections = costs.withReasons(pack.sections, whole)
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
    ...(findings.impact && { impact: findings.impact }),
    seeds: choice.fixed.seeds,
    sections,
    relations: relationsAmong(sections, findings.relations),
    pointers,
    ...(request.includeExplain ? { explain: explainPack(findings, choice, over) } : {}),
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

function relationsAmong(
  sections: readonly ContextSection[],
  relations: readonly Relation[],
): readonly ItemRelation[] {
  const shown = new Set(sections.flatMap((it) => it.items).map((it) => it.chunkUid))
  return relations
    .filter(({ from, to }) => shown.has(from) && shown.has(to))
    .map(({ from, to, edge, evidence }) => {
      const { kind: edgeType, from: fromSymbol, to: toSymbol } = edge
      const { id: evidenceId, startLine: line } = evidence
      return { from, to, edgeType, fromSymbol, toSymbol, evidenceId, line }
    })
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
    return [{ type, title: titleSection(plan, type), items, omitted }]
  })
}
