/**
 * Remembered answers, up to a bound; the least recently used go first. `lru-cache` keeps that order
 * in constant time, which every hand-written map here only approximated by starting over.
 */
import { LRUCache } from 'lru-cache'

export interface MemoBound<Value> {
  /** The most that all remembered values may cost together; one that costs more is remembered alone. */
  readonly limit: number
  /** A whole number above 0; 1 for every value unless given. */
  costOf?(value: Value): number
}

type Present = NonNullable<unknown>

export class Memo<Key extends Present, Value extends Present> {
  readonly #find: (key: Key) => Value
  readonly #known: LRUCache<Key, Value>

  constructor(find: (key: Key) => Value, { limit, costOf = () => 1 }: MemoBound<Value>) {
    this.#find = find
    // By cost and not by count: a cache of at most so many entries takes room for all of them at once.
    this.#known = new LRUCache({
      maxSize: limit,
      sizeCalculation: (value) => Math.min(limit, costOf(value)),
    })
  }

  get(key: Key): Value {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const found = this.#find(key)
    this.#known.set(key, found)
    return found
  }

  /** Only what is remembered already; nothing is looked up. */
  peek(key: Key): Value | undefined {
    return this.#known.peek(key)
  }
}
