/**
 * Finds the elements of one array in a JSON file of any size, a block of bytes at a time. It only
 * looks for brackets and quotes; the caller parses the element. The array is under a key at the top
 * or one level below `wrapper`; all other keys are skipped.
 */
import { readSync } from 'node:fs'
import { EngineError } from '../../../model/engine-error.ts'

export interface ScanOptions {
  readonly file: number
  /** The name in messages. */
  readonly path: string
  readonly array: string
  readonly wrapper: string
  readonly blockBytes: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const NOTHING = -1

/** Strings up to here are walked; further on a search by the platform is faster. */
const MAX_WALKED_STRING = 24

export class ElementScanner {
  /** The element is `bytes` from `start` to `end`, until the next call. */
  bytes: Buffer
  start = 0
  end = 0
  /** Top-level keys seen so far, for error messages. */
  readonly keys: string[] = []
  /** Whether the array has been found. */
  foundArray = false
  readonly #options: ScanOptions
  #at = 0
  #filled = 0
  /** Where in the file `bytes` begins. */
  #base = 0
  #depth = 0
  #inside = false
  /** Whether the current value is skipped, so that its bytes need not be kept. */
  #isSkipping = false

  constructor(wish: ScanOptions) {
    this.#options = wish
    this.bytes = Buffer.allocUnsafe(wish.blockBytes)
  }

  /** Where in the file the element begins. */
  get offset(): number {
    return this.#base + this.start
  }

  /** Number of bytes read from the file. */
  get read(): number {
    return this.#base + this.#filled
  }

