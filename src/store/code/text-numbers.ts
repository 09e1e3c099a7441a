/**
 * Numbers of texts, by hash: it knows which number a text may have, and who asks sees whether it
 * does. Without the texts it takes a tenth of the memory of a map, and nothing of it is the
 * engine's to look through.
 */
import { resized } from './byte-lists.ts'

const FIRST_SLOTS = 1 << 12

export class TextNumbers {
  /** By slot: a hash and a number, which is never 0. At least half of them are free. */
  #hashes = new Uint32Array(FIRST_SLOTS)
  #numbers = new Uint32Array(FIRST_SLOTS)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The first number under this hash of a text that is its number. */
  find(hash: number, isOf: (number: number) => boolean): number | undefined {
    const mask = this.#numbers.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = this.#numbers[slot] as number
      if (number === 0) return undefined
      if (this.#hashes[slot] === hash && isOf(number)) return number
    }
  }

  add(hash: number, number: number): void {
    if (2 * (this.#size + 1) > this.#numbers.length) this.#grow()
    this.#put(hash, number)
    this.#size += 1
  }

  clear(): void {
    this.#hashes = resized(this.#hashes, FIRST_SLOTS)
    this.#numbers = resized(this.#numbers, FIRST_SLOTS).fill(0)
    this.#size = 0
  }

  #put(hash: number, number: number): void {
    const mask = this.#numbers.length - 1
    let slot = hash & mask
    while (this.#numbers[slot] !== 0) slot = (slot + 1) & mask
    this.#hashes[slot] = hash
    this.#numbers[slot] = number
  }

  #grow(): void {
    const hashes = this.#hashes
    const numbers = this.#numbers
    this.#hashes = new Uint32Array(hashes.length * 2)
    this.#numbers = new Uint32Array(numbers.length * 2)
    for (let slot = 0; slot < numbers.length; slot += 1) {
      const number = numbers[slot] as number
      if (number !== 0) this.#put(hashes[slot] as number, number)
    }
    resized(hashes, 0)
    resized(numbers, 0)
  }
}
