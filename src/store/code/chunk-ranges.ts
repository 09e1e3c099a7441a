/** Which parts of which files are covered by chunks, each part once: what stands there is found so. */
import type { DatabaseSync } from 'node:sqlite'
import { ascending } from '../../base/order.ts'
import type { Names } from './names.ts'
import { each, type Query, queryOf } from './rows.ts'

export interface FileRange {
  readonly path: string
  readonly start: number
  readonly end: number
}

export class ChunkRanges {
  readonly #chunk: Query<FileRange>

  constructor(connection: DatabaseSync, names: Names) {
    this.#chunk = queryOf<[number, number, number], FileRange>(
      connection,
      'SELECT file, start, end FROM chunks WHERE uid = ?',
      ([file, start, end]) => ({ path: names.pathOf(file), start, end }),
    )
  }

  of(uids: readonly string[]): readonly FileRange[] {
    return joined(each(uids, this.#chunk))
  }
}

/** The same places in as few ranges as can be: chunks may overlap, and two may have the same uid. */
export function joined(ranges: readonly FileRange[]): readonly FileRange[] {
  return [...Map.groupBy(ranges, (it) => it.path)].flatMap(([path, inFile]) => {
    const found: { path: string; start: number; end: number }[] = []
    for (const { start, end } of inFile.toSorted(BY_START)) {
      const last = found.at(-1)
      if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
      else found.push({ path, start, end })
    }
    return found
  })
}

const BY_START = ascending<FileRange>((it) => it.start)
