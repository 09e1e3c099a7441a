/** How long each step took. Where time is pinned, no time passes, so that a pack can be repeated. */
import type { Clock } from '../platform/clock.ts'

export class StopWatch {
  readonly #clock: Clock
  readonly #timings: Record<string, number> = {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async time<T>(step: string, work: () => Promise<T>): Promise<T> {
    const start = this.#now()
    try {
      return await work()
    } finally {
      this.#timings[step] = this.#now() - start
    }
  }

  timings(): Readonly<Record<string, number>> {
    return { ...this.#timings }
  }

  #now(): number {
    return this.#clock.recorded(this.#clock.now())
  }
}
