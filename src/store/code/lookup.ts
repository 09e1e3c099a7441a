/** What resolving asks of the index while it is written. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { ascending, inOrder } from '../../base/order.ts'
import type {
  CodeIndexMeta,
  FileState,
  IndexLookup,
  NamedSymbol,
  ProvidedDefinition,
  StoredChunk,
  StoredSymbol,
} from '../../model/code-index.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { SKIPPED, type SymbolRecord } from '../../model/index-record.ts'
import { loadMeta } from './meta.ts'
import {
  CHUNK_ORDER,
  CHUNKS_OF_FILES,
  chunkQuery,
  fileQuery,
  type Query,
  queryOf,
  SYMBOL_ORDER,
  SYMBOLS,
  SYMBOLS_OF_FILES,
  symbolQuery,
  withoutPath,
} from './rows.ts'
import { storedSignature } from './signature.ts'

export interface LookupParts {
  dependents(keys: readonly string[]): readonly string[]
  /** Called once, before something is first looked up by its name. */
  beforeNames(): void
}

export class DatabaseLookup implements IndexLookup {
  readonly #connection: DatabaseSync
  readonly #parts: LookupParts
  #hasNames = false
  readonly #exists: StatementSync
  readonly #folder: Query<string>
  readonly #below: Query<string>
  readonly #facts: StatementSync
  readonly #provided: Query<ProvidedDefinition>
  readonly #chunksOf: Query<StoredChunk>
  readonly #symbolsOf: Query<StoredSymbol>
  readonly #symbolIds: Query<readonly [number, string]>
  readonly #named: Query<NamedSymbol>
  readonly #file: Query<FileState>
  readonly #files: Query<FileState>

  constructor(connection: DatabaseSync, parts: LookupParts) {
    this.#connection = connection
    this.#parts = parts
    this.#exists = connection.prepare('SELECT 1 FROM files WHERE path = ?')
    this.#folder = queryOf<[string], string>(
      connection,
      'SELECT path FROM files WHERE folder = ?',
      ([path]) => path,
    )
    this.#below = queryOf<[string], string>(
      connection,
      'SELECT path FROM files WHERE path > ? AND path < ?',
      ([path]) => path,
    )
    this.#facts = connection.prepare(
      'SELECT bytes FROM files LEFT JOIN facts ON facts.file = files.n WHERE path = ?',
    )
    this.#provided = queryOf<[string, number], ProvidedDefinition>(
      connection,
      `SELECT files.path, provided.definition FROM provided JOIN files ON files.n = provided.file
         WHERE provided.name = ?`,
      ([path, definition]) => ({ path, definition }),
    )
    this.#chunksOf = chunkQuery(connection, CHUNKS_OF_FILES, 'WHERE f.path = ?')
    this.#symbolsOf = symbolQuery(connection, `${SYMBOLS_OF_FILES} WHERE f.path = ?`)
    this.#symbolIds = queryOf<[number, string], readonly [number, string]>(
      connection,
      `SELECT y.definition, s.text ${SYMBOLS_OF_FILES} WHERE f.path = ?`,
      (row) => row,
    )
    this.#named = queryOf<[string, string, string], NamedSymbol>(
      connection,
      `SELECT s.text, f.path, y.kind ${SYMBOLS} WHERE y.name = ? AND y.definition >= 0 LIMIT ?`,
      ([id, path, kind]) => ({ id, path, kind }),
    )
    this.#file = fileQuery(connection, 'WHERE path = ?')
    this.#files = fileQuery(connection, '')
  }

  countFiles(): number {
    const count = this.#connection.prepare('SELECT count(*) AS n FROM files WHERE language <> ?')
    return Number(count.get(SKIPPED)?.['n'] ?? 0)
  }

  skippedFiles(): readonly Diagnostic[] {
    return this.#connection
      .prepare('SELECT diagnostics FROM files WHERE language = ?')
      .all(SKIPPED)
      .flatMap((row) => JSON.parse(String(row['diagnostics'])) as Diagnostic[])
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

  filesInFolder(path: string): readonly string[] {
    return this.#folder(path).toSorted()
  }

  /** `0` is what comes after `/`. */
  filesBelow(folder: string): readonly string[] {
    return this.#below(`${folder}/`, `${folder}0`).toSorted()
  }

  facts(path: string): Uint8Array | undefined {
    const row = this.#facts.get(path)
    return row === undefined ? undefined : ((row['bytes'] as Uint8Array | null) ?? NO_BYTES)
  }

  text(path: string): string | undefined {
    return this.exists(path) ? joined(this.#chunksOf(path).toSorted(CHUNK_ORDER)) : undefined
  }

  definitionsProvided(name: string): readonly ProvidedDefinition[] {
    this.#prepareNames()
    return this.#provided(name).toSorted(PLACE_ORDER)
  }

  symbolsInFile(path: string): readonly SymbolRecord[] {
    return this.#symbolsOf(path).toSorted(SYMBOL_ORDER).map(withoutPath)
  }

  symbolIdsInFile(path: string): readonly (string | undefined)[] {
    const ids: (string | undefined)[] = []
    for (const [definition, id] of this.#symbolIds(path)) {
      if (definition >= 0) ids[definition] = id
    }
    return ids
  }

  symbolsNamed(name: string, most: number): readonly NamedSymbol[] {
    this.#prepareNames()
    return this.#named(name, most).toSorted(NAMESAKES)
  }

  dependents(keys: readonly string[]): readonly string[] {
    return this.#parts.dependents(keys)
  }

  files(paths?: readonly string[]): readonly FileState[] {
    const found =
      paths === undefined ? this.#files() : [...new Set(paths)].flatMap((it) => this.#file(it))
    return found.toSorted(ascending((it) => it.path))
  }

  #prepareNames(): void {
    if (!this.#hasNames) this.#parts.beforeNames()
    this.#hasNames = true
  }
}

const NAMESAKES = inOrder<NamedSymbol>(
  ascending((it) => it.id),
  ascending((it) => it.path),
)
const NO_BYTES = new Uint8Array()

const PLACE_ORDER = inOrder<ProvidedDefinition>(
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
