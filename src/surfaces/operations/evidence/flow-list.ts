import { listFlows } from '../../../evidence/flows.ts'
import { z } from '../../../platform/schema.ts'
import { operation } from '../operation.ts'
import { applyFlowLocation, repoInput } from './flow-input.ts'

export const flowList = operation({
  name: 'flow list',
  examples: [{ command: 'dossier flow list', purpose: 'the time is in the name' }],
  input: z.strictObject(repoInput),
  run: async (world, place) => ({ flows: listFlows(applyFlowLocation(world, place)) }),
  text({ flows }, paint) {
    if (flows.length === 0) return 'no flows yet: create one with `dossier flow new "title"`\n'
    return flows.map((it) => `${it.isCurrent ? paint.good('*') : ' '} ${it.id}\n`).join('')
  },
  succeeded: () => true,
})
