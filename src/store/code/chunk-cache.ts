/**
 * The chunks that were read last. One request asks for the same ones several times: to rank them,
 * to learn from them, to walk from them, to show them.
 */
import type { StoredChunk } from '../../model/code-index.ts'

/** Of text; enough for a few requests. */
const MOST_UNITS = 4_000_000

export class ChunkCache {
  readonly #read: (uid: string) => readonly StoredChunk[]
  readonly #known = new Map<string, readonly StoredChunk[]>()
  #units = 0

  constructor(read: (uid: string) => readonly StoredChunk[]) {
    this.#read = read
  }

  /** All that have the id. */
  of(uid: string): readonly StoredChunk[] {
    const known = this.#known.get(uid)
    if (known !== undefined) return known
    const found = this.#read(uid)
    const units = found.reduce((sum, { text }) => sum + text.length, 0)
    if (this.#units + units > MOST_UNITS) {
      this.#known.clear()
      this.#units = 0
    }
    this.#units += units
    this.#known.set(uid, found)
    return found
  }
}
