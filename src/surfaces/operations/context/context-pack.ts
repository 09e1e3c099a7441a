import { EngineError } from '../../../model/engine-error.ts'
import { askForPack, findPack } from '../../../packs/context/ask-pack.ts'
import { z } from '../../../platform/schema.ts'
import type { World } from '../../../platform/world.ts'
import { indexDirInput, repositoryInput } from '../index/repository-input.ts'
import { optional, withDefault } from '../input.ts'
import { operation } from '../operation.ts'
import {
  getAnswerText,
  noticeEmpty,
  noticeStale,
  type PackAnswer,
  renderPack,
} from './pack-answer.ts'
import {
  diffInput,
  indexInput,
  packInput,
  readDiffWish,
  readQuery,
  seekingInput,
  toPackWish,
} from './pack-input.ts'
import { wholeInput } from './whole-input.ts'

const inputSchema = z.strictObject({
  repo: repositoryInput.path,
  ...indexDirInput,
  query: optional(z.string(), 'What the context is for; - reads it from standard input.'),
  ...packInput,
  ...diffInput,
  ...seekingInput,
  ...wholeInput,
  index: indexInput,
  write: withDefault(z.boolean(), false, 'Store the pack beside the index, and print its id.'),
  read: withDefault(z.boolean(), false, 'Print a stored pack, by --pack-id.'),
  packId: optional(z.string().check(z.minLength(1)), 'Id of a stored pack, or a prefix of it.'),
  stale: withDefault(z.boolean(), false, 'Read the pack even if the index has changed since.'),
})

type Input = z.output<typeof inputSchema>

export const contextPack = operation({
  name: 'context-pack',
  examples: [
    {
      command: 'dossier context-pack --repo . --query "token budget" --intent debug --json',
      purpose: 'the pack as JSON',
    },
    {
      command: 'dossier context-pack --query "token budget" --write',
      purpose: 'keep it in .dossier/context_packs.jsonl; prints its id',
    },
    {
      command: 'dossier context-pack --read --pack-id 0123456789ab',
      purpose: 'read it again, as long as the index is the same',
    },
    {
      command: 'dossier context-pack --query "token budget" --hops 3 --edge-types call,import',
      purpose: 'farther, along some edges only',
    },
  ],
  input: inputSchema,
  bareFlags: ['diff'],
  short: { query: 'q', tokens: 't', intent: 'i', focus: 'f' },
  run: (world, input) => (input.read ? readStoredAnswer(world, input) : buildAnswer(world, input)),
  text: getAnswerText,
  isExact: () => true,
  json: ({ pack }) => pack,
  succeeded: () => true,
})

async function buildAnswer(world: World, input: Input): Promise<PackAnswer> {
  const { repo: path, focus, write, index: isFresh } = input
  if (input.packId !== undefined || input.stale) throw createUsageError('--read')
  const wish = toPackWish(await readQuery(world, input.query), input)
  const diff = await readDiffWish(world, input)
  const question = { path, wish, focus, diff, isFresh, mayBeMissing: false, isKept: write }
  const asked = await askForPack(world, question)
  noticeEmpty(world, asked.pack)
  noticeStale(world, asked.changed)
  const text = write ? `${asked.pack.packId}\n` : renderPack(asked.pack, input)
  return { ...asked, text, format: input.format, isStale: asked.changed.length > 0 }
}

async function readStoredAnswer(world: World, input: Input): Promise<PackAnswer> {
  const { repo: path, packId, stale, format } = input
  if (packId === undefined || input.query !== undefined || input.write)
    throw createUsageError('--pack-id')
  const { pack, isStale } = await findPack(world, { path, packId, maybeStale: stale })
  return { pack, text: renderPack(pack, input), format, origin: 'kept', isStale }
}

function createUsageError(flag: string): EngineError {
  const message =
    flag === '--read'
      ? '--pack-id and --stale are only valid with --read'
      : '--read requires --pack-id, and no query'
  return new EngineError('POC_E_REQUEST_INVALID', message, {
    hint: 'dossier context-pack --read --pack-id ID, or dossier context-pack --query TEXT',
  })
}
