/** Which lines of a file, as it was before, a change is about. */
import type { LineRange } from '../../model/context-pack.ts'

/**
 * From a diff without context. Lines that were put in stand nowhere in the file as it was: those
 * around the place count for them.
 *
 *     @@ -12,2 +12,3 @@   lines 12 and 13
 *     @@ -40,0 +42,5 @@   put in after line 40: lines 40 and 41
 */
export function changedLines(diff: string, lineCount: number): readonly LineRange[] {
  return [...diff.matchAll(/^@@ -(\d+)(?:,(\d+))? \+/gm)]
    .map(([, first = '0', count = '1']) => rangeOf(Number(first), Number(count), lineCount))
    .filter((it) => it.start <= it.end)
}

function rangeOf(first: number, count: number, lineCount: number): LineRange {
  if (count > 0) return { start: first, end: Math.min(lineCount, first + count - 1) }
  return { start: Math.max(1, first), end: Math.min(lineCount, first + 1) }
}

export function linesOf(ranges: readonly LineRange[]): readonly number[] {
  const lines = new Set<number>()
  for (const { start, end } of ranges) for (let at = start; at <= end; at += 1) lines.add(at)
  return [...lines].toSorted((a, b) => a - b)
}

/** As git and editors count them: what follows the last line break is a line if it is anything. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
