/**
 * Full-text search as SQLite's FTS5 ranks it, by its `bm25` over our own words. All that the formula
 * asks for is in the postings and the lengths, so nothing else has to be written, and what is dead
 * is in no sum. It does not know where either is kept.
 */
import { bestPlaces } from '../../base/best.ts'
import type { Corpus, FullTextQuery, WordPostings } from '../../model/code-index.ts'
import { WORD_FIELDS } from '../../model/index-record.ts'

const FIELDS = WORD_FIELDS.length
/** Constants of FTS5. */
const K1 = 1.2
const B = 0.75
/** For a word that half of the chunks have, and more. */
const LEAST_IDF = 1e-6

export interface WordStatistics {
  readonly corpus: Corpus
  postings(word: string): WordPostings
  /** Of each of the chunks, one after the other. */
  lengths(chunks: Uint32Array): Uint32Array
}

export interface RankedRow {
  readonly chunk: number
  readonly score: number
}

/** The best, and all that are as good as the last of them: who of these is in is not ours to say. */
export function bestRows(by: WordStatistics, query: FullTextQuery): readonly RankedRow[] {
  if (query.words.length === 0 || query.limit <= 0) return []
  const lists = query.words.map((word) => by.postings(word))
  const last = lists.reduce((most, it) => Math.max(most, it.handles.at(-1) ?? -1), -1)
  const scores = new Float64Array(last + 1).fill(Number.NEGATIVE_INFINITY)
  const sizes = chunkSizes(by)
  for (const list of lists) addScores(scores, list, { sizes, by, query })
  const best = bestPlaces(scores, query.limit)
  const bar = scores[best.at(-1) ?? -1] ?? Number.POSITIVE_INFINITY
  const rows: RankedRow[] = []
  scores.forEach((score, chunk) => {
    if (score >= bar) rows.push({ chunk, score })
  })
  return rows
}

interface Ranking {
  readonly by: WordStatistics
  readonly sizes: ChunkSizes
  readonly query: FullTextQuery
}

/** The words one after the other, as the formula has them: sums depend on the order. */
function addScores(scores: Float64Array, list: WordPostings, { by, sizes, query }: Ranking): void {
  const { handles, fields, counts, frequency } = list
  const { chunks } = by.corpus
  const rarity = Math.log((chunks - frequency + 0.5) / (frequency + 0.5))
  const idf = rarity <= 0 ? LEAST_IDF : rarity
  const sizeAt = sizes.of(handles)
  for (let at = 0; at < handles.length; ) {
    const chunk = handles[at] ?? 0
    const size = sizeAt(at)
    let weight = 0
    for (; at < handles.length && handles[at] === chunk; at += 1) {
      const each = query.weights[fields[at] ?? 0] ?? 1
      for (let left = counts[at] ?? 0; left > 0; left -= 1) weight += each
    }
    const length = 1 - B + (B * size) / sizes.average
    const score = idf * ((weight * (K1 + 1)) / (weight + K1 * length))
    scores[chunk] = Math.max(0, scores[chunk] ?? 0) + score
  }
}

interface ChunkSizes {
  readonly average: number
  /** Words of the chunk at each place of a list. */
  of(chunks: Uint32Array): (place: number) => number
}

/** The empty word, which is what is left of a mark that stands alone, is no token of FTS5. */
function chunkSizes({ corpus, postings, lengths }: WordStatistics): ChunkSizes {
  const nothing = postings('')
  const empty = new Map<number, number>()
  nothing.handles.forEach((chunk, at) => {
    empty.set(chunk, (empty.get(chunk) ?? 0) + (nothing.counts[at] ?? 0))
  })
  const all = corpus.lengths.reduce((sum, it) => sum + it, 0)
  const none = nothing.counts.reduce((sum, it) => sum + it, 0)
  return {
    average: (all - none) / corpus.chunks,
    of(chunks) {
      const fields = lengths(chunks)
      return (place) => {
        let size = 0
        for (let field = 0; field < FIELDS; field += 1) size += fields[place * FIELDS + field] ?? 0
        return size - (empty.get(chunks[place] ?? 0) ?? 0)
      }
    },
  }
}
