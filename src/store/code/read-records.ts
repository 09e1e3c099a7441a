/** Files, chunks and symbols, read back. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { ascending, inOrder } from '../../base/order.ts'
import type {
  CodePosition,
  EdgeEvidence,
  FileState,
  FileTimes,
  StoredChunk,
  StoredEdge,
  StoredFile,
  StoredSymbol,
  SymbolDefinition,
} from '../../model/code-index.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { Memo } from '../../platform/memo.ts'
import type { ChunkRanges } from './chunk-ranges.ts'
import { evidenceOf, touches } from './evidence.ts'
import { type Outlines, rememberOutlines } from './outlines.ts'
import { definitionOf, smallestAround } from './places.ts'
import {
  byPlace,
  CHUNK_ORDER,
  CHUNKS_OF_FILES,
  chunkQuery,
  each,
  fileQuery,
  type Query,
  queryOf,
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
  readonly #times: Query<FileTimes>
  readonly #ranges: ChunkRanges
  readonly #outlines: Outlines
  readonly #chunks: Memo<number, StoredChunk>
  readonly #numbersWith: Query<number>
  readonly #textNumbered: Query<string>
  readonly #chunksOf: Query<StoredChunk>
  readonly #symbol: Query<StoredSymbol>
  readonly #defined: Query<NumberedSymbol>
  readonly #symbolsNamed: Query<StoredSymbol>
  readonly #symbolsOf: Query<StoredSymbol>
  readonly #symbolsIn: Query<StoredSymbol>

  constructor(connection: DatabaseSync, ranges: ChunkRanges) {
    this.#ranges = ranges
    this.#contents = connection.prepare(
      'SELECT diagnostics, bytes FROM files LEFT JOIN facts ON facts.file = files.n WHERE path = ?',
    )
    this.#provides = connection.prepare(
      `SELECT p.name, p.definition FROM files f CROSS JOIN provided p
         ON p.n BETWEEN f.first_provided AND f.first_provided + f.provided_count - 1
         WHERE f.path = ?`,
    )
    this.#files = fileQuery(connection, '')
    this.#times = queryOf<[string, number, number], FileTimes>(
      connection,
      'SELECT path, size, mtime_ms FROM files',
      // There are very many: to take a row apart by a pattern takes three times as long.
      (row) => ({ path: row[0], size: row[1], mtimeMs: row[2] }),
    )
    this.#file = fileQuery(connection, 'WHERE path = ?')
    this.#outlines = rememberOutlines(connection)
    this.#chunks = rememberChunks(connection)
    this.#numbersWith = queryOf<[number], number>(
      connection,
      'SELECT n FROM chunks WHERE uid = ?',
      ([number]) => number,
    )
    this.#textNumbered = queryOf<[string], string>(
      connection,
      'SELECT text FROM chunks WHERE n = ?',
      ([text]) => text,
    )
    this.#chunksOf = chunkQuery(connection, CHUNKS_OF_FILES, 'WHERE f.path = ?')
    this.#symbol = symbolQuery(connection, `${SYMBOLS} WHERE s.text = ?`)
    this.#defined = queryOf<[string, string, number, number, number], NumberedSymbol>(
      connection,
      `SELECT f.path, s.text, s.n, y.start, y.end ${SYMBOLS} WHERE s.text = ?`,
      (row) => ({ path: row[0], id: row[1], number: row[2], start: row[3], end: row[4] }),
    )
    this.#symbolsNamed = symbolQuery(connection, `${SYMBOLS} WHERE y.name = ?`)
    this.#symbolsOf = symbolQuery(connection, `${SYMBOLS_OF_FILES} WHERE f.path = ?`)
    this.#symbolsIn = symbolQuery(
      connection,
      `${SYMBOLS_OF_FILES} WHERE f.path = ? AND y.start >= ? AND y.start < ? AND y.end > y.start`,
    )
  }

  /** Of all, in no order: asked before every question, of very many files. */
  times(): readonly FileTimes[] {
    return this.#times()
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
    return each(uids, this.#numbersWith)
      .map((number) => this.#chunks.get(number))
      .toSorted(CHUNK_ORDER)
  }

  chunksBy(numbers: Uint32Array): readonly StoredChunk[] {
    return Array.from(numbers, (number) => this.#chunks.get(number))
  }

  handlesOf(uids: readonly string[]): Uint32Array {
    return Uint32Array.from(each(uids, this.#numbersWith))
  }

  chunksOf(paths: readonly string[]): readonly StoredChunk[] {
    return each(paths, this.#chunksOf).toSorted(CHUNK_ORDER)
  }

  chunksAt(places: readonly CodePosition[]): readonly (StoredChunk | undefined)[] {
    return places.map(({ path, offset }) => {
      const place = smallestAround(this.#outlines.get(path), offset)
      return place === undefined ? undefined : this.#chunks.get(place.number)
    })
  }

  symbols(ids: readonly string[]): readonly StoredSymbol[] {
    return each(ids, this.#symbol).toSorted(SYMBOL_ORDER)
  }

  symbolsNamed(names: readonly string[]): readonly StoredSymbol[] {
    return each(names, this.#symbolsNamed).toSorted(SYMBOL_ORDER)
  }

  symbolsIn(uids: readonly string[]): readonly StoredSymbol[] {
    return this.#ranges
      .of(uids)
      .flatMap(({ path, start, end }) => this.#symbolsIn(path, start, end))
      .toSorted(SYMBOL_ORDER)
  }

  definitions(ids: readonly string[]): readonly SymbolDefinition[] {
    return each(ids, this.#defined)
      .map((it) => definitionOf(it, it.number, this.#outlines.get(it.path)))
      .toSorted(DEFINITION_ORDER)
  }

  evidence(edges: readonly StoredEdge[]): readonly EdgeEvidence[] {
    const textNumbered = once((number) => this.#textNumbered(number)[0] ?? '')
    return edges.map((edge) => {
      const around = this.#outlines.get(edge.path).filter((it) => touches(it, edge))
      return evidenceOf(
        edge,
        around.map((it) => ({ ...it, text: textNumbered(it.number) })),
      )
    })
  }
}

/** Of text, for `rememberChunks`; enough for a few requests. */
const MOST_UNITS = 4_000_000

/** One request asks for the same chunks several times: to rank, to learn from, to walk, to show. */
function rememberChunks(connection: DatabaseSync): Memo<number, StoredChunk> {
  const withFile = 'FROM chunks c JOIN files f ON f.n = c.file'
  const numbered = chunkQuery(connection, withFile, 'WHERE c.n = ?')
  const read = (number: number): StoredChunk => {
    const [found] = numbered(number)
    if (found === undefined) throw new Error(`${number} is not a chunk of this state of the index`)
    return found
  }
  return new Memo(read, { limit: MOST_UNITS, costOf: ({ text }) => text.length + 1 })
}

interface NumberedSymbol extends Pick<StoredSymbol, 'path' | 'id' | 'start' | 'end'> {
  readonly number: number
}

const DEFINITION_ORDER = byPlace<SymbolDefinition>((it) => it.symbol)

const PROVIDED_ORDER = inOrder<StoredFile['provides'][number]>(
  ascending((it) => it.name),
  ascending((it) => it.definition),
)

/** Of each number one answer, for as long as one question takes. */
function once<T>(find: (number: number) => T): (number: number) => T {
  const known = new Map<number, T>()
  return (number) => {
    const before = known.get(number)
    if (before !== undefined) return before
    const found = find(number)
    known.set(number, found)
    return found
  }
}
