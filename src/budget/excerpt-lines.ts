/** Which lines of a chunk to show when there is no room for all: its head, and what matches best. */
import { ascending, descending, inOrder } from '../base/order.ts'
import { type ChunkLines, GAP, type Stretch, utf8Length } from './chunk-lines.ts'

export interface ExcerptLimit {
  /** Of the windows; the head is not counted. */
  readonly lines: number
  /** Of the whole text, the lines between the parts included. */
  readonly bytes: number
  readonly windows: number
}

/** Lines before and after one that matches. */
const AROUND = 3
/** A gap so small is shown: saying that something is missing would cost as much. */
const SMALLEST_GAP = 3

/** Lines by how well they match, best first: those with many matches around them before others. */
export function matchingLines(
  lines: ChunkLines,
  matches: (line: string) => number,
): readonly number[] {
  const weights = [0]
  for (let line = 1; line <= lines.count; line += 1) weights.push(matches(lines.line(line)))
  const scores = weights.map((weight, line) => {
    let sum = weight
    for (let at = line - AROUND; at <= line + AROUND; at += 1) sum += weights[at] ?? 0
    return { line, sum }
  })
  return scores
    .filter(({ line }) => (weights[line] ?? 0) > 0)
    .toSorted(
      inOrder(
        descending((it) => it.sum),
        ascending((it) => it.line),
      ),
    )
    .map(({ line }) => line)
}

/** As many windows as fit, the best first; one that does not fit is passed over. In file order. */
export function excerptStretches(
  lines: ChunkLines,
  choice: { readonly head: readonly Stretch[]; readonly best: readonly number[] },
  limit: ExcerptLimit,
): readonly Stretch[] {
  let shown = joined(lines, choice.head)
  if (bytesOf(lines, shown) > limit.bytes) shown = []
  const most = limit.lines + lineCount(shown)
  let windows = 0
  for (const line of choice.best) {
    if (windows === limit.windows) break
    if (shown.some(({ first, last }) => first <= line && line <= last)) continue
    const window = { first: Math.max(1, line - AROUND), last: Math.min(lines.count, line + AROUND) }
    const more = joined(lines, [...shown, window])
    if (lineCount(more) > most || bytesOf(lines, more) > limit.bytes) continue
    shown = more
    windows += 1
    // Less than a window is not worth looking for.
    if (lineCount(shown) > most - AROUND) break
  }
  return windows === 0 ? [] : shown
}

/** In order, without blank ends, and without gaps that are not worth their sign. */
export function joined(lines: ChunkLines, stretches: readonly Stretch[]): readonly Stretch[] {
  const result: Stretch[] = []
  const inFileOrder = inOrder<Stretch>(
    ascending((it) => it.first),
    ascending((it) => it.last),
  )
  for (const stretch of stretches.toSorted(inFileOrder)) {
    const before = result.at(-1)
    if (before !== undefined && stretch.first - before.last <= SMALLEST_GAP) {
      result[result.length - 1] = {
        first: before.first,
        last: Math.max(before.last, stretch.last),
      }
    } else result.push(stretch)
  }
  return result.flatMap((it) => trimmed(lines, it))
}

function trimmed(lines: ChunkLines, stretch: Stretch): readonly Stretch[] {
  let { first, last } = stretch
  while (first <= last && lines.isBlank(first)) first += 1
  while (last > first && lines.isBlank(last)) last -= 1
  return first > last ? [] : [{ first, last }]
}

function lineCount(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { first, last }) => sum + last - first + 1, 0)
}

function bytesOf(lines: ChunkLines, stretches: readonly Stretch[]): number {
  const gaps = Math.max(0, stretches.length - 1) * BETWEEN_BYTES
  return stretches.reduce((sum, { first, last }) => sum + lines.bytes(first, last), gaps)
}

const BETWEEN_BYTES = utf8Length(`\n${GAP}\n`)
