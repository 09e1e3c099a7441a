import { counted } from '../../../base/text.ts'
import { bar } from '../../../format/bar.ts'
import { type FlowStatus, readFlowStatus } from '../../../packs/evidence/evidence-status.ts'
import { z } from '../../../platform/schema.ts'
import { operation, type Paint } from '../operation.ts'
import { budgetInput, flowInput, formatShare, openFlow, renderStrays } from './flow-input.ts'

export const evidenceStatus = operation({
  name: 'evidence status',
  examples: [
    { command: 'dossier evidence status', purpose: 'what is loaded' },
    { command: 'dossier evidence status --budget 50000', purpose: 'against another limit' },
  ],
  input: z.strictObject({ ...flowInput, ...budgetInput }),
  run: (world, { budget, ...place }) => readFlowStatus(world, openFlow(world, place), { budget }),
  text: renderStatus,
  succeeded: () => true,
})

const ROLES = { system: 'System', user: 'User', evidence: 'Evidence' } as const
const WIDTH = 50

export function renderStatus(status: FlowStatus, paint: Paint): string {
  const { flow, parts, strays, focus, tokens, budget } = status
  const skipped = parts.filter((it) => it.state === 'skipped')
  const lines = [
    `${paint.strong(flow.id)}${focus === null ? '' : paint.faint(`  focused on ${JSON.stringify(focus)}`)}`,
    ...(['system', 'user', 'evidence'] as const).map((role) =>
      renderSize(
        ROLES[role],
        parts.filter((it) => it.role === role && it.state !== 'skipped'),
      ),
    ),
    renderSize('Skipped', skipped),
    `  Token Budget: ${tokens} / ${budget} tokens (${formatShare(tokens, budget)})`,
    `  ${renderBudgetBar(tokens / budget)}`,
    ...(tokens > budget * WARNING
      ? [paint.bad(`  ! over ${WARNING * 100} % of the budget: toggle some off, or focus`)]
      : []),
    ...renderStrays(strays, paint),
  ]
  return `${lines.join('\n')}\n`
}

const WARNING = 0.9

export function renderBudgetBar(share: number): string {
  return bar(share, WIDTH).trimEnd().padEnd(WIDTH, '░')
}

interface SizedItem {
  readonly bytes: number
  readonly tokens: number
}

function renderSize(label: string, parts: readonly SizedItem[]): string {
  const bytes = parts.reduce((sum, it) => sum + it.bytes, 0)
  const tokens = parts.reduce((sum, it) => sum + it.tokens, 0)
  return `  ${`${label}:`.padEnd(10)} ${counted(parts.length, 'part')}, ${bytes} bytes (~${tokens} tokens)`
}
