/**
 * Ranks the chunks of a docs pack for a query: BM25 over weighted fields, and what it misses, which
 * is that a page or a section may be named as the query is, and that a page is more than one chunk.
 */
import { ascending, descending, inOrder } from '../base/order.ts'
import { createStemCache, isStopWord, stems, words } from '../base/words.ts'
import type { StoredChunk } from '../model/docs-index.ts'
import type { CollectionStats, QueryTerm, ScoreTerm } from '../model/search.ts'

/** Every number that the ranking turns on. */
export const DOCS_WEIGHTS = {
  /** How much a word counts in the chunk's own heading, the headings above it, the text, the path. */
  heading: 5,
  above: 0.7,
  text: 1,
  path: 1.2,
  /** BM25: how soon more of the same stops counting, and how much long texts are held back. */
  saturation: 1.2,
  lengthPenalty: 0.6,
  /** Shorter than this share of the mean is no merit: a heading over one line is seldom an answer. */
  shortest: 0.5,
  /** For holding all of the query, and for neighbours in the query that are neighbours in the text. */
  coverage: 2.5,
  headingPhrase: 1.2,
  textPhrase: 1.2,
  /**
   * For the share of the page's name, and of the chunk's heading, that the query says: `Invoices`
   * is all said by "invoices", `Invoices from the old shop` is not. A heading has to be said more
   * fully, since a page has one name and many headings.
   */
  pageName: 0.9,
  pageNamePower: 1,
  ownHeading: 0.5,
  ownHeadingPower: 2,
  /** What a chunk gains from the best and the second best of the other chunks of its page. */
  bestOfPage: 0.2,
  nextOfPage: 0.1,
} as const

export interface RankedChunk {
  readonly chunk: StoredChunk
  readonly score: number
  readonly terms: readonly ScoreTerm[]
}

export interface DocsQuery {
  readonly terms: readonly QueryTerm[]
  /** Neighbours in the query. */
  readonly pairs: readonly (readonly [QueryTerm, QueryTerm])[]
  readonly stats: CollectionStats
}

export function rankChunks(
  chunks: readonly StoredChunk[],
  query: DocsQuery,
): readonly RankedChunk[] {
  const asked = prepared(query)
  return withPages(chunks.map((chunk) => ranked(chunk, asked)))
    .filter((it) => it.score > 0)
    .toSorted(bestFirst)
}

/** Scores are compared as they are printed: of those that look the same, the place decides. */
function printedScore(score: number): number {
  return Math.round(score * 1000) / 1000
}

const bestFirst = inOrder<RankedChunk>(
  descending((it) => printedScore(it.score)),
  ascending((it) => it.chunk.source_path),
  ascending((it) => it.chunk.start_line),
  ascending((it) => it.chunk.part ?? 0),
  ascending((it) => it.chunk.id),
)

/** The query with all that is the same for every chunk. */
interface Asked extends DocsQuery {
  /** What finding each term is worth, by its stem: its weight times its rarity. */
  readonly worth: ReadonlyMap<string, number>
  readonly wholeWeight: number
  stemOf(word: string): string
}

function prepared(query: DocsQuery): Asked {
  const { chunks, frequencies } = query.stats
  const worth = query.terms.map((term, at): readonly [string, number] => [
    term.stem,
    term.weight * inverseFrequency(chunks, frequencies[at] ?? 0),
  ])
  const wholeWeight = query.terms.reduce((sum, term) => sum + term.weight, 0)
  return { ...query, worth: new Map(worth), wholeWeight, stemOf: createStemCache() }
}

/** Never negative: even a word that is everywhere counts a little. */
function inverseFrequency(chunks: number, holding: number): number {
  return Math.log(1 + (chunks - holding + 0.5) / (holding + 0.5))
}

function ranked(chunk: StoredChunk, asked: Asked): RankedChunk {
  const fields = fieldsOf(chunk, asked)
  const matched = asked.terms.map((term) => termScore(term, fields, asked))
  return summed(chunk, [
    ...matched.flat(),
    ...coverage(matched, asked),
    ...phrases(fields, asked),
    ...names(chunk, fields, asked),
  ])
}

function summed(chunk: StoredChunk, terms: readonly ScoreTerm[]): RankedChunk {
  return { chunk, terms, score: terms.reduce((sum, term) => sum + term.value, 0) }
}

interface Fields {
  readonly headingText: string
  readonly heading: readonly string[]
  readonly text: readonly string[]
  readonly counts: readonly { readonly weight: number; readonly of: ReadonlyMap<string, number> }[]
  /** How long the text is, as a share of the mean. */
  readonly length: number
}

function fieldsOf(chunk: StoredChunk, { stats, worth, stemOf }: Asked): Fields {
  const headingText = withoutTargets(chunk.title_path.at(-1) ?? '')
  const above = chunk.title_path.slice(0, -1).join(' ')
  const heading = stems(headingText, stemOf)
  const text = stems(withoutTargets(chunk.text), stemOf)
  return {
    headingText,
    heading,
    text,
    length: Math.max(DOCS_WEIGHTS.shortest, chunk.char_count / (stats.meanChars || 1)),
    counts: [
      { weight: DOCS_WEIGHTS.heading, of: countsOf(heading, worth) },
      { weight: DOCS_WEIGHTS.above, of: countsOf(stems(above, stemOf), worth) },
      { weight: DOCS_WEIGHTS.text, of: countsOf(text, worth) },
      { weight: DOCS_WEIGHTS.path, of: countsOf(stems(chunk.source_path, stemOf), worth) },
    ],
  }
}

