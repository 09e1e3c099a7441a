/** What resolving asks of the index while it is written. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { ascending, inOrder } from '../../base/order.ts'
import type {
  CodeIndexMeta,
  FileState,
  IndexLookup,
  NamedSymbol,
  ProvidedPlace,
  StoredChunk,
  StoredSymbol,
} from '../../model/code-index.ts'
import type { SymbolRecord } from '../../model/index-record.ts'
import { loadMeta } from './meta.ts'
import type { ResolvedRows } from './resolved-rows.ts'
import {
  CHUNK_ORDER,
  CHUNKS_OF_FILES,
  chunkQuery,
  fileQuery,
  type Query,
  SYMBOL_ORDER,
  SYMBOLS,
  SYMBOLS_OF_FILES,
  symbolQuery,
  withoutPath,
} from './rows.ts'
import { storedSignature } from './signature.ts'

export class DatabaseLookup implements IndexLookup {
  readonly #connection: DatabaseSync
  readonly #resolved: Pick<ResolvedRows, 'dependents'>
  readonly #exists: StatementSync
  readonly #folder: StatementSync
  readonly #facts: StatementSync
  readonly #provided: StatementSync
  readonly #chunksOf: Query<StoredChunk>
  readonly #symbolsOf: Query<StoredSymbol>
  readonly #symbolIds: StatementSync
  readonly #named: StatementSync
  readonly #file: Query<FileState>
  readonly #files: Query<FileState>

  constructor(connection: DatabaseSync, resolved: Pick<ResolvedRows, 'dependents'>) {
    this.#connection = connection
    this.#resolved = resolved
    this.#exists = connection.prepare('SELECT 1 FROM files WHERE path = ?')
    this.#folder = connection.prepare('SELECT path FROM files WHERE folder = ?')
    this.#facts = connection.prepare(
      'SELECT bytes FROM files LEFT JOIN facts ON facts.file = files.n WHERE path = ?',
    )
    this.#provided = connection.prepare(
      `SELECT files.path, provided.definition FROM provided JOIN files ON files.n = provided.file
         WHERE provided.name = ?`,
    )
    this.#chunksOf = chunkQuery(connection, CHUNKS_OF_FILES, 'WHERE f.path = ?')
    this.#symbolsOf = symbolQuery(connection, `${SYMBOLS_OF_FILES} WHERE f.path = ?`)
    this.#symbolIds = connection.prepare(
      `SELECT y.definition, s.text ${SYMBOLS_OF_FILES} WHERE f.path = ?`,
    )
    this.#named = connection.prepare(
      `SELECT s.text, f.path, y.kind ${SYMBOLS} WHERE y.name = ? AND y.definition >= 0 LIMIT ?`,
    )
    this.#file = fileQuery(connection, 'WHERE path = ?')
    this.#files = fileQuery(connection, '')
  }

  count(): number {
    return Number(this.#connection.prepare('SELECT count(*) AS n FROM files').get()?.['n'] ?? 0)
  }

  meta(): CodeIndexMeta {
    return loadMeta(this.#connection)
  }

  signature(): string {
    return storedSignature(this.#connection, this.meta())
  }

  exists(path: string): boolean {
    return this.#exists.get(path) !== undefined
  }

  folder(path: string): readonly string[] {
    return this.#folder
      .all(path)
      .map((row) => String(row['path']))
      .toSorted()
  }

  facts(path: string): Uint8Array | undefined {
    const row = this.#facts.get(path)
    return row === undefined ? undefined : ((row['bytes'] as Uint8Array | null) ?? NO_BYTES)
  }

  text(path: string): string | undefined {
    return this.exists(path) ? joined(this.#chunksOf(path).toSorted(CHUNK_ORDER)) : undefined
  }

  provided(name: string): readonly ProvidedPlace[] {
    return (this.#provided.all(name) as unknown as ProvidedPlace[])
      .map(({ path, definition }) => ({ path, definition }))
      .toSorted(PLACE_ORDER)
  }

  symbolsOf(path: string): readonly SymbolRecord[] {
    return this.#symbolsOf(path).toSorted(SYMBOL_ORDER).map(withoutPath)
  }

  symbolIdsOf(path: string): readonly (string | undefined)[] {
    const ids: (string | undefined)[] = []
    for (const row of this.#symbolIds.iterate(path)) {
      const definition = Number(row['definition'])
      if (definition >= 0) ids[definition] = String(row['text'])
    }
    return ids
  }

  named(name: string, most: number): readonly NamedSymbol[] {
    return this.#named
      .all(name, most)
      .map((row) => ({
        id: String(row['text']),
        path: String(row['path']),
        kind: String(row['kind']),
      }))
      .toSorted(NAMESAKES)
  }

  dependents(keys: readonly string[]): readonly string[] {
    return this.#resolved.dependents(keys)
  }

  files(paths?: readonly string[]): readonly FileState[] {
    const found =
      paths === undefined ? this.#files() : [...new Set(paths)].flatMap((it) => this.#file(it))
    return found.toSorted(ascending((it) => it.path))
  }
}

const NAMESAKES = inOrder<NamedSymbol>(
  ascending((it) => it.id),
  ascending((it) => it.path),
)
const NO_BYTES = new Uint8Array()

const PLACE_ORDER = inOrder<ProvidedPlace>(
  ascending((it) => it.path),
  ascending((it) => it.definition),
)

/** Chunks may lie in one another; what is between them is white space. */
function joined(chunks: readonly StoredChunk[]): string {
  let text = ''
  let end = 0
  for (const chunk of chunks) {
    if (chunk.end <= end) continue
    if (chunk.start > end && text !== '') text += '\n'
    text += chunk.text.slice(Math.max(0, end - chunk.start))
    end = chunk.end
  }
  return text
}
