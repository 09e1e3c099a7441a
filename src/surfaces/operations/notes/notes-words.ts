/** What came of an import, in words. */
import type { Diagnostic } from '../../../model/diagnostic.ts'
import type { ImportResult } from '../../../packs/notes/notes-import.ts'
import type { Paint } from '../operation.ts'
import { inTime } from '../words.ts'

export function importText(outcome: ImportResult, paint: Paint): string {
  const { workspace, kind, source, notes, trashed, milliseconds } = outcome
  const changes = changesOf(outcome)
  const head = `${paint.good('imported')} ${paint.strong(workspace)}: ${inThousands(notes)} notes, ${changes}, in ${inTime(milliseconds)}`
  const place = `  ${paint.faint(`${kind} ${source}`)}`
  // What was said the last time is said again when asked for.
  if (changes === NOTHING && !paint.isVerbose) return `${head}\n${place}\n`
  const trash = trashed === 0 ? [] : [`  in the trash, and left out: ${inThousands(trashed)}`]
  const lines = [head, place, ...trash, ...troubles(outcome, paint)]
  return `${lines.join('\n')}\n`
}

export function inThousands(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

function changesOf({ added, changed, removed, unchanged }: ImportResult): string {
  if (changed + removed + unchanged === 0) return 'all new'
  const parts = Object.entries({ added, changed, removed }).filter(([, count]) => count > 0)
  if (parts.length === 0) return NOTHING
  return parts.map(([what, count]) => `${inThousands(count)} ${what}`).join(', ')
}

const NOTHING = 'nothing changed'
const FEW = 5
const SAYINGS: Readonly<Partial<Record<Diagnostic['code'], string>>> = {
  unresolved: 'links that lead nowhere',
  cycle: 'owned or listed in a circle',
  unparsable: 'not understood',
  'invalid-utf8': 'no valid UTF-8',
}

/** By what is wrong; the first few of each, or all. A source may count more than it names. */
function troubles({ diagnostics, unresolved }: ImportResult, paint: Paint): readonly string[] {
  const codes = [...new Set(diagnostics.map((it) => it.code))].toSorted()
  return codes.flatMap((code) => {
    const own = diagnostics.filter((it) => it.code === code)
    const count = code === 'unresolved' ? Math.max(unresolved, own.length) : own.length
    const shown = paint.isVerbose ? own : own.slice(0, FEW)
    const more = own.length > shown.length ? ' (--verbose names more)' : ''
    return [
      `  ${SAYINGS[code] ?? `left out, ${code}`}: ${inThousands(count)}${paint.faint(more)}`,
      ...shown.map((it) => `    ${it.path} ${paint.faint(it.message)}`),
    ]
  })
}
