/**
 * Who has which number. An id that is mentioned before it comes has a provisional one, so that
 * notes are numbered in the order in which they are written; by the end each id has a real one.
 */
import type { DatabaseSync } from 'node:sqlite'
import { detached } from '../../base/text.ts'

/** Numbers from here on are provisional. */
const PROVISIONAL = 2 ** 30

export class Ledger {
  /** By number; undefined where the number is free. There is no number 0. */
  readonly ids: (string | undefined)[] = [undefined]
  readonly #numbers = new Map<string, number>()
  /** By provisional number. */
  readonly #waiting: string[] = []
  readonly #settled: number[] = []
  readonly #free: number[] = []

  constructor(connection: DatabaseSync) {
    for (const table of ['notes', 'absent']) {
      const statement = connection.prepare(`SELECT n, id FROM ${table} ORDER BY n`)
      statement.setReturnArrays(true)
      for (const [number, id] of statement.iterate() as unknown as Iterable<[number, string]>) {
        while (this.ids.length <= number) this.ids.push(undefined)
        this.ids[number] = id
        this.#numbers.set(id, number)
      }
    }
    for (let number = this.ids.length - 1; number > 0; number -= 1) {
      if (this.ids[number] === undefined) this.#free.push(number)
    }
  }

  /** One more than the highest number. */
  get size(): number {
    return this.ids.length
  }

  /** The number of an id that a note points at: real, or to be settled at the end. */
  mention(id: string): number {
    const key = wellFormed(id)
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const provisional = PROVISIONAL + this.#waiting.length
    this.#waiting.push(detached(key))
    this.#settled.push(0)
    this.#numbers.set(this.#waiting.at(-1) ?? '', provisional)
    return provisional
  }

  /** The number of a note that is there. */
  claim(id: string): number {
    const key = wellFormed(id)
    const known = this.#numbers.get(key)
    if (known !== undefined && known < PROVISIONAL) return known
    const number = this.#free.pop() ?? this.ids.length
    const own = known === undefined ? detached(key) : (this.#waiting[known - PROVISIONAL] ?? key)
    this.ids[number] = own
    this.#numbers.set(own, number)
    if (known !== undefined) this.#settled[known - PROVISIONAL] = number
    return number
  }

  /** What a mentioned number has become. */
  settled(number: number): number {
    return number < PROVISIONAL ? number : (this.#settled[number - PROVISIONAL] ?? 0)
  }

  /** Whoever was mentioned and did not come gets a number too. */
  settleAll(): void {
    for (const [at, id] of this.#waiting.entries()) {
      if (this.#settled[at] === 0) this.claim(id)
    }
  }
}

/** SQLite keeps UTF-8, in which half a character cannot be written. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed()
}
