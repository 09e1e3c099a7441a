/** Files, chunks and symbols, read back. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { ascending, inOrder } from '../../base/order.ts'
import type {
  CodePlace,
  Evidence,
  FileState,
  StoredChunk,
  StoredEdge,
  StoredFile,
  StoredSymbol,
  SymbolDefinition,
} from '../../model/code-index.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { evidenceOf } from './evidence.ts'
import {
  byPlace,
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

type Contents = Pick<StoredFile, 'facts' | 'provides' | 'diagnostics' | 'chunks' | 'symbols'>

export class RecordQueries {
  readonly #contents: StatementSync
  readonly #provides: StatementSync
  readonly #files: Query<FileState>
  readonly #file: Query<FileState>
  readonly #chunk: Query<StoredChunk>
  readonly #chunksOf: Query<StoredChunk>
  readonly #symbol: Query<StoredSymbol>
  readonly #symbolsNamed: Query<StoredSymbol>
  readonly #symbolsOf: Query<StoredSymbol>

  constructor(connection: DatabaseSync) {
    this.#contents = connection.prepare(
      'SELECT diagnostics, bytes FROM files LEFT JOIN facts ON facts.file = files.n WHERE path = ?',
    )
    this.#provides = connection.prepare(
      `SELECT p.name, p.definition FROM files f CROSS JOIN provided p
         ON p.n BETWEEN f.first_provided AND f.first_provided + f.provided_count - 1
         WHERE f.path = ?`,
    )
    this.#files = fileQuery(connection, '')
    this.#file = fileQuery(connection, 'WHERE path = ?')
    const byUid = 'FROM chunks c JOIN files f ON f.n = c.file'
    this.#chunk = chunkQuery(connection, byUid, 'WHERE c.uid = ?')
    this.#chunksOf = chunkQuery(connection, CHUNKS_OF_FILES, 'WHERE f.path = ?')
    this.#symbol = symbolQuery(connection, `${SYMBOLS} WHERE s.text = ?`)
    this.#symbolsNamed = symbolQuery(connection, `${SYMBOLS} WHERE y.name = ?`)
    this.#symbolsOf = symbolQuery(connection, `${SYMBOLS_OF_FILES} WHERE f.path = ?`)
  }

  files(paths?: readonly string[]): readonly FileState[] {
    const found = paths === undefined ? this.#files() : each(paths, this.#file)
    return found.toSorted(ascending((it) => it.path))
  }

  contentsOf(path: string): Contents {
    const row = this.#contents.get(path)
    const diagnostics = String(row?.['diagnostics'] ?? '')
    const provides = this.#provides.all(path) as unknown as StoredFile['provides'][number][]
    return {
      facts: (row?.['bytes'] as Uint8Array | null | undefined) ?? new Uint8Array(),
      provides: provides
        .map(({ name, definition }) => ({ name, definition }))
        .toSorted(PROVIDED_ORDER),
      diagnostics: diagnostics === '' ? [] : (JSON.parse(diagnostics) as Diagnostic[]),
      chunks: this.chunksOf([path]),
      symbols: this.#symbolsOf(path).toSorted(SYMBOL_ORDER).map(withoutPath),
    }
  }

  chunks(uids: readonly string[]): readonly StoredChunk[] {
    return each(uids, this.#chunk).toSorted(CHUNK_ORDER)
  }

  chunksOf(paths: readonly string[]): readonly StoredChunk[] {
    return each(paths, this.#chunksOf).toSorted(CHUNK_ORDER)
  }

  chunkAt({ path, offset }: CodePlace): StoredChunk | undefined {
    return smallestAround(this.chunksOf([path]), offset)
  }

  symbols(ids: readonly string[]): readonly StoredSymbol[] {
    return each(ids, this.#symbol).toSorted(SYMBOL_ORDER)
  }

  symbolsNamed(names: readonly string[]): readonly StoredSymbol[] {
    return each(names, this.#symbolsNamed).toSorted(SYMBOL_ORDER)
  }

  definitions(ids: readonly string[]): readonly SymbolDefinition[] {
    const symbols = this.symbols(ids)
    const chunks = this.#chunksByPath(symbols)
    return symbols
      .map(({ id, path, start, end }) => {
        const inFile = chunks.get(path) ?? []
        const own = inFile.find((it) => it.symbol === id && it.start <= start && it.end >= end)
        const chunk = own ?? inFile.find((it) => it.symbol === id) ?? smallestAround(inFile, start)
        return { symbol: id, path, start, end, chunkUid: chunk?.uid ?? '' }
      })
      .toSorted(byPlace((it) => it.symbol))
  }

  evidence(edges: readonly StoredEdge[]): readonly Evidence[] {
    const chunks = this.#chunksByPath(edges)
    return edges.map((edge) => evidenceOf(edge, chunks.get(edge.path) ?? []))
  }

  #chunksByPath(places: readonly { readonly path: string }[]) {
    const paths = new Set(places.map((it) => it.path))
    return new Map([...paths].map((path) => [path, this.chunksOf([path])]))
  }
}

const PROVIDED_ORDER = inOrder<StoredFile['provides'][number]>(
  ascending((it) => it.name),
  ascending((it) => it.definition),
)

/** The answers for each value, each value once. */
export function each<T>(values: readonly string[], query: Query<T>): readonly T[] {
  return [...new Set(values)].flatMap((value) => query(value))
}

function smallestAround(chunks: readonly StoredChunk[], offset: number): StoredChunk | undefined {
  return chunks
    .filter((it) => it.start <= offset && offset < it.end)
    .toSorted(
      inOrder(
        ascending((it) => it.end - it.start),
        CHUNK_ORDER,
      ),
    )[0]
}
