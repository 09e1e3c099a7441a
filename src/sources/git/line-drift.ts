/** Where the lines of a text are in a later state of it. */
import type { LineEdit } from '../../model/repository-diff.ts'

/** The line's number now; undefined where it was changed or removed since. */
export function followLine(line: number, drift: readonly LineEdit[]): number | undefined {
  let shift = 0
  for (const { oldStart, removed, added } of drift) {
    if (line < oldStart) break
    if (line < oldStart + removed.length) return undefined
    shift += added.length - removed.length
  }
  return line + shift
}

/** As `followLine`; of a line that is gone, the place where it was. */
export function followPlace(line: number, drift: readonly LineEdit[]): number {
  const own = followLine(line, drift)
  if (own !== undefined) return own
  const edit = drift.find((it) => it.oldStart <= line && line < it.oldStart + it.removed.length)
  return edit?.newStart ?? line
}

/** The lines as they were before the edits; undefined where the edits are not of these lines. */
export function undoEdits(
  lines: readonly string[],
  edits: readonly LineEdit[],
): readonly string[] | undefined {
  const before: string[] = []
  let next = 1
  for (const { newStart, removed, added } of edits) {
    if (newStart < next) return undefined
    before.push(...lines.slice(next - 1, newStart - 1), ...removed)
    next = newStart + added.length
    const isSame = added.every((line, at) => plain(line) === plain(lines[newStart - 1 + at]))
    if (!isSame) return undefined
  }
  return [...before, ...lines.slice(next - 1)]
}

/** Line ends may have been converted on the way, and spaces of blank lines are not kept everywhere. */
function plain(line: string | undefined): string | undefined {
  return line?.trim() === '' ? '' : line?.replace(/\r$/, '')
}
