import { join } from 'node:path'
import { useFlow } from '../../../evidence/flows.ts'
import { readFlowStatus } from '../../../packs/evidence/evidence-status.ts'
import { assemblePrompt, PLAN_FILE, PROMPT_FILE } from '../../../packs/evidence/prompt.ts'
import { noticeRedacted, secretsCounted } from '../../../packs/redact-output.ts'
import { z } from '../../../platform/schema.ts'
import { withDefault } from '../input.ts'
import { operation } from '../operation.ts'
import { revealInput, withReveal } from '../reveal-input.ts'
import { createPlanJson, maxTokensInput } from './evidence-plan.ts'
import {
  budgetInput,
  flowInput,
  formatStray,
  noticeStrays,
  openFlow,
  renderStrays,
  renderTotal,
} from './flow-input.ts'

export const assemble = operation({
  name: 'assemble',
  examples: [
    { command: 'dossier assemble', purpose: 'the current flow' },
    {
      command: 'dossier assemble --max-tokens 8000',
      purpose: 'what does not fit is left out, by rank',
    },
    { command: 'dossier assemble --print', purpose: 'the prompt itself, for a pipe' },
  ],
  input: z.strictObject({
    ...flowInput,
    ...budgetInput,
    ...maxTokensInput,
    print: withDefault(z.boolean(), false, 'Print the prompt instead of a summary.'),
    ...revealInput,
  }),
  tool: 'assemble_prompt',
  toolWhen: 'flow',
  toolInputs: ['maxTokens'],
  changes: true,
  async run(given, { budget, maxTokens, print, reveal, ...place }) {
    const world = withReveal(given, reveal)
    const flow = openFlow(world, place)
    const { text, plan } = await assemblePrompt(world, flow, { maxTokens })
    useFlow(world, flow)
    if (print) noticeRedacted(world, plan.redacted ?? 0)
    const status = await readFlowStatus(world, flow, { budget, maxTokens })
    if (print) noticeStrays(world, status.strays)
    const places = { prompt: join(flow.folder, PROMPT_FILE), plan: join(flow.folder, PLAN_FILE) }
    return { status, text, plan, places, isPrinted: print }
  },
  isExact: ({ isPrinted }) => isPrinted,
  text({ status, text, plan, places, isPrinted }, paint) {
    if (isPrinted) return text
    const leftOut = plan.parts.filter((it) => it.reason !== undefined)
    const states = plan.parts.map((it) => (it.reason === undefined ? it.status : 'left out'))
    const counts = (['active', 'linked', 'skipped', 'left out'] as const).flatMap((state) => {
      const count = states.filter((it) => it === state).length
      return count === 0 ? [] : [`${count} ${state}`]
    })
    const lines = [
      `${paint.good('✓')} Assembled ${counts.join(', ')}: ${paint.strong(places.prompt)}`,
      `  Plan: ${places.plan}`,
      `  Digest: ${plan.ctx_digest}`,
      ...renderTotal(status),
      ...(plan.redacted === undefined
        ? []
        : [`  Redacted: ${secretsCounted(plan.redacted)} (--reveal shows them)`]),
      ...leftOut.map((it) => `  ✂ left out: ${it.rank}_${it.kind} ${it.reason}`),
      ...renderStrays(status.strays, paint),
    ]
    return `${lines.join('\n')}\n`
  },
  json: ({ status }) => createPlanJson(status),
  about: ({ text, plan, status }) => ({
    text,
    line: [
      `${plan.parts.length} parts, ${plan.total_bytes} bytes, ${plan.ctx_digest}`,
      ...(plan.redacted === undefined ? [] : [`${secretsCounted(plan.redacted)} redacted`]),
      ...plan.parts.flatMap((it) => it.reason ?? []),
      ...status.strays.map(formatStray),
    ].join('\n'),
    values: { ...plan },
  }),
  succeeded: () => true,
})
