/** The beginning of a text that a number of tokens pays for, in whole lines. */
import type { CountTokens } from '../../../src/model/tokens.ts'

export function firstTokens(text: string, tokens: number, count: CountTokens): string {
  if (count(text) <= tokens) return text
  const lines = text.split('\n')
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (count(lines.slice(0, middle).join('\n')) <= tokens) low = middle
    else high = middle - 1
  }
  return lines.slice(0, low).join('\n')
}
