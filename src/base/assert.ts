/** For what only we can get wrong: a broken invariant, never bad input. */
export function assert(condition: unknown, expected: string): asserts condition {
  if (condition === false || condition === undefined || condition === null) {
    throw new Error(`invariant broken: expected ${expected}`)
  }
}
