/**
 * Very many lists of bytes that grow side by side. A list is a chain of slices, each twice as long
 * as the one before, so that a short list takes little room and a long one has few links. They lie
 * in pages, which nothing has to be copied out of to have more room.
 */
import type { ByteWriter } from './varint.ts'

const PAGE_BITS = 16
const PAGE = 1 << PAGE_BITS
const IN_PAGE = PAGE - 1
const FIRST_SLICE = 4
const LONGEST_SLICE = 1024
/** At the end of a slice stands where the next one begins. */
const LINK = 4
const FIRST_CAPACITY = 1 << 12

export class ByteLists {
  readonly #pages: Uint8Array[] = []
  #used = 0
  /** By list: where it begins, where its next byte goes, where its slice ends, and how long that is. */
  #starts = new Uint32Array(FIRST_CAPACITY)
  #places = new Uint32Array(FIRST_CAPACITY)
  #ends = new Uint32Array(FIRST_CAPACITY)
  #lengths = new Uint32Array(FIRST_CAPACITY)

  /** Of all pages. */
  get bytes(): number {
    return this.#pages.length * PAGE
  }

  /** Begins a list; lists are numbered from 0, without gaps. */
  begin(list: number): void {
    if (list >= this.#starts.length) this.#grow()
    const start = this.#slice(FIRST_SLICE)
    this.#starts[list] = start
    this.#places[list] = start
    this.#ends[list] = start + FIRST_SLICE
    this.#lengths[list] = FIRST_SLICE
  }

  /** A number as in `ByteWriter`. */
  put(list: number, value: number): void {
    let place = this.#places[list] as number
    let end = this.#ends[list] as number
    let page = this.#pages[place >>> PAGE_BITS] as Uint8Array
    for (let rest = value; ; ) {
      if (place === end) {
        place = this.#next(list, end)
        end = this.#ends[list] as number
        page = this.#pages[place >>> PAGE_BITS] as Uint8Array
      }
      if (rest < 128) {
        page[place & IN_PAGE] = rest
        break
      }
      page[place & IN_PAGE] = (rest % 128) | 128
      rest = rest > 0x7fffffff ? Math.floor(rest / 128) : rest >>> 7
      place += 1
    }
    this.#places[list] = place + 1
  }

  /** Adds all bytes of a list to those that are there. */
  copy(list: number, to: ByteWriter): void {
    const place = this.#places[list] as number
    const last = this.#ends[list] as number
    let start = this.#starts[list] as number
    for (let length = FIRST_SLICE; ; length = nextLength(length)) {
      const page = this.#pages[start >>> PAGE_BITS] as Uint8Array
      const from = start & IN_PAGE
      if (start + length === last) {
        to.putBytes(page.subarray(from, from + place - start))
        return
      }
      to.putBytes(page.subarray(from, from + length))
      start = linkAt(page, from + length)
    }
  }

  /** Most of the room is given back. */
  clear(): void {
    this.#pages.length = 0
    this.#used = 0
    this.#starts = resized(this.#starts, FIRST_CAPACITY)
    this.#places = resized(this.#places, FIRST_CAPACITY)
    this.#ends = resized(this.#ends, FIRST_CAPACITY)
    this.#lengths = resized(this.#lengths, FIRST_CAPACITY)
  }

  /** Goes on in another slice; where that begins. */
  #next(list: number, end: number): number {
    const length = nextLength(this.#lengths[list] as number)
    const start = this.#slice(length)
    putLink(this.#pages[end >>> PAGE_BITS] as Uint8Array, end & IN_PAGE, start)
    this.#ends[list] = start + length
    this.#lengths[list] = length
    return start
  }

  #slice(length: number): number {
    const free = this.#pages.length * PAGE - this.#used
    if (free < length + LINK) {
      this.#used = this.#pages.length * PAGE
      this.#pages.push(new Uint8Array(PAGE))
    }
    const start = this.#used
    this.#used += length + LINK
    return start
  }

  #grow(): void {
    const capacity = this.#starts.length * 2
    this.#starts = resized(this.#starts, capacity)
    this.#places = resized(this.#places, capacity)
    this.#ends = resized(this.#ends, capacity)
    this.#lengths = resized(this.#lengths, capacity)
  }
}

function nextLength(length: number): number {
  return Math.min(length * 2, LONGEST_SLICE)
}

function putLink(page: Uint8Array, at: number, link: number): void {
  page[at] = link
  page[at + 1] = link >>> 8
  page[at + 2] = link >>> 16
  page[at + 3] = link >>> 24
}

function linkAt(page: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = page.subarray(at, at + LINK)
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0
}

/** The same numbers with other room; the engine need not be waited for to have the former back. */
export function resized(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(array.buffer.transfer(length * Uint32Array.BYTES_PER_ELEMENT))
}
