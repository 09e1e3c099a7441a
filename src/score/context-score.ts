/**
 * Seeds and their neighbours become candidates: which section each stands in, by which rule, and
 * with which scores. `hybridScore` keeps every seed above what the graph alone has found.
 */

import { ascending, type Compare, descending, inOrder } from '../base/order.ts'
import type { PathRole } from '../base/path-roles.ts'
import type { Candidate, Neighbour, Seed, Step } from '../model/candidate.ts'
import type { ItemScores, Rule, SectionType } from '../model/context-pack.ts'
import type { Ordering, PackRequest, TieBreaker } from '../model/pack-request.ts'

/** The shares of the three signals. */
export const HYBRID_WEIGHTS = { seed: 0.7, distance: 0.2, evidence: 0.1 } as const

export interface SeedStanding {
  readonly section?: SectionType
  readonly likelihood?: number
}

export function seedCandidate(
  seed: Seed,
  rule: 'seed' | 'focus',
  { section = 'seeds', likelihood = 1 }: SeedStanding = {},
): Candidate {
  const { chunk, terms: seedTerms, reasons } = seed
  const scored = scoresOf({ seedScore: seed.score, graphDistance: 0, evidenceScore: 1 })
  const { symbol } = chunk
  return {
    chunk,
    symbol,
    section,
    pool: section,
    rule,
    ...scored,
    likelihood,
    seedTerms,
    reasons,
    steps: [],
  }
}

/** With what its file is for, and what is known of it as a seed if the query has found it as well. */
export function neighbourCandidate(
  neighbour: Neighbour,
  role: PathRole,
  seed?: Candidate,
): Candidate {
  const { chunk, symbol, steps, via, sites } = neighbour
  const { section, rule } = placeNeighbour(role, steps)
  const scored = scoresOf({
    seedScore: seed?.scores.seedScore ?? 0,
    graphDistance: Math.max(1, steps.length),
    evidenceScore: evidenceOf(steps),
  })
  const { seedTerms = [], reasons = [], likelihood = 0 } = seed ?? {}
  const found = {
    chunk,
    symbol,
    section,
    pool: section,
    rule,
    ...scored,
    likelihood,
    seedTerms,
    reasons,
    steps,
    via,
  }
  return sites === undefined ? found : { ...found, sites }
}

/** Where no edge leads there is none. */
function evidenceOf(steps: readonly Step[]): number {
  if (steps.length === 0) return 0
  return steps.reduce((product, step) => product * step.edge.confidence, 1)
}

function scoresOf(given: Omit<ItemScores, 'hybridScore'>): Pick<Candidate, 'scores' | 'terms'> {
  const { seedScore, graphDistance, evidenceScore } = given
  const terms = [
    { name: 'seed', value: HYBRID_WEIGHTS.seed * seedScore },
    { name: 'distance', value: HYBRID_WEIGHTS.distance / (1 + graphDistance) },
    { name: 'evidence', value: HYBRID_WEIGHTS.evidence * evidenceScore },
  ]
  const sum = terms.reduce((total, it) => total + it.value, 0)
  const scores = {
    seedScore: rounded(seedScore),
    graphDistance,
    evidenceScore: rounded(evidenceScore),
    hybridScore: rounded(Math.min(1, Math.max(0, sum))),
  }
  return { scores, terms: terms.filter((it) => it.value !== 0) }
}

/** More digits say no more, and fewer are the same on every machine. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

interface Placement {
  readonly section: SectionType
  readonly rule: Rule
}

/** By the last step, except that tests and documents have sections of their kind. */
export function placeNeighbour(role: PathRole, steps: readonly Step[]): Placement {
  const last = steps.at(-1)
  if (last === undefined) return { section: 'related', rule: 'same-file-neighbor' }
  if (role === 'test') return { section: 'tests', rule: 'test-neighbor' }
  if (role === 'docs' || role === 'log') return { section: 'docs', rule: 'doc-neighbor' }
  switch (last.edge.kind) {
    case 'call':
      return { section: last.isForward ? 'callees' : 'callers', rule: 'call-neighbor' }
    case 'import':
      return last.isForward
        ? { section: 'imports', rule: 'import-neighbor' }
        : { section: 'usages', rule: 'import-neighbor' }
    case 'export':
      return { section: 'exports', rule: 'export-neighbor' }
    case 'dataflow':
      return { section: 'dataflow', rule: 'dataflow-neighbor' }
    case 'test':
      return { section: 'tests', rule: 'test-neighbor' }
    case 'mention':
      return { section: 'related', rule: 'related' }
    case 'usage':
    case 'inherit':
      return { section: 'usages', rule: 'usage-neighbor' }
  }
}

/** The order of a section; total. */
export function candidateOrder(ordering: PackRequest['ordering']): Compare<Candidate> {
  return inOrder<Candidate>(
    PRIMARY[ordering.primary],
    descending((it) => it.scores.hybridScore),
    // The best seed scores as high, but nobody has pointed at it.
    descending((it) => (it.rule === 'focus' ? 1 : 0)),
    ascending((it) => it.scores.graphDistance),
    ...ordering.stableTieBreakers.map((name) => TIES[name]),
    ascending((it) => it.chunk.path),
    ascending((it) => it.chunk.startLine),
    ascending((it) => it.chunk.start),
    ascending((it) => it.chunk.uid),
    ascending((it) => it.symbol),
  )
}

const PRIMARY: Readonly<Record<Ordering, Compare<Candidate>>> = {
  seedScore: descending((it) => it.scores.seedScore),
  graphDistance: ascending((it) => it.scores.graphDistance),
  graphEvidence: descending((it) => it.scores.evidenceScore),
  hybridScore: descending((it) => it.scores.hybridScore),
}

const TIES: Readonly<Record<TieBreaker, Compare<Candidate>>> = {
  symbolId: ascending((it) => it.chunk.symbol),
  chunkUid: ascending((it) => it.chunk.uid),
  fileRelPath: ascending((it) => it.chunk.path),
  startLine: ascending((it) => it.chunk.startLine),
}
