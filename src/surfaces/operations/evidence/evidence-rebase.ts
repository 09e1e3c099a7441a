import { rebaseParts } from '../../../packs/evidence/evidence-changes.ts'
import { z } from '../../../platform/schema.ts'
import { operation } from '../operation.ts'
import { measureAfterChange, renderChange } from './evidence-change-text.ts'
import { budgetInput, flowInput, openFlow } from './flow-input.ts'

export const evidenceRebase = operation({
  name: 'evidence rebase',
  examples: [{ command: 'dossier evidence rebase', purpose: 'fills the gaps' }],
  input: z.strictObject({ ...flowInput, ...budgetInput }),
  run: (world, { budget, ...place }) => {
    const flow = openFlow(world, place)
    return measureAfterChange(world, flow, { change: rebaseParts(world, flow), budget })
  },
  text: renderChange,
  succeeded: () => true,
})
