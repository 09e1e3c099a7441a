/** Collects diagnostics of an import: the first few of each kind, and a count of the rest. */
import type { Diagnostic, DiagnosticCode } from '../../../model/diagnostic.ts'

export interface DiagnosticList {
  /** Number of diagnostics of this kind, shown or not. */
  count(code: DiagnosticCode): number
  add(diagnostic: Diagnostic): void
  /** Includes a line that counts those not shown. */
  diagnostics(): readonly Diagnostic[]
}

const MAX_SHOWN = 20

/** `path`: the path of the line that counts the rest. */
export function createDiagnosticList(path: string): DiagnosticList {
  const counts = new Map<DiagnosticCode, number>()
  const shown: Diagnostic[] = []

  function count(code: DiagnosticCode): number {
    return counts.get(code) ?? 0
  }

  return {
    count,
    add: (diagnostic) => {
      const before = count(diagnostic.code)
      counts.set(diagnostic.code, before + 1)
      if (before < MAX_SHOWN) shown.push(diagnostic)
    },
    diagnostics: () => {
      const rest = [...counts].flatMap(([code, total]) =>
        total > MAX_SHOWN
          ? [{ code, path, message: `${total - MAX_SHOWN} more of this kind` }]
          : [],
      )
      return [...shown, ...rest]
    },
  }
}
