/** Any text becomes a list of terms: nothing in a query is syntax, so no query is wrong. */
import { compoundParts, unspacedPairs } from '../base/identifiers.ts'
import { folded, isStopWord, stemOf, words } from '../base/words.ts'
import type { QueryTerm } from '../model/search.ts'

/** How much a term counts that is not a plain word of the query's first line; they multiply. */
const TERM_WEIGHTS = {
  /** A part of a compound: the compound itself counts as well. */
  part: 0.6,
  /** A word of a later line: the first line says what it is about, as in a mail or a commit. */
  laterLine: 0.5,
  /** A word about the writing, not about what is written of. */
  aside: 0.5,
} as const

/** Requests, tasks and links say what to do with a text in these words: "add an example", "see". */
const ASIDES: ReadonlySet<string> = new Set(
  `about add added change chore clarification clarify correct doc document documentation example
   feat fix guide improve improvement learn mention minor missing more note page read refactor
   remove rename section see sentence small some typo update use wording`
    .split(/\s+/)
    .map(stemOf),
)
const MOST_TERMS = 48

export function queryTerms(query: string): readonly QueryTerm[] {
  const lines = linesOf(query)
  const whole = lines.flatMap((line, at) => words(line).map((word) => term(word, lineWeight(at))))
  const parts = lines.flatMap((line, at) =>
    [...compoundParts(line), ...unspacedPairs(line)].map((part) =>
      term(part, TERM_WEIGHTS.part * lineWeight(at)),
    ),
  )
  const telling = [...whole, ...parts].filter((it) => !isStopWord(it.word))
  // Stop words are better than nothing.
  const chosen = telling.length > 0 ? telling : whole
  const unique = new Map<string, QueryTerm>()
  for (const it of chosen) if (!unique.has(it.stem)) unique.set(it.stem, it)
  return [...unique.values()].slice(0, MOST_TERMS)
}

/**
 * Neighbours in the query of which at least one is a term. The other may be a stop word: it tells
 * nothing alone, but "out of memory" and "sign in" are not "memory" and "sign".
 */
export function queryPairs(
  query: string,
  terms: readonly QueryTerm[],
): readonly (readonly [QueryTerm, QueryTerm])[] {
  const wanted = new Set(terms.map((it) => it.stem))
  const pairs = new Map<string, readonly [QueryTerm, QueryTerm]>()
  for (const line of linesOf(query)) {
    const row = words(line).map((word) => term(word, 1))
    for (const [at, first] of row.entries()) {
      const second = row[at + 1]
      if (second === undefined || first.stem === second.stem) continue
      if (!wanted.has(first.stem) && !wanted.has(second.stem)) continue
      const key = `${first.stem} ${second.stem}`
      if (!pairs.has(key)) pairs.set(key, [first, second])
      if (pairs.size === MOST_TERMS) return [...pairs.values()]
    }
  }
  return [...pairs.values()]
}

/** The lines that hold words. */
function linesOf(query: string): readonly string[] {
  return query.split(/[\r\n]+/).filter((line) => words(line).length > 0)
}

function lineWeight(at: number): number {
  return at === 0 ? 1 : TERM_WEIGHTS.laterLine
}

function term(word: string, weight: number): QueryTerm {
  const stem = stemOf(word)
  const aside = ASIDES.has(stem) ? TERM_WEIGHTS.aside : 1
  return { word: folded(word), stem, weight: weight * aside }
}
