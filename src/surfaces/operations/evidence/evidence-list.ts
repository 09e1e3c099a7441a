import {
  type FlowStatus,
  readFlowStatus,
  type SizedPart,
} from '../../../packs/evidence/evidence-status.ts'
import { z } from '../../../platform/schema.ts'
import { operation, type Paint } from '../operation.ts'
import { budgetInput, flowInput, openFlow, renderStrays, renderTotal } from './flow-input.ts'

export const evidenceList = operation({
  name: 'evidence list',
  examples: [{ command: 'dossier evidence list', purpose: 'what is in and what is skipped' }],
  input: z.strictObject({ ...flowInput, ...budgetInput }),
  tool: 'evidence_list',
  toolWhen: 'flow',
  toolInputs: ['budget'],
  run: (world, { budget, ...place }) => readFlowStatus(world, openFlow(world, place), { budget }),
  text: renderList,
  succeeded: () => true,
})

export function renderList(status: FlowStatus, paint: Paint): string {
  const { parts, strays, focus } = status
  const active = parts.filter((it) => it.state !== 'skipped').length
  const lines = [
    ...(focus === null ? [] : [paint.faint(`focused on ${JSON.stringify(focus)}`)]),
    ...parts.map((part) => renderPart(part, paint)),
    `  Active: ${active}  Skipped: ${parts.length - active}  Total: ${parts.length}`,
    ...renderTotal(status),
    ...renderStrays(strays, paint),
  ]
  return `${lines.join('\n')}\n`
}

const STATE_SIGNS = { active: '✓', skipped: '○', linked: '→' } as const

export function renderPart(part: SizedPart, paint: Paint): string {
  const { rank, name, state, bytes, tokens, variable, role } = part
  const called = variable === undefined ? '' : `$e${variable}`
  const sign =
    state === 'skipped' ? paint.faint(STATE_SIGNS[state]) : paint.good(STATE_SIGNS[state])
  const what = state === 'active' ? '' : `, ${state}`
  const size = `(${bytes} bytes, ~${tokens} tokens${what})`
  const kind = role === 'evidence' ? '' : ` ${paint.faint(role)}`
  return `  ${sign} ${called.padEnd(5)} [${rank}] ${paint.strong(name)}${kind} ${size}`
}
