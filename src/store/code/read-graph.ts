/** Edges, unresolved references and who asked what, read back. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Askers, StoredEdge, StoredUnresolved } from '../../model/code-index.ts'
import type { EdgeKind } from '../../model/index-record.ts'
import { keysAfter } from './lists.ts'
import { each, type RecordQueries } from './read-records.ts'
import { askersOf, decodeUnresolved } from './resolved-rows.ts'
import { EDGE_ORDER, edgeQuery, type Query, UNRESOLVED_ORDER } from './rows.ts'

const ENDS = 'LEFT JOIN strings a ON a.n = e.source LEFT JOIN strings b ON b.n = e.target'
const EDGES_FROM = `FROM strings t CROSS JOIN edges e ON e.source = t.n
  JOIN files f ON f.n = e.file ${ENDS} WHERE t.text = ?`
const EDGES_TO = `FROM strings t CROSS JOIN edges e ON e.target = t.n
  JOIN files f ON f.n = e.file ${ENDS} WHERE t.text = ?`
const EDGES_OF = `FROM files f CROSS JOIN resolutions r ON r.n = f.resolution
  CROSS JOIN edges e ON e.n BETWEEN r.first_edge AND r.first_edge + r.edge_count - 1 ${ENDS}
  WHERE f.path = ?`

type Kinds = readonly EdgeKind[] | undefined

export class GraphQueries {
  readonly #connection: DatabaseSync
  readonly #records: RecordQueries
  readonly #from: Query<StoredEdge>
  readonly #to: Query<StoredEdge>
  readonly #of: Query<StoredEdge>
  readonly #unresolved: StatementSync

  constructor(connection: DatabaseSync, records: RecordQueries) {
    this.#connection = connection
    this.#records = records
    this.#from = edgeQuery(connection, EDGES_FROM)
    this.#to = edgeQuery(connection, EDGES_TO)
    this.#of = edgeQuery(connection, EDGES_OF)
    this.#unresolved = connection.prepare(
      `SELECT r.unresolved FROM files f JOIN resolutions r ON r.n = f.resolution WHERE f.path = ?`,
    )
  }

  edgesFrom(symbols: readonly string[], kinds: Kinds): readonly StoredEdge[] {
    return ofKinds(each(symbols, this.#from), kinds).toSorted(EDGE_ORDER)
  }

  edgesTo(symbols: readonly string[], kinds: Kinds): readonly StoredEdge[] {
    return ofKinds(each(symbols, this.#to), kinds).toSorted(EDGE_ORDER)
  }

  edgesOfFile(path: string): readonly StoredEdge[] {
    return this.#of(path).toSorted(EDGE_ORDER)
  }

  edgesIn(uids: readonly string[], kinds: Kinds): readonly StoredEdge[] {
    const chunks = this.#records.chunks(uids)
    const byPath = Map.groupBy(chunks, (it) => it.path)
    return [...byPath].flatMap(([path, inFile]) =>
      ofKinds(this.edgesOfFile(path), kinds).filter((edge) =>
        inFile.some((it) => it.start <= edge.start && edge.start < it.end),
      ),
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

function ofKinds(edges: readonly StoredEdge[], kinds: Kinds): readonly StoredEdge[] {
  return kinds === undefined ? edges : edges.filter((it) => kinds.includes(it.kind))
}
