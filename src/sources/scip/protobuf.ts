/**
 * The protobuf wire format, as much of it as SCIP needs: fields of a message one after the other,
 * read from the bytes in place. Knows no message of SCIP. Our own, because the alternative is a
 * runtime and generated code for a single file type that we only ever read, and because that code
 * holds a whole index decoded in memory at once.
 *
 * Stricter than protobuf where that tells a foreign file from an index: a field of another wire
 * type than expected is an error, and so are groups, which SCIP has never had.
 */
import { EngineError } from '../../model/engine-error.ts'

const VARINT = 0
const FIXED_64 = 1
const LENGTH_DELIMITED = 2
const FIXED_32 = 5
const MAX_VARINT_LENGTH = 10

/** Text that is broken becomes replacement characters: one odd comment must not lose an index. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export class MessageReader {
  readonly #bytes: Uint8Array
  readonly #end: number
  #at: number
  #wireType = VARINT
  /** Whether the last varint had bits beyond the 32 that it was read to. */
  #isWide = false

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
  }

  /** The number of the next field, 0 at the end. Read it or skip it before the one after it. */
  next(): number {
    if (this.#at === this.#end) return 0
    const tag = this.#varint()
    const field = tag >>> 3
    if (this.#isWide || field === 0) throw createInvalidIndexError('a field has no valid number')
    this.#wireType = tag & 7
    return field
  }

  skip(): void {
    switch (this.#wireType) {
      case VARINT:
        this.#varint()
        return
      case FIXED_64:
        this.#advance(8)
        return
      case LENGTH_DELIMITED:
        this.#advance(this.#length())
        return
      case FIXED_32:
        this.#advance(4)
        return
      default:
        throw createInvalidIndexError(`a field has the wire type ${this.#wireType}`)
    }
  }

  int32(): number {
    this.#expect(VARINT)
    return this.#varint()
  }

  bool(): boolean {
    this.#expect(VARINT)
    return this.#varint() !== 0 || this.#isWide
  }

  string(): string {
    this.#expect(LENGTH_DELIMITED)
    const length = this.#length()
    const start = this.#advance(length)
    return decodeText(this.#bytes.subarray(start, start + length))
  }

  message(): MessageReader {
    this.#expect(LENGTH_DELIMITED)
    const length = this.#length()
    const start = this.#advance(length)
    return new MessageReader(this.#bytes, start, start + length)
  }

  /** A message that may be read later, or never. Not a copy. */
  bytes(): Uint8Array {
    this.#expect(LENGTH_DELIMITED)
    const length = this.#length()
    const start = this.#advance(length)
    return this.#bytes.subarray(start, start + length)
  }

  /** A repeated field, packed or not. */
  int32s(into: number[]): void {
    if (this.#wireType === VARINT) {
      into.push(this.#varint())
      return
    }
    this.#expect(LENGTH_DELIMITED)
    const length = this.#length()
    const end = this.#at + length
    while (this.#at < end) into.push(this.#varint())
    if (this.#at !== end) throw createInvalidIndexError('a number runs over the end of its list')
  }

  #expect(wireType: number): void {
    if (this.#wireType === wireType) return
    throw createInvalidIndexError(
      `a field has the wire type ${this.#wireType} instead of ${wireType}`,
    )
  }

  #advance(count: number): number {
    const start = this.#at
    if (count > this.#end - start) throw createInvalidIndexError('it ends in the middle of a field')
    this.#at = start + count
    return start
  }

  #length(): number {
    const length = this.#varint()
    if (this.#isWide || length < 0)
      throw createInvalidIndexError('it ends in the middle of a field')
    return length
  }

  /** The low 32 bits, as a signed number: negative numbers are written with 64. */
  #varint(): number {
    let low = 0
    this.#isWide = false
    for (let count = 0; count < MAX_VARINT_LENGTH; count += 1) {
      if (this.#at >= this.#end) throw createInvalidIndexError('it ends in the middle of a field')
      const byte = this.#bytes[this.#at] ?? 0
      this.#at += 1
      if (count < 5) low |= (byte & 0x7f) << (7 * count)
      if ((count === 4 && (byte & 0x70) !== 0) || (count > 4 && (byte & 0x7f) !== 0)) {
        this.#isWide = true
      }
      if (byte < 0x80) return low
    }
    throw createInvalidIndexError('a number is too long')
  }
}

export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

export function createInvalidIndexError(reason: string): EngineError {
  return new EngineError('POC_E_READ_FAILED', `not a complete SCIP index: ${reason}`, {
    hint: 'Create the index again with your SCIP indexer, such as scip-typescript.',
  })
}
