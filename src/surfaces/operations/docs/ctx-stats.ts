import { bar } from '../../../format/bar.ts'
import { computeDocsStats } from '../../../packs/docs/docs-stats.ts'
import { withFreshDocs } from '../../../packs/docs/fresh-docs.ts'
import { z } from '../../../platform/schema.ts'
import { operation } from '../operation.ts'
import { PACK_SHORT, packInput, toSegmentRequest } from './segment-input.ts'

export const ctxStats = operation({
  name: 'ctx stats',
  examples: [{ command: 'dossier ctx stats', purpose: 'sizes as a bar chart' }],
  input: z.strictObject(packInput),
  short: PACK_SHORT,
  async run(world, input) {
    const count = await world.tokens()
    return withFreshDocs(world, toSegmentRequest(input), (index) =>
      computeDocsStats(world, index, count),
    )
  },
  text(output, paint) {
    const most = Math.max(...output.sizes.map((it) => it.chunks), 1)
    const last = output.sizes.findLastIndex((it) => it.chunks > 0)
    const bars = output.sizes.slice(0, last + 1).map((it) => {
      const label = it.upTo === undefined ? 'more' : `≤ ${it.upTo}`
      return `  ${label.padStart(6)}  ${bar(it.chunks / most, 32)} ${it.chunks}`
    })
    const share = output.tokens === 0 ? 0 : 1 - output.promptTokens / output.tokens
    return `${[
      `${output.chunks} chunks, ${output.documents} documents, ${output.tokens} tokens`,
      paint.strong('Tokens per chunk'),
      ...bars,
      ...(output.largest === undefined
        ? []
        : [`largest: [${output.largest.id}] ${output.largest.tokens} tokens`]),
      `digest and index: ${output.promptTokens} tokens in the prompt instead of ${output.tokens}, ${formatPercent(share)}`,
    ].join('\n')}\n`
  },
  succeeded: () => true,
})

function formatPercent(share: number): string {
  const rounded = Math.round(Math.abs(share) * 1000) / 10
  return share >= 0
    ? `${rounded} % saved`
    : `${rounded} % more: the documents are small enough to send whole`
}
