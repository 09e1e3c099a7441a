import { buildDocsPrompt } from '../../../packs/docs/docs-prompt.ts'
import { withFreshDocs } from '../../../packs/docs/fresh-docs.ts'
import { noticeRedacted } from '../../../packs/redact-output.ts'
import { z } from '../../../platform/schema.ts'
import { withDefault } from '../input.ts'
import { operation } from '../operation.ts'
import { revealInput, withReveal } from '../reveal-input.ts'
import { PACK_SHORT, packInput, toSegmentRequest } from './segment-input.ts'

const HOW_TO_FETCH =
  'To read a section in full, call get_context with its id; to find one, search_context.'

export const ctxPrompt = operation({
  name: 'ctx prompt',
  examples: [
    { command: 'dossier ctx prompt --segment docs --max-tokens 1000', purpose: 'a hard cap' },
  ],
  input: z.strictObject({
    ...packInput,
    maxTokens: withDefault(z.int().check(z.minimum(1)), 4000, 'Maximum tokens of the block.'),
    ...revealInput,
  }),
  short: PACK_SHORT,
  async run(world, input) {
    const count = await world.tokens()
    const { revealsSecrets, isServed } = withReveal(world, input.reveal)
    const wish = { maxTokens: input.maxTokens, howToFetch: HOW_TO_FETCH, revealsSecrets, isServed }
    const prompt = await withFreshDocs(world, toSegmentRequest(input), (index) =>
      buildDocsPrompt(index, wish, count),
    )
    noticeRedacted(world, prompt.redacted)
    return prompt
  },
  text: (output) => output.text,
  isExact: () => true,
  succeeded: () => true,
})
