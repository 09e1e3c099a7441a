/**
 * By which symbols others may name the chunks of one hop. Does not know who does.
 * A start may be meant by anything that stands in it, and by its file; what was come to on the way
 * is gone on from by its own symbol alone, or everything would be near everything.
 */
import { fileSymbol } from '../model/scip-symbol.ts'
import { isModuleSymbol, ownSymbol } from './module-symbol.ts'
import type { MoveRules, Reached, WalkIndex } from './reached.ts'

export interface Named {
  readonly symbols: ReadonlyMap<string, readonly Reached[]>
  readonly modules: ReadonlyMap<string, readonly Reached[]>
  /** Chunks whose own symbol is left out because too many use it. */
  readonly hubs: number
}

export async function namesOf(
  index: WalkIndex,
  nodes: readonly Reached[],
  rules: MoveRules,
): Promise<Named> {
  const starts = nodes.filter((it) => it.hops === 0)
  const symbols = new Map<string, Reached[]>()
  const modules = new Map<string, Reached[]>()
  const hubs = await hubsAmong(
    index,
    nodes.filter((it) => it.hops > 0),
    rules,
  )
  const { meant } = rules
  for (const node of nodes) {
    const symbol = ownSymbol(node.chunk)
    const isMeant = meant === undefined || node.hops > 0 || meant.has(symbol)
    if (symbol !== '' && isMeant && !hubs.has(node)) give(symbols, symbol, node)
  }
  if (meant !== undefined) {
    for (const node of starts) for (const symbol of meant) give(symbols, symbol, node)
    return { symbols, modules, hubs: hubs.size }
  }
  for (const node of starts) {
    const { path, symbol } = node.chunk
    give(modules, fileSymbol(path), node)
    if (isModuleSymbol(symbol)) give(modules, symbol, node)
  }
  if (starts.length > 0) await giveInner(index, starts, symbols)
  return { symbols, modules, hubs: hubs.size }
}

/** Of what everybody uses, who uses it tells nothing. */
async function hubsAmong(
  index: WalkIndex,
  nodes: readonly Reached[],
  { caps }: MoveRules,
): Promise<ReadonlySet<Reached>> {
  const owned = nodes.filter((it) => ownSymbol(it.chunk) !== '')
  if (owned.length === 0) return new Set()
  const symbols = owned.map((it) => it.chunk.symbol)
  const users = await index.countEdgesTo(symbols, caps.users + 1)
  return new Set(owned.filter((_, at) => (users[at] ?? 0) > caps.users))
}

/** A small class, or a block of constants, is one chunk with many names. */
async function giveInner(
  index: WalkIndex,
  starts: readonly Reached[],
  symbols: Map<string, Reached[]>,
): Promise<void> {
  const byPath = Map.groupBy(starts, (it) => it.chunk.path)
  for (const { id, path, start } of await index.symbolsInChunks(starts.map((it) => it.chunk.uid))) {
    if (isModuleSymbol(id)) continue
    for (const node of byPath.get(path) ?? []) {
      if (node.chunk.start <= start && start < node.chunk.end) give(symbols, id, node)
    }
  }
}

/** Once each, for a symbol may have its name in a chunk twice. */
function give(to: Map<string, Reached[]>, symbol: string, node: Reached): void {
  const known = to.get(symbol)
  if (known === undefined) to.set(symbol, [node])
  else if (!known.includes(node)) known.push(node)
}
