import { clearFocus, focusOnTopic } from '../../../packs/evidence/evidence-focus.ts'
import { z } from '../../../platform/schema.ts'
import { required } from '../input.ts'
import { operation } from '../operation.ts'
import { changeLines, withSize } from './evidence-change-text.ts'
import { budgetInput, flowIn, flowInput, sizeLines } from './flow-input.ts'

export const evidenceFocus = operation({
  name: 'evidence focus',
  examples: [
    { command: 'dossier evidence focus "token budget"', purpose: 'what matches stays' },
    { command: 'dossier evidence focus off', purpose: 'exactly what was active is active again' },
  ],
  input: z.strictObject({
    query: required(z.string().check(z.minLength(1)), 'What to focus on, in words; off ends it.'),
    ...flowInput,
    ...budgetInput,
  }),
  positional: ['query'],
  tool: 'evidence_focus',
  toolWhen: 'flow',
  toolInputs: ['query'],
  toolSummary: 'Keep active what speaks of something and skip the rest, until the query is off.',
  changes: true,
  run: (world, { budget, query, ...place }) => {
    const flow = flowIn(world, place)
    const change = query === 'off' ? clearFocus(world, flow) : focusOnTopic(world, flow, query)
    return withSize(world, flow, { change, budget })
  },
  text(outcome, paint) {
    const { query, matching } = outcome
    const head =
      query === null
        ? `${paint.good('✓')} Focus off`
        : `${paint.good('✓')} Focused on ${JSON.stringify(query)}: ${matching.join(', ')}`
    const lines = outcome.moves.length === 0 ? [] : changeLines(outcome, paint)
    return `${[head, ...lines, ...sizeLines(outcome.size)].join('\n')}\n`
  },
  succeeded: () => true,
})
