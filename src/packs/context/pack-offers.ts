/** What each candidate may be shown as, and what that is worth. */
import { touches } from '../../base/extents.ts'
import { ascending } from '../../base/order.ts'
import type { Offer } from '../../budget/fit.ts'
import type { Candidate, Showing } from '../../model/candidate.ts'
import type { DetailLevel, SectionType } from '../../model/context-pack.ts'
import type { Budgets } from '../../model/pack-request.ts'
import { isBareImport } from '../../score/import-lines.ts'
import type { IntentPlan } from './intents.ts'

export interface CandidateOffer extends Offer {
  readonly candidate: Candidate
  /** In the order of the options: from least to most. */
  readonly showings: readonly Showing[]
}

interface OfferOptions {
  readonly plan: IntentPlan
  readonly budgets: Budgets
}

/** Tokens of an item's frame: where it stands and why. */
const FRAME = 38
/** What it adds to the frame of a block instead: its name, and perhaps a reason of its own. */
export const ADDED_FRAME = 12
/** Of a chunk, what is shown of it at least in the mean. */
const SHOWN = 0.45
/** Some of those that come first will not fit. */
const MARGIN = 3
const SPARE = 1.25

/** Those that stand a chance, section by section; to look at the others would be a waste. */
export function prominent(
  candidates: readonly Candidate[],
  { plan, budgets }: OfferOptions,
): readonly Candidate[] {
  const sections = new Map(
    plan.sections.map(({ type, share }) => [
      type,
      { count: 0, tokens: SPARE * share * budgets.maxTotalTokens },
    ]),
  )
  const likely = new Set(
    candidates.filter(({ pool, chunk }) => {
      const left = sections.get(pool)
      const most = (pool === 'seeds' ? 2 : 1) * budgets.maxItemsPerSection + MARGIN
      if (left === undefined || left.count >= most) return false
      if (left.count >= MARGIN && left.tokens <= 0) return false
      left.count += 1
      left.tokens -= FRAME + SHOWN * chunk.tokens
      return true
    }),
  )
  // What all of these together leave of the budget, others may have.
  let room = ROOM * budgets.maxTotalTokens
  for (const { chunk } of likely) room -= FRAME + chunk.tokens
  for (const it of candidates) {
    if (room <= 0) break
    if (likely.has(it)) continue
    likely.add(it)
    room -= FRAME + it.chunk.tokens
  }
  return plan.isGraphFirst ? rooted(candidates, likely) : candidates.filter((it) => likely.has(it))
}

/** Those of them that hang on nothing that is left out. */
function rooted(
  candidates: readonly Candidate[],
  likely: ReadonlySet<Candidate>,
): readonly Candidate[] {
  const byUid = new Map(candidates.map((it) => [it.chunk.uid, it]))
  return candidates.filter(isRooted)

  function isRooted(candidate: Candidate): boolean {
    const before = byUid.get(viaOf(candidate))
    return likely.has(candidate) && (before === undefined || isRooted(before))
  }
}

/** What is one hop away hangs on a start, and that is what was asked about. */
function viaOf({ via = '', scores }: Candidate): string {
  return scores.graphDistance > 1 ? via : ''
}

/** Of the budget: some are duplicates, and some are too long to be shown whole. */
const ROOM = 1.2

interface OfferRules {
  readonly plan: IntentPlan
  /** Neighbours that are at least named. */
  readonly named: ReadonlySet<Candidate>
  readonly fill: boolean
}

export function offersOf(
  candidates: readonly Candidate[],
  { plan: { isGraphFirst }, named, fill }: OfferRules,
  showingsOf: (candidate: Candidate) => readonly Showing[],
): readonly CandidateOffer[] {
  const allShowings = candidates.map((candidate) => {
    const all = showingsOf(candidate).toReversed()
    // The title and the reason say all that there is to say of lines of imports.
    return isBareImport(candidate) ? all.slice(0, 1) : all
  })
  const before = followed(candidates, (at) => isWhole(allShowings[at]?.at(-1)))
  const after = new Map([...before].map(([at, last]) => [last, at]))
  const places = new Map(candidates.map((it, at) => [it.chunk.uid, at]))
  let tests = 0
  const expected = candidates.reduce((sum, it) => sum + it.likelihood, 0)
  return candidates.map((candidate, at) => {
    const showings = allShowings[at] ?? []
    const { section, pool, rule } = candidate
    const follows = before.get(at)
    // What is tried before it will mostly be there, and then it needs no heading of its own.
    const isBeside = [follows, after.get(at)].some((it) => it !== undefined && it < at)
    const frame = isBeside ? ADDED_FRAME : FRAME
    const options = optionsOf(candidate, showings, { frame, fill: fill || isGraphFirst, expected })
    const isTest = pool === 'tests' && candidate.via === undefined
    if (isTest) tests += 1
    // A test is rather named than left out for want of room in its section, or of worth.
    const isNamed = fill ? isTest : named.has(candidate) || (isTest && tests <= FEW_TESTS)
    const ofGraph = isGraphFirst
      ? { turn: turnOf(candidate), after: places.get(viaOf(candidate)) }
      : isNamed
        ? { turn: 0, after: fill ? undefined : places.get(candidate.via ?? candidate.anchor ?? '') }
        : {}
    const sections = [...new Set([section, ...(OVERFLOW[pool] ?? [])])]
    const isFirst = rule === 'focus'
    return { candidate, sections, pool, showings, options, follows, isFirst, ...ofGraph }
  })
}

