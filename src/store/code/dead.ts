/** Which chunks are gone, although the postings still name them. */
import type { DatabaseSync } from 'node:sqlite'

/** Undefined where none is, which then need not be asked for each of very many. */
export function loadDead(connection: DatabaseSync): ((chunk: number) => boolean) | undefined {
  const statement = connection.prepare('SELECT first, past FROM dead_chunks ORDER BY first')
  statement.setReturnArrays(true)
  const ranges = statement.all() as unknown as [number, number][]
  if (ranges.length === 0) return undefined
  const firsts = Uint32Array.from(ranges, (it) => it[0])
  const pasts = Uint32Array.from(ranges, (it) => it[1])
  // Asked in rising order mostly, so the last answer is where to look first.
  let at = 0
  return (chunk) => {
    if (chunk < (firsts[at] ?? 0) || chunk >= (firsts[at + 1] ?? Infinity))
      at = lastUpTo(firsts, chunk)
    return at >= 0 && chunk >= (firsts[at] ?? 0) && chunk < (pasts[at] ?? 0)
  }
}

/** -1 when all are beyond. */
function lastUpTo(sorted: Uint32Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
