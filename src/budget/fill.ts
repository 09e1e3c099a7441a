/** Fits texts into a budget of real tokens, counted on the whole that is handed out. */
import type { CountTokens } from '../model/tokens.ts'

export interface Filling<T> {
  /** Everything that was kept, rendered: never over the budget. */
  readonly text: string
  readonly tokens: number
  readonly kept: readonly T[]
  /** In the order asked for: what a larger budget would add. */
  readonly left: readonly T[]
}

export interface FillRequest<T> {
  readonly items: readonly T[]
  readonly budget: number
  readonly count: CountTokens
  /** The whole answer for this choice, notes on what was left out included. */
  render(kept: readonly T[], left: readonly T[]): string
}

/**
 * Keeps items in their order as long as the whole fits. One that does not fit is passed over, not
 * a stop: a smaller one further down may still be worth having.
 */
export function fill<T>(request: FillRequest<T>): Filling<T> {
  const { items, budget, count, render } = request
  let kept: readonly T[] = []
  for (const item of items) {
    const more = [...kept, item]
    const left = items.filter((it) => !more.includes(it))
    if (count(render(more, left)) <= budget) kept = more
  }
  const left = items.filter((it) => !kept.includes(it))
  const text = render(kept, left)
  return { text, tokens: count(text), kept, left }
}
