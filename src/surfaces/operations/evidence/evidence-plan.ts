import { type FlowStatus, flowStatus } from '../../../packs/evidence/evidence-status.ts'
import { z } from '../../../platform/schema.ts'
import { optional } from '../input.ts'
import { operation, type Paint } from '../operation.ts'
import { budgetInput, flowIn, flowInput, totalLines } from './flow-input.ts'

export const maxTokensInput = {
  maxTokens: optional(
    z.int().check(z.positive()),
    'Leave evidence out from the back until the whole prompt is within so many tokens.',
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
    flowStatus(world, flowIn(world, place), { budget, maxTokens }),
  text: planText,
  json: (status) => status.plan,
  succeeded: () => true,
})

export function planText(status: FlowStatus, paint: Paint): string {
  const { parts } = status
  const shown = parts.filter((it) => it.state === 'active' || it.state === 'linked')
  const left = parts.filter((it) => it.state === 'skipped' || it.state === 'trimmed')
  const width = String(shown.length).length
  const lines = [
    ...shown.map(
      (it, at) =>
        `  ${String(at + 1).padStart(width)}. ${it.path}  ${it.bytes} bytes (~${it.tokens} tokens)${it.state === 'linked' ? ', linked' : ''}`,
    ),
    ...left.map((it) => paint.faint(`  ${' '.repeat(width)}  ${it.path}  ${it.state}`)),
    ...totalLines(status),
  ]
  return `${lines.join('\n')}\n`
}
