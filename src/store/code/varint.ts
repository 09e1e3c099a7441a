/** Numbers in as few bytes as they need, seven bits each, the lowest first; and bytes as they are. */

export class ByteWriter {
  #bytes = new Uint8Array(1 << 16)
  length = 0

  /** Up to 2^53. */
  put(value: number): void {
    if (this.length + 8 > this.#bytes.length) this.#grow()
    let rest = value
    while (rest > 0x7fffffff) {
      this.#bytes[this.length++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    while (rest > 127) {
      this.#bytes[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.length++] = rest
  }

  putBytes(bytes: Uint8Array): void {
    while (this.length + bytes.length > this.#bytes.length) this.#grow()
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  from(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.length)
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2)
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** Passes so many over; where they begin. */
  skip(count: number): number {
    this.#at += count
    return this.#at - count
  }

  next(): number {
    let value = 0
    let factor = 1
    for (;;) {
      const byte = this.#bytes[this.#at++] ?? 0
      if (byte < 128) return value + byte * factor
      value += (byte & 127) * factor
      factor *= 128
    }
  }
}
