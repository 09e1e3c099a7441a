/**
 * How many characters of `source` are not in `kept`, in order: those outside the longest common
 * subsequence of the two. What a splitter adds or repeats is no loss.
 *
 * Myers' greedy algorithm. Every so many differences it settles for the path that has come
 * furthest and goes on from there, which keeps it linear where a tool garbles a text. The count is
 * then an upper bound, by some characters in a million. Whether anything was lost at all is exact.
 */
const SETTLE_AFTER = 1500

export function lostCharacters(source: string, kept: string): number {
  if (isSubsequence(source, kept)) return 0
  let lost = 0
  let from = { x: 0, y: 0 }
  while (from.x < source.length && from.y < kept.length) {
    const reached = advance(source, kept, from)
    lost += reached.deleted
    from = reached
  }
  return lost + (source.length - from.x)
}

function isSubsequence(source: string, kept: string): boolean {
  let x = 0
  for (let y = 0; y < kept.length && x < source.length; y += 1) {
    if (source.charCodeAt(x) === kept.charCodeAt(y)) x += 1
  }
  return x === source.length
}

interface Reached {
  readonly x: number
  readonly y: number
  readonly deleted: number
}

/** From one settled point to the next, or to the end of both texts. */
function advance(source: string, kept: string, from: { x: number; y: number }): Reached {
  const furthest = new Int32Array(2 * SETTLE_AFTER + 3)
  const middle = SETTLE_AFTER + 1
  furthest[middle + 1] = from.x
  for (let edits = 0; edits <= SETTLE_AFTER; edits += 1) {
    let best: Reached = { x: from.x, y: from.y, deleted: 0 }
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const left = furthest[middle + diagonal - 1] ?? 0
      const above = furthest[middle + diagonal + 1] ?? 0
      const isInsert = diagonal === -edits || (diagonal !== edits && left < above)
      let x = isInsert ? above : left + 1
      let y = x - from.x + from.y - diagonal
      while (x < source.length && y < kept.length && source.charCodeAt(x) === kept.charCodeAt(y)) {
        x += 1
        y += 1
      }
      furthest[middle + diagonal] = x
      if (x > source.length || y > kept.length) continue
      if (x + y >= best.x + best.y) best = { x, y, deleted: (edits + diagonal) / 2 }
    }
    const isDone = best.x === source.length && best.y === kept.length
    if (isDone || edits === SETTLE_AFTER) return best
  }
  return { ...from, deleted: 0 }
}
