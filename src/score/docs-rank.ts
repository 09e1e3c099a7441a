/** Ranks the chunks of a docs pack for a query: BM25 over weighted fields, and what it misses. */
import { ascending, descending, inOrder } from '../base/order.ts'
import { stems } from '../base/words.ts'
import type { StoredChunk } from '../model/docs-index.ts'
import type { CollectionStats, QueryTerm, ScoreTerm } from '../model/search.ts'

/** Every number that the ranking turns on. */
export const DOCS_WEIGHTS = {
  /** How much a word counts in the chunk's own heading, the headings above it, the text, the path. */
  heading: 5,
  above: 1.5,
  text: 1,
  path: 1.2,
  /** BM25: how soon more of the same stops counting, and how much long texts are held back. */
  saturation: 1.2,
  lengthPenalty: 0.6,
  /** For holding all of the query, and for neighbours in the query that are neighbours in the text. */
  coverage: 2.5,
  headingPhrase: 1.2,
  textPhrase: 0.6,
} as const

export interface RankedChunk {
  readonly chunk: StoredChunk
  readonly score: number
  readonly terms: readonly ScoreTerm[]
}

export interface DocsQuery {
  readonly terms: readonly QueryTerm[]
  readonly stats: CollectionStats
}

export function rankChunks(
  chunks: readonly StoredChunk[],
  query: DocsQuery,
): readonly RankedChunk[] {
  return chunks
    .map((chunk) => ranked(chunk, query))
    .filter((it) => it.score > 0)
    .toSorted(
      inOrder(
        descending((it) => it.score),
        ascending((it) => it.chunk.id),
      ),
    )
}

function ranked(chunk: StoredChunk, query: DocsQuery): RankedChunk {
  const fields = fieldsOf(chunk)
  const matched = query.terms.map((term, at) => termScore(term, fields, { query, at }))
  const terms = [
    ...matched.flat(),
    ...coverage(matched, query.terms),
    ...phrases(query.terms, fields),
  ]
  return { chunk, terms, score: terms.reduce((sum, term) => sum + term.value, 0) }
}

interface Fields {
  readonly heading: readonly string[]
  readonly text: readonly string[]
  readonly counts: readonly { readonly weight: number; readonly of: ReadonlyMap<string, number> }[]
  readonly chars: number
}

function fieldsOf(chunk: StoredChunk): Fields {
  const heading = stems(chunk.title_path.at(-1) ?? '')
  const text = stems(chunk.text)
  return {
    heading,
    text,
    chars: chunk.char_count,
    counts: [
      { weight: DOCS_WEIGHTS.heading, of: countsOf(heading) },
      { weight: DOCS_WEIGHTS.above, of: countsOf(stems(chunk.title_path.slice(0, -1).join(' '))) },
      { weight: DOCS_WEIGHTS.text, of: countsOf(text) },
      { weight: DOCS_WEIGHTS.path, of: countsOf(stems(chunk.source_path)) },
    ],
  }
}

function countsOf(list: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const item of list) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

function termScore(
  term: QueryTerm,
  fields: Fields,
  place: { readonly query: DocsQuery; readonly at: number },
): readonly ScoreTerm[] {
  const count = fields.counts.reduce(
    (sum, field) => sum + field.weight * (field.of.get(term.stem) ?? 0),
    0,
  )
  if (count === 0) return []
  const { stats } = place.query
  const { saturation, lengthPenalty } = DOCS_WEIGHTS
  const length = 1 - lengthPenalty + lengthPenalty * (fields.chars / (stats.meanChars || 1))
  const weighed = (count * (saturation + 1)) / (count + saturation * length)
  const rarity = inverseFrequency(stats.chunks, stats.frequencies[place.at] ?? 0)
  return [{ name: term.word, value: term.weight * rarity * weighed }]
}

/** Never negative: even a word that is everywhere counts a little. */
function inverseFrequency(chunks: number, holding: number): number {
  return Math.log(1 + (chunks - holding + 0.5) / (holding + 0.5))
}

function coverage(
  matched: readonly (readonly ScoreTerm[])[],
  terms: readonly QueryTerm[],
): readonly ScoreTerm[] {
  const whole = terms.reduce((sum, term) => sum + term.weight, 0)
  const held = terms.reduce(
    (sum, term, at) => sum + ((matched[at]?.length ?? 0) > 0 ? term.weight : 0),
    0,
  )
  if (held === 0 || terms.length < 2) return []
  return [{ name: 'coverage', value: DOCS_WEIGHTS.coverage * (held / whole) ** 2 }]
}

function phrases(terms: readonly QueryTerm[], fields: Fields): readonly ScoreTerm[] {
  const written = terms.filter((term) => term.weight === 1)
  const found: ScoreTerm[] = []
  for (const [at, first] of written.entries()) {
    const second = written[at + 1]
    if (second === undefined) continue
    const name = `“${first.word} ${second.word}”`
    if (isTogether(fields.heading, first.stem, second.stem)) {
      found.push({ name, value: DOCS_WEIGHTS.headingPhrase })
    } else if (isTogether(fields.text, first.stem, second.stem)) {
      found.push({ name, value: DOCS_WEIGHTS.textPhrase })
    }
  }
  return found
}

function isTogether(list: readonly string[], first: string, second: string): boolean {
  for (let at = list.indexOf(first); at !== -1; at = list.indexOf(first, at + 1)) {
    if (list[at + 1] === second) return true
  }
  return false
}
