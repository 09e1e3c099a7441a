/** The ways to show a chunk that a diff changes: all of it, the changed lines, its title. */
import type { Showing } from '../model/candidate.ts'
import type { StoredChunk } from '../model/code-index.ts'
import type { ItemChanges } from '../model/pack-changes.ts'
import { chunkHead } from './chunk-head.ts'
import { chunkLines } from './chunk-lines.ts'
import { lineShowing, showingsOf, TITLE } from './showings.ts'

interface ChangeOptions {
  readonly maxBytes: number
  /** Whether the whole budget is to be used. */
  readonly fill: boolean
}

/** Lines around a change that are shown, where there is room and where there is less. */
const AROUND = [3, 1]
/** A chunk so small is shown whole: its ends cost little. */
const SMALL = 30
/** Of the chunk's lines: above that, gaps are not worth their sign. */
const MOSTLY = 0.6

/** Each is smaller than the one before it; the last is the title. */
export function changeShowings(
  chunk: StoredChunk,
  changes: ItemChanges,
  { maxBytes, fill }: ChangeOptions,
): readonly Showing[] {
  const lines = chunkLines(chunk)
  const changed = listChangedLines(changes, chunk)
  const all = showingsOf(chunk, { matches: () => 0, maxBytes })
  const isMost = changed.length >= MOSTLY * lines.count
  const whole =
    fill || isMost || lines.count <= SMALL
      ? all.filter((it) => it.level === 'whole' && !it.isTruncated)
      : []
  const head = chunkHead(lines)?.signatures ?? []
  const parts = AROUND.flatMap((around) => {
    const stretches = changed.map((line) => ({
      first: Math.max(1, line - around),
      last: Math.min(lines.count, line + around),
    }))
    return lineShowing(chunk, [...head, ...stretches], maxBytes) ?? []
  })
  // Of what is too long even so, the beginning.
  const rest = parts.length > 0 ? [] : all.filter((it) => it.level === 'whole')
  const offered = [...whole, ...parts, ...rest]
  const kept: Showing[] = []
  for (const it of offered) {
    const last = kept.at(-1)
    if (last === undefined || it.text.length < last.text.length) kept.push(it)
  }
  return [...kept, TITLE]
}

/** Numbers within the chunk of the lines that changed, and of those beside what is gone. */
function listChangedLines({ lines, others }: ItemChanges, { startLine, endLine }: StoredChunk) {
  const own = lines.flatMap(({ start, end }) =>
    Array.from({ length: end - start + 1 }, (_, at) => start + at),
  )
  const beside = others.flatMap(({ before }) => [before - 1, before])
  const inside = [...own, ...beside].filter((it) => startLine <= it && it <= endLine)
  return [...new Set(inside)].toSorted((a, b) => a - b).map((it) => it - startLine + 1)
}
