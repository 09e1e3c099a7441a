import { removeParts } from '../../../packs/evidence/evidence-changes.ts'
import { z } from '../../../platform/schema.ts'
import { required } from '../input.ts'
import { operation } from '../operation.ts'
import { changedText, withSize } from './evidence-change-text.ts'
import { budgetInput, flowIn, flowInput } from './flow-input.ts'

export const evidenceRemove = operation({
  name: 'evidence remove',
  examples: [{ command: 'dossier evidence remove 100_readme_md', purpose: 'one part' }],
  input: z.strictObject({
    targets: required(
      z.array(z.string()).check(z.minLength(1)),
      'Names, ranks, ranges such as 400-499, or beginnings of names.',
    ),
    ...flowInput,
    ...budgetInput,
  }),
  positional: ['targets'],
  tool: 'evidence_remove',
  toolWhen: 'flow',
  toolInputs: ['targets'],
  toolSummary:
    'Take parts out of the evidence. A person can bring them back with `dossier evidence undo`.',
  changes: true,
  run: (world, { budget, targets, ...place }) => {
    const flow = flowIn(world, place)
    return withSize(world, flow, { change: removeParts(world, flow, targets), budget })
  },
  text: changedText,
  succeeded: () => true,
})
