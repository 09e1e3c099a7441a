/** How large a docs pack is, in real tokens, and what it saves. */
import { promptBlock } from '../../format/docs-prompt.ts'
import type { DocsIndex } from '../../model/docs-index.ts'
import type { CountTokens } from '../../model/tokens.ts'
import { type World, yieldToEventLoop } from '../../platform/world.ts'

export interface DocsStats {
  readonly documents: number
  readonly chunks: number
  /** Tokens of all texts. */
  readonly tokens: number
  /** Tokens of digest and index, which the prompt contains instead of the texts. */
  readonly promptTokens: number
  readonly largest: { readonly id: string; readonly tokens: number } | undefined
  readonly sizes: readonly SizeBand[]
}

export interface SizeBand {
  readonly upTo: number | undefined
  readonly chunks: number
  readonly tokens: number
}

const BAND_LIMITS = [64, 128, 256, 512, 1024, 2048]

export async function computeDocsStats(
  world: World,
  index: DocsIndex,
  count: CountTokens,
): Promise<DocsStats> {
  const totals = await index.totals()
  const sizes: { readonly id: string; readonly tokens: number }[] = []
  world.progress.begin('Counting tokens', totals.chunks)
  for await (const batch of index.batches()) {
    for (const chunk of batch) sizes.push({ id: chunk.id, tokens: count(chunk.text) })
    world.progress.advance(batch.length)
    await yieldToEventLoop(world)
  }
  world.progress.end()
  const prompt = promptBlock({
    segment: index.header.segment,
    digest: await index.digest(),
    digestLeftOut: 0,
    index: await index.index(),
    indexLeftOut: 0,
    howToFetch: '',
  })
  return {
    documents: totals.documents,
    chunks: sizes.length,
    tokens: sizes.reduce((sum, it) => sum + it.tokens, 0),
    promptTokens: count(prompt),
    largest: sizes.reduce<DocsStats['largest']>(
      (best, it) => (best === undefined || it.tokens > best.tokens ? it : best),
      undefined,
    ),
    sizes: [...BAND_LIMITS, undefined].map((upTo, at) => {
      const from = BAND_LIMITS[at - 1] ?? -1
      const within = sizes.filter(
        (it) => it.tokens > from && (upTo === undefined || it.tokens <= upTo),
      )
      return { upTo, chunks: within.length, tokens: within.reduce((sum, it) => sum + it.tokens, 0) }
    }),
  }
}
