/** Total orders of edges, and a few of many. */
import { ascending, type Compare, descending, inOrder } from '../base/order.ts'
import type { StoredEdge } from '../model/code-index.ts'
import { EDGE_KINDS } from '../model/index-record.ts'

/** Surest first; all fields of an edge, so that no two differ and tie. */
export const SUREST_FIRST: Compare<StoredEdge> = inOrder(
  descending((it) => it.confidence),
  ascending((it) => EDGE_KINDS.indexOf(it.kind)),
  ascending((it) => it.path),
  ascending((it) => it.start),
  ascending((it) => it.end),
  ascending((it) => it.from),
  ascending((it) => it.to),
  ascending((it) => it.evidence),
)

/** The same for the same edge, wherever it was read. */
export function edgeKey({ kind, from, to, evidence, path, start, end }: StoredEdge): string {
  return `${kind}\n${from}\n${to}\n${evidence}\n${path}\n${start}\n${end}`
}

/** The first so many in order. One look at each of the rest, for there may be thousands. */
export function first<T>(items: readonly T[], most: number, order: Compare<T>): readonly T[] {
  if (items.length <= most) return items.toSorted(order)
  const kept: T[] = []
  for (const item of items) {
    const last = kept.at(-1)
    if (kept.length >= most && (last === undefined || order(item, last) >= 0)) continue
    kept.splice(placeOf(item, kept, order), 0, item)
    if (kept.length > most) kept.pop()
  }
  return kept
}

/**
 * The best so many, by `rank` and surest first. Equally good ones take turns by file: one of each,
 * then a second of each … so that a file full of them does not stand for all.
 */
export function inTurns(
  edges: readonly StoredEdge[],
  most: number,
  rank: (edge: StoredEdge) => number,
): readonly StoredEdge[] {
  const order = inOrder(ascending(rank), SUREST_FIRST)
  if (edges.length <= most) return edges.toSorted(order)
  const kept: StoredEdge[] = []
  for (const equals of equallyGood(edges, rank)) {
    if (kept.length >= most) break
    kept.push(...turns(equals, most - kept.length))
  }
  return kept.toSorted(order)
}

/** Best first. */
function equallyGood(
  edges: readonly StoredEdge[],
  rank: (edge: StoredEdge) => number,
): readonly (readonly StoredEdge[])[] {
  const byRank = Map.groupBy(edges, rank)
  const ranks = [...byRank.keys()].toSorted(ascending((it) => it))
  return ranks.flatMap((it) => {
    const byConfidence = Map.groupBy(byRank.get(it) ?? [], (edge) => edge.confidence)
    const confidences = [...byConfidence.keys()].toSorted(descending((each) => each))
    return confidences.map((each) => byConfidence.get(each) ?? [])
  })
}

function turns(edges: readonly StoredEdge[], most: number): readonly StoredEdge[] {
  if (edges.length <= most) return edges
  const byFile = Map.groupBy(edges, (it) => it.path)
  const turned = [...byFile.values()].flatMap((inFile) =>
    first(inFile, most, SUREST_FIRST).map((edge, turn) => ({ edge, turn })),
  )
  const order = inOrder<(typeof turned)[number]>(
    ascending((it) => it.turn),
    (a, b) => SUREST_FIRST(a.edge, b.edge),
  )
  return first(turned, most, order).map((it) => it.edge)
}

/** After all that do not come later. */
function placeOf<T>(item: T, sorted: readonly T[], order: Compare<T>): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    const other = sorted[middle]
    if (other !== undefined && order(other, item) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
