/** What is in an index, in numbers. */
import type { DatabaseSync } from 'node:sqlite'
import { ascending, descending, inOrder } from '../../base/order.ts'
import type { IndexStatus } from '../../model/code-index.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { EDGE_KINDS, type EdgeKind } from '../../model/index-record.ts'
import { loadMeta } from './meta.ts'
import { storedSignature } from './signature.ts'

export function readStatus(connection: DatabaseSync): IndexStatus {
  const { skipped, builtAt, extractorVersion, options } = loadMeta(connection)
  const sums = connection
    .prepare(
      `SELECT count(*) AS files, total(size) AS bytes, total(lines) AS lines,
              total(chunk_count) AS chunks, total(symbol_count) AS symbols FROM files`,
    )
    .get()
  const number = (name: string): number => Number(sums?.[name])
  return {
    files: number('files'),
    bytes: number('bytes'),
    lines: number('lines'),
    chunks: number('chunks'),
    symbols: number('symbols'),
    edges: edgesByKind(connection),
    unresolved: Number(
      connection.prepare('SELECT total(unresolved_count) AS n FROM resolutions').get()?.['n'],
    ),
    languages: languages(connection),
    skipped: [...skipped, ...fileDiagnostics(connection)].toSorted(DIAGNOSTIC_ORDER),
    builtAt,
    signature: storedSignature(connection, { extractorVersion, options }),
    extractorVersion,
    options,
    supports: { fullText: true },
  }
}

const DIAGNOSTIC_ORDER = inOrder<Diagnostic>(
  ascending((it) => it.path),
  ascending((it) => it.code),
  ascending((it) => it.message),
)

function edgesByKind(connection: DatabaseSync): Readonly<Record<EdgeKind, number>> {
  const rows = connection.prepare('SELECT kind, count(*) AS n FROM edges GROUP BY kind').all()
  const counts = new Map(rows.map((row) => [Number(row['kind']), Number(row['n'])]))
  const entries = EDGE_KINDS.map((kind, at) => [kind, counts.get(at) ?? 0])
  return Object.fromEntries(entries) as Record<EdgeKind, number>
}

function languages(connection: DatabaseSync): IndexStatus['languages'] {
  return connection
    .prepare('SELECT language, count(*) AS files FROM files GROUP BY language')
    .all()
    .map((row) => ({ language: String(row['language']), files: Number(row['files']) }))
    .toSorted(
      inOrder(
        descending((it) => it.files),
        ascending((it) => it.language),
      ),
    )
}

function fileDiagnostics(connection: DatabaseSync): readonly Diagnostic[] {
  return connection
    .prepare(`SELECT diagnostics FROM files WHERE diagnostics <> ''`)
    .all()
    .flatMap((row) => JSON.parse(String(row['diagnostics'])) as Diagnostic[])
}
