/**
 * The tokens of a byte-pair vocabulary and how many tokens other pieces are, looked up by their
 * bytes where these stand in a longer string: no string is made and nothing is allocated. What is
 * found is compared byte for byte, so that two are never taken for each other, whatever they hash
 * to. All that there is to know of a token is where it stands, for they stand in the order of their
 * ranks: so it is little that a program has to read before it can count.
 */
import { assert } from './assert.ts'
import { afterUnits, utf8Writer } from './utf8.ts'

/** Text, or bytes that are none. */
export type Token = string | readonly number[]

/** What a table begins with. */
export interface TokenRecords {
  /** For each slot where a token stands and the upper bits of its hash; 0 where there is none. */
  readonly slots: Int32Array
  /** After a byte that is none, the length of each token in two and its bytes; then `ROOM_AFTER`. */
  readonly records: Uint8Array<ArrayBuffer>
  /** Where the last token ends. */
  readonly end: number
}

export interface TokenTable {
  /**
   * The place of a token or of another piece with these bytes, or `ABSENT`. Of two tokens the one
   * with the lower rank has the lower place. At least three more bytes must be readable.
   */
  find(bytes: DataView, from: number, length: number): number
  /** Whether a token stands at a place. */
  isToken(place: number): boolean
  /** How many tokens the piece at a place is. */
  countAt(place: number): number
  /** Remembers a piece that is absent. If there is no room, all others but tokens are forgotten. */
  add(bytes: DataView, span: ByteSpan, count: number): void
}

export interface ByteSpan {
  readonly from: number
  readonly length: number
}

export const ABSENT = 0x7fffffff
const PLACE_BITS = 22
const PLACES = 2 ** PLACE_BITS
/** Bytes of the length before a piece, and of its count after it where it is no token. */
const SIZE = 2
const LONGEST = 2 ** (8 * SIZE) - 1
/** What is compared is compared in words of four bytes. */
const MARGIN = 3

/**
 * Code says the same words over and over, so each is counted once. When there are more than this,
 * they are forgotten, which costs time when they return and changes no count. Together with the
 * 200,000 tokens of o200k they are just below a power of two.
 */
const MOST_REMEMBERED = 62_000
/** Most pieces have twelve bytes at most. */
const BYTES_OF_PIECE = 12

/** Bytes to be had after the last token. */
export const ROOM_AFTER = MOST_REMEMBERED * (SIZE + BYTES_OF_PIECE + SIZE) + MARGIN

export function tokenTable({ slots, records, end: endOfTokens }: TokenRecords): TokenTable {
  const mask = slots.length - 1
  const view = new DataView(records.buffer, records.byteOffset, records.length)
  let end = endOfTokens
  let remembered = 0

  function find(bytes: DataView, from: number, length: number): number {
    const hash = hashBytes(bytes, from, length)
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot] as number
      if (entry === 0) return ABSENT
      if ((entry ^ hash) >>> PLACE_BITS !== 0) continue
      const place = entry & (PLACES - 1)
      if (lengthAt(place) === length && isAt(place, bytes, from)) return place
    }
  }

  function lengthAt(place: number): number {
    return view.getUint16(place, true)
  }

  function isAt(place: number, bytes: DataView, from: number): boolean {
    const length = lengthAt(place)
    for (let at = 0; at < length; at += 4) {
      const left = length - at
      if (wordAt(view, place + SIZE + at, left) !== wordAt(bytes, from + at, left)) return false
    }
    return true
  }

  function add(bytes: DataView, { from, length }: ByteSpan, count: number): void {
    const size = SIZE + length + SIZE
    const isFull = remembered >= MOST_REMEMBERED || end + size + MARGIN > records.length
    if (isFull) forget()
    enter(slots, hashBytes(bytes, from, length), end)
    view.setUint16(end, length, true)
    for (let at = 0; at < length; at += 1) records[end + SIZE + at] = bytes.getUint8(from + at)
    view.setUint16(end + SIZE + length, count, true)
    end += size
    remembered += 1
  }

  /** Tokens were entered first, so that no search for one passes over what goes. */
  function forget(): void {
    for (let slot = 0; slot < slots.length; slot += 1) {
      if (((slots[slot] as number) & (PLACES - 1)) >= endOfTokens) slots[slot] = 0
    }
    end = endOfTokens
    remembered = 0
  }

  return {
    find,
    isToken: (place) => place < endOfTokens,
    countAt: (place) =>
      place < endOfTokens ? 1 : view.getUint16(place + SIZE + lengthAt(place), true),
    add,
  }
}

/** From tokens by rank. */
export function tokenRecords(tokens: readonly Token[]): TokenRecords {
  // All of them are written at once: to write each costs more than to enter it.
  const texts = tokens.map((token) => (typeof token === 'string' ? token : '')).join('')
  const written = utf8Writer(0)(texts)
  const others = tokens.reduce((sum, it) => sum + (typeof it === 'string' ? 0 : it.length), 0)
  const end = 1 + SIZE * tokens.length + written.length + others
  assert(end + ROOM_AFTER <= PLACES, 'a vocabulary with a place for each token')
  const records = new Uint8Array(end + ROOM_AFTER)
  const view = new DataView(records.buffer)
  const slots = new Int32Array(slotsFor(tokens.length + MOST_REMEMBERED))
  let place = 1
  let from = 0
  for (const token of tokens) {
    const to = typeof token === 'string' ? afterUnits(written.bytes, from, token.length) : from
    const bytes = typeof token === 'string' ? written.bytes.subarray(from, to) : token
    assert(bytes.length <= LONGEST, 'a token whose length can be told')
    view.setUint16(place, bytes.length, true)
    records.set(bytes, place + SIZE)
    enter(slots, hashBytes(view, place + SIZE, bytes.length), place)
    place += SIZE + bytes.length
    from = to
  }
  return { slots, records, end }
}

/** At least half of them are empty, so that a search ends soon. */
function slotsFor(entries: number): number {
  return 2 ** Math.ceil(Math.log2(2 * entries))
}

function enter(slots: Int32Array, hash: number, place: number): void {
  const mask = slots.length - 1
  let slot = hash & mask
  while (slots[slot] !== 0) slot = (slot + 1) & mask
  slots[slot] = (hash & -PLACES) | place
}

function hashBytes(bytes: DataView, from: number, length: number): number {
  let hash = length
  for (let at = 0; at < length; at += 4) {
    hash = Math.imul(hash ^ wordAt(bytes, from + at, length - at), 0x9e3779b1)
    hash ^= hash >>> 15
  }
  return hash
}

/** Four bytes as one number; where fewer are `left`, zeros stand for those that follow. */
function wordAt(bytes: DataView, at: number, left: number): number {
  const word = bytes.getInt32(at, true)
  return left < 4 ? word & ((1 << (8 * left)) - 1) : word
}
