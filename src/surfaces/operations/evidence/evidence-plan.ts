import { type FlowStatus, readFlowStatus } from '../../../packs/evidence/evidence-status.ts'
import { z } from '../../../platform/schema.ts'
import { optional } from '../input.ts'
import { operation, type Paint } from '../operation.ts'
import { budgetInput, flowInput, openFlow, renderStrays, renderTotal } from './flow-input.ts'

export const maxTokensInput = {
  maxTokens: optional(
    z.int().check(z.positive()),
    'Maximum tokens of the whole prompt: parts are added by rank, and those that do not fit are left out.',
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
    readFlowStatus(world, openFlow(world, place), { budget, maxTokens }),
  text: renderPlan,
  json: createPlanJson,
  succeeded: () => true,
})

/** The plan as it is written, and files that somebody may take for parts. */
export function createPlanJson({ plan, strays }: FlowStatus): unknown {
  return strays.length === 0 ? plan : { ...plan, strays }
}

function renderPlan(status: FlowStatus, paint: Paint): string {
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
    ...renderTotal(status),
    ...renderStrays(strays, paint),
  ]
  return `${lines.join('\n')}\n`
}
