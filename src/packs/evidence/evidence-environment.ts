/** Renders the evidence of a flow as shell variables, in the syntax of the given shell. */
import { join } from 'node:path'
import { quoteForFish, quoteForPosix } from '../../base/shell-quoting.ts'
import type { Flow } from '../../model/evidence.ts'
import type { NumberedPart } from './evidence-status.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof SHELLS)[number]

export interface ShellVariable {
  readonly name: string
  readonly value: string
}

export function listShellVariables(
  flow: Flow,
  evidence: readonly NumberedPart[],
): readonly ShellVariable[] {
  return [
    { name: 'FLOW_DIR', value: flow.folder },
    { name: 'EVIDENCE_COUNT', value: String(evidence.length) },
    ...evidence.map(({ path, variable }) => ({
      name: `e${variable}`,
      value: join(flow.folder, path),
    })),
  ]
}

/** Input for `eval`. Unsets the variables of evidence that no longer exists. */
export function renderShellScript(shell: Shell, variables: readonly ShellVariable[]): string {
  const first = variables.filter((it) => /^e\d+$/.test(it.name)).length + 1
  const lines =
    shell === 'fish'
      ? [
          ...variables.map(({ name, value }) => `set -gx ${name} ${quoteForFish(value)}`),
          `set -l dossier_n ${first}`,
          'while set -q e$dossier_n; set -e e$dossier_n; set dossier_n (math $dossier_n + 1); end',
        ]
      : [
          ...variables.map(({ name, value }) => `export ${name}=${quoteForPosix(value)}`),
          `dossier_n=${first}`,
          'while eval "[ -n \\"\\${e$dossier_n+x}\\" ]"; do unset "e$dossier_n"; dossier_n=$((dossier_n + 1)); done',
          'unset dossier_n',
        ]
  return `${lines.join('\n')}\n`
}
