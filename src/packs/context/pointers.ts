/**
 * What may be needed but is not worth its tokens is named in one line each: the neighbours of what
 * is found in the sections where they belong, and less likely finds at the end of the pack.
 */
import { ascending, descending, inOrder } from '../../base/order.ts'
import type { Candidate } from '../../model/candidate.ts'
import type { Budgets } from '../../model/pack-request.ts'
import { isBareImport } from '../../score/import-lines.ts'
import { isModuleSymbol } from '../../traverse/module-symbol.ts'

/** Tokens of one line, about. */
const TOKENS_PER_LINE = 24
/** Of the budget, for the one list and for the other. */
const NEIGHBOUR_SHARE = 0.03
const POINTER_SHARE = 0.02
export const MOST_POINTERS = 40
/** Less likely than this is counted, not named. */
const LEAST_LIKELIHOOD = 0.004
/** A part of it for each further neighbour of the same item: a hub must not fill the list. */
const CROWDING = 0.8

interface NeighbourOptions {
  readonly budgets: Budgets
  readonly isFocused: boolean
}

/**
 * Those of the neighbours that are to be named: first what the likeliest finds call or use, whether
 * or not words found them too. Each is
 * one step from a find and comes with the function that leads to it. That a file imports, tests or
 * mentions another as a whole says little of what to read: it is named only around a focus.
 */
export function chooseNeighbours(
  candidates: readonly Candidate[],
  { budgets: { maxTotalTokens }, isFocused }: NeighbourOptions,
): ReadonlySet<Candidate> {
  const likely = new Map(candidates.map((it) => [it.chunk.uid, it.likelihood]))
  const seen = new Map<string, number>()
  const weighed = candidates.flatMap((candidate, place) => {
    const { section, scores, via = candidate.anchor } = candidate
    const last = candidate.steps.at(-1)
    const isImport = last?.edge.kind === 'import' || isBareImport(candidate)
    if (via === undefined) return []
    if (!isFocused && (isImport || scores.graphDistance > 1 || !isTelling(candidate))) return []
    const distance = Math.max(1, scores.graphDistance)
    const key = `${via} ${section}`
    const before = seen.get(key) ?? 0
    seen.set(key, before + 1)
    const start = likely.get(via) ?? 0
    const worth = (start * scores.evidenceScore * CROWDING ** before) / distance
    return [{ candidate, place, worth: isImport ? 0 : worth }]
  })
  const room = Math.max(
    LEAST_NAMED,
    Math.floor((NEIGHBOUR_SHARE * maxTotalTokens) / TOKENS_PER_LINE),
  )
  return new Set(
    weighed
      .toSorted(BY_WORTH)
      .slice(0, room)
      .map((it) => it.candidate),
  )
}

const LEAST_NAMED = 3

/** Between two definitions, neither of which holds the other, and not by a mention in a comment. */
function isTelling({ steps, section }: Candidate): boolean {
  const last = steps.at(-1)
  if (last === undefined) return false
  const { kind, from, to } = last.edge
  if (kind === 'mention' && section !== 'docs') return false
  if (to.startsWith(from)) return false
  return !isModuleSymbol(last.isForward ? from : to)
}

/** Of finds that are not shown, in the order of the pack: the likeliest, as far as there is room. */
export function choosePointers(
  left: readonly Candidate[],
  { maxTotalTokens }: Budgets,
): readonly Candidate[] {
  const room = Math.floor((POINTER_SHARE * maxTotalTokens) / TOKENS_PER_LINE)
  return left
    .map((candidate, place) => ({ candidate, place, worth: candidate.likelihood }))
    .filter((it) => it.worth >= LEAST_LIKELIHOOD && isExplained(it.candidate))
    .toSorted(BY_WORTH)
    .slice(0, Math.min(MOST_POINTERS, room))
    .map((it) => it.candidate)
}

/** Whether a word or a relation says why: that the graph ranks it high is no reason to a reader. */
export function isExplained({ rule, reasons, steps }: Candidate): boolean {
  return rule !== 'seed' || reasons.length > 0 || steps.length > 0
}

interface Weighed {
  readonly candidate: Candidate
  readonly place: number
  readonly worth: number
}

const BY_WORTH = inOrder<Weighed>(
  descending((it) => it.worth),
  ascending((it) => it.place),
)
