/**
 * The largest number from 0 to `most` that passes, given that all smaller ones pass too; undefined
 * where not even 0 does.
 */
export function largest(most: number, passes: (count: number) => boolean): number | undefined {
  if (!passes(0)) return undefined
  let low = 0
  let high = most
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (passes(middle)) low = middle
    else high = middle - 1
  }
  return low
}
