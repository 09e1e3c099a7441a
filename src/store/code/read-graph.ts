/** Edges, unresolved references and who asked what, read back. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Askers, StoredEdge, StoredUnresolved } from '../../model/code-index.ts'
import { EDGE_KINDS, type EdgeKind } from '../../model/index-record.ts'
import type { ChunkRanges } from './chunk-ranges.ts'
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
/** A file has many edges outside of the range: what tells most of them apart is asked first. */
const EDGES_BETWEEN = `FROM files f CROSS JOIN resolutions r ON r.n = f.resolution
  CROSS JOIN edges e ON e.n BETWEEN r.first_edge AND r.first_edge + r.edge_count - 1
    AND e.start >= ? AND e.start < ? AND ${OF_KINDS}
  WHERE f.path = ?`

type Kinds = readonly EdgeKind[] | undefined

export class GraphQueries {
  readonly #connection: DatabaseSync
  readonly #ranges: ChunkRanges
  readonly #from: Query<StoredEdge>
  readonly #to: Query<StoredEdge>
  readonly #countTo: Query<number>
  readonly #between: Query<StoredEdge>
  readonly #unresolved: StatementSync

  constructor(connection: DatabaseSync, names: Names, ranges: ChunkRanges) {
    this.#connection = connection
    this.#ranges = ranges
    this.#from = edgeQuery(connection, names, EDGES_FROM)
    this.#to = edgeQuery(connection, names, EDGES_TO)
    this.#countTo = queryOf<[number], number>(connection, COUNT_TO, ([count]) => count)
    this.#between = edgeQuery(connection, names, EDGES_BETWEEN)
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
    return inEdgeOrder(this.#between(0, Number.MAX_SAFE_INTEGER, bitsOf(undefined), path))
  }

  edgesIn(uids: readonly string[], kinds: Kinds): readonly StoredEdge[] {
    const bits = bitsOf(kinds)
    return inEdgeOrder(
      this.#ranges
        .of(uids)
        .flatMap(({ path, start, end }) => this.#between(start, end, bits, path)),
    )
  }

  unresolvedIn(paths: readonly string[]): readonly StoredUnresolved[] {
    return [...new Set(paths)]
      .flatMap((path) =>
        decodeUnresolved(String(this.#unresolved.get(path)?.['unresolved'] ?? '')).map((it) => ({
          path,
          ...it,
        })),
      )
      .toSorted(UNRESOLVED_ORDER)
  }

  askers(after: string, limit: number): readonly Askers[] {
    const pathsOf = askersOf(this.#connection)
    const keys = keysAfter(this.#connection, 'askers', { after, limit })
    return keys.map((key) => ({ key, paths: pathsOf([key]) }))
  }
}

function bitsOf(kinds: Kinds = EDGE_KINDS): number {
  return EDGE_KINDS.reduce((bits, kind, at) => (kinds.includes(kind) ? bits | (1 << at) : bits), 0)
}
