/**
 * Every place that refers to one of many symbols, chunk by chunk: one step back along the edges, from
 * all of them at once. A walk goes from one start to the next; here each reference counts.
 */
import { ascending, inOrder } from '../base/order.ts'
import { lineAt } from '../base/text.ts'
import type { Neighbour } from '../model/candidate.ts'
import type { StoredChunk, StoredEdge } from '../model/code-index.ts'
import type { EdgeKind } from '../model/index-record.ts'
import { SUREST_FIRST } from './edge-order.ts'
import type { WalkIndex } from './reached.ts'

export interface ReferrersRequest {
  /** By symbol, the `uid` of the chunk that it is meant in. */
  readonly symbols: ReadonlyMap<string, string>
  readonly kinds: readonly EdgeKind[]
  /** `uid`s of chunks that are known already. */
  readonly known: ReadonlySet<string>
  /** Steps that led to each of the symbols' chunks, by `uid`. */
  readonly before?: ReadonlyMap<string, Neighbour>
}

export interface ReferringLine {
  readonly edge: StoredEdge
  readonly chunk: StoredChunk
  readonly line: number
}

export interface Referrers {
  /** By path and place. */
  readonly neighbours: readonly Neighbour[]
  /** By path, line and symbol. */
  readonly lines: readonly ReferringLine[]
  readonly edges: number
  /** Symbols that more places refer to than are looked at. */
  readonly hubs: readonly string[]
}

const MOST_USERS = 1000

export async function findReferrers(
  index: WalkIndex,
  request: ReferrersRequest,
): Promise<Referrers> {
  const { symbols, kinds, known, before } = request
  const ids = [...symbols.keys()].toSorted()
  const users = ids.length === 0 ? [] : await index.countEdgesTo(ids, MOST_USERS + 1)
  const hubs = ids.filter((_, at) => (users[at] ?? 0) > MOST_USERS)
  const followed = ids.filter((_, at) => (users[at] ?? 0) <= MOST_USERS)
  const edges = followed.length === 0 ? [] : await index.edgesTo(followed, kinds)
  const chunks = await index.chunksAt(edges.map(({ path, start }) => ({ path, offset: start })))
  const lines = edges.flatMap((edge, at) => {
    const chunk = chunks[at]
    return chunk === undefined ? [] : [{ edge, chunk, line: lineAt(chunk, edge.start) }]
  })
  const told = dropImports(lines)
    .filter((it) => !known.has(it.chunk.uid))
    .toSorted(IN_ORDER)
  const groups = [...Map.groupBy(told, (it) => it.chunk.uid).values()]
  const best = groups.map((group) => group.map((it) => it.edge).toSorted(SUREST_FIRST)[0])
  const present = best.filter((it) => it !== undefined)
  const evidence = present.length === 0 ? [] : await index.evidence(present)
  const neighbours = groups.flatMap((group, at): readonly Neighbour[] => {
    const [first] = group
    const edge = best[at]
    const own = evidence[at]
    if (first === undefined || edge === undefined || own === undefined) return []
    const via = symbols.get(edge.to) ?? ''
    const step = { edge, isForward: false, evidence: own, isSupported: true }
    const sites = [...new Set(group.map((it) => it.line))].toSorted(ascending((it) => it))
    const steps = [...(before?.get(via)?.steps ?? []), step]
    return [{ chunk: first.chunk, symbol: edge.from, start: 0, via, steps, sites }]
  })
  return { neighbours, lines: told, edges: edges.length, hubs }
}

/** That a file imports something says no more than that it uses it, where it does. */
function dropImports(lines: readonly ReferringLine[]): readonly ReferringLine[] {
  const used = new Set(
    lines.filter((it) => !isImport(it)).map(({ edge }) => `${edge.path}\n${edge.to}`),
  )
  return lines.filter((it) => !isImport(it) || !used.has(`${it.edge.path}\n${it.edge.to}`))
}

function isImport({ edge: { kind } }: ReferringLine): boolean {
  return kind === 'import'
}

const IN_ORDER = inOrder<ReferringLine>(
  ascending((it) => it.chunk.path),
  ascending((it) => it.line),
  ascending((it) => it.edge.to),
  ascending((it) => it.edge.start),
  ascending((it) => it.edge.end),
  ascending((it) => it.edge.kind),
  ascending((it) => it.edge.from),
  ascending((it) => it.edge.evidence),
)
