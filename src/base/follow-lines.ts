/** Where a range of lines is after a text has changed: both of its ends follow the lines that stayed. */
import { type LineChange, lineDiff } from './line-diff.ts'

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
  const runs = runsOf(lineDiff(before, after))
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

function runsOf(changes: readonly LineChange[]): readonly Run[] {
  const runs: Run[] = []
  let oldLine = 0
  let newLine = 0
  for (const { kind } of changes) {
    const isSame = kind === 'same'
    const run = runs.at(-1)
    const begun =
      run?.isSame === isSame
        ? run
        : { isSame, oldStart: oldLine + 1, newStart: newLine + 1, oldEnd: oldLine, newEnd: newLine }
    if (begun === run) runs.pop()
    if (kind !== 'new') oldLine += 1
    if (kind !== 'gone') newLine += 1
    runs.push({ ...begun, oldEnd: oldLine, newEnd: newLine })
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
