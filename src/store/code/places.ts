/** Which chunk a place belongs to: the same answer in every store. */
import type { StoredSymbol, SymbolDefinition } from '../../model/code-index.ts'

interface Spanned {
  readonly uid: string
  readonly start: number
  readonly end: number
}

/** With what the store has for the symbol that it defines. */
interface Defining<Symbol> extends Spanned {
  readonly symbol: Symbol
}

/** From the chunks of the place's file, in order; of equals the first. */
export function smallestAround<T extends Spanned>(
  chunks: readonly T[],
  offset: number,
): T | undefined {
  let best: T | undefined
  for (const it of chunks) {
    if (it.start > offset) break
    if (offset >= it.end) continue
    if (best === undefined || it.end - it.start < best.end - best.start) best = it
  }
  return best
}

type Named = Pick<StoredSymbol, 'id' | 'path' | 'start' | 'end'>

/** From the chunks of the symbol's file, in order. */
export function definitionOf<Symbol>(
  { id, path, start, end }: Named,
  symbol: Symbol,
  chunks: readonly Defining<Symbol>[],
): SymbolDefinition {
  const own = chunks.find((it) => it.symbol === symbol && it.start <= start && it.end >= end)
  const chunk = own ?? chunks.find((it) => it.symbol === symbol) ?? smallestAround(chunks, start)
  return { symbol: id, path, start, end, chunkUid: chunk?.uid ?? '' }
}
