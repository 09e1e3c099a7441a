/** What stands directly before and after a seed in its file, whether or not anything links them. */
import { ascending, inOrder } from '../base/order.ts'
import type { Neighbour } from '../model/candidate.ts'
import type { CodeIndexReader, StoredChunk } from '../model/code-index.ts'

export interface SameFileNeighbour extends Neighbour {
  /** No edge leads there. */
  readonly steps: readonly []
  /** How many chunks on from the start: 1 for the next. */
  readonly distance: number
}

/**
 * At most so many per start, by distance, start, path, place and uid. A chunk near to several
 * starts hangs on the nearest, then on the earliest. Starts are never among them.
 */
export async function collectSameFileChunks(
  index: Pick<CodeIndexReader, 'chunksInFiles'>,
  starts: readonly StoredChunk[],
  most: number,
): Promise<readonly SameFileNeighbour[]> {
  const paths = [...new Set(starts.map((it) => it.path))]
  const chunks = paths.length === 0 ? [] : await index.chunksInFiles(paths)
  const byPath = Map.groupBy(chunks.toSorted(PLACE_ORDER), (it) => it.path)
  const uids = new Set(starts.map((it) => it.uid))
  const found = starts
    .flatMap((chunk, start) =>
      around(byPath.get(chunk.path) ?? [], chunk)
        .filter((it) => !uids.has(it.chunk.uid))
        .slice(0, Math.max(0, most))
        .map((it) => ({
          ...it,
          symbol: it.chunk.symbol,
          start,
          via: chunk.uid,
          steps: [] as const,
        })),
    )
    .toSorted(NEAREST_FIRST)
  const seen = new Set<string>()
  return found.filter(({ chunk }) => !seen.has(chunk.uid) && seen.add(chunk.uid))
}

const PLACE_ORDER = inOrder<StoredChunk>(
  ascending((it) => it.path),
  ascending((it) => it.start),
  ascending((it) => it.end),
  ascending((it) => it.uid),
)

const NEAREST_FIRST = inOrder<SameFileNeighbour>(
  ascending((it) => it.distance),
  ascending((it) => it.start),
  (a, b) => PLACE_ORDER(a.chunk, b.chunk),
)

/** The chunks of a file by their distance from one of them, the one before it first. */
function around(inFile: readonly StoredChunk[], chunk: StoredChunk) {
  const at = inFile.findIndex((it) => it.uid === chunk.uid)
  if (at < 0) return []
  return inFile
    .map((it, place) => ({ chunk: it, distance: Math.abs(place - at) }))
    .filter((it) => it.distance > 0)
    .toSorted(
      inOrder(
        ascending((it) => it.distance),
        (a, b) => PLACE_ORDER(a.chunk, b.chunk),
      ),
    )
}
