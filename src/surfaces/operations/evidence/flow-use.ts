import { useFlow } from '../../../evidence/flows.ts'
import { z } from '../../../platform/schema.ts'
import { required } from '../input.ts'
import { operation } from '../operation.ts'
import { linksInput, openFlow, repoInput } from './flow-input.ts'

export const flowUse = operation({
  name: 'flow use',
  examples: [
    { command: 'dossier flow use fix-the-parser', purpose: 'the beginning of a name is enough' },
  ],
  input: z.strictObject({
    flow: required(z.string(), 'The flow: its name, a prefix of it, or its folder.'),
    ...repoInput,
    ...linksInput,
  }),
  positional: ['flow'],
  async run(world, place) {
    const flow = openFlow(world, place)
    useFlow(world, flow)
    return flow
  },
  text: ({ id }, paint) => `${paint.good('✓')} Using ${paint.strong(id)}\n`,
  succeeded: () => true,
})
