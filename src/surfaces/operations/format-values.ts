/** Formats numbers and lists for people. */
import { offsetAfter } from '../../base/text.ts'
import { visibleName } from '../../base/visible.ts'
import type { Diagnostic, DiagnosticCode } from '../../model/diagnostic.ts'
import type { Difference } from '../../packs/context/value-differences.ts'
import type { Paint } from './operation.ts'

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

export function formatDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}

export function formatAge(seconds: number): string {
  if (seconds < 90) return `${seconds} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  return seconds < 130_000
    ? `${Math.round(seconds / 3600)} h`
    : `${Math.round(seconds / 86_400)} days`
}

/** `maxTokens` is given as `--max-tokens`. */
export function formatFlagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

const MAX_LISTED = 5

/** Files that were still read have their own label instead of "left out". */
const DIAGNOSTIC_LABELS: Readonly<Partial<Record<DiagnosticCode, string>>> = {
  'invalid-utf8': 'no valid UTF-8',
  unparsable: 'taken as plain text',
  unresolvable: 'without edges',
}

/** What was left out or mended, by reason; the first few of each, or all. */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  paint: Paint,
): readonly string[] {
  const codes = [...new Set(diagnostics.map((it) => it.code))].toSorted()
  return codes.flatMap((code) => {
    const own = diagnostics.filter((it) => it.code === code)
    const shown = paint.isVerbose ? own : own.slice(0, MAX_LISTED)
    const rest = own.length - shown.length
    return [
      `  ${DIAGNOSTIC_LABELS[code] ?? `left out, ${code}`}: ${own.length}`,
      ...shown.map((it) => `    ${visibleName(it.path)} ${paint.faint(it.message)}`),
      ...(rest > 0
        ? [paint.faint(`    and ${rest} more${paint.hasFlags ? ' (--verbose names them)' : ''}`)]
        : []),
    ]
  })
}

/** `budgets.maxItems 80 → 40`, however long the values are. */
export function formatDifference({ place, before, after }: Difference): string {
  return `${place} ${shortenValue(before)} → ${shortenValue(after)}`
}

const MAX_VALUE_LENGTH = 60

function shortenValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text =
    typeof value === 'number' ? String(Number(value.toPrecision(6))) : JSON.stringify(value)
  const end = offsetAfter(text, 0, MAX_VALUE_LENGTH)
  return end < text.length ? `${text.slice(0, end)}…` : text
}
