/** Keeps the best few of many notes, ties by id, without sorting all of them. */

export interface ScoredNote {
  readonly number: number
  readonly score: number
}

export class BestNotes {
  readonly limit: number
  readonly #ranks: Uint32Array
  /** A heap with the worst at the top. */
  readonly #numbers: number[] = []
  readonly #scores: number[] = []

  constructor(limit: number, ranks: Uint32Array) {
    this.limit = limit
    this.#ranks = ranks
  }

  get size(): number {
    return this.#numbers.length
  }

  offer(number: number, score: number): void {
    if (this.size < this.limit) {
      this.#numbers.push(number)
      this.#scores.push(score)
      this.#rise()
      return
    }
    const worst = this.#scores[0] ?? 0
    if (score < worst) return
    if (score === worst && this.#rank(number) > this.#rank(this.#numbers[0] ?? 0)) return
    this.#numbers[0] = number
    this.#scores[0] = score
    this.#sink()
  }

  inOrder(): readonly ScoredNote[] {
    return this.#numbers
      .map((number, at) => ({ number, score: this.#scores[at] ?? 0 }))
      .toSorted((a, b) => b.score - a.score || this.#rank(a.number) - this.#rank(b.number))
  }

  #rank(number: number): number {
    return this.#ranks[number] ?? 0
  }

  #isWorse(a: number, b: number): boolean {
    const [x = 0, y = 0] = [this.#scores[a], this.#scores[b]]
    if (x !== y) return x < y
    return this.#rank(this.#numbers[a] ?? 0) > this.#rank(this.#numbers[b] ?? 0)
  }

  #rise(): void {
    let at = this.size - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!this.#isWorse(at, above)) return
      this.#swap(at, above)
      at = above
    }
  }

  #sink(): void {
    let at = 0
    for (;;) {
      let worst = at
      const below = 2 * at + 1
      if (below < this.size && this.#isWorse(below, worst)) worst = below
      if (below + 1 < this.size && this.#isWorse(below + 1, worst)) worst = below + 1
      if (worst === at) return
      this.#swap(at, worst)
      at = worst
    }
  }

  #swap(a: number, b: number): void {
    for (const list of [this.#numbers, this.#scores]) {
      const before = list[a] ?? 0
      list[a] = list[b] ?? 0
      list[b] = before
    }
  }
}
