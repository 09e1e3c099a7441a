/** Rows of index.db as the records that they were, in the orders that the port promises. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { ascending, inOrder } from '../../base/order.ts'
import type {
  FileState,
  StoredChunk,
  StoredEdge,
  StoredSymbol,
  StoredUnresolved,
} from '../../model/code-index.ts'
import { EDGE_KINDS, EVIDENCE_KINDS, type SymbolRecord } from '../../model/index-record.ts'
import type { Names } from './names.ts'

interface Ranged {
  readonly path: string
  readonly start: number
  readonly end: number
}

export function byPlace<T extends Ranged>(id: (item: T) => string) {
  return inOrder<T>(
    ascending((it) => it.path),
    ascending((it) => it.start),
    ascending((it) => it.end),
    ascending(id),
  )
}

export const CHUNK_ORDER = byPlace<StoredChunk>((it) => it.uid)

export const SYMBOL_ORDER = inOrder<StoredSymbol>(
  byPlace((it) => it.id),
  ascending((it) => it.definition),
  ascending((it) => it.kind),
)

const EDGE_ORDER = inOrder<StoredEdge>(
  byPlace((it) => it.kind),
  ascending((it) => it.from),
  ascending((it) => it.to),
  ascending((it) => it.evidence),
  ascending((it) => it.confidence),
)

export const UNRESOLVED_ORDER = inOrder<StoredUnresolved>(
  byPlace((it) => it.kind),
  ascending((it) => it.from),
  ascending((it) => it.name),
  ascending((it) => it.candidates.join('\n')),
  ascending((it) => it.confidence),
)

export type Query<T> = (...values: readonly SQLInputValue[]) => readonly T[]

/**
 * Rows as arrays: to make an object with names of each takes most of the time of a query, and to
 * take a row apart by a pattern takes three times as long as by its places. Prepared
 * when it is first asked: of all there are, one question asks half.
 */
export function queryOf<Row, T>(
  connection: DatabaseSync,
  sql: string,
  make: (row: Row) => T,
): Query<T> {
  let statement: StatementSync | undefined
  return (...values) => {
    statement ??= prepared(connection, sql)
    return (statement.all(...values) as unknown as Row[]).map(make)
  }
}

function prepared(connection: DatabaseSync, sql: string): StatementSync {
  const statement = connection.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}

/** The answers for each value, each value once. */
export function each<T>(
  values: readonly string[],
  query: (value: string) => readonly T[],
): readonly T[] {
  return [...new Set(values)].flatMap((value) => query(value))
}

/** Files `WHERE …`, in no order. */
export function fileQuery(connection: DatabaseSync, where: string): Query<FileState> {
  return queryOf<FileRow, FileState>(
    connection,
    `SELECT path, sha256, size, mtime_ms, language, lines, surface FROM files ${where}`,
    ([path, sha256, size, mtimeMs, language, lines, surface]) => ({
      path,
      sha256,
      size,
      mtimeMs,
      language,
      lines,
      surface,
    }),
  )
}

type FileRow = [string, string, number, number, string, number, string]

/** To follow a file's ranges, not to scan the other table for its number. */
export const CHUNKS_OF_FILES = `FROM files f CROSS JOIN chunks c
  ON c.n BETWEEN f.first_chunk AND f.first_chunk + f.chunk_count - 1`
export const SYMBOLS_OF_FILES = `FROM files f CROSS JOIN symbols y
  ON y.n BETWEEN f.first_symbol AND f.first_symbol + f.symbol_count - 1
  JOIN strings s ON s.n = y.id`
export const SYMBOLS = `FROM symbols y JOIN strings s ON s.n = y.id JOIN files f ON f.n = y.file`

/** Chunks as `c` and their files as `f`: `FROM …`, `WHERE …`, in no order. */
export function chunkQuery(
  connection: DatabaseSync,
  from: string,
  where: string,
): Query<StoredChunk> {
  return queryOf<ChunkRow, StoredChunk>(
    connection,
    `SELECT f.path, c.uid, c.kind, c.name, c.title, c.start, c.end, c.start_line, c.end_line,
            c.tokens, coalesce(s.text, ''), c.text
       ${from} LEFT JOIN strings s ON s.n = c.symbol ${where}`,
    (row) => ({
      path: row[0],
      uid: row[1],
      kind: row[2],
      name: row[3],
      title: row[4],
      start: row[5],
      end: row[6],
      startLine: row[7],
      endLine: row[8],
      tokens: row[9],
      symbol: row[10],
      text: row[11],
    }),
  )
}

type ChunkRow = [
  ...[string, string, string, string, string],
  ...[number, number, number, number, number, string, string],
]

/** Symbols as `y`, their ids as `s` and their files as `f`: `FROM … WHERE …`, in no order. */
export function symbolQuery(connection: DatabaseSync, from: string): Query<StoredSymbol> {
  return queryOf<SymbolRow, StoredSymbol>(
    connection,
    `SELECT f.path, s.text, y.name, y.kind, y.definition, y.start, y.end, y.is_exported ${from}`,
    (row) => ({
      path: row[0],
      id: row[1],
      name: row[2],
      kind: row[3],
      definition: row[4],
      start: row[5],
      end: row[6],
      isExported: row[7] === 1,
    }),
  )
}

export function withoutPath(symbol: StoredSymbol): SymbolRecord {
  const { id, name, kind, definition, start, end, isExported } = symbol
  return { id, name, kind, definition, start, end, isExported }
}

type SymbolRow = [string, string, string, string, number, number, number, number]

/** Edges as `e`: `FROM … WHERE …`, in no order. */
export function edgeQuery(connection: DatabaseSync, names: Names, from: string): Query<StoredEdge> {
  return queryOf<EdgeRow, StoredEdge>(
    connection,
    `SELECT e.file, e.kind, e.source, e.target, e.evidence, e.start, e.end, e.confidence ${from}`,
    (row) => ({
      path: names.pathOf(row[0]),
      kind: EDGE_KINDS[row[1]] ?? 'usage',
      from: names.symbolOf(row[2]),
      to: names.symbolOf(row[3]),
      evidence: EVIDENCE_KINDS[row[4]] ?? 'span',
      start: row[5],
      end: row[6],
      confidence: row[7],
    }),
  )
}

type EdgeRow = [number, number, number, number, number, number, number, number]

/** File by file: within one they are mostly in order as they come, which leaves little to sort. */
export function inEdgeOrder(edges: readonly StoredEdge[]): readonly StoredEdge[] {
  const byPath = Map.groupBy(edges, (it) => it.path)
  const paths = [...byPath.keys()].toSorted()
  return paths.flatMap((path) => (byPath.get(path) ?? []).toSorted(EDGE_ORDER))
}
