/** Several things at once, but not too many; the answers stand in the order of the questions. */
export async function atOnce<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Map<number, R>()
  let next = 0
  let isOver = false
  async function takeTurns(): Promise<void> {
    while (!isOver && next < items.length) {
      const at = next
      next += 1
      try {
        results.set(at, await work(items[at] as T))
      } catch (error) {
        // The others finish what they have begun, and begin nothing more.
        isOver = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, takeTurns))
  return items.map((_, at) => results.get(at) as R)
}
