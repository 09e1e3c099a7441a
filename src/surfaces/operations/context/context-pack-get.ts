import { findPack } from '../../../packs/context/ask-pack.ts'
import { z } from '../../../platform/schema.ts'
import { indexDirInput, repositoryInput } from '../index/repository-input.ts'
import { required, withDefault } from '../input.ts'
import { operation } from '../operation.ts'
import { describePack, getAnswerText, type PackAnswer, renderPack } from './pack-answer.ts'
import { formatInput, toolFormatInput } from './pack-input.ts'

export const contextPackGet = operation({
  name: 'context-pack get',
  examples: [{ command: 'dossier context-pack get 0123456789ab', purpose: 'as Markdown' }],
  input: z.strictObject({
    packId: required(z.string().check(z.minLength(1)), 'Id of the pack, or a prefix of it.'),
    repo: repositoryInput.path,
    ...indexDirInput,
    format: formatInput,
    stale: withDefault(z.boolean(), false, 'Read it even if the index has changed since.'),
  }),
  positional: ['packId'],
  tool: 'context_pack_get',
  dottedTool: 'context_pack.get',
  toolShape: { format: toolFormatInput },
  async run(world, input): Promise<PackAnswer> {
    const { repo: path, packId, stale, format } = input
    const { pack, isStale } = await findPack(world, { path, packId, maybeStale: stale })
    return { pack, text: renderPack(pack, { format }), format, origin: 'kept', isStale }
  },
  text: getAnswerText,
  isExact: () => true,
  json: ({ pack }) => pack,
  about: describePack,
  succeeded: () => true,
})
