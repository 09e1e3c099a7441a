/** Changes of lines as `diff -u` shows them: a few unchanged lines around each group. */
import type { LineChange } from '../base/line-diff.ts'

const AROUND = 3
const SIGNS: Readonly<Record<LineChange['kind'], string>> = { same: ' ', gone: '-', new: '+' }

/** Empty where nothing has changed. */
export function unifiedDiff(changes: readonly LineChange[]): string {
  return hunksOf(changes)
    .map(({ from, to }) => hunkText(changes, from, to))
    .join('')
}

interface Hunk {
  readonly from: number
  readonly to: number
}

function hunksOf(changes: readonly LineChange[]): readonly Hunk[] {
  const hunks: { from: number; to: number }[] = []
  for (const [at, { kind }] of changes.entries()) {
    if (kind === 'same') continue
    const from = Math.max(0, at - AROUND)
    const to = Math.min(changes.length, at + AROUND + 1)
    const last = hunks.at(-1)
    if (last !== undefined && from <= last.to) last.to = to
    else hunks.push({ from, to })
  }
  return hunks
}

function hunkText(changes: readonly LineChange[], from: number, to: number): string {
  const before = changes.slice(0, from)
  const own = changes.slice(from, to)
  const place = (kind: LineChange['kind']): string => {
    const start = before.filter((it) => it.kind === 'same' || it.kind === kind).length
    const count = own.filter((it) => it.kind === 'same' || it.kind === kind).length
    return `${count === 0 ? start : start + 1},${count}`
  }
  const lines = own.map(({ kind, line }) => `${SIGNS[kind]}${line}\n`)
  return `@@ -${place('gone')} +${place('new')} @@\n${lines.join('')}`
}
