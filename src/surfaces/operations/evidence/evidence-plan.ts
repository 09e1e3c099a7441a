import { type FlowStatus, readFlowStatus } from '../../../packs/evidence/evidence-status.ts'
import { z } from '../../../platform/schema.ts'
import { optional } from '../input.ts'
import { operation, type Paint } from '../operation.ts'
import { budgetInput, flowIn, flowInput, strayLines, totalLines } from './flow-input.ts'

export const maxTokensInput = {
  maxTokens: optional(
    z.int().check(z.positive()),
    'Most tokens of the whole prompt: by rank, what fits is kept and what does not is left out.',
  ),
}

export const evidencePlan = operation({
  name: 'evidence plan',
  examples: [
    { command: 'dossier evidence plan', purpose: 'the order of the parts' },
    { command: 'dossier evidence plan --max-tokens 4000', purpose: 'what a limit would leave out' },
  ],
  input: z.strictObject({ ...flowInput, ...budgetInput, ...maxTokensInput }),
  run: (world, { budget, maxTokens, ...place }) =>
    readFlowStatus(world, flowIn(world, place), { budget, maxTokens }),
  text: planText,
  json: planJson,
  succeeded: () => true,
})

/** The plan as it is written, and files that somebody may take for parts. */
export function planJson({ plan, strays }: FlowStatus): unknown {
  return strays.length === 0 ? plan : { ...plan, strays }
}

function planText(status: FlowStatus, paint: Paint): string {
  const { parts, strays } = status
  const shown = parts.filter((it) => it.state === 'active' || it.state === 'linked')
  const left = parts.filter((it) => it.state === 'skipped')
  const width = String(shown.length).length
  const lines = [
    ...shown.map(
      (it, at) =>
        `  ${String(at + 1).padStart(width)}. ${it.path}  ${it.bytes} bytes (~${it.tokens} tokens)${it.state === 'linked' ? ', linked' : ''}`,
    ),
    ...left.map((it) =>
      paint.faint(`  ${' '.repeat(width)}  ${it.path}  ${it.reason ?? it.state}`),
    ),
    ...totalLines(status),
    ...strayLines(strays, paint),
  ]
  return `${lines.join('\n')}\n`
}
