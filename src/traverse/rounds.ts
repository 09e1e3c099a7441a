/**
 * Which chunks of a hop come first where there is no room for all. What the first starts name would
 * else have to wait for hundreds that name them, and the later starts for all of the first.
 */
import { ascending, descending, inOrder } from '../base/order.ts'
import type { Reached } from './reached.ts'

/** All that these call and use comes before anything else. */
const FIRST_STARTS = 3
/** In each round, a start has so many that it names and one that names it. */
const NAMED_PER_ROUND = 3

/** Within a start and a direction, the order stays. */
export function orderInRounds(reached: readonly Reached[]): readonly Reached[] {
  const turns = new Map<string, number>()
  const placed = reached.map((it, place) => {
    const isForward = it.by?.isForward === true
    const key = `${it.start} ${isForward}`
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1)
    const isFirst = isForward && it.start < FIRST_STARTS && it.by?.edge.kind !== 'import'
    const round = isFirst ? -1 : isForward ? Math.floor(turn / NAMED_PER_ROUND) : turn
    return { it, place, round, isForward }
  })
  const order = inOrder<(typeof placed)[number]>(
    ascending((it) => it.round),
    ascending((it) => it.it.start),
    descending((it) => Number(it.isForward)),
    ascending((it) => it.place),
  )
  return placed.toSorted(order).map(({ it }) => it)
}
