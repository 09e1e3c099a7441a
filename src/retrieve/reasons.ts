/**
 * Says for people which words of the question are in a chunk: each as the source spells it, with
 * its line. Few of them, chosen so that together they cover as much of the question as possible.
 */
import { codeForms, knownForms } from '../base/code-tokens.ts'
import { ascending, descending, inOrder } from '../base/order.ts'
import { stemStart } from '../base/stem.ts'
import { escapePattern, lineAt } from '../base/text.ts'
import type { StoredChunk } from '../model/code-index.ts'
import type { ScoreTerm } from '../model/search.ts'
import type { WeightedWord } from './understand.ts'

/** A reader chooses by a word or two, and each costs tokens. */
const MOST_NAMED = 2
/** Places that are looked at in one chunk; the words of a question repeat. */
const MOST_LOOKS = 400
/** A longer token is data, not a name. */
const LONGEST_TOKEN = 60

/** The words of a question with what each is worth, ready to be looked for in many chunks. */
export interface AskedWords {
  readonly screen: RegExp
  readonly byWord: ReadonlyMap<string, AskedWord>
}

interface AskedWord {
  readonly said: string
  readonly worth: number
  /** Whether the question says the word itself, not one that means the same. */
  readonly isOwn: boolean
}

/** `worths` are in the order of the words: rare words are worth more. */
export function prepareReasons(
  words: readonly WeightedWord[],
  worths: readonly number[],
): AskedWords {
  const single = words.map((it, at) => ({ ...it, worth: worths[at] ?? 0 }))
  const found = single.filter((it) => it.worth > 0 && !it.word.includes(' '))
  const starts = [...new Set(found.map((it) => stemStart(it.word)))].filter((it) => it !== '')
  const byWord = new Map<string, AskedWord>()
  for (const { word, said, worth } of found) {
    const isOwn = said === word || said.includes(' ') || codeForms(said).includes(word)
    if (!byWord.has(word)) byWord.set(word, { said, worth, isOwn })
  }
  const pattern = starts.length === 0 ? '(?!)' : starts.map(escapePattern).join('|')
  return { screen: new RegExp(pattern, 'giu'), byWord }
}

/** `matches "max_age" (line 12)`, then `"encoding" (line 14) for "charset"`, with backticks for quotes. */
export function findReasons(chunk: StoredChunk, asked: AskedWords): readonly string[] {
  const inText = coverQuestion(findTokens(chunk.text, asked))
  const named = inText.map(
    (it) => `\`${it.token}\` (line ${lineAt(chunk, chunk.start + it.offset)})${sayMeaning(it)}`,
  )
  const inPath = coverQuestion(findTokens(chunk.path, asked)).slice(0, 1)
  return [
    ...named.map((it, at) => (at === 0 ? `matches ${it}` : it)),
    ...(named.length > 1 ? [] : inPath.map((it) => `path has \`${it.token}\`${sayMeaning(it)}`)),
  ]
}

interface FoundToken {
  readonly token: string
  readonly offset: number
  readonly words: readonly AskedWord[]
}

/** Each spelling once, where it is first. */
function findTokens(text: string, { screen, byWord }: AskedWords): readonly FoundToken[] {
  const found = new Map<string, FoundToken>()
  let end = 0
  let looks = 0
  for (const match of text.matchAll(screen)) {
    if (match.index < end) continue
    if ((looks += 1) > MOST_LOOKS) break
    let start = match.index
    while (start > end && isTokenUnit(text, start - 1)) start -= 1
    end = match.index + Math.max(1, match[0].length)
    while (end < text.length && isTokenUnit(text, end)) end += 1
    const token = text.slice(start, end)
    if (token.length > LONGEST_TOKEN || found.has(token)) continue
    const words = knownForms(token).flatMap((it) => byWord.get(it) ?? [])
    if (words.length > 0) found.set(token, { token, offset: start, words })
  }
  return [...found.values()]
}

const TOKEN_UNIT = /[\p{L}\p{N}_$]/u

function isTokenUnit(text: string, at: number): boolean {
  const unit = text[at]
  return unit !== undefined && TOKEN_UNIT.test(unit)
}

/** Takes the token that adds most of the question, then the one that adds most to that, and so on. */
function coverQuestion(found: readonly FoundToken[]): readonly FoundToken[] {
  const covered = new Set<string>()
  const chosen: FoundToken[] = []
  for (let left = MOST_NAMED; left > 0; left -= 1) {
    const [best] = found
      .map((it) => ({ it, gain: addedWorth(it, covered) }))
      .filter(({ gain }) => gain > 0)
      .toSorted(
        inOrder(
          descending(({ gain }) => gain),
          // Of names that say the same, the shorter one says it plainly.
          ascending(({ it }) => it.token.length),
          ascending(({ it }) => it.offset),
        ),
      )
    if (best === undefined) break
    chosen.push(best.it)
    for (const { said } of best.it.words) covered.add(said)
  }
  return chosen
}

function addedWorth({ words }: FoundToken, covered: ReadonlySet<string>): number {
  const worths = new Map<string, number>()
  for (const { said, worth, isOwn } of words) {
    if (covered.has(said)) continue
    worths.set(said, Math.max(worths.get(said) ?? 0, isOwn ? worth : worth * OTHER_WORD))
  }
  return [...worths.values()].reduce((sum, it) => sum + it, 0)
}

/** A word that means the same is named only for want of the word itself. */
const OTHER_WORD = 0.5

function sayMeaning({ words }: FoundToken): string {
  if (words.some((it) => it.isOwn)) return ''
  return ` for "${words[0]?.said ?? ''}"`
}

/** Of what holds no word of the question: what was found leads to it. */
export function linkReasons(terms: readonly ScoreTerm[]): readonly string[] {
  const held = new Set(terms.filter((it) => it.value > 0).map((it) => it.name))
  const link = LINKS.find(([names]) => names.some((it) => held.has(it)))
  return link === undefined ? [] : [link[1]]
}

/** By names of terms, see `terms.ts`; the most telling first. */
const LINKS: readonly (readonly [readonly string[], string])[] = [
  [['file is named'], 'the question names its file'],
  [['chunk used by hits', 'used by hits'], 'used by the best matches'],
  [['chunk uses a hit', 'uses a hit'], 'uses one of the best matches'],
  [['tested by hits'], 'tested by the best matches'],
  [['beside a hit'], 'next to a match'],
  [['chunk like the first hits'], 'shares rare words with the best matches'],
]
