import { z } from 'zod'
import { removeParts } from '../../../packs/evidence/evidence-changes.ts'
import { operation } from '../operation.ts'
import { changedText } from './evidence-change-text.ts'
import { flowIn, flowInput } from './flow-input.ts'

export const evidenceRemove = operation({
  name: 'evidence remove',
  examples: [{ command: 'dossier evidence remove 100_readme_md', purpose: 'one part' }],
  input: z.strictObject({
    targets: z
      .array(z.string())
      .min(1)
      .describe('Names, ranks, ranges such as 400-499, or beginnings of names.'),
    ...flowInput,
  }),
  positional: ['targets'],
  tool: 'evidence_remove',
  toolInputs: ['targets'],
  changes: true,
  run: (world, { targets, ...place }) => removeParts(world, flowIn(world, place), targets),
  text: changedText,
  succeeded: () => true,
})
