import { createFlow } from '../../../evidence/flows.ts'
import { inputText } from '../../../packs/input-text.ts'
import { z } from '../../../platform/schema.ts'
import { optional, required } from '../input.ts'
import { operation } from '../operation.ts'
import { applyFlowLocation, DEFAULT_POLICY, repoInput } from './flow-input.ts'

export const flowNew = operation({
  name: 'flow new',
  examples: [
    { command: 'dossier flow new "fix the parser"', purpose: 'with the title as the request' },
    {
      command:
        'dossier flow new "last line" --request "The parser drops the last line. Find out why."',
      purpose: 'with a request of its own',
    },
  ],
  input: z.strictObject({
    title: required(z.string().check(z.minLength(1)), 'The title of the task, in a few words.'),
    request: optional(
      z.string(),
      'The request to the model; - reads it from standard input (default: the title).',
    ),
    policy: optional(z.string(), 'The policy for every answer; - reads it from standard input.'),
    ...repoInput,
  }),
  positional: ['title'],
  async run(world, { title, request, policy, ...place }) {
    return createFlow(applyFlowLocation(world, place), {
      title,
      request: request === '-' ? await inputText(world, 'the request') : (request ?? title),
      policy: policy === '-' ? await inputText(world, 'the policy') : (policy ?? DEFAULT_POLICY),
    })
  },
  text: ({ id, folder }, paint) =>
    `${paint.good('✓')} Flow: ${paint.strong(id)}\n  ${folder}\n  Edit ctx/000_policy.system.md and ctx/010_request.user.md there, then \`dossier evidence add\`.\n`,
  succeeded: () => true,
})