/** Where a link leads, and the anchor of a heading: `[text](target)`, `Heading {#anchor}`. */
const TARGET = /\]\([^()\s]*\)|\{#[^{}\s]*\}/g

/** The words of a link's target speak of another page. */
function withoutTargets(text: string): string {
  return text.replace(TARGET, ']')
}

/** How often each of the wanted stems is in the list. */
function countsOf(
  list: readonly string[],
  wanted: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const item of list) {
    if (wanted.has(item)) counts.set(item, (counts.get(item) ?? 0) + 1)
  }
  return counts
}

function termScore(term: QueryTerm, fields: Fields, asked: Asked): readonly ScoreTerm[] {
  const count = fields.counts.reduce(
    (sum, field) => sum + field.weight * (field.of.get(term.stem) ?? 0),
    0,
  )
  if (count === 0) return []
  const { saturation, lengthPenalty } = DOCS_WEIGHTS
  const length = 1 - lengthPenalty + lengthPenalty * fields.length
  const weighed = (count * (saturation + 1)) / (count + saturation * length)
  return [{ name: term.word, value: (asked.worth.get(term.stem) ?? 0) * weighed }]
}

function coverage(
  matched: readonly (readonly ScoreTerm[])[],
  { terms, wholeWeight }: Asked,
): readonly ScoreTerm[] {
  const held = terms.reduce(
    (sum, term, at) => sum + ((matched[at]?.length ?? 0) > 0 ? term.weight : 0),
    0,
  )
  if (held === 0 || terms.length < 2) return []
  return [{ name: 'coverage', value: DOCS_WEIGHTS.coverage * (held / wholeWeight) ** 2 }]
}

function phrases({ heading, text }: Fields, { pairs }: Asked): readonly ScoreTerm[] {
  const { headingPhrase, textPhrase } = DOCS_WEIGHTS
  return pairs.flatMap((pair) => {
    const value = isTogether(heading, pair)
      ? headingPhrase
      : isTogether(text, pair)
        ? textPhrase
        : 0
    return value === 0 ? [] : [{ name: `“${pair[0].word} ${pair[1].word}”`, value }]
  })
}

function isTogether(
  list: readonly string[],
  [first, second]: readonly [QueryTerm, QueryTerm],
): boolean {
  for (let at = list.indexOf(first.stem); at !== -1; at = list.indexOf(first.stem, at + 1)) {
    if (list[at + 1] === second.stem) return true
  }
  return false
}

function names(chunk: StoredChunk, fields: Fields, asked: Asked): readonly ScoreTerm[] {
  const { pageName, pageNamePower, ownHeading, ownHeadingPower } = DOCS_WEIGHTS
  const page = said(nameOf(chunk.source_path), pageNamePower, asked)
  const heading = said(fields.headingText, ownHeadingPower, asked)
  return [
    ...(page > 0 ? [{ name: 'page name', value: pageName * page }] : []),
    ...(heading > 0 ? [{ name: 'own heading', value: ownHeading * heading }] : []),
  ]
}

/** `shop/tax.md` is called "tax"; an index is called by its folder: `shop/index.md` is "shop". */
function nameOf(path: string): string {
  const [file = '', folder = ''] = path.split('/').toReversed()
  const name = file.replace(/\.[^.]*$/, '')
  return /^_?(?:index|readme)$/i.test(name) ? folder : name
}

/** What the query's words in a name are worth, held back by the share of the name that it lacks. */
function said(name: string, power: number, { worth, stemOf }: Asked): number {
  const telling = new Set(
    words(name)
      .filter((word) => !isStopWord(word))
      .map(stemOf),
  )
  const found = [...telling].flatMap((stem) => worth.get(stem) ?? [])
  if (found.length === 0) return 0
  return found.reduce((sum, value) => sum + value, 0) * (found.length / telling.size) ** power
}

/** A page with several chunks that match is likelier to be meant than one with a single one. */
function withPages(alone: readonly RankedChunk[]): readonly RankedChunk[] {
  const byPage = Map.groupBy(alone, (it) => it.chunk.source_path)
  const best = new Map(
    [...byPage].map(([path, own]) => [path, own.toSorted(bestFirst).slice(0, 3)]),
  )
  return alone.map((it) => {
    const others = best.get(it.chunk.source_path)?.filter((other) => other !== it) ?? []
    const value =
      DOCS_WEIGHTS.bestOfPage * (others[0]?.score ?? 0) +
      DOCS_WEIGHTS.nextOfPage * (others[1]?.score ?? 0)
    return value > 0 ? summed(it.chunk, [...it.terms, { name: 'rest of page', value }]) : it
  })
}
