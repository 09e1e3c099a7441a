/**
 * Real token counts (o200k). The vocabulary takes some 100 ms to load, so it is loaded on the
 * first count that is asked for, never at start-up.
 */
import type { CountTokens } from '../model/tokens.ts'

export async function loadTokenizer(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // Special tokens are text here: a document may well speak of <|endoftext|>.
  const options = { disallowedSpecial: new Set<string>() }
  return (text) => {
    let total = 0
    for (const piece of boundedPieces(text)) total += countTokens(piece, options)
    return total
  }
}

/**
 * Byte-pair merging is quadratic in the length of one word: 40,000 letters without a space take
 * 1.7 s, a line of 5 MB would take hours. Longer stretches than this, of spaces or of anything
 * else, are counted in pieces, which may differ from the exact count by a token or two per cut.
 */
const LONGEST_STRETCH = 512

function boundedPieces(text: string): readonly string[] {
  if (text.length <= LONGEST_STRETCH) return [text]
  const pieces: string[] = []
  let from = 0
  let stretchStart = 0
  let inSpace = isSpace(text.charCodeAt(0))
  for (let at = 1; at < text.length; at += 1) {
    const space = isSpace(text.charCodeAt(at))
    if (space !== inSpace) {
      inSpace = space
      stretchStart = at
    } else if (at - stretchStart >= LONGEST_STRETCH && !isLowSurrogate(text.charCodeAt(at))) {
      pieces.push(text.slice(from, at))
      from = at
      stretchStart = at
    }
  }
  pieces.push(text.slice(from))
  return pieces
}

function isSpace(unit: number): boolean {
  return unit <= 32
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
