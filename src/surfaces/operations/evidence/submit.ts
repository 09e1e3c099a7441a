import { MESSAGE_APIS } from '../../../format/messages.ts'
import type { Flow } from '../../../model/evidence.ts'
import {
  type AnswerPiece,
  type PreparedRequest,
  prepareRequest,
  type SubmitOptions,
  submitRequest,
} from '../../../packs/evidence/submit.ts'
import { noticeRedacted } from '../../../packs/redact-output.ts'
import { z } from '../../../platform/schema.ts'
import type { World } from '../../../platform/world.ts'
import { optional, withDefault } from '../input.ts'
import { operation } from '../operation.ts'
import { revealInput, withReveal } from '../reveal-input.ts'
import { maxTokensInput } from './evidence-plan.ts'
import { flowInput, noticeStrays, openFlow } from './flow-input.ts'

export const submit = operation({
  name: 'submit',
  examples: [
    {
      command: 'dossier submit --dry-run --api anthropic',
      purpose: 'the request, without sending it',
    },
    { command: 'dossier submit --dry-run --api openai', purpose: 'for OpenAI-compatible servers' },
  ],
  input: z.strictObject({
    api: optional(
      z.enum(MESSAGE_APIS),
      'The API protocol (default: the one whose key or base URL is set in the environment).',
    ),
    baseUrl: optional(
      z.string(),
      'Base URL of the server (default: ANTHROPIC_BASE_URL or OPENAI_BASE_URL).',
    ),
    model: optional(
      z.string(),
      'The model (default: ANTHROPIC_MODEL or OPENAI_MODEL, else claude-sonnet-5 or gpt-5.6-terra).',
    ),
    answerTokens: withDefault(
      z.int().check(z.positive()),
      4096,
      'Maximum tokens of the answer, including reasoning.',
    ),
    dryRun: withDefault(
      z.boolean(),
      false,
      'Print the request as JSON and send nothing; no key is needed.',
    ),
    ...maxTokensInput,
    ...revealInput,
    ...flowInput,
  }),
  short: { model: 'm' },
  async run(world, wish): Promise<SubmitOutput> {
    const shown = { ...wish, isDryRun: true }
    return { kind: 'request', ...(await prepareSubmit(world, openFlow(world, wish), shown)) }
  },
  follow(world, { dryRun, ...wish }) {
    if (dryRun) return undefined
    const flow = openFlow(world, wish)
    const answers = async function* (): AsyncGenerator<SubmitOutput> {
      yield* submitRequest(world, flow, await prepareSubmit(world, flow, wish))
    }
    return answers()
  },
  isExact: ({ kind }) => kind === 'text',
  text(output) {
    if (output.kind === 'text') return output.text
    if (output.kind === 'request') return `${JSON.stringify(output.body, null, 2)}\n`
    return '\n'
  },
  json: (output) => (output.kind === 'request' ? output.body : output),
  succeeded: () => true,
})

async function prepareSubmit(
  world: World,
  flow: Flow,
  wish: SubmitOptions & { readonly reveal: boolean },
): Promise<PreparedRequest> {
  const request = await prepareRequest(withReveal(world, wish.reveal), flow, wish)
  noticeStrays(world, request.strays)
  noticeRedacted(world, request.plan.redacted ?? 0)
  return request
}

type SubmitOutput = AnswerPiece | ({ readonly kind: 'request' } & PreparedRequest)
