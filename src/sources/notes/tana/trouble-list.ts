/** Diagnostics of an import: the first few of each kind, and how many there were. */
import type { Diagnostic, DiagnosticCode } from '../../../model/diagnostic.ts'

export interface TroubleList {
  /** How many of this kind have been noted, shown or not. */
  count(code: DiagnosticCode): number
  note(diagnostic: Diagnostic): void
  /** With a line for those that are not shown. */
  diagnostics(): readonly Diagnostic[]
}

const SHOWN = 20

/** `path`: what the line for the rest is about. */
export function troubleList(path: string): TroubleList {
  const counts = new Map<DiagnosticCode, number>()
  const shown: Diagnostic[] = []

  function count(code: DiagnosticCode): number {
    return counts.get(code) ?? 0
  }

  return {
    count,
    note: (diagnostic) => {
      const before = count(diagnostic.code)
      counts.set(diagnostic.code, before + 1)
      if (before < SHOWN) shown.push(diagnostic)
    },
    diagnostics: () => {
      const rest = [...counts].flatMap(([code, total]) =>
        total > SHOWN ? [{ code, path, message: `${total - SHOWN} more of this kind` }] : [],
      )
      return [...shown, ...rest]
    },
  }
}
