import { useFlow } from '../../../evidence/flows.ts'
import { z } from '../../../platform/schema.ts'
import { required } from '../input.ts'
import { operation } from '../operation.ts'
import { flowIn, linksInput, repoInput } from './flow-input.ts'

export const flowUse = operation({
  name: 'flow use',
  examples: [
    { command: 'dossier flow use fix-the-parser', purpose: 'the beginning of a name is enough' },
  ],
  input: z.strictObject({
    flow: required(z.string(), 'Its name, the beginning of it, or its folder.'),
    ...repoInput,
    ...linksInput,
  }),
  positional: ['flow'],
  async run(world, place) {
    const flow = flowIn(world, place)
    useFlow(world, flow)
    return flow
  },
  text: ({ id }, paint) => `${paint.good('✓')} Using ${paint.strong(id)}\n`,
  succeeded: () => true,
})
