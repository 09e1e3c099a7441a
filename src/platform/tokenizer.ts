/**
 * Real token counts (o200k). The tables of the vocabulary take some 100 ms to make, so a build
 * leaves them in a file beside itself; from source they are made, on the first count that is asked
 * for, never at start-up.
 */
import { createRequire } from 'node:module'
import type * as Ranks from 'gpt-tokenizer/bpeRanks/o200k_base'
import type * as Library from 'gpt-tokenizer/GptEncoding'
import type { GptEncoding } from 'gpt-tokenizer/GptEncoding'
import { pieceCounter } from '../base/token-merges.ts'
import { pieceEnd, plainPieceEnd, UNDECIDED } from '../base/token-pieces.ts'
import { type Token, type TokenRecords, tokenRecords, tokenTable } from '../base/token-table.ts'
import { afterUnits, unitsBetween, utf8Writer } from '../base/utf8.ts'
import type { CountTokens } from '../model/tokens.ts'
import { readVocabulary, writeVocabulary } from './vocabulary-file.ts'

/** Where a build has it: in the folder above that of its modules. */
const VOCABULARY = new URL('../o200k.bin', import.meta.url)

/** What a build does, so that nobody who runs it has to make the tables. */
export function buildVocabulary(path: string | URL): void {
  writeVocabulary(path, tokenRecords(tokensByRank()))
}

export async function loadTokenizer(vocabulary = VOCABULARY): Promise<CountTokens> {
  return countWith((await readVocabulary(vocabulary)) ?? tokenRecords(tokensByRank()))
}

function countWith(vocabulary: TokenRecords): CountTokens {
  const countPiece = pieceCounter(tokenTable(vocabulary), BYTES_OF_UNIT * LONGEST_PIECE)
  // Few texts have a piece for the library, which takes as long to load as the tables to make.
  let encoding: GptEncoding | undefined
  const countOddPiece: CountTokens = (piece) => {
    encoding ??= libraryEncoding()
    return countInParts(encoding, piece)
  }
  const write = utf8Writer(USUAL_UNITS)
  return (text) => {
    let total = 0
    for (const part of boundedParts(text)) {
      const { bytes, view, length } = write(part)
      // How far the text was when the bytes were there: asked for where the bytes do not tell.
      let known = { bytes: 0, units: 0 }
      for (let from = 0; from < length; ) {
        const plainEnd = plainPieceEnd(bytes, from)
        if (plainEnd - from === 1) {
          total += 1
          from = plainEnd
        } else if (plainEnd !== UNDECIDED && plainEnd - from <= LONGEST_PIECE) {
          total += countPiece(view, from, plainEnd - from)
          from = plainEnd
        } else {
          const start = known.units + unitsBetween(bytes, known.bytes, from)
          const piece = part.slice(start, pieceEnd(part, start))
          const end = afterUnits(bytes, from, piece.length)
          total += isOdd(piece) ? countOddPiece(piece) : countPiece(view, from, end - from)
          known = { bytes: end, units: start + piece.length }
          from = end
        }
      }
    }
    return total
  }
}

/** Loaded only where they are needed, which a count cannot wait for: so not by `import`. */
const load = createRequire(import.meta.url)

function tokensByRank(): readonly Token[] {
  const { default: tokens } = load('gpt-tokenizer/bpeRanks/o200k_base') as typeof Ranks
  return tokens
}

function libraryEncoding(): GptEncoding {
  const library = load('gpt-tokenizer/GptEncoding') as typeof Library
  return library.GptEncoding.getEncodingApi('o200k_base', () => tokensByRank())
}

const USUAL_UNITS = 16_384
const BYTES_OF_UNIT = 3

/** The library is asked, in parts, for what is very long. */
function isOdd(piece: string): boolean {
  return piece.length > LONGEST_PIECE
}

function countInParts(encoding: GptEncoding, piece: string): number {
  let total = 0
  for (let from = 0; from < piece.length; from += LONGEST_PIECE) {
    total += encoding.countTokens(piece.slice(from, from + LONGEST_PIECE), TEXT_ALONE)
  }
  return total
}

/** Special tokens are text here: a document may well speak of <|endoftext|>. */
const TEXT_ALONE = { disallowedSpecial: new Set<string>() }

/**
 * Byte-pair merging is quadratic in the length of one word: 40,000 letters without a space take
 * 1.7 s, a line of 5 MB would take hours. Longer stretches than this, of spaces or of anything
 * else, are counted in parts, which may differ from the exact count by a token or two per cut.
 */
const LONGEST_STRETCH = 512
/**
 * A piece of more than one stretch is made of slashes and newlines, or of kinds of space, after
 * its first stretch: none of them is a character of two units, so that any cut is clean.
 */
const LONGEST_PIECE = 2 * LONGEST_STRETCH

function boundedParts(text: string): readonly string[] {
  if (!hasLongStretch(text)) return [text]
  const parts: string[] = []
  let from = 0
  let stretchStart = 0
  let inSpace = isSpace(text.charCodeAt(0))
  for (let at = 1; at < text.length; at += 1) {
    const space = isSpace(text.charCodeAt(at))
    if (space !== inSpace) {
      inSpace = space
      stretchStart = at
    } else if (at - stretchStart >= LONGEST_STRETCH && !isLowSurrogate(text.charCodeAt(at))) {
      parts.push(text.slice(from, at))
      from = at
      stretchStart = at
    }
  }
  parts.push(text.slice(from))
  return parts
}

/** Looks back from where a long stretch would have to reach, so that most units are passed over. */
function hasLongStretch(text: string): boolean {
  let start = 0
  while (start + LONGEST_STRETCH < text.length) {
    let at = start + LONGEST_STRETCH
    const space = isSpace(text.charCodeAt(at))
    while (at > start && isSpace(text.charCodeAt(at - 1)) === space) at -= 1
    if (at === start) return true
    start = at
  }
  return false
}

function isSpace(unit: number): boolean {
  return unit <= 32
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
