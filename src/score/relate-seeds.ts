/**
 * Which of the chunks that the question found it is about, and where the others are shown: in the
 * section of what they are to those, whether or not words matched too.
 */
import type { PathRole } from '../base/path-roles.ts'
import type { Candidate, Relation, Step } from '../model/candidate.ts'
import type { SectionType } from '../model/context-pack.ts'
import { placeNeighbour } from './context-score.ts'

/** What the question is about are few. */
const MOST_ANCHORS = 5
/** Of the likelihood of the best: what is nearly as likely may be meant as well. */
const LEAST_SHARE = 0.5

/** The focus, if there is one; else the likeliest. Candidates come best first. */
export function chooseAnchors(candidates: readonly Candidate[]): readonly Candidate[] {
  const focused = candidates.filter((it) => it.rule === 'focus')
  if (focused.length > 0) return focused
  const best = candidates.reduce((most, it) => Math.max(most, it.likelihood), 0)
  const likely = candidates.filter((it) => it.likelihood >= LEAST_SHARE * best)
  const source = likely.filter((it) => it.pool === 'seeds')
  return (source.length > 0 ? source : likely).slice(0, MOST_ANCHORS)
}

/** Candidates come best first; each keeps its scores and the share of the budget that pays for it. */
export function relateSeeds(
  candidates: readonly Candidate[],
  relations: readonly Relation[],
  roles: (path: string) => PathRole,
): readonly Candidate[] {
  const anchors = chooseAnchors(candidates)
  const order = new Map(anchors.map((it, at) => [it.chunk.uid, at]))
  const steps = new Map<string, { readonly step: Step; readonly anchor: string }>()
  const closest = new Map<string, number>()
  for (const relation of relations) {
    for (const isForward of [true, false]) {
      const [anchor, other] = isForward
        ? [relation.from, relation.to]
        : [relation.to, relation.from]
      const at = order.get(anchor)
      if (at === undefined || order.has(other) || at >= (closest.get(other) ?? Infinity)) continue
      closest.set(other, at)
      const { edge, evidence } = relation
      steps.set(other, { step: { edge, evidence, isForward, isSupported: true }, anchor })
    }
  }
  return candidates.map((it) => {
    if (order.has(it.chunk.uid) || it.rule === 'focus') return it
    const related = steps.get(it.chunk.uid)
    if (related === undefined) return { ...it, section: placeUnrelated(it, roles(it.chunk.path)) }
    const own = [related.step]
    return {
      ...it,
      ...placeNeighbour(roles(it.chunk.path), own),
      steps: own,
      anchor: related.anchor,
    }
  })
}

function placeUnrelated({ section, pool }: Candidate, role: PathRole): SectionType {
  if (pool !== 'seeds') return section
  if (role === 'test') return 'tests'
  return role === 'docs' || role === 'log' ? 'docs' : 'related'
}
