/** Where a range of lines is after a text has changed: both of its ends follow the lines that stayed. */
import { diffArrays } from 'diff'
import { MOST_CHANGES } from './unified-diff.ts'

/** Numbers of lines, from 1, inclusive. */
export interface LineRange {
  readonly start: number
  readonly end: number
}

/**
 * Lines that came right before the range or right after it stay outside. A line at an edge that was
 * replaced takes its replacement along. The range is empty (`end < start`) where all of its lines
 * were removed, and undefined where none of them stayed and others came: then nothing can be said.
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
  return { start: startIn(first, range.start), end: endIn(last, range.end) }
}

/** Lines that are the same in both texts, or those between two such runs. Empty: `end < start`. */
interface Run {
  readonly isSame: boolean
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

function collectRuns(before: readonly string[], after: readonly string[]): readonly Run[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: MOST_CHANGES }) ?? [
    { count: before.length, removed: true, added: false },
    { count: after.length, removed: false, added: true },
  ]
  const runs: Run[] = []
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

/** Of lines that were replaced over the edge, as many as stood outside are left outside. */
function startIn({ isSame, oldStart, newStart, newEnd }: Run, line: number): number {
  const place = newStart + (line - oldStart)
  return isSame ? place : Math.min(place, newEnd + 1)
}

function endIn({ isSame, oldEnd, newStart, newEnd }: Run, line: number): number {
  const place = newEnd - (oldEnd - line)
  return isSame ? place : Math.max(place, newStart - 1)
}
