import { rebaseParts } from '../../../packs/evidence/evidence-changes.ts'
import { z } from '../../../platform/schema.ts'
import { operation } from '../operation.ts'
import { changedText } from './evidence-change-text.ts'
import { flowIn, flowInput } from './flow-input.ts'

export const evidenceRebase = operation({
  name: 'evidence rebase',
  examples: [{ command: 'dossier evidence rebase', purpose: 'fills the gaps' }],
  input: z.strictObject(flowInput),
  run: (world, place) => rebaseParts(world, flowIn(world, place)),
  text: changedText,
  succeeded: () => true,
})
