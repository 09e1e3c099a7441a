import {
  listShellVariables,
  renderShellScript,
  SHELLS,
} from '../../../packs/evidence/evidence-environment.ts'
import { numberEvidence } from '../../../packs/evidence/evidence-status.ts'
import { z } from '../../../platform/schema.ts'
import { withDefault } from '../input.ts'
import { operation } from '../operation.ts'
import { flowInput, openFlow } from './flow-input.ts'

export const evidenceEnv = operation({
  name: 'evidence env',
  examples: [
    {
      command: 'dossier evidence env',
      purpose: 'as eval "$(dossier evidence env)" in bash and zsh; then cat $e1',
    },
    { command: 'dossier evidence env --shell fish', purpose: 'with | source behind it, in fish' },
  ],
  input: z.strictObject({
    ...flowInput,
    shell: withDefault(z.enum(SHELLS), 'bash', 'The shell to print for.'),
  }),
  async run(world, { shell, ...place }) {
    const flow = openFlow(world, place)
    const variables = listShellVariables(flow, await numberEvidence(world, flow))
    return { variables, script: renderShellScript(shell, variables) }
  },
  text: ({ script }) => script,
  isExact: () => true,
  json: ({ variables }) => Object.fromEntries(variables.map(({ name, value }) => [name, value])),
  succeeded: () => true,
})
