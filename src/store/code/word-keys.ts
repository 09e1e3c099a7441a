/**
 * Numbers of words, counted from 0 as they come. The words lie one after the other in one piece of
 * memory: there are hundreds of thousands, and none of them is an object of the engine.
 */
import { resized } from './byte-lists.ts'
import { textHash } from './text-hash.ts'

const FIRST_SLOTS = 1 << 12
const FIRST_UNITS = 1 << 15

export class WordKeys {
  /** By slot: a number counted from 1; 0 is free, as at least half of them are. */
  #slots = new Uint32Array(FIRST_SLOTS)
  /** By number: the hash, and where the word ends, which is where the next one begins. */
  #hashes = new Uint32Array(FIRST_SLOTS / 2)
  #ends = new Uint32Array(FIRST_SLOTS / 2)
  #units = new Uint16Array(FIRST_UNITS)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Undefined when the word is not there. */
  find(word: string): number | undefined {
    const hash = textHash(word)
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = this.#slots[slot] as number
      if (found === 0) return undefined
      if (this.#hashes[found - 1] === hash && this.#isAt(found - 1, word)) return found - 1
    }
  }

  /** Of a word that is not there. */
  add(word: string): number {
    if (2 * (this.#size + 1) > this.#slots.length) this.#grow()
    const number = this.#size
    const start = this.#startOf(number)
    while (start + word.length > this.#units.length) {
      this.#units = new Uint16Array(this.#units.buffer.transfer(this.#units.byteLength * 2))
    }
    for (let at = 0; at < word.length; at += 1) this.#units[start + at] = word.charCodeAt(at)
    this.#ends[number] = start + word.length
    const hash = textHash(word)
    this.#hashes[number] = hash
    this.#enter(hash, number)
    this.#size += 1
    return number
  }

  /** All words, by their numbers. */
  words(): readonly string[] {
    return Array.from({ length: this.#size }, (_, number) =>
      textOf(this.#units.subarray(this.#startOf(number), this.#ends[number])),
    )
  }

  clear(): void {
    this.#slots = resized(this.#slots, FIRST_SLOTS).fill(0)
    this.#hashes = resized(this.#hashes, FIRST_SLOTS / 2)
    this.#ends = resized(this.#ends, FIRST_SLOTS / 2)
    this.#units = new Uint16Array(this.#units.buffer.transfer(2 * FIRST_UNITS))
    this.#size = 0
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] as number)
  }

  #isAt(number: number, word: string): boolean {
    const start = this.#startOf(number)
    if ((this.#ends[number] as number) - start !== word.length) return false
    for (let at = 0; at < word.length; at += 1) {
      if (this.#units[start + at] !== word.charCodeAt(at)) return false
    }
    return true
  }

  #enter(hash: number, number: number): void {
    const mask = this.#slots.length - 1
    let slot = hash & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = number + 1
  }

  #grow(): void {
    const slots = this.#slots.length * 2
    this.#slots = resized(this.#slots, slots).fill(0)
    this.#hashes = resized(this.#hashes, slots / 2)
    this.#ends = resized(this.#ends, slots / 2)
    for (let number = 0; number < this.#size; number += 1) {
      this.#enter(this.#hashes[number] as number, number)
    }
  }
}

/** More than this at once may be more than a function can be given. */
const UNITS_AT_ONCE = 4096

function textOf(units: Uint16Array): string {
  if (units.length <= UNITS_AT_ONCE) return String.fromCharCode(...units)
  return textOf(units.subarray(0, UNITS_AT_ONCE)) + textOf(units.subarray(UNITS_AT_ONCE))
}
