/**
 * The lists of words that were asked for last, ready to be ranked by. The longest lists are those
 * of the words that every question has, and most of the time of a question went into decoding them.
 */
import type { WordPostings } from '../../model/code-index.ts'

/** Entries that are kept, some 20 MB. */
const REMEMBERED = 2_000_000

export class PostingCache {
  readonly #find: (word: string) => WordPostings
  readonly #known = new Map<string, WordPostings>()
  #size = 0

  constructor(find: (word: string) => WordPostings) {
    this.#find = find
  }

  of(word: string): WordPostings {
    const found = this.#known.get(word) ?? this.#find(word)
    // A map keeps the order in which keys came: what was asked for last goes to its end.
    this.#drop(word)
    this.#known.set(word, found)
    this.#size += costOf(found)
    for (const oldest of this.#known.keys()) {
      if (this.#size <= REMEMBERED) break
      this.#drop(oldest)
    }
    return found
  }

  /** If it is at hand. */
  known(word: string): WordPostings | undefined {
    return this.#known.get(word)
  }

  #drop(word: string): void {
    const known = this.#known.get(word)
    if (known === undefined) return
    this.#known.delete(word)
    this.#size -= costOf(known)
  }
}

/** A list with nothing in it takes room too. */
function costOf({ handles }: WordPostings): number {
  return handles.length + 100
}
