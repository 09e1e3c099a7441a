/**
 * What a walk must find, worked out the slow way: over all edges for every chunk, with keys that
 * are compared part by part. Has nothing in common with the stage but the promise.
 */
import type { StoredChunk, StoredEdge } from '../../src/model/code-index.ts'
import { EDGE_KINDS, type EdgeKind } from '../../src/model/index-record.ts'
import type { WalkRequest } from '../../src/traverse/walk.ts'
import { chunksIn, edgesIn, type GeneratedGraph, symbolsIn } from './graph-index.ts'

interface Node {
  readonly chunk: StoredChunk
  readonly start: number
  readonly steps: readonly Tried[]
  /** Whether the walk may go on from it. */
  isExpanded: boolean
}

interface Tried {
  readonly edge: StoredEdge
  readonly isForward: boolean
}

type Key = readonly (string | number)[]

export function referenceWalk(graph: GeneratedGraph, request: WalkRequest) {
  const { caps } = request
  const nodes: Node[] = []
  for (const [start, chunk] of request.starts.entries()) {
    if (nodes.every((it) => it.chunk.uid !== chunk.uid)) {
      nodes.push({ chunk, start, steps: [], isExpanded: true })
    }
  }
  const starts = nodes.length
  const unsupported = new Set<string>()
  const dropped = { noEvidence: 0, fanout: 0, nodes: 0, expanded: 0, hubs: 0 }
  let edgesWalked = 0
  let isCut = false
  for (let hop = 1; hop <= request.maxHops && !isCut; hop += 1) {
    const all = nodes.flatMap((node) => {
      if (node.steps.length !== hop - 1 || !node.isExpanded) return []
      const options = optionsOf(graph, { chunk: node.chunk, hops: hop - 1 }, request)
      for (const edge of options.unsupported) unsupported.add(JSON.stringify(edge))
      dropped.fanout += options.overFanout
      dropped.hubs += Number(isHub(graph, { chunk: node.chunk, hops: hop - 1 }, request))
      return options.tried.map((it) => ({ ...it, node }))
    })
    const tried = all.slice(0, caps.edges - edgesWalked)
    edgesWalked += tried.length
    const fresh: Node[] = []
    const seen = new Set(nodes.map((it) => it.chunk.uid))
    for (const { node, edge, isForward } of sortedBy(tried, keyOfStep)) {
      const chunk = destination(graph, { edge, isForward })
      if (chunk === undefined || seen.has(chunk.uid)) continue
      seen.add(chunk.uid)
      const steps = [...node.steps, { edge, isForward }]
      fresh.push({ chunk, start: node.start, steps, isExpanded: false })
    }
    const kept = inRounds(fresh).slice(0, caps.nodes - (nodes.length - starts))
    dropped.nodes += fresh.length - kept.length
    isCut = all.length > tried.length || fresh.length > kept.length
    nodes.push(...sortedBy(kept, keyOfNode))
    if (hop === request.maxHops || isCut) continue
    // Those that came first, came by the best steps of the best starts.
    const surest = sortedBy(kept, (it) => [
      -(it.steps.at(-1)?.edge.confidence ?? 0),
      fresh.indexOf(it),
    ])
    for (const it of surest.slice(0, caps.expanded)) it.isExpanded = true
    dropped.expanded += Math.max(0, kept.length - caps.expanded)
  }
  dropped.noEvidence = unsupported.size
  const neighbours = nodes.slice(starts)
  const maxHop = Math.max(0, ...neighbours.map((it) => it.steps.length))
  return { neighbours, edgesWalked, maxHop, dropped, isCut }
}

/** Three that a start names and one that names it, round by round; of the first starts, all first. */
function inRounds(fresh: readonly Node[]): readonly Node[] {
  return sortedBy(fresh, (it) => {
    const step = it.steps.at(-1)
    const isForward = step?.isForward === true
    const before = fresh
      .slice(0, fresh.indexOf(it))
      .filter((other) => other.start === it.start && other.steps.at(-1)?.isForward === isForward)
    const isFirst = isForward && it.start < 3 && step.edge.kind !== 'import'
    const round = isFirst ? -1 : isForward ? Math.floor(before.length / 3) : before.length
    return [round, it.start, isForward ? 0 : 1, fresh.indexOf(it)]
  })
}

/** All chunks that one step leads to, whatever the fan-out. */
export function stepsOf(
  graph: GeneratedGraph,
  chunk: StoredChunk,
  { request, isStart }: { readonly request: WalkRequest; readonly isStart: boolean },
): readonly StoredChunk[] {
  const fanout = Number.POSITIVE_INFINITY
  const wide = { ...request, caps: { ...request.caps, fanout } }
  const options = optionsOf(graph, { chunk, hops: isStart ? 0 : 1 }, wide)
  return options.tried.flatMap((it) => destination(graph, it) ?? [])
}

interface Place {
  readonly chunk: StoredChunk
  readonly hops: number
}

