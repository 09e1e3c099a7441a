/** What came of an import, in words. */
import type { Diagnostic } from '../../../model/diagnostic.ts'
import type { ImportResult } from '../../../packs/notes/notes-import.ts'
import { formatDuration } from '../format-values.ts'
import type { Paint } from '../operation.ts'

export function renderImport(outcome: ImportResult, paint: Paint): string {
  const { workspace, kind, source, notes, trashed, milliseconds } = outcome
  const changes = renderChanges(outcome)
  const head = `${paint.good('imported')} ${paint.strong(workspace)}: ${formatNumber(notes)} notes, ${changes}, in ${formatDuration(milliseconds)}`
  const place = `  ${paint.faint(`${kind} ${source}`)}`
  // What was said the last time is said again when asked for.
  if (changes === NOTHING && !paint.isVerbose) return `${head}\n${place}\n`
  const trash = trashed === 0 ? [] : [`  in the trash, and left out: ${formatNumber(trashed)}`]
  const lines = [head, place, ...trash, ...renderDiagnostics(outcome, paint)]
  return `${lines.join('\n')}\n`
}

export function formatNumber(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

function renderChanges({ added, changed, removed, unchanged }: ImportResult): string {
  if (changed + removed + unchanged === 0) return 'all new'
  const parts = Object.entries({ added, changed, removed }).filter(([, count]) => count > 0)
  if (parts.length === 0) return NOTHING
  return parts.map(([what, count]) => `${formatNumber(count)} ${what}`).join(', ')
}

const NOTHING = 'nothing changed'
const MAX_LISTED = 5
const DIAGNOSTIC_LABELS: Readonly<Partial<Record<Diagnostic['code'], string>>> = {
  unresolved: 'unresolved links',
  cycle: 'cyclic owners or lists',
  unparsable: 'not understood',
  'invalid-utf8': 'no valid UTF-8',
}

/** By what is wrong; the first few of each, or all. A source may count more than it names. */
function renderDiagnostics(
  { diagnostics, unresolved }: ImportResult,
  paint: Paint,
): readonly string[] {
  const codes = [...new Set(diagnostics.map((it) => it.code))].toSorted()
  return codes.flatMap((code) => {
    const own = diagnostics.filter((it) => it.code === code)
    const count = code === 'unresolved' ? Math.max(unresolved, own.length) : own.length
    const shown = paint.isVerbose ? own : own.slice(0, MAX_LISTED)
    const more = own.length > shown.length ? ' (--verbose names more)' : ''
    return [
      `  ${DIAGNOSTIC_LABELS[code] ?? `left out, ${code}`}: ${formatNumber(count)}${paint.faint(more)}`,
      ...shown.map((it) => `    ${it.path} ${paint.faint(it.message)}`),
    ]
  })
}