  /** Goes to the next element. False once all of the file has been seen. */
  next(): boolean {
    for (;;) {
      if (this.#inside && this.#nextElement()) return true
      this.#inside = false
      if (!this.#nextArray()) return false
    }
  }

  #nextElement(): boolean {
    const byte = this.#afterCommas()
    if (byte === CLOSE_BRACKET) {
      this.#at += 1
      return false
    }
    this.start = this.#at
    this.#passValue()
    this.end = this.#at
    return true
  }

  /** To the first element of the array, or to the end of the file. */
  #nextArray(): boolean {
    if (this.#depth === 0 && !this.#enter()) return false
    for (;;) {
      const byte = this.#afterCommas()
      if (byte === CLOSE_BRACE) {
        this.#at += 1
        this.#depth -= 1
        if (this.#depth === 0) return this.#finish()
        continue
      }
      if (byte !== QUOTE) throw this.invalid(this.#base + this.#at, 'a key was expected')
      const key = this.#key()
      if (this.#depth === 1) this.keys.push(key)
      if (this.#enterValue(key)) return true
    }
  }

  #enterValue(key: string): boolean {
    const first = this.#visible()
    if (key === this.#options.wrapper && this.#depth === 1 && first === OPEN_BRACE) {
      this.#at += 1
      this.#depth += 1
      return false
    }
    if (key === this.#options.array && first === OPEN_BRACKET) {
      this.#at += 1
      this.#inside = true
      this.foundArray = true
      return true
    }
    this.#isSkipping = true
    this.#passValue()
    this.#isSkipping = false
    return false
  }

  #enter(): boolean {
    if (this.#base + this.#at > 0) return false
    // The file may start with a byte order mark.
    if (this.#peek() === 0xef) this.#at += 3
    if (this.#visible() !== OPEN_BRACE) return false
    this.#at += 1
    this.#depth = 1
    return true
  }

  #finish(): false {
    if (this.#visible() === NOTHING) return false
    throw this.invalid(this.#base + this.#at, 'unexpected data after the end')
  }

  #key(): string {
    this.start = this.#at
    this.#passValue()
    const text = this.bytes.toString('utf8', this.start, this.#at)
    if (this.#visible() !== COLON) throw this.invalid(this.#base + this.#at, 'a colon was expected')
    this.#at += 1
    try {
      return String(JSON.parse(text))
    } catch {
      return text
    }
  }

  /** Moves past one value; all of it stays in `bytes` from `start` on. */
  #passValue(): void {
    let depth = 0
    for (;;) {
      if (this.#at >= this.#filled && !this.#more()) throw this.cut()
      const byte = this.bytes[this.#at] as number
      if (byte === QUOTE) {
        this.#passString()
        if (depth === 0) return
        continue
      }
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        // The bracket after a bare number belongs to the enclosing object.
        if (depth === 0) return
        depth -= 1
        if (depth === 0) {
          this.#at += 1
          return
        }
      } else if (byte === COMMA && depth === 0) return
      this.#at += 1
    }
  }

  #passString(): void {
    let at = this.#at + 1
    for (;;) {
      const walked = Math.min(at + MAX_WALKED_STRING, this.#filled)
      while (at < walked) {
        const byte = this.bytes[at] as number
        if (byte === QUOTE) {
          this.#at = at + 1
          return
        }
        at += byte === BACKSLASH ? 2 : 1
      }
      if (at < this.#filled) at = this.#nextQuote(at)
      if (at < this.#filled) continue
      this.#at = at
      if (!this.#more()) throw this.cut()
      at = this.#at
    }
  }

  /** The next quote that ends a string, or where to go on once more has been read. */
  #nextQuote(from: number): number {
    for (let at = from; ; ) {
      const found = this.bytes.indexOf(QUOTE, at)
      // Bytes beyond the filled part are from an earlier block.
      const quote = found < 0 || found > this.#filled ? this.#filled : found
      let run = quote
      while (run > at && this.bytes[run - 1] === BACKSLASH) run -= 1
      const isEscaped = (quote - run) % 2 === 1
      if (!isEscaped) return quote
      at = quote + 1
      if (at >= this.#filled) return at
    }
  }

  #afterCommas(): number {
    for (;;) {
      const byte = this.#visible()
      if (byte === NOTHING) throw this.cut()
      if (byte !== COMMA) return byte
      this.#at += 1
    }
  }

  /** The next byte that is no white space. */
  #visible(): number {
    for (;;) {
      const byte = this.#peek()
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte
      this.#at += 1
    }
  }

  #peek(): number {
    if (this.#at >= this.#filled) {
      this.start = this.#at
      if (!this.#more()) return NOTHING
    }
    return this.bytes[this.#at] as number
  }

  /** Reads more: drops bytes that are no longer needed and moves the rest to the front. */
  #more(): boolean {
    while (this.#at >= this.#filled) {
      this.#makeRoom()
      const room = this.bytes.length - this.#filled
      const from = this.#base + this.#filled
      const count = readSync(this.#options.file, this.bytes, this.#filled, room, from)
      if (count === 0) return false
      this.#filled += count
    }
    return true
  }

  #makeRoom(): void {
    const keep = Math.min(this.#isSkipping ? this.#at : this.start, this.#filled)
    if (keep > 0) {
      this.bytes.copyWithin(0, keep, this.#filled)
    } else if (this.#filled === this.bytes.length) {
      const larger = Buffer.allocUnsafe(this.bytes.length * 2)
      this.bytes.copy(larger, 0, 0, this.#filled)
      this.bytes = larger
    }
    this.#base += keep
    this.start -= keep
    this.#at -= keep
    this.#filled -= keep
  }

  cut(): EngineError {
    const path = this.#options.path
    return new EngineError(
      'POC_E_SOURCE_INVALID',
      `${path} ends in the middle of its data, at byte ${this.read}`,
      { hint: 'the file is incomplete: export it from Tana again, or copy it again' },
    )
  }

  invalid(offset: number, why: string): EngineError {
    return new EngineError(
      'POC_E_SOURCE_INVALID',
      `${this.#options.path} is not valid JSON at byte ${offset}: ${why}`,
      { hint: 'export it from Tana again' },
    )
  }
}
