/**
 * How many tokens a piece of text is in a byte-pair vocabulary. A piece that is itself a token is
 * one. Any other begins as its single bytes; of all neighbours that are a token together, those of
 * the lowest rank become one, the first of them where there are several, until no two are. This
 * does not know where the pieces of a text are.
 */
import { ABSENT, type ByteTable, byteTable, type TableRoom } from './byte-table.ts'
import { afterUnits, utf8Writer } from './utf8.ts'

/** The tokens of the piece at `from`. At least three more bytes must be readable after it. */
export type CountPiece = (bytes: DataView, from: number, length: number) => number

/** Text, or bytes that are none. */
export type Token = string | readonly number[]

export interface Vocabulary {
  /** Ranks of tokens, which stay, and counts of other pieces below zero. */
  readonly table: ByteTable
  /** The ranks of all pairs of bytes: every count begins with those of its piece. */
  readonly pairs: Int32Array
}

/**
 * Code says the same words over and over, so each is counted once. When there are more than this,
 * they are forgotten, which costs time when they return and changes no count. Together with the
 * 200,000 tokens of o200k they are just below a power of two.
 */
const MOST_REMEMBERED = 62_000
/** Most pieces have twelve bytes at most. */
const BYTES_OF_PIECE = 12
export const PAIRS = 256 * 256

/** Pieces of more bytes than `longestPiece` must not be asked for. */
export function pieceCounter({ table, pairs }: Vocabulary, longestPiece: number): CountPiece {
  const countMerged = merger({ table, pairs }, longestPiece)
  return (bytes, from, length) => {
    const known = table.find(bytes, from, length)
    if (known < 0) return -known
    if (known !== ABSENT) return 1
    const count = countMerged(bytes, from, length)
    table.add(bytes, { from, length }, -count)
    return count
  }
}

/** From tokens by rank. */
export function vocabularyOf(tokens: readonly Token[]): Vocabulary {
  const table = vocabularyTable(tokens)
  return { table, pairs: pairRanks(table) }
}

/** What is needed beside a vocabulary of so many tokens, of so many bytes. */
export function vocabularyRoom(tokens: number, bytes: number): TableRoom {
  return { entries: tokens + MOST_REMEMBERED, bytes: bytes + MOST_REMEMBERED * BYTES_OF_PIECE }
}

function vocabularyTable(tokens: readonly Token[]): ByteTable {
  // All of them are written at once: to write each costs more than to enter it.
  const texts = tokens.map((token) => (typeof token === 'string' ? token : '')).join('')
  const written = utf8Writer(0)(texts)
  const table = byteTable(vocabularyRoom(tokens.length, 2 * written.length))
  let from = 0
  tokens.forEach((token, rank) => {
    if (typeof token === 'string') {
      const end = afterUnits(written.bytes, from, token.length)
      table.add(written.view, { from, length: end - from }, rank)
      from = end
    } else {
      const bytes = Uint8Array.of(...token, 0, 0, 0)
      table.add(new DataView(bytes.buffer), { from: 0, length: token.length }, rank)
    }
  })
  table.keep()
  return table
}

/** Counts a piece that is no token. It holds the parts of one piece at a time. */
function merger({ table, pairs }: Vocabulary, longestPiece: number): CountPiece {
  // Where each part begins, and the rank that it has together with the next.
  const starts = new Int32Array(longestPiece + 1)
  const ranks = new Int32Array(longestPiece + 1)

  function begin(bytes: DataView, from: number, length: number): void {
    for (let at = 0; at < length; at += 1) {
      starts[at] = from + at
      ranks[at] = pairs[bytes.getUint16(from + at)] as number
    }
    starts[length] = from + length
    ranks[length - 1] = ABSENT
  }

  function join(first: number, parts: number): void {
    for (let at = first + 1; at < parts; at += 1) {
      starts[at] = starts[at + 1] as number
      ranks[at] = ranks[at + 1] as number
    }
  }

  function rankOf(bytes: DataView, part: number): number {
    const start = starts[part] as number
    const rank = table.find(bytes, start, (starts[part + 2] as number) - start)
    return rank < 0 ? ABSENT : rank
  }

  return (bytes, from, length) => {
    begin(bytes, from, length)
    let parts = length
    for (let first = lowest(ranks, parts); first >= 0; first = lowest(ranks, parts)) {
      join(first, parts)
      parts -= 1
      ranks[first] = first + 1 < parts ? rankOf(bytes, first) : ABSENT
      if (first > 0) ranks[first - 1] = rankOf(bytes, first - 1)
    }
    return parts
  }
}

/** The part that becomes one with the next, or -1. */
function lowest(ranks: Int32Array, parts: number): number {
  let found = -1
  let rank = ABSENT
  for (let at = 0; at < parts; at += 1) {
    if ((ranks[at] as number) < rank) {
      rank = ranks[at] as number
      found = at
    }
  }
  return found
}

function pairRanks(table: ByteTable): Int32Array {
  const pair = new DataView(new ArrayBuffer(5))
  return Int32Array.from({ length: PAIRS }, (_, at) => {
    pair.setUint16(0, at)
    return table.find(pair, 0, 2)
  })
}
