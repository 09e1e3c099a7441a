/** What has changed between two texts, line by line: the shortest way from one to the other. */

export interface LineChange {
  readonly kind: 'same' | 'gone' | 'new'
  readonly line: string
}

/** Beyond so many changes the texts are taken for different as a whole: the work grows with their square. */
const MOST_CHANGES = 2000

export function lineDiff(
  before: readonly string[],
  after: readonly string[],
): readonly LineChange[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1
  }
  const middle = changes(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  )
  return [
    ...before.slice(0, start).map((line) => ({ kind: 'same' as const, line })),
    ...middle,
    ...before.slice(before.length - end).map((line) => ({ kind: 'same' as const, line })),
  ]
}

/** Myers' algorithm: for each number of changes, how far each diagonal gets. */
function changes(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  const reach: Map<number, number>[] = []
  let row = new Map([[1, 0]])
  for (let steps = 0; steps <= before.length + after.length; steps += 1) {
    if (steps > MOST_CHANGES) return wholly(before, after)
    const next = new Map(row)
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      let x = isDown(next, diagonal, steps)
        ? (next.get(diagonal + 1) ?? 0)
        : (next.get(diagonal - 1) ?? 0) + 1
      while (
        x < before.length &&
        x - diagonal < after.length &&
        before[x] === after[x - diagonal]
      ) {
        x += 1
      }
      next.set(diagonal, x)
      if (x >= before.length && x - diagonal >= after.length) {
        return traced(before, after, [...reach, row])
      }
    }
    reach.push(row)
    row = next
  }
  return wholly(before, after)
}

function isDown(row: ReadonlyMap<number, number>, diagonal: number, steps: number): boolean {
  if (diagonal === -steps) return true
  if (diagonal === steps) return false
  return (row.get(diagonal - 1) ?? 0) < (row.get(diagonal + 1) ?? 0)
}

/** Back from the end, one number of changes at a time. */
function traced(
  before: readonly string[],
  after: readonly string[],
  reach: readonly ReadonlyMap<number, number>[],
): readonly LineChange[] {
  const found: LineChange[] = []
  let x = before.length
  let y = after.length
  for (let steps = reach.length - 1; steps >= 0; steps -= 1) {
    const row = reach[steps] ?? new Map<number, number>()
    const diagonal = x - y
    const from = isDown(row, diagonal, steps) ? diagonal + 1 : diagonal - 1
    const fromX = row.get(from) ?? 0
    const fromY = fromX - from
    while (x > fromX && y > fromY) {
      found.push({ kind: 'same', line: before[x - 1] ?? '' })
      x -= 1
      y -= 1
    }
    if (steps === 0) break
    if (x === fromX) found.push({ kind: 'new', line: after[y - 1] ?? '' })
    else found.push({ kind: 'gone', line: before[x - 1] ?? '' })
    x = fromX
    y = fromY
  }
  return found.toReversed()
}

function wholly(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  return [
    ...before.map((line) => ({ kind: 'gone' as const, line })),
    ...after.map((line) => ({ kind: 'new' as const, line })),
  ]
}
