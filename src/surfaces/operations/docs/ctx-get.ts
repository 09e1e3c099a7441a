import { EngineError } from '../../../model/engine-error.ts'
import { getDocs } from '../../../packs/docs/docs-get.ts'
import { withFreshDocs } from '../../../packs/docs/fresh-docs.ts'
import { noticeRedacted } from '../../../packs/redact-output.ts'
import { z } from '../../../platform/schema.ts'
import { required, withDefault } from '../input.ts'
import { operation } from '../operation.ts'
import { revealInput, withReveal } from '../reveal-input.ts'
import { PACK_SHORT, packInput, toSegmentRequest } from './segment-input.ts'

export const ctxGet = operation({
  name: 'ctx get',
  examples: [
    {
      command: 'dossier ctx get --ids "README:0123456789"',
      purpose: 'one section, as it is written',
    },
    {
      command:
        'dossier ctx get --ids "README:0123456789,SPEC:abcdef0123" --mode skeleton --budget 500',
      purpose: 'the bones of two, within 500 tokens',
    },
  ],
  input: z.strictObject({
    ...packInput,
    ids: required(
      z.array(z.string().check(z.minLength(1))).check(z.minLength(1)),
      'Ids of the chunks, as the index and the search give them.',
    ),
    mode: withDefault(
      z.enum(['raw', 'excerpt', 'skeleton']),
      'raw',
      'The exact text, its beginning, or its headings, first sentences and signatures.',
    ),
    budget: withDefault(z.int().check(z.minimum(1)), 8000, 'Maximum tokens of the whole answer.'),
    ...revealInput,
  }),
  short: { ...PACK_SHORT, ids: 'i', mode: 'm', budget: 'b' },
  tool: 'get_context',
  toolAliases: { chunk_id: (value) => ({ ids: [value].flat() }) },
  async run(world, input) {
    const count = await world.tokens()
    return withFreshDocs(world, toSegmentRequest(input), async (index) => {
      const { ids, mode, budget } = input
      const { revealsSecrets, isServed } = withReveal(world, input.reveal)
      const wish = { ids, mode, budget, revealsSecrets, isServed }
      const answer = await getDocs(index, wish, count)
      if (answer.items.length === 0) throw createUnknownIdsError(answer.unknown)
      noticeRedacted(
        world,
        answer.items.reduce((sum, it) => sum + it.redacted, 0),
      )
      const { text, tokens, leftOut } = answer
      return {
        text,
        tokens,
        budget,
        leftOut,
        unknown: answer.unknown,
        items: answer.items.map((it) => ({
          id: it.chunk.id,
          titlePath: it.chunk.title_path,
          sourcePath: it.chunk.source_path,
          startLine: it.chunk.start_line,
          endLine: it.chunk.end_line,
          isCut: it.isCut,
          ...(it.redacted === 0 ? {} : { redacted: it.redacted }),
          text: it.text,
        })),
      }
    })
  },
  text: (output) => output.text,
  isExact: () => true,
  succeeded: (output) => output.unknown.length === 0,
  trouble: (output) =>
    output.unknown.length === 0 ? undefined : createUnknownIdsError(output.unknown),
})

type Unknown = readonly { readonly id: string; readonly nearest: readonly string[] }[]

function createUnknownIdsError(ids: Unknown): EngineError {
  const near = [...new Set(ids.flatMap((it) => it.nearest))]
  const hint =
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'find ids with `dossier ctx search`'
  const message = `no chunk with id ${ids.map((it) => it.id).join(', ')}`
  return new EngineError('POC_E_CHUNK_UNKNOWN', message, { hint })
}
