import { join } from 'node:path'
import { readFlowStatus as statusOf } from '../../../packs/evidence/evidence-status.ts'
import { PROMPT_FILE, readBuiltDigest } from '../../../packs/evidence/prompt.ts'
import { z } from '../../../platform/schema.ts'
import { operation } from '../operation.ts'
import { renderStatus } from './evidence-status.ts'
import { budgetInput, flowInput, openFlow } from './flow-input.ts'

export const flowStatus = operation({
  name: 'flow status',
  examples: [{ command: 'dossier flow status', purpose: 'the flow in use' }],
  input: z.strictObject({ ...flowInput, ...budgetInput }),
  async run(world, { budget, ...place }) {
    const flow = openFlow(world, place)
    const status = await statusOf(world, flow, { budget })
    const built = readBuiltDigest(world, flow)
    const prompt =
      built === undefined ? 'missing' : built === status.plan.ctx_digest ? 'current' : 'outdated'
    return { ...status, prompt }
  },
  text(status, paint) {
    const { flow, prompt } = status
    const hint = prompt === 'current' ? '' : '; `dossier assemble` creates it'
    return `${renderStatus(status, paint)}  Folder: ${flow.folder}\n  Prompt: ${prompt}, ${join(flow.folder, PROMPT_FILE)}${hint}\n`
  },
  succeeded: () => true,
})
