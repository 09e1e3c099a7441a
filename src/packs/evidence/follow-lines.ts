/** Finds a range of lines in a changed text: both ends follow the unchanged lines. */
import { diffArrays } from 'diff'
import { MAX_CHANGES } from './unified-diff.ts'

/** Numbers of lines, from 1, inclusive. */
export interface LineRange {
  readonly start: number
  readonly end: number
}

/**
 * Lines inserted right before or after the range stay outside. A replaced line at an edge is
 * followed to its replacement. The range is empty (`end < start`) if all of its lines were removed,
 * and undefined if all of them were replaced: then the position is unknown.
 */
export function followLines(
  before: readonly string[],
  after: readonly string[],
  range: LineRange,
): LineRange | undefined {
  const runs = collectRuns(before, after)
  const first = runs.find((it) => it.oldEnd >= range.start)
  const last = runs.find((it) => it.oldEnd >= range.end)
  if (first === undefined || last === undefined) return undefined
  if (first === last && !first.isSame && first.newEnd >= first.newStart) return undefined
  return { start: mapStart(first, range.start), end: mapEnd(last, range.end) }
}

/** Lines that are the same in both texts, or those between two such runs. Empty: `end < start`. */
interface LineRun {
  readonly isSame: boolean
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

function collectRuns(before: readonly string[], after: readonly string[]): readonly LineRun[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: MAX_CHANGES }) ?? [
    { count: before.length, removed: true, added: false },
    { count: after.length, removed: false, added: true },
  ]
  const runs: LineRun[] = []
  let [oldEnd, newEnd] = [0, 0]
  for (const { count, added, removed } of changes) {
    const isSame = !added && !removed
    const last = runs.at(-1)
    const run =
      last?.isSame === isSame ? last : { isSame, oldStart: oldEnd + 1, newStart: newEnd + 1 }
    if (run === last) runs.pop()
    if (!added) oldEnd += count
    if (!removed) newEnd += count
    runs.push({ ...run, oldEnd, newEnd })
  }
  return runs
}

/** If a replacement crosses the edge, as many lines as were outside stay outside. */
function mapStart({ isSame, oldStart, newStart, newEnd }: LineRun, line: number): number {
  const place = newStart + (line - oldStart)
  return isSame ? place : Math.min(place, newEnd + 1)
}

function mapEnd({ isSame, oldEnd, newStart, newEnd }: LineRun, line: number): number {
  const place = newEnd - (oldEnd - line)
  return isSame ? place : Math.max(place, newStart - 1)
}
