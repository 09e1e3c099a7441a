/**
 * The chunks that were read last. One request asks for the same ones several times: to rank them,
 * to learn from them, to walk from them, to show them.
 */
import type { StoredChunk } from '../../model/code-index.ts'

/** Of text; enough for a few requests. */
const MOST_UNITS = 4_000_000

export class ChunkCache {
  readonly #read: (number: number) => StoredChunk | undefined
  readonly #known = new Map<number, StoredChunk>()
  #units = 0

  constructor(read: (number: number) => StoredChunk | undefined) {
    this.#read = read
  }

  of(number: number): StoredChunk {
    const known = this.#known.get(number)
    if (known !== undefined) return known
    const found = this.#read(number)
    if (found === undefined) throw new Error(`${number} is no chunk of this state of the index`)
    if (this.#units + found.text.length > MOST_UNITS) {
      this.#known.clear()
      this.#units = 0
    }
    this.#units += found.text.length
    this.#known.set(number, found)
    return found
  }
}
