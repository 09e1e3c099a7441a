/** The best few of many, without sorting the many. */

/**
 * Places of the highest scores in the list, best first; of equals the earlier one. Scores of
 * -Infinity are none.
 */
export function bestPlaces(scores: Float64Array, limit: number): Uint32Array {
  const heap = new Uint32Array(Math.max(0, Math.min(limit, scores.length)))
  let size = 0
  let least = -Infinity
  for (let place = 0; place < scores.length; place += 1) {
    // Most are passed over here. Once there are enough, an equal that comes later is none of them.
    if ((scores[place] as number) <= least) continue
    if (size < heap.length) {
      heap[size] = place
      rise(heap, scores, size)
      size += 1
    } else {
      heap[0] = place
      sink(heap, scores, size)
    }
    if (size === heap.length) least = scores[heap[0] ?? 0] ?? 0
  }
  return heap.subarray(0, size).toSorted((a, b) => (isWorse(scores, a, b) ? 1 : -1))
}

function isWorse(scores: Float64Array, a: number, b: number): boolean {
  const x = scores[a] ?? 0
  const y = scores[b] ?? 0
  return x < y || (x === y && a > b)
}

/** The worst is at the top. */
function rise(heap: Uint32Array, scores: Float64Array, from: number): void {
  let at = from
  while (at > 0) {
    const above = (at - 1) >> 1
    if (!isWorse(scores, heap[at] ?? 0, heap[above] ?? 0)) return
    swap(heap, at, above)
    at = above
  }
}

function sink(heap: Uint32Array, scores: Float64Array, size: number): void {
  let at = 0
  for (;;) {
    let worst = at
    for (let below = 2 * at + 1; below < size && below <= 2 * at + 2; below += 1) {
      if (isWorse(scores, heap[below] ?? 0, heap[worst] ?? 0)) worst = below
    }
    if (worst === at) return
    swap(heap, at, worst)
    at = worst
  }
}

function swap(heap: Uint32Array, a: number, b: number): void {
  const before = heap[a] ?? 0
  heap[a] = heap[b] ?? 0
  heap[b] = before
}
