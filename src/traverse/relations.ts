/**
 * Which of a few chunks call, use, extend or test each other. A walk finds what leads away from
 * chunks; this finds what connects those that are already found. Two questions to the index.
 */
import { ascending, type Compare, inOrder } from '../base/order.ts'
import type { Relation } from '../model/candidate.ts'
import type { StoredChunk, StoredEdge } from '../model/code-index.ts'
import type { EdgeKind } from '../model/index-record.ts'
import { SUREST_FIRST } from './edge-order.ts'
import { isModuleSymbol } from './module-symbol.ts'
import type { WalkIndex } from './reached.ts'

/** The most telling first: of two chunks that are related twice, the first kind is kept. */
const KINDS: readonly EdgeKind[] = ['call', 'inherit', 'test', 'dataflow', 'usage', 'mention']

/** At most one for each pair and direction, in the order of the chunks. */
export async function findRelations(
  index: Pick<WalkIndex, 'edgesInChunks' | 'symbolsInChunks' | 'evidence'>,
  chunks: readonly StoredChunk[],
): Promise<readonly Relation[]> {
  if (chunks.length < 2) return []
  const uids = chunks.map((it) => it.uid)
  const byPath = Map.groupBy(chunks, (it) => it.path)
  const holder = (path: string, offset: number): StoredChunk | undefined =>
    byPath.get(path)?.find((it) => it.start <= offset && offset < it.end)
  const defined = new Map<string, StoredChunk>()
  for (const { id, path, start } of await index.symbolsInChunks(uids)) {
    const chunk = isModuleSymbol(id) ? undefined : holder(path, start)
    if (chunk !== undefined && !defined.has(id)) defined.set(id, chunk)
  }
  const best = new Map<string, { from: StoredChunk; to: StoredChunk; edge: StoredEdge }>()
  for (const edge of await index.edgesInChunks(uids, KINDS)) {
    const to = defined.get(edge.to)
    const from = to === undefined ? undefined : holder(edge.path, edge.start)
    if (to === undefined || from === undefined || from === to) continue
    // That the file as a whole refers to something is no relation of a function in it.
    if (isModuleSymbol(edge.from) && from.symbol !== '') continue
    // A class holds its members; that is no use of them.
    if (edge.to.startsWith(edge.from)) continue
    const key = `${from.uid} ${to.uid}`
    const known = best.get(key)
    if (known === undefined || TELLING(edge, known.edge) < 0) best.set(key, { from, to, edge })
  }
  const place = new Map(uids.map((uid, at) => [uid, at]))
  const found = [...best.values()].toSorted(
    inOrder(
      ascending((it) => place.get(it.from.uid) ?? 0),
      ascending((it) => place.get(it.to.uid) ?? 0),
    ),
  )
  const evidence = found.length === 0 ? [] : await index.evidence(found.map((it) => it.edge))
  return found.flatMap(({ from, to, edge }, at) => {
    const own = evidence[at]
    return own === undefined ? [] : [{ from: from.uid, to: to.uid, edge, evidence: own }]
  })
}

const TELLING: Compare<StoredEdge> = inOrder(
  ascending((it) => KINDS.indexOf(it.kind)),
  SUREST_FIRST,
)
