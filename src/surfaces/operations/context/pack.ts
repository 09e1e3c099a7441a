import { DEFAULT_BUDGETS } from '../../../model/pack-request.ts'
import { askForPack } from '../../../packs/context/ask-pack.ts'
import { z } from '../../../platform/schema.ts'
import { repositoryInput } from '../index/repository-input.ts'
import { optional, required } from '../input.ts'
import { operation } from '../operation.ts'
import {
  aboutPack,
  answerText,
  type PackAnswer,
  shownPack,
  tellEmpty,
  tellStale,
} from './pack-answer.ts'
import {
  indexInput,
  packInput,
  queryOf,
  seekingInput,
  toolFormatInput,
  wishOf,
} from './pack-input.ts'

export const pack = operation({
  name: 'pack',
  examples: [
    { command: 'dossier pack "where is the token budget enforced"', purpose: 'in this folder' },
    {
      command: 'dossier pack "TypeError in the title path" --intent debug --tokens 4000',
      purpose: 'for debugging, with callers, callees and tests first',
    },
    {
      command: 'dossier pack "title path" --focus README.md:3 --explain',
      purpose: 'around a place, with the reasons in full',
    },
    {
      command: 'dossier pack - . --format xml < README.md',
      purpose: 'a long query from standard input, the pack as XML',
    },
  ],
  input: z.strictObject({
    query: optional(
      z.string(),
      'What the context is for: a question, a task, an error message; - takes it from standard input.',
    ),
    ...repositoryInput,
    ...packInput,
    ...seekingInput,
    index: indexInput,
  }),
  short: { tokens: 't', intent: 'i', focus: 'f' },
  positional: ['query', 'path'],
  tool: 'context_pack_create',
  dottedTool: 'context_pack.create',
  toolInputs: ['query', 'tokens', 'intent', 'focus', 'format', 'mode'],
  toolShape: {
    query: required(
      z.string(),
      'The task, the question, or the error message with its stack trace.',
    ),
    tokens: optional(
      z.int().check(z.minimum(1)),
      `Most tokens of the text (${DEFAULT_BUDGETS.maxTotalTokens} if absent).`,
    ),
    format: toolFormatInput,
  },
  async run(world, input): Promise<PackAnswer> {
    const { path, focus, index, format } = input
    const wish = wishOf(await queryOf(world, input.query), input)
    const asked = await askForPack(world, { path, wish, focus, isFresh: index, isKept: false })
    tellEmpty(world, asked.pack)
    tellStale(world, asked.changed)
    const isStale = asked.changed.length > 0
    return { ...asked, text: shownPack(asked.pack, input), format, isStale }
  },
  text: answerText,
  json: (answer) => answer.pack,
  about: aboutPack,
  succeeded: () => true,
})