function optionsOf(graph: GeneratedGraph, node: Place, request: WalkRequest) {
  const unsupported: StoredEdge[] = []
  const tried: Tried[] = []
  let overFanout = 0
  for (const kind of EDGE_KINDS) {
    if (!request.kinds.includes(kind)) continue
    for (const isForward of [true, false]) {
      if (request.direction === (isForward ? 'in' : 'out')) continue
      const edges = edgesIn(graph).filter(
        (it) =>
          it.kind === kind &&
          (isForward ? isOut(node.chunk, it) : isInto(graph, node, it)) &&
          (isForward || isModule(it.to) || !isHub(graph, node, request)) &&
          isWalked(it),
      )
      const once = sortedBy(edges, keyOfEdge).filter(
        (it, at, list) => !isForward || list.findIndex((other) => other.to === it.to) === at,
      )
      const rank = (it: StoredEdge): number =>
        isForward ? 0 : isModule(it.to) ? 2 : Number(it.to !== node.chunk.symbol)
      const turn = (it: StoredEdge): number =>
        isForward
          ? 0
          : once.filter((other) => isBefore(other, it) && rank(other) === rank(it)).length
      const ordered = sortedBy(once, (it) => [rank(it), -it.confidence, turn(it), ...keyOfEdge(it)])
      const chosen = ordered.slice(0, request.caps.fanout)
      overFanout += ordered.length - chosen.length
      const sorted = sortedBy(chosen, (it) => [rank(it), ...keyOfEdge(it)])
      tried.push(...sorted.map((edge) => ({ edge, isForward })))
    }
  }
  return { tried, unsupported, overFanout }

  function isWalked(edge: StoredEdge): boolean {
    const { strictness, requireEvidence, evidenceKinds } = request
    const isWanted = evidenceKinds.length === 0 || evidenceKinds.includes(edge.evidence)
    if (isWanted || strictness !== 'strict' || !requireEvidence) return true
    unsupported.push(edge)
    return false
  }
}

/** In the same file, as sure, and earlier. */
function isBefore(one: StoredEdge, other: StoredEdge): boolean {
  if (one.path !== other.path || one.confidence !== other.confidence) return false
  return one !== other && sortedBy([other, one], keyOfEdge)[0] === one
}

function isModule(symbol: string): boolean {
  return symbol.endsWith('/')
}

export function isOut(chunk: StoredChunk, edge: StoredEdge): boolean {
  const isOwn = chunk.symbol !== '' && !isModule(chunk.symbol) && edge.from === chunk.symbol
  return isOwn || (edge.path === chunk.path && chunk.start <= edge.start && edge.start < chunk.end)
}

const OF_FILES: readonly EdgeKind[] = ['import', 'export', 'test', 'mention']

function isInto(graph: GeneratedGraph, { chunk, hops }: Place, edge: StoredEdge): boolean {
  if (!isModule(edge.to)) {
    const isInner = symbolsIn(graph).some(
      ({ id, path, start, end }) =>
        id === edge.to &&
        path === chunk.path &&
        end > start &&
        chunk.start <= start &&
        start < chunk.end,
    )
    return chunk.symbol === edge.to || (hops === 0 && isInner)
  }
  const file = graph.files.find((it) => it.path === chunk.path)?.symbols[0]?.id
  const isNamed = edge.to === file || edge.to === chunk.symbol
  return isNamed && hops === 0 && OF_FILES.includes(edge.kind)
}

function isHub(graph: GeneratedGraph, { chunk, hops }: Place, request: WalkRequest): boolean {
  if (hops === 0 || request.direction === 'out' || request.kinds.length === 0) return false
  if (chunk.symbol === '' || isModule(chunk.symbol)) return false
  const users = edgesIn(graph).filter((it) => it.to === chunk.symbol)
  return users.length > request.caps.users
}

export function destination(
  graph: GeneratedGraph,
  { edge, isForward }: Tried,
): StoredChunk | undefined {
  const chunks = chunksIn(graph)
  const at = (path: string, offset: number) =>
    chunks.find((it) => it.path === path && it.start <= offset && offset < it.end)
  if (!isForward) return at(edge.path, edge.start)
  const places = symbolsIn(graph).filter((it) => it.id === edge.to)
  const [place] = sortedBy(places, (it) => [it.path, it.start])
  return place && at(place.path, place.start)
}

function keyOfEdge(it: StoredEdge): Key {
  const kind = EDGE_KINDS.indexOf(it.kind)
  return [-it.confidence, kind, it.path, it.start, it.end, it.from, it.to, it.evidence]
}

function keyOfStep({ node, edge, isForward }: Tried & { readonly node: Node }): Key {
  return [node.start, ...keyOfEdge(edge), isForward ? 0 : 1, ...keyOfNode(node)]
}

function keyOfNode({ start, chunk }: Node): Key {
  return [start, chunk.path, chunk.start, chunk.uid]
}

function sortedBy<T>(items: readonly T[], keyOf: (item: T) => Key): readonly T[] {
  return items.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)]
    const at = left.findIndex((part, index) => part !== right[index])
    return at < 0 ? 0 : (left[at] ?? 0) < (right[at] ?? 0) ? -1 : 1
  })
}
