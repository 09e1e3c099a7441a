/** A docs pack, searched: query, candidates, ranking. */
import { nearest } from '../../base/nearest.ts'
import type { DocsIndex } from '../../model/docs-index.ts'
import { queryPairs, queryTerms } from '../../retrieve/query-terms.ts'
import { type RankedChunk, rankChunks } from '../../score/docs-rank.ts'

export interface DocsSearchResult {
  readonly hits: readonly RankedChunk[]
  /** Similar titles, if nothing was found. */
  readonly nearestTitles: readonly string[]
}

const MAX_CANDIDATES = 120
const MAX_SUGGESTIONS = 5

export async function searchDocs(
  index: DocsIndex,
  query: string,
  limit: number,
): Promise<DocsSearchResult> {
  const terms = queryTerms(query)
  const pairs = queryPairs(query, terms)
  const candidates = await index.matching(
    terms.map((it) => it.word),
    Math.max(MAX_CANDIDATES, limit),
  )
  const totals = await index.totals()
  const frequencies =
    candidates.length === 0 ? [] : await index.frequencies(terms.map((it) => it.word))
  const meanChars = totals.chars / (totals.chunks || 1)
  const stats = { chunks: totals.chunks, meanChars, frequencies }
  const hits = rankChunks(candidates, { terms, pairs, stats }).slice(0, limit)
  if (hits.length > 0) return { hits, nearestTitles: [] }
  const titles = (await index.index()).map((entry) => entry.title_path.at(-1) ?? entry.doc)
  return {
    hits,
    nearestTitles: nearest(query.slice(0, 200), [...new Set(titles)], MAX_SUGGESTIONS),
  }
}
