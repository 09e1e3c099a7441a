/** How well a line answers a question: by the words of the question, and by the place that led here. */
import { knownForms, readUnits, TokenScanner } from '../../base/code-tokens.ts'
import { stemStart } from '../../base/stem.ts'
import type { Candidate } from '../../model/candidate.ts'
import type { WeightedWord } from '../../retrieve/understand.ts'

export type WeighLine = (line: string) => number

/** What the question's words in a line are worth. The same few names make up most lines. */
export function lineWeights(words: readonly WeightedWord[]): WeighLine {
  const weights = new Map(words.map((it) => [it.word, it.weight]))
  const maybe = screenFor(words)
  const known = new Map<string, number>()
  let units = readUnits('', new Uint16Array(USUAL_LINE))
  return (line) => {
    if (!maybe.test(line)) return 0
    units = readUnits(line, units)
    const range = { start: 0, end: line.length, isCode: true }
    const tokens = new TokenScanner({ text: line, units }, range)
    let sum = 0
    while (tokens.next()) {
      const token = line.slice(tokens.start, tokens.end)
      let own = known.get(token)
      if (own === undefined) {
        own = Math.max(0, ...knownForms(token).map((word) => weights.get(word) ?? 0))
        known.set(token, own)
      }
      sum += own
    }
    return sum
  }
}

const USUAL_LINE = 200

/** Most lines hold nothing that any of the words may come from, so they need not be taken apart. */
function screenFor(words: readonly WeightedWord[]): RegExp {
  const starts = words
    .map((it) => it.word)
    .filter((it) => /^\w+$/.test(it))
    .map(stemStart)
  return new RegExp([...new Set(starts), String.raw`[^\0-\x7f]`].join('|'), 'i')
}

export function matcher({ steps }: Candidate, weigh: WeighLine): WeighLine {
  const last = steps.at(-1)
  const place = last === undefined || last.isForward ? '' : last.evidence.text
  if (place === '') return weigh
  return (line) => weigh(line) + (line.includes(place) ? LEADING : 0)
}

/** The line that calls is what a caller is shown for. */
const LEADING = 5