/** That share words with the question and are named whatever they are worth. */
const FEW_TESTS = 3

/** What only shares words with the question comes after all that hangs on the focus. */
function turnOf({ section, scores }: Candidate): number {
  return section === 'related' ? Number.POSITIVE_INFINITY : scores.graphDistance
}

function isWhole(showing: Showing | undefined): boolean {
  return showing?.level === 'whole' && !showing.isTruncated
}

/** Of each candidate that touches the end of another in its file: which one that is. */
function followed(
  candidates: readonly Candidate[],
  isJoined: (at: number) => boolean,
): ReadonlyMap<number, number> {
  const places = [...candidates.keys()].filter(isJoined)
  const before = new Map<number, number>()
  for (const inFile of Map.groupBy(places, pathAt).values()) {
    const inOrder = inFile.length === 1 ? [] : inFile.toSorted(ascending(startAt))
    for (const [place, at] of inOrder.entries()) {
      const last = inOrder[place - 1]
      if (last !== undefined && touches(extentAt(last), extentAt(at))) before.set(at, last)
    }
  }
  return before

  function pathAt(at: number): string {
    return candidates[at]?.chunk.path ?? ''
  }
  function startAt(at: number): number {
    return candidates[at]?.chunk.start ?? 0
  }
  function extentAt(at: number) {
    const { start = 0, end = 0, startLine = 0, endLine = 0 } = candidates[at]?.chunk ?? {}
    return { range: { start, end }, lines: { start: startLine, end: endLine } }
  }
}

/** Where those are shown for which their section has no room. */
const OVERFLOW: Readonly<Partial<Record<SectionType, readonly SectionType[]>>> = {
  seeds: ['related', 'seeds'],
}

interface Pricing {
  /** Of the whole chunk. */
  readonly frame: number
  readonly fill: boolean
  /** How many of all candidates are needed, about. */
  readonly expected: number
}

function optionsOf(
  candidate: Candidate,
  showings: readonly Showing[],
  { frame, fill, expected }: Pricing,
) {
  const { chunk, pool } = candidate
  const length = chunk.text.length || 1
  const { seedScore, hybridScore } = candidate.scores
  const hung = NEIGHBOUR_WORTH * hybridScore
  // A test is known by its title as a caller is, and its words are held against it as a seed.
  const isTest = pool === 'tests'
  const score = isTest ? Math.max(seedScore, hung) : seedScore > 0 ? seedScore : hung
  const levels = seedScore > 0 && !isTest ? SEED_LEVELS : NEIGHBOUR_LEVELS
  const whole = fill
    ? score * (chunk.tokens + FRAME) ** MORE_OF_LONG
    : (candidate.likelihood / Math.sqrt(expected || 1)) *
      (chunk.tokens + FRAME) ** MORE_OF_LONG_NEEDED
  let least = 0
  return showings.map((showing) => {
    const share = Math.min(1, showing.text.length / length)
    const part = showing.worth ?? levels[showing.level](share)
    const worth = Math.max(least * 1.0001, whole * part)
    least = worth
    const own = showing.level === 'whole' ? frame : FRAME
    return { estimate: Math.ceil(own + chunk.tokens * share), worth }
  })
}

/**
 * A chunk is worth more than another as it is likelier, and as it is longer, but not by as much as
 * it is longer: of two that are as likely, the shorter one leaves room for a third.
 */
const MORE_OF_LONG = 0.5
/** Where room may be left: what is long is likelier to hold a needed line, and dearer if it does not. */
const MORE_OF_LONG_NEEDED = 0.3

/** Beyond its section's share, what hangs on a seed comes after most seeds. */
const NEIGHBOUR_WORTH = 0.1

type Worth = (share: number) => number

/** Of what the whole is worth, by how much of it is shown: what matches is worth more than the rest. */
const SEED_LEVELS: Readonly<Record<DetailLevel, Worth>> = {
  whole: (share) => share,
  excerpt: (share) => share ** 0.75,
  signature: (share) => 0.6 * share,
  title: () => 0.001,
}

/** To know that something calls is much of what there is to know of a caller. */
const NEIGHBOUR_LEVELS: Readonly<Record<DetailLevel, Worth>> = {
  whole: (share) => 0.7 + 0.3 * share,
  excerpt: (share) => 0.6 + 0.3 * share,
  signature: () => 0.5,
  title: () => 0.1,
}
