/**
 * From seeds to what hangs on them in the code graph: breadth first, the shortest path to each
 * chunk, never more than the caps say. It reads the graph through the port, a few questions per hop
 * however many chunks there are, and what it finds does not depend on the order of the answers.
 */
import { assert } from '../base/assert.ts'
import { ascending, descending, inOrder } from '../base/order.ts'
import { lineAt } from '../base/text.ts'
import type { Neighbour, Step } from '../model/candidate.ts'
import type { EdgeEvidence, StoredChunk } from '../model/code-index.ts'
import { Destinations } from './destinations.ts'
import { edgeKey, first } from './edge-order.ts'
import { MOVE_ORDER, movesFrom } from './moves.ts'
import type { Move, MoveCaps, MoveRules, Reached, WalkIndex } from './reached.ts'
import { orderInRounds } from './rounds.ts'

export interface WalkRequest extends MoveRules {
  /** Best first. */
  readonly starts: readonly StoredChunk[]
  readonly maxHops: number
  readonly caps: WalkCaps
  /** Whether to tell every line that leads back, not only the best. */
  readonly withSites?: boolean
}

export interface WalkCaps extends MoveCaps {
  readonly nodes: number
  /** Steps that are tried; an edge that is met from both its ends is tried twice. */
  readonly edges: number
  /** Chunks of one hop that the walk goes on from: those that were reached most surely. */
  readonly expanded: number
}

/** More than a pack can hold, and as much as one waits for. A fan-out fills a section of a pack. */
export const WALK_CAPS: WalkCaps = {
  fanout: 32,
  users: 100,
  nodes: 300,
  edges: 2_000,
  expanded: 32,
}

export interface Walk {
  /** By hops, start, path, place and uid. */
  readonly neighbours: readonly Neighbour[]
  /** Steps that were tried, whether or not they led to something new. */
  readonly edgesWalked: number
  readonly maxHop: number
  readonly dropped: {
    /** Edges without the evidence that was required; each once. */
    readonly noEvidence: number
    /** Steps that were not tried because their chunk has better ones of the same kind. */
    readonly fanout: number
    /** Chunks that were found in the hop that the cap ended. */
    readonly nodes: number
    /** Chunks that were found, and not gone on from because others were reached more surely. */
    readonly expanded: number
    /** Chunks that were not gone back from because too many use their symbol. */
    readonly hubs: number
  }
  /** Whether the cap on nodes or the one on edges left anything out. */
  readonly isCut: boolean
}

export async function walk(index: WalkIndex, request: WalkRequest): Promise<Walk> {
  const { caps, maxHops } = request
  const reached = startsOf(request.starts)
  const destinations = new Destinations(index)
  const unsupported = new Set<string>()
  const neighbours: Reached[] = []
  const counts = { edges: 0, fanout: 0, nodes: 0, expanded: 0, hubs: 0 }
  let isCut = false
  let frontier: readonly Reached[] = [...reached.values()]
  for (let hop = 1; hop <= maxHops && frontier.length > 0; hop += 1) {
    const found = await movesFrom(index, frontier, request)
    for (const edge of found.unsupported) unsupported.add(edgeKey(edge))
    counts.fanout += found.overFanout
    counts.hubs += found.hubs
    const tried = found.moves.slice(0, Math.max(0, caps.edges - counts.edges))
    counts.edges += tried.length
    const fresh = arrivals(tried, await destinations.of(tried), reached)
    const room = Math.max(0, caps.nodes - neighbours.length)
    const kept = fresh.length <= room ? fresh : orderInRounds(fresh).slice(0, room)
    counts.nodes += fresh.length - kept.length
    isCut = tried.length < found.moves.length || kept.length < fresh.length
    for (const it of kept) reached.set(it.chunk.uid, it)
    neighbours.push(...kept.toSorted(NODE_ORDER))
    if (hop === maxHops || isCut) break
    frontier = first(kept, caps.expanded, SUREST_REACHED).toSorted(NODE_ORDER)
    counts.expanded += kept.length - frontier.length
  }
  const { edges: edgesWalked, ...dropped } = counts
  return {
    neighbours: await withSteps(index, neighbours, request),
    edgesWalked,
    maxHop: neighbours.at(-1)?.hops ?? 0,
    dropped: { noEvidence: unsupported.size, ...dropped },
    isCut,
  }
}

