/** Documents with a heading that says what a question asks: how something is done. */
import { codeForms } from '../base/code-tokens.ts'
import { ascending, descending, inOrder } from '../base/order.ts'
import { isStopWord, words } from '../base/words.ts'
import { WORD_FIELDS } from '../model/index-record.ts'
import type { Catalogue } from './catalogue.ts'
import { rarity } from './fields.ts'
import type { WordScores } from './sparse.ts'
import type { WeightedWord } from './understand.ts'

/** A section, and the share of the question's own words that its headings hold. */
export interface AnsweringSection {
  readonly handle: number
  readonly share: number
}

/** The words of headings are in this field of a section. */
const HEADING = WORD_FIELDS.indexOf('signature')
/** Headings that say less of the question are about something else. */
const LEAST_SHARE = 0.7
const MOST_SECTIONS = 8

/** Best first. */
export function findAnsweringSections(
  { fileOf, roleOf, chunks }: Catalogue,
  { postings }: WordScores,
  asked: readonly WeightedWord[],
): readonly AnsweringSection[] {
  const sums = new Map<number, number>()
  let whole = 0
  const said = [...asked.entries()].filter(([, it]) => isSaid(it))
  for (const forms of Map.groupBy(said, ([, it]) => it.said).values()) {
    const holding = new Set<number>()
    let worth = 0
    for (const [at, { weight }] of forms) {
      const { handles = [], fields = [], frequency = 0 } = postings[at] ?? {}
      if (frequency > 0) worth = Math.max(worth, weight * rarity(chunks, frequency))
      for (const [place, handle] of handles.entries())
        if (fields[place] === HEADING) holding.add(handle)
    }
    whole += worth
    for (const handle of holding) sums.set(handle, (sums.get(handle) ?? 0) + worth)
  }
  return [...sums]
    .map(([handle, sum]) => ({ handle, share: sum / whole }))
    .filter((it) => it.share >= LEAST_SHARE && roleOf(fileOf[it.handle] ?? 0) === 'docs')
    .toSorted(
      inOrder(
        descending((it) => it.share),
        ascending((it) => it.handle),
      ),
    )
    .slice(0, MOST_SECTIONS)
}

/** Whether a word is one of the question itself: none that stands for another, nor two as one. */
export function isSaid({ word, said }: WeightedWord): boolean {
  return said === word || codeForms(said).includes(word)
}

/** Whether the question says every word of the last heading of `Guide > Sending mail`. */
export function isHeadingSaid(title: string, said: ReadonlySet<string>): boolean {
  const heading = words(title.split(' > ').at(-1) ?? '').filter((it) => !isStopWord(it))
  return heading.length > 0 && heading.every((it) => codeForms(it).some((form) => said.has(form)))
}
