/**
 * Assigns numbers to note ids. An id that is referenced before its note arrives gets a provisional
 * number, so that notes are numbered in the order of writing; in the end every id has a final one.
 */
import type { DatabaseSync } from 'node:sqlite'
import { copyString } from '../../base/text.ts'

/** Numbers from here on are provisional. */
const PROVISIONAL = 2 ** 30

export class NoteNumbers {
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

  /** The number of a referenced id: final, or provisional until the end. */
  mention(id: string): number {
    const key = toWellFormed(id)
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const provisional = PROVISIONAL + this.#waiting.length
    this.#waiting.push(copyString(key))
    this.#settled.push(0)
    this.#numbers.set(this.#waiting.at(-1) ?? '', provisional)
    return provisional
  }

  /** The number of a note that is there. */
  claim(id: string): number {
    const key = toWellFormed(id)
    const known = this.#numbers.get(key)
    if (known !== undefined && known < PROVISIONAL) return known
    const number = this.#free.pop() ?? this.ids.length
    const own = known === undefined ? copyString(key) : (this.#waiting[known - PROVISIONAL] ?? key)
    this.ids[number] = own
    this.#numbers.set(own, number)
    if (known !== undefined) this.#settled[known - PROVISIONAL] = number
    return number
  }

  /** The final number of a provisional one. */
  finalNumber(number: number): number {
    return number < PROVISIONAL ? number : (this.#settled[number - PROVISIONAL] ?? 0)
  }

  /** Referenced ids without a note get a number too. */
  assignAll(): void {
    for (const [at, id] of this.#waiting.entries()) {
      if (this.#settled[at] === 0) this.claim(id)
    }
  }
}

/** SQLite stores UTF-8, which cannot represent lone surrogates. */
export function toWellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed()
}
