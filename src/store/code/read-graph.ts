/** Edges, unresolved references and who asked what, read back. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { KeyDependents, StoredEdge, StoredUnresolved } from '../../model/code-index.ts'
import { EDGE_KINDS, type EdgeKind } from '../../model/index-record.ts'
import type { ChunkRanges, FileRange } from './chunk-ranges.ts'
import { keysAfter } from './lists.ts'
import type { Names } from './names.ts'
import { askersOf, decodeUnresolved } from './resolved-rows.ts'
import { each, edgeQuery, inEdgeOrder, type Query, queryOf, UNRESOLVED_ORDER } from './rows.ts'

/** The kinds as the bits of a number: one statement for whatever kinds are asked for. */
const OF_KINDS = '((? >> e.kind) & 1)'
const EDGES_FROM = `FROM strings t CROSS JOIN edges e ON e.source = t.n AND ${OF_KINDS}
  WHERE t.text = ?`
const EDGES_TO = `FROM strings t CROSS JOIN edges e ON e.target = t.n AND ${OF_KINDS}
  WHERE t.text = ?`
/** Without a look at the edges themselves: the index of their targets is enough. */
const COUNT_TO = `SELECT count(*) FROM (SELECT 1 FROM strings t CROSS JOIN edges e
  ON e.target = t.n WHERE t.text = ? LIMIT ?)`

/**
 * Of a file, in so many ranges. All of its edges are looked at, so once for all ranges; most stand
 * in none of them, and what tells that soonest is asked first.
 */
function edgesBetween(ranges: number): string {
  const within = Array.from({ length: ranges }, () => '(e.start >= ? AND e.start < ?)').join(' OR ')
  return `FROM files f CROSS JOIN resolutions r ON r.n = f.resolution
    CROSS JOIN edges e ON e.n BETWEEN r.first_edge AND r.first_edge + r.edge_count - 1
      AND (${within}) AND ${OF_KINDS}
    WHERE f.path = ?`
}

/** There is a statement for each number of ranges up to this. */
const MOST_RANGES = 8

type Kinds = readonly EdgeKind[] | undefined

export class GraphQueries {
  readonly #connection: DatabaseSync
  readonly #names: Names
  readonly #ranges: ChunkRanges
  readonly #from: Query<StoredEdge>
  readonly #to: Query<StoredEdge>
  readonly #countTo: Query<number>
  /** By the number of ranges, made when they are first asked for. */
  readonly #between: Query<StoredEdge>[] = []
  readonly #unresolved: StatementSync

  constructor(connection: DatabaseSync, names: Names, ranges: ChunkRanges) {
    this.#connection = connection
    this.#names = names
    this.#ranges = ranges
    this.#from = edgeQuery(connection, names, EDGES_FROM)
    this.#to = edgeQuery(connection, names, EDGES_TO)
    this.#countTo = queryOf<[number], number>(connection, COUNT_TO, ([count]) => count)
    this.#unresolved = connection.prepare(
      `SELECT r.unresolved FROM files f JOIN resolutions r ON r.n = f.resolution WHERE f.path = ?`,
    )
  }

  edgesFrom(symbols: readonly string[], kinds: Kinds): readonly StoredEdge[] {
    return inEdgeOrder(each(symbols, (it) => this.#from(bitsOf(kinds), it)))
  }

  edgesTo(symbols: readonly string[], kinds: Kinds): readonly StoredEdge[] {
    return inEdgeOrder(each(symbols, (it) => this.#to(bitsOf(kinds), it)))
  }

  fanIn(symbols: readonly string[], most: number): readonly number[] {
    return symbols.map((it) => this.#countTo(it, most)[0] ?? 0)
  }

  edgesOfFile(path: string): readonly StoredEdge[] {
    const all = { path, start: 0, end: Number.MAX_SAFE_INTEGER }
    return inEdgeOrder(this.#edgesBetween(path, [all], bitsOf(undefined)))
  }

  edgesIn(uids: readonly string[], kinds: Kinds): readonly StoredEdge[] {
    const bits = bitsOf(kinds)
    const byPath = Map.groupBy(this.#ranges.of(uids), (it) => it.path)
    return inEdgeOrder(
      [...byPath].flatMap(([path, ranges]) => this.#edgesBetween(path, ranges, bits)),
    )
  }

  /** The ranges do not touch, so no edge is found twice. */
  #edgesBetween(path: string, ranges: readonly FileRange[], bits: number): readonly StoredEdge[] {
    const now = ranges.slice(0, MOST_RANGES)
    const query = (this.#between[now.length] ??= edgeQuery(
      this.#connection,
      this.#names,
      edgesBetween(now.length),
    ))
    const found = query(...now.flatMap(({ start, end }) => [start, end]), bits, path)
    if (ranges.length <= MOST_RANGES) return found
    return [...found, ...this.#edgesBetween(path, ranges.slice(MOST_RANGES), bits)]
  }

  unresolvedIn(
    paths: readonly string[],
    names: readonly string[] | undefined,
  ): readonly StoredUnresolved[] {
    const written = names?.map((it) => JSON.stringify(it))
    return [...new Set(paths)]
      .flatMap((path) => {
        const encoded = String(this.#unresolved.get(path)?.['unresolved'] ?? '')
        // Most files hold no such name, and to take all apart would take long.
        if (written !== undefined && !written.some((it) => encoded.includes(it))) return []
        return decodeUnresolved(encoded)
          .filter((it) => names === undefined || names.includes(it.name))
          .map((it) => ({ path, ...it }))
      })
      .toSorted(UNRESOLVED_ORDER)
  }

  dependents(keys: readonly string[]): readonly string[] {
    return askersOf(this.#connection)([...new Set(keys)])
  }

  askers(after: string, limit: number): readonly KeyDependents[] {
    const pathsOf = askersOf(this.#connection)
    const keys = keysAfter(this.#connection, 'askers', { after, limit })
    return keys.map((key) => ({ key, paths: pathsOf([key]) }))
  }
}

function bitsOf(kinds: Kinds = EDGE_KINDS): number {
  return EDGE_KINDS.reduce((bits, kind, at) => (kinds.includes(kind) ? bits | (1 << at) : bits), 0)
}
