/**
 * Which notes have a word: lists by word, cut at every 65,536th number, so that a changed note
 * touches small pieces and a new workspace is written from the first piece to the last.
 * A piece is the count of its notes, then for each the distance from the one before and its byte
 * (`posting-bits.ts`).
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Memo } from '../../platform/memo.ts'
import { ByteReader } from '../code/varint.ts'

export const PAGE_BITS = 16
/** Entries of lists, of five bytes each. */
const MOST_REMEMBERED = 4_000_000

export interface PostingList {
  readonly numbers: Uint32Array
  readonly bits: Uint8Array
}

export class PostingReader {
  readonly #select: StatementSync
  readonly #pages: number
  readonly #lists: Memo<string, PostingList>

  /** `size` is one more than the highest number of a note. */
  constructor(connection: DatabaseSync, size: number) {
    this.#select = connection.prepare('SELECT bytes FROM postings WHERE page = ? AND term = ?')
    this.#pages = Math.ceil(size / 2 ** PAGE_BITS)
    this.#lists = new Memo((term) => this.#read(term), {
      limit: MOST_REMEMBERED,
      costOf: ({ numbers }) => numbers.length + 1,
    })
  }

  /** In the order of the numbers. The last ones are remembered: common words are asked for often. */
  list(term: string): PostingList {
    return this.#lists.get(term)
  }

  #read(term: string): PostingList {
    const pieces: PostingList[] = []
    for (let page = 0; page < this.#pages; page += 1) {
      const bytes = this.#select.get(page, term)?.['bytes'] as Uint8Array | undefined
      if (bytes !== undefined) pieces.push(decodedPiece(bytes, page * 2 ** PAGE_BITS))
    }
    if (pieces.length < 2) return pieces[0] ?? NONE
    const count = pieces.reduce((sum, it) => sum + it.numbers.length, 0)
    const whole = { numbers: new Uint32Array(count), bits: new Uint8Array(count) }
    let from = 0
    for (const { numbers, bits } of pieces) {
      whole.numbers.set(numbers, from)
      whole.bits.set(bits, from)
      from += numbers.length
    }
    return whole
  }
}

export const NONE: PostingList = { numbers: new Uint32Array(), bits: new Uint8Array() }

/** By hand, because this is where a search spends its time. */
export function decodedPiece(bytes: Uint8Array, start: number): PostingList {
  const reader = new ByteReader(bytes)
  const count = reader.next()
  if (count > bytes.length) throw new RangeError('a list is longer than its bytes')
  const numbers = new Uint32Array(count)
  const bits = new Uint8Array(count)
  let number = start
  let at = reader.skip(0)
  for (let place = 0; place < count; place += 1) {
    let byte = bytes[at++] ?? 0
    let distance = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0
      distance |= (byte & 127) << shift
    }
    number += distance
    numbers[place] = number
    bits[place] = bytes[at++] ?? 0
  }
  return { numbers, bits }
}

/** Bytes of one piece, put together from the first note to the last. Used again for the next. */
export class PieceWriter {
  #bytes = new Uint8Array(1 << 12)
  #length = 0
  #before = 0

  start(first: number, count: number): void {
    this.#length = 0
    this.#before = first
    this.#putVarint(count)
  }

  /** Numbers ascend. */
  put(number: number, bits: number): void {
    this.#putVarint(number - this.#before)
    this.#bytes[this.#length++] = bits
    this.#before = number
  }

  /** Valid until the next start. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #putVarint(value: number): void {
    if (this.#length + 8 > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    let rest = value
    for (; rest > 127; rest >>>= 7) this.#bytes[this.#length++] = (rest & 127) | 128
    this.#bytes[this.#length++] = rest
  }
}
