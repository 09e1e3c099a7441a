/**
 * The steps that lead on from a set of chunks. A chunk's edges are those of its own symbol and
 * those whose evidence stands in it: that covers what has no symbol of its own, and the parts of
 * what was too long for one chunk. Does not know where a step ends.
 */
import { ascending, type Compare, descending, inOrder } from '../base/order.ts'
import type { StoredEdge } from '../model/code-index.ts'
import { EDGE_KINDS, type EdgeKind } from '../model/index-record.ts'
import { first, inTurns, SUREST_FIRST } from './edge-order.ts'
import { isModuleSymbol, MODULE_KINDS, ownSymbol } from './module-symbol.ts'
import { type Named, namesOf } from './names.ts'
import type { Move, MoveRules, Reached, WalkIndex } from './reached.ts'

/** Which of two steps to the same chunk is kept. */
export const MOVE_ORDER: Compare<Move> = inOrder<Move>(
  ascending((it) => it.node.start),
  (a, b) => SUREST_FIRST(a.edge, b.edge),
  descending((it) => Number(it.isForward)),
  ascending((it) => it.node.chunk.path),
  ascending((it) => it.node.chunk.start),
  ascending((it) => it.node.chunk.uid),
)

export interface Moves {
  /** By node, in the order of the nodes; then by kind, forward first, surest first. */
  readonly moves: readonly Move[]
  /** Not walked for want of evidence. */
  readonly unsupported: readonly StoredEdge[]
  /** How many were not walked because their chunk has better ones. */
  readonly overFanout: number
  /** How many chunks were not gone back from because too many use their symbol. */
  readonly hubs: number
}

/** The nodes are all of one hop. */
export async function movesFrom(
  index: WalkIndex,
  nodes: readonly Reached[],
  rules: MoveRules,
): Promise<Moves> {
  const unsupported: StoredEdge[] = []
  const most = Math.max(0, rules.caps.fanout)
  const kinds = EDGE_KINDS.filter((it) => rules.kinds.includes(it))
  const { found, hubs } = await edgesAt(index, nodes, rules)
  let overFanout = 0
  const moves = found.flatMap(({ node, out, into }) =>
    kinds.flatMap((kind) => {
      // Most chunks have edges of few kinds.
      if (!out.has(kind) && !into.has(kind)) return []
      const forward = oncePerTarget(walkable(out.get(kind)))
      const back = walkable(into.get(kind))
      const kept = [
        ...first(forward, most, SUREST_FIRST).map((edge) => ({ node, edge, isForward: true })),
        ...inTurns(back, most, nearest(node)).map((edge) => ({ node, edge, isForward: false })),
      ]
      overFanout += forward.length + back.length - kept.length
      return kept
    }),
  )
  return { moves, unsupported, overFanout, hubs }

  function walkable(edges: readonly StoredEdge[] = []): readonly StoredEdge[] {
    if (!rules.requireEvidence || rules.strictness !== 'strict') return edges
    const { evidenceKinds } = rules
    if (evidenceKinds.length === 0) return edges
    return edges.filter((edge) => {
      const isWanted = evidenceKinds.includes(edge.evidence)
      if (!isWanted) unsupported.push(edge)
      return isWanted
    })
  }
}

/** Who names the chunk's symbol, before who names another one in it, before who names its file. */
function nearest({ chunk }: Reached): (edge: StoredEdge) => number {
  return ({ to }) => (isModuleSymbol(to) ? 2 : to === chunk.symbol ? 0 : 1)
}

/** What is called twenty times is one step away, and takes one place. */
function oncePerTarget(edges: readonly StoredEdge[]): readonly StoredEdge[] {
  const best = new Map<string, StoredEdge>()
  for (const edge of edges) {
    const known = best.get(edge.to)
    if (known === undefined || SUREST_FIRST(edge, known) < 0) best.set(edge.to, edge)
  }
  return [...best.values()]
}

type ByKind = ReadonlyMap<EdgeKind, readonly StoredEdge[]>

interface NodeEdges {
  readonly node: Reached
  readonly out: ByKind
  readonly into: ByKind
}

async function edgesAt(
  index: WalkIndex,
  nodes: readonly Reached[],
  rules: MoveRules,
): Promise<{ readonly found: readonly NodeEdges[]; readonly hubs: number }> {
  const { kinds, direction } = rules
  const isOut = direction !== 'in'
  const own = Map.groupBy(nodes, (it) => ownSymbol(it.chunk))
  own.delete('')
  const ofModules = kinds.filter((it) => MODULE_KINDS.has(it))
  const names =
    direction === 'out' || kinds.length === 0 ? NO_NAMES : await namesOf(index, nodes, rules)
  const uids = nodes.map((it) => it.chunk.uid)
  const [from, inside, to, toModules] = await Promise.all([
    isOut ? ask(own, kinds, (ids) => index.edgesFrom(ids, kinds)) : [],
    isOut && kinds.length > 0 ? index.edgesInChunks(uids, kinds) : [],
    ask(names.symbols, kinds, (ids) => index.edgesTo(ids, kinds)),
    ask(names.modules, ofModules, (ids) => index.edgesTo(ids, ofModules)),
  ])
  const out = new Map<Reached, StoredEdge[]>()
  const into = new Map<Reached, StoredEdge[]>()
  for (const edge of from) give(out, own.get(edge.from), edge)
  const byPath = Map.groupBy(nodes, (it) => it.chunk.path)
  for (const edge of inside) give(out, byPath.get(edge.path)?.filter(holds(edge)), edge)
  for (const edge of to) give(into, names.symbols.get(edge.to), edge)
  for (const edge of toModules) give(into, names.modules.get(edge.to), edge)
  return {
    found: nodes.map((node) => ({
      node,
      out: byKind(out.get(node)),
      into: byKind(into.get(node)),
    })),
    hubs: names.hubs,
  }
}

const NO_NAMES: Named = { symbols: new Map(), modules: new Map(), hubs: 0 }

function ask(
  ids: ReadonlyMap<string, unknown>,
  kinds: readonly EdgeKind[],
  question: (ids: readonly string[]) => Promise<readonly StoredEdge[]>,
): Promise<readonly StoredEdge[]> {
  return ids.size === 0 || kinds.length === 0 ? Promise.resolve([]) : question([...ids.keys()])
}

function holds({ start }: StoredEdge): (node: Reached) => boolean {
  return ({ chunk }) => chunk.start <= start && start < chunk.end
}

function give(
  edges: Map<Reached, StoredEdge[]>,
  nodes: readonly Reached[] | undefined,
  edge: StoredEdge,
): void {
  for (const node of nodes ?? []) {
    const known = edges.get(node)
    if (known === undefined) edges.set(node, [edge])
    else known.push(edge)
  }
}

function byKind(edges: readonly StoredEdge[] = []): ByKind {
  return Map.groupBy(edges, (it) => it.kind)
}
