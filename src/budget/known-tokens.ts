/**
 * The tokens of a text with parts whose tokens are known, such as chunks': only what stands around
 * them is counted. The same number as of the whole text, since each part is cut out of it where one
 * piece ends and another begins, whatever stands before and after.
 */
import type { CountTokens } from '../model/tokens.ts'

export interface KnownPart {
  readonly text: string
  readonly tokens: number
}

/** The parts in the order of the text. */
export function tokensAround(
  count: CountTokens,
  text: string,
  parts: readonly KnownPart[],
): number {
  let tokens = 0
  let from = 0
  let past = 0
  for (const part of parts) {
    const at = text.indexOf(part.text, past)
    const first = firstCut(part.text)
    const last = lastCut(part.text)
    if (at < 0 || first === undefined || last === undefined || last <= first) continue
    const inner = part.tokens - count(part.text.slice(0, first)) - count(part.text.slice(last))
    tokens += count(text.slice(from, at + first)) + inner
    from = at + last
    past = at + part.text.length
  }
  return tokens + count(text.slice(from))
}

/**
 * Where a line begins that is not blank, after one that does not end with space: newlines belong to
 * what stands before them, and the space of a line to what follows. Only slashes do not.
 */
const CUT = /(?<=[!-~]\n)(?=[ \t]{0,99}[!-.0-~])/y

function isCut(text: string, at: number): boolean {
  CUT.lastIndex = at
  return CUT.test(text)
}

function firstCut(text: string): number | undefined {
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (isCut(text, at + 1)) return at + 1
  }
  return undefined
}

function lastCut(text: string): number | undefined {
  for (let at = text.lastIndexOf('\n'); at > 0; at = text.lastIndexOf('\n', at - 1)) {
    if (isCut(text, at + 1)) return at + 1
  }
  return undefined
}
