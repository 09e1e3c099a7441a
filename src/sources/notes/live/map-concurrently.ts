/** Maps items with limited concurrency; results are in the order of the items. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  maxConcurrent: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Map<number, R>()
  let next = 0
  let isOver = false
  async function runWorker(): Promise<void> {
    while (!isOver && next < items.length) {
      const at = next
      next += 1
      try {
        results.set(at, await work(items[at] as T))
      } catch (error) {
        // The other workers finish their current item and start no more.
        isOver = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, items.length) }, runWorker))
  return items.map((_, at) => results.get(at) as R)
}
