/**
 * How many tokens a piece of text is in a byte-pair vocabulary. A piece that is itself a token is
 * one. Any other begins as its single bytes; of all neighbours that are a token together, those of
 * the lowest rank become one, the first of them where there are several, until no two are. This
 * does not know where the pieces of a text are.
 */
import { ABSENT, type TokenTable } from './token-table.ts'

/** The tokens of the piece at `from`. At least three more bytes must be readable after it. */
export type CountPiece = (bytes: DataView, from: number, length: number) => number

/** Pieces of more bytes than `longestPiece` must not be asked for. */
export function pieceCounter(table: TokenTable, longestPiece: number): CountPiece {
  const countMerged = merger(table, longestPiece)
  return (bytes, from, length) => {
    const known = table.find(bytes, from, length)
    if (known !== ABSENT) return table.countAt(known)
    const count = countMerged(bytes, from, length)
    table.add(bytes, { from, length }, count)
    return count
  }
}

/** Counts a piece that is no token. It holds the parts of one piece at a time. */
function merger(table: TokenTable, longestPiece: number): CountPiece {
  const rankOfPair = pairRanks(table)
  // Where each part begins, and the rank that it has together with the next.
  const starts = new Int32Array(longestPiece + 1)
  const ranks = new Int32Array(longestPiece + 1)

  function begin(bytes: DataView, from: number, length: number): void {
    for (let at = 0; at < length; at += 1) {
      starts[at] = from + at
      ranks[at] = at + 1 < length ? rankOfPair(bytes, from + at) : ABSENT
    }
    starts[length] = from + length
  }

  function join(first: number, parts: number): void {
    for (let at = first + 1; at < parts; at += 1) {
      starts[at] = starts[at + 1] as number
      ranks[at] = ranks[at + 1] as number
    }
  }

  function rankOf(bytes: DataView, part: number): number {
    const start = starts[part] as number
    return rankAt(table, table.find(bytes, start, (starts[part + 2] as number) - start))
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

/** Looked up once, for every count begins with those of its piece. */
function pairRanks(table: TokenTable): (bytes: DataView, at: number) => number {
  const known = new Int32Array(256 * 256)
  return (bytes, at) => {
    const pair = bytes.getUint16(at)
    let rank = known[pair] as number
    if (rank === 0) {
      rank = rankAt(table, table.find(bytes, at, 2))
      known[pair] = rank
    }
    return rank
  }
}

/** A token's place is as good as its rank; what else is remembered has none. */
function rankAt(table: TokenTable, place: number): number {
  return table.isToken(place) ? place : ABSENT
}
