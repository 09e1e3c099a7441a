/** Which texts of a handful speak of something: BM25 over all their words, with the lines that do. */
import { eachToken, knownForms } from '../base/code-tokens.ts'
import { ascending, descending, inOrder } from '../base/order.ts'
import { understood } from './understand.ts'

export interface SearchedText {
  readonly id: string
  /** Words of a title count more than words of the text. */
  readonly title: string
  readonly text: string
}

export interface TextMatch {
  readonly id: string
  /** Higher is better; the best has 1. */
  readonly score: number
}

export interface MatchingLine {
  /** From 1. */
  readonly line: number
  readonly text: string
}

const SATURATION = 1.2
const LENGTH_SHARE = 0.2
/** How often a word of the title counts. */
const TITLE_WEIGHT = 4
/** Less than this of the best, and a text has a common word by chance. */
const LEAST_SHARE = 0.3
const MOST_LINES = 5

/** Those that match, the best first. */
export function matchesOf(query: string, texts: readonly SearchedText[]): readonly TextMatch[] {
  const weights = weightsOf(query)
  const wordsOf = wordsIn(weights)
  const counted = texts.map((it) => countsOf(it, wordsOf))
  const mean = counted.reduce((sum, it) => sum + it.length, 0) / Math.max(1, counted.length)
  const holders = new Map<string, number>()
  for (const { counts } of counted) {
    for (const word of counts.keys()) holders.set(word, (holders.get(word) ?? 0) + 1)
  }
  const scores = counted.map(({ counts, length }) => {
    let score = 0
    for (const [word, weight] of weights) {
      const count = counts.get(word) ?? 0
      const rarity = Math.log(1 + texts.length / (holders.get(word) ?? texts.length))
      const size = 1 - LENGTH_SHARE + (LENGTH_SHARE * length) / Math.max(1, mean)
      score += (weight * rarity * count * (SATURATION + 1)) / (count + SATURATION * size)
    }
    return score
  })
  const best = Math.max(0, ...scores)
  return texts
    .flatMap((text, at) => {
      const score = best === 0 ? 0 : (scores[at] ?? 0) / best
      if (score < LEAST_SHARE) return []
      return [{ id: text.id, score }]
    })
    .toSorted(
      inOrder(
        descending((it) => it.score),
        ascending((it) => it.id),
      ),
    )
}

interface Counts {
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

type WordsOf = (token: string) => readonly string[]

/** The words of the question that a token has; the same tokens come again and again. */
function wordsIn(weights: Weights): WordsOf {
  const known = new Map<string, readonly string[]>()
  return (token) => {
    const before = known.get(token)
    if (before !== undefined) return before
    const words = knownForms(token).filter((it) => weights.has(it))
    known.set(token, words)
    return words
  }
}

function weightsOf(query: string): Weights {
  return new Map(understood(query).words.map((it) => [it.word, it.weight]))
}

type Weights = ReadonlyMap<string, number>

function countsOf({ title, text }: SearchedText, wordsOf: WordsOf): Counts {
  const counts = new Map<string, number>()
  let length = 0
  const count = (source: string, times: number): void => {
    eachToken(source, { start: 0, end: source.length, isCode: true }, (start, end) => {
      length += 1
      for (const word of wordsOf(source.slice(start, end))) {
        counts.set(word, (counts.get(word) ?? 0) + times)
      }
    })
  }
  count(title, TITLE_WEIGHT)
  count(text, 1)
  return { counts, length }
}

/** The lines of a text that have most of the words of a question, in their order. */
export function matchingLines(query: string, text: string): readonly MatchingLine[] {
  const weights = weightsOf(query)
  const scored = text.split('\n').flatMap((line, at) => {
    const words = new Set<string>()
    eachToken(line, { start: 0, end: line.length, isCode: true }, (start, end) => {
      for (const word of knownForms(line.slice(start, end))) if (weights.has(word)) words.add(word)
    })
    const score = [...words].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0)
    return score === 0 ? [] : [{ line: at + 1, text: line.trim(), score }]
  })
  return scored
    .toSorted(
      inOrder(
        descending((it) => it.score),
        ascending((it) => it.line),
      ),
    )
    .slice(0, MOST_LINES)
    .toSorted(ascending((it) => it.line))
    .map(({ line, text: shown }) => ({ line, text: shown }))
}
