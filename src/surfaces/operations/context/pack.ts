import { DEFAULT_BUDGETS } from '../../../model/pack-request.ts'
import { askForPack } from '../../../packs/context/ask-pack.ts'
import type { PackWish } from '../../../packs/context/pack-request.ts'
import { z } from '../../../platform/schema.ts'
import type { World } from '../../../platform/world.ts'
import { indexDirInput, repositoryInput } from '../index/repository-input.ts'
import { optional, required, withDefault } from '../input.ts'
import { operation } from '../operation.ts'
import {
  describePack,
  getAnswerText,
  noticeEmpty,
  noticeStale,
  type PackAnswer,
  renderPack,
} from './pack-answer.ts'
import {
  diffInput,
  indexInput,
  type PackInput,
  packInput,
  readDiffWish,
  readQuery,
  seekingInput,
  toolFormatInput,
  toPackWish,
} from './pack-input.ts'

const REQUEST_FIELDS =
  'More of a PackRequest, all optional: seedMode, seedProvider (sparse|fts|ann|hybrid), intent, focus {symbolId|chunkUid|fileRelPath, line}, expansion {maxHops, edgeTypes (call|usage|import|export|dataflow), direction (out|in|both), includeSameFileNeighbors, includeImports, includeExports, includeDataflow, requireEvidence, evidenceKinds}, budgets {maxTotalTokens, maxTotalChars, maxItems, maxItemsPerSection, maxBytesPerItem}, ordering {primary, stableTieBreakers}, strictness (strict|warn|loose), includeExplain, rendering, fill.'

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
      command: 'dossier pack --diff',
      purpose:
        'about what is changed here: who calls it, tests, docs, what usually changes with it',
    },
    {
      command: 'dossier pack - . --format xml < README.md',
      purpose: 'a long query from standard input, the pack as XML',
    },
  ],
  input: z.strictObject({
    query: optional(
      z.string(),
      'What the context is for: a question, a task, an error message; - reads it from standard input.',
    ),
    ...repositoryInput,
    ...indexDirInput,
    ...packInput,
    ...diffInput,
    ...seekingInput,
    index: indexInput,
    request: optional(z.looseObject({}), REQUEST_FIELDS),
    write: withDefault(z.boolean(), false, 'Store the pack beside the index, to be read later.'),
  }),
  toolOnly: ['request', 'write'],
  bareFlags: ['diff'],
  short: { tokens: 't', intent: 'i', focus: 'f' },
  positional: ['query', 'path'],
  tool: 'context_pack_create',
  dottedTool: 'context_pack.create',
  toolInputs: ['query', 'tokens', 'intent', 'focus', 'diff', 'format', 'mode', 'request', 'write'],
  adaptArguments: moveQuery,
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
    diff: optional(
      z.string().check(z.maxLength(4096)),
      'Makes the pack about a change, for a review: HEAD for the files on disk, or a range such as main... or HEAD~3..; query may be empty then.',
    ),
  },
  async run(world, input): Promise<PackAnswer> {
    const { path, focus, index, format, write } = input
    const wish = await readWish(world, input)
    const diff = await readDiffWish(world, input)
    const asked = await askForPack(world, {
      path,
      wish,
      focus,
      diff,
      isFresh: index,
      isKept: write,
    })
    noticeEmpty(world, asked.pack)
    noticeStale(world, asked.changed)
    const isStale = asked.changed.length > 0
    return { ...asked, text: renderPack(asked.pack, input), format, isStale }
  },
  text: getAnswerText,
  isExact: () => true,
  json: (answer) => answer.pack,
  about: describePack,
  succeeded: () => true,
})

interface RequestInput {
  readonly query?: string | undefined
  readonly diff?: string | undefined
  readonly request?: { readonly query?: unknown } | undefined
}

/** A request may have the query that the input requires, and a diff needs none. */
function moveQuery<T>(args: T): T {
  const { query, request, diff } = args as RequestInput
  if (query !== undefined) return args
  if (typeof request?.query === 'string') return { ...args, query: request.query }
  return diff === undefined ? args : { ...args, query: '' }
}

/** The schema of a whole request is loaded for those who send one. */
async function readWish(world: World, input: PackInput & RequestInput): Promise<PackWish> {
  const { query, request } = moveQuery(input)
  const wish = toPackWish(await readQuery(world, query), input)
  if (request === undefined) return wish
  const { addRequest } = await import('./request-input.ts')
  return addRequest(wish, request, input.focus)
}
