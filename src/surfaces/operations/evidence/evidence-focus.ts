import { clearFocus, focusOnTopic } from '../../../packs/evidence/evidence-focus.ts'
import { z } from '../../../platform/schema.ts'
import { required } from '../input.ts'
import { operation } from '../operation.ts'
import { measureAfterChange, renderMoves } from './evidence-change-text.ts'
import { budgetInput, flowInput, openFlow, renderChangeSize } from './flow-input.ts'

export const evidenceFocus = operation({
  name: 'evidence focus',
  examples: [
    { command: 'dossier evidence focus "token budget"', purpose: 'what matches stays' },
    { command: 'dossier evidence focus off', purpose: 'exactly what was active is active again' },
  ],
  input: z.strictObject({
    query: required(
      z.string().check(z.minLength(1)),
      'The topic to focus on; off clears the focus.',
    ),
    ...flowInput,
    ...budgetInput,
  }),
  positional: ['query'],
  tool: 'evidence_focus',
  toolWhen: 'flow',
  toolInputs: ['query'],
  toolSummary:
    'Activate only the evidence about a topic and skip the rest, until the query is off.',
  changes: true,
  run: (world, { budget, query, ...place }) => {
    const flow = openFlow(world, place)
    const change = query === 'off' ? clearFocus(world, flow) : focusOnTopic(world, flow, query)
    return measureAfterChange(world, flow, { change, budget })
  },
  text(outcome, paint) {
    const { query, matching } = outcome
    const head =
      query === null
        ? `${paint.good('✓')} Focus off`
        : `${paint.good('✓')} Focused on ${JSON.stringify(query)}: ${matching.join(', ')}`
    const lines = outcome.moves.length === 0 ? [] : renderMoves(outcome, paint)
    return `${[head, ...lines, ...renderChangeSize(outcome.size)].join('\n')}\n`
  },
  succeeded: () => true,
})
