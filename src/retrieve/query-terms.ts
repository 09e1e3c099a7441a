/** Any text becomes a list of terms: nothing in a query is syntax, so no query is wrong. */
import { compoundParts, unspacedPairs } from '../base/identifiers.ts'
import { stem } from '../base/stem.ts'
import { folded, words } from '../base/words.ts'
import type { QueryTerm } from '../model/search.ts'

/** Words that are in nearly every text and tell nothing, unless there is nothing else. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be but by can do does for from get has have how i if in into is it its my no
   not of on or our so such that the their then there these they this to was we what when where
   which who why will with you your`.split(/\s+/),
)
const MOST_TERMS = 48
const PART_WEIGHT = 0.6

export function queryTerms(query: string): readonly QueryTerm[] {
  const whole = words(query).map((word) => term(word, 1))
  const parts = [...compoundParts(query), ...unspacedPairs(query)].map((it) =>
    term(it, PART_WEIGHT),
  )
  const telling = [...whole, ...parts].filter((it) => !STOP_WORDS.has(it.word))
  const chosen = telling.length > 0 ? telling : whole
  const unique = new Map<string, QueryTerm>()
  for (const it of chosen) if (!unique.has(it.stem)) unique.set(it.stem, it)
  return [...unique.values()].slice(0, MOST_TERMS)
}

function term(word: string, weight: number): QueryTerm {
  const plain = folded(word)
  return { word: plain, stem: stem(plain), weight }
}
