/**
 * Which files including leads to, from any file of a repository. Headers include each other: what
 * each of them includes is found out once, and what it leads to serves all that lead to it.
 */
import type { Facts } from '../model/facts.ts'
import type { Included, Linking, Places } from './linking.ts'

/** What of a repository the graph asks for. */
export interface IncludingFiles extends Places {
  facts(path: string): Facts | undefined
}

/** Room for the sets that are kept, in words of 32 bits. Of a few thousand files, all are kept. */
const MOST_WORDS = 2 * 1024 * 1024

export class IncludeGraph {
  readonly #files: IncludingFiles
  readonly #linkings: ReadonlyMap<string, Linking>
  readonly #numbers = new Map<string, number>()
  readonly #paths: string[] = []
  /** The files that a file itself includes, by its number. */
  readonly #next: (readonly number[] | undefined)[] = []
  /** All files that a file leads to, by its number; the last that were asked for. */
  readonly #reached = new Map<number, Bits>()
  #words = 0

  constructor(files: IncludingFiles, linkings: ReadonlyMap<string, Linking>) {
    this.#files = files
    this.#linkings = linkings
  }

  from(path: string): Included {
    let reached: Bits | undefined
    return {
      has: (other) => {
        reached ??= this.#reachedFrom(this.#numberOf(path))
        const number = this.#numbers.get(other)
        return number !== undefined && reached.has(number)
      },
      by: (specifier) => {
        const including = this.#includingOf(this.#files.facts(path))
        return including?.files(specifier, path, this.#files) ?? []
      },
    }
  }

  #numberOf(path: string): number {
    const known = this.#numbers.get(path)
    if (known !== undefined) return known
    const number = this.#paths.push(path) - 1
    this.#numbers.set(path, number)
    return number
  }

  #reachedFrom(start: number): Bits {
    const known = this.#reached.get(start)
    if (known !== undefined) return known
    const found = this.#reach(start)
    this.#reached.set(start, found)
    this.#words += found.size
    for (const [oldest, bits] of this.#reached) {
      if (this.#words <= MOST_WORDS || oldest === start) break
      this.#reached.delete(oldest)
      this.#words -= bits.size
    }
    return found
  }

  #reach(start: number): Bits {
    const found = new Bits()
    found.add(start)
    const waiting = [start]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const known = this.#reached.get(at)
      if (known !== undefined) found.addAll(known)
      else
        for (const next of this.#nextOf(at)) {
          if (found.has(next)) continue
          found.add(next)
          waiting.push(next)
        }
    }
    return found
  }

  #nextOf(number: number): readonly number[] {
    const known = this.#next[number]
    if (known !== undefined) return known
    const path = this.#paths[number] ?? ''
    const facts = this.#files.facts(path)
    const including = this.#includingOf(facts)
    const paths =
      facts === undefined || including === undefined
        ? []
        : including.specifiers(facts).flatMap((it) => including.files(it, path, this.#files))
    const next = [...new Set(paths)].map((it) => this.#numberOf(it))
    this.#next[number] = next
    return next
  }

  #includingOf(facts: Facts | undefined): Linking['including'] {
    return facts === undefined ? undefined : this.#linkings.get(facts.language)?.including
  }
}

/** Small numbers, a bit for each. */
class Bits {
  #words = new Uint32Array(8)

  get size(): number {
    return this.#words.length
  }

  has(number: number): boolean {
    return ((this.#words[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0
  }

  add(number: number): void {
    const at = number >>> 5
    if (at >= this.#words.length) this.#grow(at + 1)
    this.#words[at] = (this.#words[at] ?? 0) | (1 << (number & 31))
  }

  addAll(others: Bits): void {
    if (others.size > this.size) this.#grow(others.size)
    for (let at = 0; at < others.size; at += 1)
      this.#words[at] = (this.#words[at] ?? 0) | (others.#words[at] ?? 0)
  }

  #grow(least: number): void {
    const words = new Uint32Array(Math.max(least, 2 * this.#words.length))
    words.set(this.#words)
    this.#words = words
  }
}
