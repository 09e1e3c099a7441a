import { removeParts } from '../../../packs/evidence/evidence-changes.ts'
import { z } from '../../../platform/schema.ts'
import { required } from '../input.ts'
import { operation } from '../operation.ts'
import { measureAfterChange, renderChange } from './evidence-change-text.ts'
import { budgetInput, flowInput, openFlow } from './flow-input.ts'

export const evidenceRemove = operation({
  name: 'evidence remove',
  examples: [{ command: 'dossier evidence remove 100_readme_md', purpose: 'one part' }],
  input: z.strictObject({
    targets: required(
      z.array(z.string()).check(z.minLength(1)),
      'Names, ranks, ranges such as 400-499, or prefixes of names.',
    ),
    ...flowInput,
    ...budgetInput,
  }),
  positional: ['targets'],
  tool: 'evidence_remove',
  toolWhen: 'flow',
  toolInputs: ['targets'],
  toolSummary:
    'Remove parts from the evidence. The user can restore them with `dossier evidence undo`.',
  changes: true,
  run: (world, { budget, targets, ...place }) => {
    const flow = openFlow(world, place)
    return measureAfterChange(world, flow, { change: removeParts(world, flow, targets), budget })
  },
  text: renderChange,
  succeeded: () => true,
})
