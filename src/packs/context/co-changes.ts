/** Which files usually change together with those of a diff, and did not. */
import { ascending, descending, inOrder } from '../../base/order.ts'
import type { CoChange } from '../../model/pack-changes.ts'

interface CoChangeRequest {
  /** The files that each commit changed. */
  readonly commits: readonly (readonly string[])[]
  /** Paths that the diff changes, as they were called before it. */
  readonly changed: ReadonlySet<string>
  /** Whether a file is still there. */
  exists(path: string): boolean
}

/** Fewer commits may be chance. */
const LEAST_SUPPORT = 3
const LEAST_CONFIDENCE = 0.5
/** So many times as often as in any other commit: what changes in most of them says nothing. */
const LEAST_LIFT = 2

/** Each file once, with the changed file that says most of it; the surest first. */
export function findCoChanges(request: CoChangeRequest): readonly CoChange[] {
  const { commits, changed, exists } = request
  const counts = countPaths(commits)
  const commitsOf = new Map<string, (readonly string[])[]>()
  for (const commit of commits) {
    for (const path of commit.filter((it) => changed.has(it)))
      commitsOf.set(path, [...(commitsOf.get(path) ?? []), commit])
  }
  const best = new Map<string, CoChange>()
  for (const [path, own] of commitsOf) {
    if (own.length < LEAST_SUPPORT) continue
    for (const [other, together] of countPaths(own)) {
      if (changed.has(other) || together < LEAST_SUPPORT) continue
      const confidence = together / own.length
      const usual = (counts.get(other) ?? 0) / commits.length
      if (confidence < LEAST_CONFIDENCE || confidence < LEAST_LIFT * usual) continue
      const found = { path: other, with: path, together, of: own.length }
      const known = best.get(other)
      if (known === undefined || SUREST(found, known) < 0) best.set(other, found)
    }
  }
  return [...best.values()].filter((it) => exists(it.path)).toSorted(SUREST)
}

/** As many successes of as many tries, with two tries of each kind more: 3 of 3 is not certain. */
function computeConfidence({ together, of }: CoChange): number {
  return (together + 1) / (of + 4)
}

const SUREST = inOrder<CoChange>(
  descending(computeConfidence),
  descending((it) => it.together),
  ascending((it) => it.path),
  ascending((it) => it.with),
)

function countPaths(commits: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const paths of commits)
    for (const path of new Set(paths)) counts.set(path, (counts.get(path) ?? 0) + 1)
  return counts
}
