import {
  type FlowStatus,
  readFlowStatus,
  type SizedPart,
} from '../../../packs/evidence/evidence-status.ts'
import { z } from '../../../platform/schema.ts'
import { operation, type Paint } from '../operation.ts'
import { budgetInput, flowIn, flowInput, strayLines, totalLines } from './flow-input.ts'

export const evidenceList = operation({
  name: 'evidence list',
  examples: [{ command: 'dossier evidence list', purpose: 'what is in and what is skipped' }],
  input: z.strictObject({ ...flowInput, ...budgetInput }),
  tool: 'evidence_list',
  toolWhen: 'flow',
  toolInputs: ['budget'],
  run: (world, { budget, ...place }) => readFlowStatus(world, flowIn(world, place), { budget }),
  text: listText,
  succeeded: () => true,
})

export function listText(status: FlowStatus, paint: Paint): string {
  const { parts, strays, focus } = status
  const active = parts.filter((it) => it.state !== 'skipped').length
  const lines = [
    ...(focus === null ? [] : [paint.faint(`focused on ${JSON.stringify(focus)}`)]),
    ...parts.map((part) => partLine(part, paint)),
    `  Active: ${active}  Skipped: ${parts.length - active}  Total: ${parts.length}`,
    ...totalLines(status),
    ...strayLines(strays, paint),
  ]
  return `${lines.join('\n')}\n`
}

const SIGNS = { active: '✓', skipped: '○', linked: '→' } as const

export function partLine(part: SizedPart, paint: Paint): string {
  const { rank, name, state, bytes, tokens, variable, role } = part
  const called = variable === undefined ? '' : `$e${variable}`
  const sign = state === 'skipped' ? paint.faint(SIGNS[state]) : paint.good(SIGNS[state])
  const what = state === 'active' ? '' : `, ${state}`
  const size = `(${bytes} bytes, ~${tokens} tokens${what})`
  const kind = role === 'evidence' ? '' : ` ${paint.faint(role)}`
  return `  ${sign} ${called.padEnd(5)} [${rank}] ${paint.strong(name)}${kind} ${size}`
}
