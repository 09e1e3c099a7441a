/** Which chunk a step ends in: where the target is defined, or where the source names it. */
import { ascending, inOrder } from '../base/order.ts'
import type {
  CodePosition,
  StoredChunk,
  StoredEdge,
  SymbolDefinition,
} from '../model/code-index.ts'
import type { Move, WalkIndex } from './reached.ts'

/** Remembers what it has found: later hops come by the same places. */
export class Destinations {
  readonly #index: WalkIndex
  /** By symbol. */
  readonly #definitions = new Map<string, StoredChunk | undefined>()
  readonly #places = new Map<string, StoredChunk | undefined>()

  constructor(index: WalkIndex) {
    this.#index = index
  }

  /** In the order of the moves; undefined where no chunk stands. */
  async of(moves: readonly Move[]): Promise<readonly (StoredChunk | undefined)[]> {
    const forward = moves.filter((it) => it.isForward).map((it) => it.edge.to)
    const back = moves.filter((it) => !it.isForward).map((it) => it.edge)
    await Promise.all([this.#define(forward), this.#locate(back)])
    return moves.map(({ edge, isForward }) =>
      isForward ? this.#definitions.get(edge.to) : this.#places.get(placeKey(edge)),
    )
  }

  async #define(symbols: readonly string[]): Promise<void> {
    const missing = [...new Set(symbols)].filter((it) => !this.#definitions.has(it))
    if (missing.length === 0) return
    const firsts = new Map<string, SymbolDefinition>()
    for (const it of await this.#index.definitions(missing)) {
      const known = firsts.get(it.symbol)
      if (it.chunkUid === '') continue
      if (known === undefined || DEFINITION_ORDER(it, known) < 0) firsts.set(it.symbol, it)
    }
    const uids = new Set([...firsts.values()].map((it) => it.chunkUid))
    const chunks = uids.size === 0 ? [] : await this.#index.chunks([...uids])
    const byUid = new Map(chunks.map((it) => [it.uid, it]))
    for (const symbol of missing) {
      this.#definitions.set(symbol, byUid.get(firsts.get(symbol)?.chunkUid ?? ''))
    }
  }

  async #locate(edges: readonly StoredEdge[]): Promise<void> {
    const missing = new Map<string, CodePosition>()
    for (const edge of edges) {
      const key = placeKey(edge)
      if (!this.#places.has(key)) missing.set(key, { path: edge.path, offset: edge.start })
    }
    if (missing.size === 0) return
    const chunks = await this.#index.chunksAt([...missing.values()])
    for (const [at, key] of [...missing.keys()].entries()) this.#places.set(key, chunks[at])
  }
}

const DEFINITION_ORDER = inOrder<SymbolDefinition>(
  ascending((it) => it.path),
  ascending((it) => it.start),
  ascending((it) => it.end),
  ascending((it) => it.chunkUid),
)

function placeKey({ path, start }: StoredEdge): string {
  return `${start} ${path}`
}
