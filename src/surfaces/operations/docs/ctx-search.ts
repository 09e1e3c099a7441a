import { containsRedaction } from '../../../base/secrets.ts'
import { titleLine } from '../../../format/chunk-block.ts'
import { preview } from '../../../format/preview.ts'
import { searchDocs } from '../../../packs/docs/docs-search.ts'
import { withFreshDocs } from '../../../packs/docs/fresh-docs.ts'
import { redactChunk } from '../../../packs/docs/redact-chunk.ts'
import { noticeRedacted, shownText } from '../../../packs/redact-output.ts'
import { z } from '../../../platform/schema.ts'
import { required, withDefault } from '../input.ts'
import { operation, type Paint } from '../operation.ts'
import { revealInput, withReveal } from '../reveal-input.ts'
import { PACK_SHORT, packInput, toSegmentRequest } from './segment-input.ts'

export interface SearchHit {
  readonly id: string
  readonly title: string
  readonly source: string
  readonly score: number
  readonly tokens: number
  readonly preview: string
  readonly terms?: readonly { readonly name: string; readonly value: number }[]
}

export interface SearchOutput {
  readonly query: string
  readonly hits: readonly SearchHit[]
  readonly nearestTitles: readonly string[]
}

export const ctxSearch = operation({
  name: 'ctx search',
  examples: [
    { command: 'dossier ctx search --query "token budget"', purpose: 'in the current folder' },
    {
      command: 'dossier ctx search -s docs -q "title path" --explain',
      purpose: 'with the reasons',
    },
  ],
  input: z.strictObject({
    ...packInput,
    query: required(
      z.string().check(z.trim(), z.minLength(1)),
      'What you are looking for, in any words.',
    ),
    limit: withDefault(
      z.int().check(z.minimum(1), z.maximum(100)),
      5,
      'Maximum number of sections.',
    ),
    explain: withDefault(z.boolean(), false, 'Show the terms of each score.'),
    ...revealInput,
  }),
  short: { ...PACK_SHORT, query: 'q', limit: 'l' },
  tool: 'search_context',
  toolAliases: { k: (value) => ({ limit: value }) },
  async run(world, input): Promise<SearchOutput> {
    const count = await world.tokens()
    return withFreshDocs(world, toSegmentRequest(input), async (index) => {
      const { hits, nearestTitles } = await searchDocs(index, input.query, input.limit)
      const viewer = withReveal(world, input.reveal)
      const shown = hits.map((hit) => ({ ...hit, ...redactChunk(viewer, hit.chunk) }))
      noticeRedacted(world, shown.filter((it) => containsRedaction(buildPreview(it.chunk))).length)
      return {
        query: input.query,
        hits: shown.map(({ chunk, score, terms }) => ({
          id: chunk.id,
          title: titleLine(chunk),
          source: `${chunk.source_path}:${chunk.start_line}-${chunk.end_line}`,
          score: roundScore(score),
          tokens: count(chunk.text),
          preview: buildPreview(chunk),
          ...(input.explain
            ? { terms: terms.map((it) => ({ ...it, value: roundScore(it.value) })) }
            : {}),
        })),
        nearestTitles: nearestTitles.map((it) => shownText(viewer, it).text),
      }
    })
  },
  text(output, paint) {
    if (output.hits.length === 0) return renderNothingFound(output)
    return `${output.hits.map((hit, at) => renderHit(hit, at + 1, paint)).join('\n\n')}\n`
  },
  succeeded: () => true,
})

function buildPreview({ text }: { readonly text: string }): string {
  return preview(text.replace(/^ {0,3}#{1,6}[ \t].*/, ''))
}

function renderHit(hit: SearchHit, rank: number, paint: Paint): string {
  const lines = [
    `${rank}. ${paint.strong(hit.title)}`,
    `   [${hit.id}]`,
    `   ${paint.faint(`score ${hit.score.toFixed(3)}, ${hit.tokens} tokens, ${hit.source}`)}`,
  ]
  if (hit.terms !== undefined) {
    lines.push(
      `   ${paint.faint(hit.terms.map((it) => `${it.name} ${it.value.toFixed(2)}`).join(' + '))}`,
    )
  }
  if (hit.preview !== '') lines.push(`   ${hit.preview}`)
  return lines.join('\n')
}

function renderNothingFound(output: SearchOutput): string {
  const query = preview(output.query, 80)
  const near = output.nearestTitles.map((title) => `  ${title}`)
  const offer = near.length === 0 ? [] : ['The nearest titles:', ...near]
  return [`Nothing found for: ${query}`, ...offer, ''].join('\n')
}

function roundScore(value: number): number {
  return Math.round(value * 1000) / 1000
}