/** Within a hop. */
const NODE_ORDER = inOrder<Reached>(
  ascending((it) => it.start),
  ascending((it) => it.chunk.path),
  ascending((it) => it.chunk.start),
  ascending((it) => it.chunk.uid),
)

/** Of one hop, and none of them a start. */
const SUREST_REACHED = inOrder<Reached>(
  descending((it) => it.by?.edge.confidence ?? 0),
  (a, b) => (a.by === undefined || b.by === undefined ? 0 : MOVE_ORDER(a.by, b.by)),
  ascending((it) => it.chunk.uid),
)

function startsOf(starts: readonly StoredChunk[]): Map<string, Reached> {
  const reached = new Map<string, Reached>()
  for (const [start, chunk] of starts.entries()) {
    if (!reached.has(chunk.uid)) reached.set(chunk.uid, { chunk, start, hops: 0, by: undefined })
  }
  return reached
}

/** The chunks that were not known before, each by the best step to it, those of the best first. */
function arrivals(
  moves: readonly Move[],
  chunks: readonly (StoredChunk | undefined)[],
  reached: ReadonlyMap<string, Reached>,
): readonly Reached[] {
  interface Arrival {
    readonly chunk: StoredChunk
    readonly all: Move[]
    move: Move
  }
  const best = new Map<string, Arrival>()
  for (const [at, move] of moves.entries()) {
    const chunk = chunks[at]
    if (chunk === undefined || reached.has(chunk.uid)) continue
    const known = best.get(chunk.uid)
    if (known === undefined) best.set(chunk.uid, { chunk, move, all: [move] })
    else {
      known.all.push(move)
      if (MOVE_ORDER(move, known.move) < 0) known.move = move
    }
  }
  return [...best.values()]
    .toSorted(
      inOrder(
        (a, b) => MOVE_ORDER(a.move, b.move),
        ascending((it) => it.chunk.uid),
      ),
    )
    .map(({ chunk, move, all }) => {
      const { start, hops } = move.node
      return { chunk, start, hops: hops + 1, by: move, all }
    })
}

/** Evidence is asked for once, and only for the paths that are kept. */
async function withSteps(
  index: WalkIndex,
  nodes: readonly Reached[],
  request: WalkRequest,
): Promise<readonly Neighbour[]> {
  const edges = nodes.flatMap((it) => it.by?.edge ?? [])
  const evidence = edges.length === 0 ? [] : await index.evidence(edges)
  const stepsTo = new Map<Reached, readonly Step[]>()
  return nodes.map((node, at) => {
    assert(node.by, 'a neighbour to be reached by a step')
    const { edge, isForward, node: before } = node.by
    const step = stepOf(node.by, evidence[at], request)
    // A node stands after the one that it was reached from.
    const steps = [...(stepsTo.get(before) ?? []), step]
    stepsTo.set(node, steps)
    const symbol = isForward ? edge.to : edge.from
    const sites = request.withSites === true ? sitesIn(node) : undefined
    return {
      chunk: node.chunk,
      symbol,
      start: node.start,
      via: before.chunk.uid,
      steps,
      ...(sites === undefined ? {} : { sites }),
    }
  })
}

/** The lines of a chunk where the edges stand that lead from it to what was walked from. */
function sitesIn({ chunk, all = [] }: Reached): readonly number[] {
  const lines = all
    .filter(({ edge, isForward }) => !isForward && edge.path === chunk.path)
    .map(({ edge }) => lineAt(chunk, edge.start))
  return [...new Set(lines)].toSorted(ascending((it) => it))
}

function stepOf(
  { edge, isForward }: Move,
  evidence: EdgeEvidence | undefined,
  { evidenceKinds, strictness }: WalkRequest,
): Step {
  assert(evidence, 'evidence for each edge')
  const isWanted = evidenceKinds.length === 0 || evidenceKinds.includes(edge.evidence)
  return { edge, isForward, evidence, isSupported: isWanted || strictness === 'loose' }
}
