import { join } from 'node:path'
import { useFlow } from '../../../evidence/flows.ts'
import { flowStatus } from '../../../packs/evidence/evidence-status.ts'
import { assemblePrompt, PLAN_FILE, PROMPT_FILE } from '../../../packs/evidence/prompt.ts'
import { noticeRedacted, secretsCounted } from '../../../packs/redact-output.ts'
import { z } from '../../../platform/schema.ts'
import { withDefault } from '../input.ts'
import { operation } from '../operation.ts'
import { revealInput, revealing } from '../reveal-input.ts'
import { maxTokensInput } from './evidence-plan.ts'
import { budgetInput, flowIn, flowInput, totalLines } from './flow-input.ts'

export const assemble = operation({
  name: 'assemble',
  examples: [
    { command: 'dossier assemble', purpose: 'the current flow' },
    {
      command: 'dossier assemble --max-tokens 8000',
      purpose: 'the last evidence is left out if need be',
    },
    { command: 'dossier assemble --print', purpose: 'the prompt itself, for a pipe' },
  ],
  input: z.strictObject({
    ...flowInput,
    ...budgetInput,
    ...maxTokensInput,
    print: withDefault(z.boolean(), false, 'Print the prompt in place of what it is made of.'),
    ...revealInput,
  }),
  tool: 'assemble_prompt',
  toolInputs: ['maxTokens'],
  changes: true,
  async run(given, { budget, maxTokens, print, reveal, ...place }) {
    const world = revealing(given, reveal)
    const flow = flowIn(world, place)
    const { text, plan } = await assemblePrompt(world, flow, { maxTokens })
    useFlow(world, flow)
    if (print) noticeRedacted(world, plan.redacted ?? 0)
    const status = await flowStatus(world, flow, { budget, maxTokens })
    const places = { prompt: join(flow.folder, PROMPT_FILE), plan: join(flow.folder, PLAN_FILE) }
    return { status, text, plan, places, isPrinted: print }
  },
  text({ status, text, plan, places, isPrinted }, paint) {
    if (isPrinted) return text
    const counts = (['active', 'linked', 'skipped', 'trimmed'] as const).flatMap((state) => {
      const count = plan.parts.filter((it) => it.status === state).length
      return count === 0 ? [] : [`${count} ${state}`]
    })
    const trimmed = plan.parts.filter((it) => it.status === 'trimmed')
    const lines = [
      `${paint.good('✓')} Assembled ${counts.join(', ')}: ${paint.strong(places.prompt)}`,
      `  Plan: ${places.plan}`,
      `  Digest: ${plan.ctx_digest}`,
      ...totalLines(status),
      ...(plan.redacted === undefined
        ? []
        : [`  Redacted: ${secretsCounted(plan.redacted)} (--reveal shows them)`]),
      ...trimmed.map((it) => `  ✂ left out for the limit: ${it.rank}_${it.kind}`),
    ]
    return `${lines.join('\n')}\n`
  },
  json: ({ plan }) => plan,
  about: ({ text, plan }) => ({
    text,
    line: [
      `${plan.parts.length} parts, ${plan.total_bytes} bytes, ${plan.ctx_digest}`,
      ...(plan.redacted === undefined ? [] : [`${secretsCounted(plan.redacted)} redacted`]),
    ].join(', '),
    values: { ...plan },
  }),
  succeeded: () => true,
})
