/**
 * Reciprocal rank fusion: what several independent rankings place high, however they score it.
 * It forgets by how much a hit is better, which makes it robust where a score means little.
 */

/** The higher, the less the first places stand out. */
const SMOOTHING = 20

/** From the values of each item by each signal, 0 for none; 1 for the item that is fused best. */
export function fusedRanks(signals: readonly (readonly number[])[], count: number): Float64Array {
  const sums = new Float64Array(count)
  for (const values of signals) {
    const order = values
      .map((value, item) => ({ value, item }))
      .filter((it) => it.value > 0)
      .toSorted((a, b) => b.value - a.value || a.item - b.item)
    for (const [place, { item }] of order.entries()) {
      sums[item] = (sums[item] ?? 0) + 1 / (SMOOTHING + place + 1)
    }
  }
  const most = sums.reduce((a, b) => Math.max(a, b), 0) || 1
  return sums.map((sum) => sum / most)
}
