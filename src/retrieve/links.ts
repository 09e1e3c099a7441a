/**
 * What the best hits lead to: a chunk that several of them call is likely to be meant even if it
 * shares no word with the question, and so is the code that a matching test tests.
 */
import { ascending, descending, inOrder } from '../base/order.ts'
import type { CodeIndexReader, StoredChunk, StoredEdge } from '../model/code-index.ts'
import type { EdgeKind } from '../model/index-record.ts'

export interface Hit {
  readonly chunk: StoredChunk
  /** 0 to 1. */
  readonly score: number
  readonly isTest: boolean
}

/** Each 0 to 1, 1 for the one that gains most. */
export interface LinkGains {
  /** From what uses it and from what it uses, by uid. */
  readonly used: ReadonlyMap<string, number>
  readonly using: ReadonlyMap<string, number>
  /** By path: from what uses something in it, and from tests of it. */
  readonly usedFiles: ReadonlyMap<string, number>
  readonly testedFiles: ReadonlyMap<string, number>
}

/** How much of a hit's score goes along an edge. */
const KIND_WEIGHTS: Readonly<Partial<Record<EdgeKind, number>>> = {
  call: 1,
  inherit: 0.67,
  usage: 0.45,
  import: 0.4,
  export: 0.3,
}
const KINDS = Object.keys(KIND_WEIGHTS) as EdgeKind[]
/** Of a symbol that everybody uses, who uses it tells nothing. */
const MOST_USERS = 60

export async function linkGains(index: CodeIndexReader, hits: readonly Hit[]): Promise<LinkGains> {
  const gains = new Gains()
  await addUsed(index, hits, gains)
  await addUsing(index, hits, gains)
  return gains.shares()
}

async function addUsed(index: CodeIndexReader, hits: readonly Hit[], gains: Gains): Promise<void> {
  const edges = await index.edgesInChunks(
    hits.map((hit) => hit.chunk.uid),
    KINDS,
  )
  const byPath = Map.groupBy(edges, (edge) => edge.path)
  const targets = await index.definitions([...new Set(edges.map((edge) => edge.to))])
  const places = new Map<string, { readonly uid: string; readonly path: string }>()
  for (const { symbol, chunkUid, path } of targets) {
    if (chunkUid !== '' && !places.has(symbol)) places.set(symbol, { uid: chunkUid, path })
  }
  const pathOf = new Map([...places.values()].map((it) => [it.uid, it.path]))
  for (const hit of hits) {
    const inside = (byPath.get(hit.chunk.path) ?? []).filter((edge) => isIn(edge, hit.chunk))
    const best = new Map<string, number>()
    for (const edge of inside) {
      const uid = places.get(edge.to)?.uid
      if (uid !== undefined && uid !== hit.chunk.uid) raise(best, uid, weightOf(edge))
    }
    const share = hit.score / Math.sqrt(best.size || 1)
    for (const [uid, weight] of best) {
      const path = pathOf.get(uid) ?? ''
      if (hit.isTest) gains.addTested(path, share * weight)
      else gains.addUsed({ uid, path }, share * weight)
    }
  }
}

async function addUsing(index: CodeIndexReader, hits: readonly Hit[], gains: Gains): Promise<void> {
  const symbols = [
    ...new Set(hits.flatMap(({ chunk }) => (chunk.symbol === '' ? [] : chunk.symbol))),
  ]
  const users = await index.countEdgesTo(symbols, MOST_USERS + 1)
  const used = symbols.filter((_, at) => (users[at] ?? 0) <= MOST_USERS)
  const byTarget = Map.groupBy(await index.edgesTo(used, KINDS), (edge) => edge.to)
  const telling = new Map([...byTarget].map(([symbol, own]) => [symbol, own.toSorted(SUREST)]))
  const edges = [...telling.values()].flat()
  const chunks = await index.chunksAt(edges.map(({ path, start }) => ({ path, offset: start })))
  const chunkOf = new Map(edges.map((edge, at) => [edge, chunks[at]]))
  for (const hit of hits) {
    const best = new Map<string, number>()
    for (const edge of telling.get(hit.chunk.symbol) ?? []) {
      const chunk = chunkOf.get(edge)
      if (chunk === undefined || chunk.uid === hit.chunk.uid) continue
      raise(best, chunk.uid, weightOf(edge))
    }
    const share = hit.score / Math.sqrt(best.size || 1)
    for (const [uid, weight] of best) gains.addUsing(uid, share * weight)
  }
}

const SUREST = inOrder<StoredEdge>(
  descending((it) => it.confidence),
  ascending((it) => it.path),
  ascending((it) => it.start),
)

function isIn(edge: StoredEdge, chunk: StoredChunk): boolean {
  return edge.start >= chunk.start && edge.start < chunk.end
}

function weightOf(edge: StoredEdge): number {
  return (KIND_WEIGHTS[edge.kind] ?? 0) * edge.confidence
}

function raise(best: Map<string, number>, key: string, value: number): void {
  if (value > (best.get(key) ?? 0)) best.set(key, value)
}

interface Place {
  readonly uid: string
  readonly path: string
}

class Gains {
  readonly #used = new Map<string, number>()
  readonly #using = new Map<string, number>()
  readonly #usedFiles = new Map<string, number>()
  readonly #testedFiles = new Map<string, number>()

  addUsed({ uid, path }: Place, value: number): void {
    add(this.#used, uid, value)
    add(this.#usedFiles, path, value)
  }

  addUsing(uid: string, value: number): void {
    add(this.#using, uid, value)
  }

  addTested(path: string, value: number): void {
    add(this.#testedFiles, path, value)
  }

  shares(): LinkGains {
    return {
      used: shares(this.#used),
      using: shares(this.#using),
      usedFiles: shares(this.#usedFiles),
      testedFiles: shares(this.#testedFiles),
    }
  }
}

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value)
}

function shares(sums: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const most = Math.max(0, ...sums.values())
  return most === 0 ? sums : new Map([...sums].map(([key, value]) => [key, value / most]))
}
