/** Which candidates are offered to a pack at all, and why the others are not. */
import { duplicatesIn } from '../../budget/duplicates.ts'
import type { Candidate } from '../../model/candidate.ts'
import type { DropReason } from '../../model/context-pack.ts'
import type { Findings } from './findings.ts'
import { isHidden } from './hidden-files.ts'
import type { IntentPlan } from './intents.ts'
import { prominent } from './pack-offers.ts'
import { chooseNeighbours, isExplained } from './pointers.ts'

export interface Dropped {
  readonly candidate: Candidate
  readonly reason: DropReason
  readonly of?: string
}

const NONE: ReadonlySet<Candidate> = new Set()

/** Without what must not be shown, and without what something better says already. */
export function dropHiddenAndDuplicates(findings: Findings, plan: IntentPlan) {
  const { candidates, budgets, request } = findings
  const dropped: Dropped[] = []
  const open = candidates.filter((candidate) => {
    const isSecret = isHidden(findings, candidate.chunk.path)
    if (isSecret) dropped.push({ candidate, reason: 'secret' })
    return !isSecret
  })
  const isFilled = request.fill || plan.isGraphFirst
  const named = isFilled
    ? undefined
    : chooseNeighbours(open, { budgets, isFocused: findings.focus.length > 0 })
  const offered = open.filter(
    (it) => named === undefined || named.has(it) || (it.via === undefined && isExplained(it)),
  )
  const likely = prominent(offered, { plan, budgets })
  const twins = duplicatesIn(likely.map((it) => it.chunk.text))
  const kept = likely.filter((candidate, at) => {
    const twin = twins[at]
    const of = twin === undefined ? undefined : likely[twin]?.chunk.uid
    if (of === undefined || candidate.rule === 'focus' || candidate.sites !== undefined) return true
    dropped.push({ candidate, reason: 'duplicate', of })
    return false
  })
  const looked = new Set(likely)
  for (const candidate of open) {
    if (!looked.has(candidate)) dropped.push({ candidate, reason: 'budget' })
  }
  return { kept, dropped, named: named ?? NONE }
}
