/** Creates a unified diff of two texts, with likely secrets redacted. */
import { formatPatch, OMIT_HEADERS, type StructuredPatchHunk, structuredPatch } from 'diff'
import { shownText, type Viewer } from '../redact-output.ts'

/** The comparison takes quadratic time in this. Beyond it, all lines count as replaced. */
export const MAX_CHANGES = 2000

export interface UnifiedDiff {
  /** Without file names; empty where nothing has changed. */
  readonly text: string
  /** How many of its lines have a likely secret redacted. */
  readonly redactedLines: number
}

export function createUnifiedDiff(
  viewer: Viewer,
  before: readonly string[],
  after: readonly string[],
): UnifiedDiff {
  const hunks = compareLines(before, after)
  if (hunks.length === 0) return { text: '', redactedLines: 0 }
  // Secrets are looked for in the whole texts: a few lines may not show what they are part of.
  const [shownBefore = [], shownAfter = []] = [before, after].map((lines) =>
    shownText(viewer, lines.join('\n')).text.split('\n'),
  )
  const shown = hunks.map((hunk) => replaceLines(hunk, shownBefore, shownAfter))
  const redactedLines = shown.flatMap((hunk, at) =>
    hunk.lines.filter((line, nth) => line !== hunks[at]?.lines[nth]),
  ).length
  return { text: formatPatch({ ...NO_NAMES, hunks: shown }, OMIT_HEADERS), redactedLines }
}

const NO_NAMES = {
  oldFileName: undefined,
  newFileName: undefined,
  oldHeader: undefined,
  newHeader: undefined,
}

function compareLines(
  before: readonly string[],
  after: readonly string[],
): readonly StructuredPatchHunk[] {
  const [oldText, newText] = [before, after].map((lines) => lines.map((it) => `${it}\n`).join(''))
  const patch = structuredPatch('', '', oldText ?? '', newText ?? '', undefined, undefined, {
    context: 3,
    maxEditLength: MAX_CHANGES,
  })
  return patch?.hunks ?? [replaceAll(before, after)]
}

function replaceAll(before: readonly string[], after: readonly string[]): StructuredPatchHunk {
  return {
    oldStart: 1,
    oldLines: before.length,
    newStart: 1,
    newLines: after.length,
    lines: [...before.map((it) => `-${it}`), ...after.map((it) => `+${it}`)],
  }
}

/** The same hunk with the lines of other texts: those have as many lines as the compared ones. */
function replaceLines(
  hunk: StructuredPatchHunk,
  before: readonly string[],
  after: readonly string[],
): StructuredPatchHunk {
  let [oldAt, newAt] = [hunk.oldStart - 1, hunk.newStart - 1]
  const lines = hunk.lines.map((line) => {
    const sign = line.charAt(0)
    const text = sign === '+' ? after[newAt] : before[oldAt]
    if (sign !== '+') oldAt += 1
    if (sign !== '-') newAt += 1
    return `${sign}${text ?? line.slice(1)}`
  })
  return { ...hunk, lines }
}
