/**
 * Words that the best hits share and that the question did not say: asked for in their turn, they
 * find what is about the same in other words.
 */
import { eachToken, knownForms } from '../base/code-tokens.ts'
import { isStopStem, isStopWord } from '../base/words.ts'
import type { CodeIndexReader, StoredChunk } from '../model/code-index.ts'
import { rarity } from './fields.ts'
import type { WeightedWord } from './understand.ts'

const MOST_TEXT = 3_000
const MOST_LOOKED_AT = 60
const MOST_WORDS = 15
/** More of the same in one chunk tells no more. */
const ENOUGH = 3
const ENOUGH_CHUNKS = 500

export interface FeedbackHit {
  readonly chunk: StoredChunk
  /** 0 to 1. */
  readonly score: number
}

export async function feedbackWords(
  index: CodeIndexReader,
  hits: readonly FeedbackHit[],
  asked: readonly WeightedWord[],
): Promise<readonly WeightedWord[]> {
  if (hits.length === 0) return []
  const said = new Set(asked.map((it) => it.word))
  const sums = new Map<string, number>()
  for (const { chunk, score } of hits) {
    for (const [word, count] of wordCounts(`${chunk.title} ${chunk.text.slice(0, MOST_TEXT)}`)) {
      if (said.has(word)) continue
      sums.set(word, (sums.get(word) ?? 0) + score * Math.min(1, count / ENOUGH))
    }
  }
  const common = [...sums].toSorted(heaviest).slice(0, MOST_LOOKED_AT)
  const telling = await mostTelling(index, common)
  const most = telling[0]?.[1] ?? 1
  return telling.map(([word, value]) => ({ word, weight: value / most, said: word }))
}

/**
 * Weighed by how rare they are. Common words are counted only so far: most of them cannot be among
 * the rarest however many more of them there are, and those that may be are counted to the end.
 */
async function mostTelling(
  index: CodeIndexReader,
  sums: readonly (readonly [string, number])[],
): Promise<readonly (readonly [string, number])[]> {
  const { chunks } = await index.corpus()
  const words = sums.map(([word]) => word)
  const counts = new Map((await index.wordFrequencies(words, ENOUGH_CHUNKS)).map(asEntry))
  const isOpen = new Set(words.filter((word) => (counts.get(word) ?? 0) >= ENOUGH_CHUNKS))
  for (;;) {
    const telling = sums
      .map(([word, sum]) => [word, sum * rarity(chunks, counts.get(word) ?? 0)] as const)
      .toSorted(heaviest)
      .slice(0, MOST_WORDS)
    const open = telling.map(([word]) => word).filter((word) => isOpen.has(word))
    if (open.length === 0) return telling
    const whole = await index.wordFrequencies(open, Infinity)
    for (const [at, word] of open.entries()) {
      counts.set(word, whole[at] ?? 0)
      isOpen.delete(word)
    }
  }

  function asEntry(count: number, at: number): readonly [string, number] {
    return [words[at] ?? '', count]
  }
}

function heaviest(a: readonly [string, number], b: readonly [string, number]): number {
  return b[1] - a[1] || (a[0] < b[0] ? -1 : 1)
}

function wordCounts(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  eachToken(text, { start: 0, end: text.length, isCode: true }, (start, end) => {
    for (const word of knownForms(text.slice(start, end))) {
      if (word.length > 2 && !isStopWord(word) && !isStopStem(word))
        counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  })
  return counts
}
