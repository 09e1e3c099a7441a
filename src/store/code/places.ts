/** Which chunk a place belongs to: the same answer in every store. */
import type { StoredSymbol, SymbolDefinition } from '../../model/code-index.ts'

interface Spanned {
  readonly uid: string
  readonly start: number
  readonly end: number
  readonly symbol: string
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

/** From the chunks of the symbol's file, in order. */
export function definitionOf(
  { id, path, start, end }: StoredSymbol,
  chunks: readonly Spanned[],
): SymbolDefinition {
  const own = chunks.find((it) => it.symbol === id && it.start <= start && it.end >= end)
  const chunk = own ?? chunks.find((it) => it.symbol === id) ?? smallestAround(chunks, start)
  return { symbol: id, path, start, end, chunkUid: chunk?.uid ?? '' }
}
