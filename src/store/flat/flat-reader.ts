/** The port over a flat index. Repeated lookups within one query are cached. */
import { ascending } from '../../base/order.ts'
import type {
  ChunkRange,
  CodeIndexReader,
  CodePosition,
  Corpus,
  EdgeEvidence,
  FileState,
  FullTextHit,
  IndexLayout,
  IndexStatus,
  KeyDependents,
  StoredChunk,
  StoredEdge,
  StoredFile,
  StoredSymbol,
  StoredUnresolved,
  SymbolDefinition,
  VectorHit,
  WordPostings,
} from '../../model/code-index.ts'
import { UnknownHandle } from '../../model/code-index.ts'
import { type EdgeKind, WORD_FIELDS } from '../../model/index-record.ts'
import { joined } from '../code/chunk-ranges.ts'
import { evidenceOf } from '../code/evidence.ts'
import { decode, distinctIn } from '../code/lists.ts'
import { definitionOf, smallestAround } from '../code/places.ts'
import {
  byPlace,
  CHUNK_ORDER,
  inEdgeOrder,
  SYMBOL_ORDER,
  UNRESOLVED_ORDER,
  withoutPath,
} from '../code/rows.ts'
import { troubleWith } from '../code/trouble.ts'
import { type FlatIndex, listNumbers } from './flat-index.ts'

type Kinds = readonly EdgeKind[] | undefined

export class FlatReader implements CodeIndexReader {
  #index: FlatIndex
  #layout: IndexLayout | undefined

  constructor(index: FlatIndex) {
    this.#index = index
  }

  async refresh(): Promise<boolean> {
    const former = this.#index
    const newer = await former.newer()
    if (newer === undefined) return false
    this.#index = newer
    this.#layout = undefined
    await former.close()
    return true
  }

  async signature(): Promise<string> {
    return this.#index.status.signature
  }

  async status(): Promise<IndexStatus> {
    return { ...this.#index.status, supports: { fullText: false } }
  }

  async files(paths?: readonly string[]): Promise<readonly FileState[]> {
    const numbers =
      paths === undefined ? listNumbers(0, this.#index.status.files) : this.#numbersOf(paths)
    return numbers.map((it) => this.#index.file(it).state)
  }

  async storedFiles(paths: readonly string[]): Promise<readonly StoredFile[]> {
    return this.#numbersOf(paths).map((number) => {
      const { state } = this.#index.file(number)
      return {
        ...state,
        ...this.#index.contents(number),
        chunks: this.#chunksIn(number),
        symbols: this.#symbolsOf(state.path).map(withoutPath),
        edges: this.#index.edgesOf(number),
        unresolved: this.#unresolvedIn(state.path),
      }
    })
  }

  async chunks(uids: readonly string[]): Promise<readonly StoredChunk[]> {
    return this.#chunks(uids)
  }

  async chunksInFiles(paths: readonly string[]): Promise<readonly StoredChunk[]> {
    return this.#numbersOf(paths).flatMap((it) => this.#chunksIn(it))
  }

  async chunksAt(places: readonly CodePosition[]): Promise<readonly (StoredChunk | undefined)[]> {
    const chunksIn = this.#chunksByPath()
    return places.map(({ path, offset }) => smallestAround(chunksIn(path), offset))
  }

  async symbols(ids: readonly string[]): Promise<readonly StoredSymbol[]> {
    return this.#symbols(ids)
  }

  async symbolsNamed(names: readonly string[]): Promise<readonly StoredSymbol[]> {
    return lookUpEach(names, (it) => this.#index.symbolsNamed(it))
      .map((it) => this.#index.symbol(it))
      .toSorted(SYMBOL_ORDER)
  }

  async symbolsInChunks(uids: readonly string[]): Promise<readonly StoredSymbol[]> {
    return joined(this.#chunks(uids))
      .flatMap(({ path, start, end }) =>
        this.#symbolsOf(path).filter((it) => start <= it.start && it.start < end && hasName(it)),
      )
      .toSorted(SYMBOL_ORDER)
  }

  async definitions(symbols: readonly string[]): Promise<readonly SymbolDefinition[]> {
    const chunksIn = this.#chunksByPath()
    return this.#symbols(symbols)
      .map((it) => definitionOf(it, it.id, chunksIn(it.path)))
      .toSorted(byPlace((it) => it.symbol))
  }

  async edgesFrom(symbols: readonly string[], kinds?: Kinds): Promise<readonly StoredEdge[]> {
    const found = lookUpEach(dropEmpty(symbols), (it) => this.#index.edgesFrom(it))
    return inEdgeOrder(filterByKind(found, kinds))
  }

  async edgesInChunks(uids: readonly string[], kinds?: Kinds): Promise<readonly StoredEdge[]> {
    const byPath = Map.groupBy(this.#chunks(uids), (it) => it.path)
    return [...byPath].flatMap(([path, inFile]) =>
      filterByKind(this.#index.edgesOf(this.#index.fileNumber(path) ?? -1), kinds).filter((edge) =>
        inFile.some((it) => it.start <= edge.start && edge.start < it.end),
      ),
    )
  }

  async edgesTo(symbols: readonly string[], kinds?: Kinds): Promise<readonly StoredEdge[]> {
    const found = lookUpEach(dropEmpty(symbols), (it) => this.#index.edgesTo(it))
    return inEdgeOrder(filterByKind(found, kinds))
  }

  async countEdgesTo(symbols: readonly string[], most: number): Promise<readonly number[]> {
    const counts = new Map<string, number>()
    for (const it of new Set(dropEmpty(symbols))) {
      counts.set(it, Math.min(most, this.#index.edgesTo(it.toWellFormed()).length))
    }
    return symbols.map((it) => counts.get(it) ?? 0)
  }

  async unresolvedInFiles(
    paths: readonly string[],
    names?: readonly string[],
  ): Promise<readonly StoredUnresolved[]> {
    return [...new Set(paths)]
      .flatMap((it) => this.#unresolvedIn(it))
      .filter((it) => names === undefined || names.includes(it.name))
      .toSorted(UNRESOLVED_ORDER)
  }

  async evidence(edges: readonly StoredEdge[]): Promise<readonly EdgeEvidence[]> {
    const chunksIn = this.#chunksByPath()
    return edges.map((edge) => evidenceOf(edge, chunksIn(edge.path)))
  }

  async postings(words: readonly string[]): Promise<readonly WordPostings[]> {
    return words.map((word) => {
      const blobs = this.#index.postings(word.toWellFormed())
      const { numbers, tags, counts, distinct } = decode(blobs)
      return { word, handles: numbers, fields: tags, counts, frequency: distinct }
    })
  }

  async wordFrequencies(words: readonly string[], most: number): Promise<readonly number[]> {
    return words.map((it) => distinctIn(this.#index.postings(it.toWellFormed()), { most }))
  }

  async fieldLengths(handles: Uint32Array): Promise<Uint32Array> {
    const found = new Uint32Array(handles.length * WORD_FIELDS.length)
    for (const [at, handle] of handles.entries()) {
      const own = this.#index.lengths(handle)
      if (own !== undefined) found.set(own, at * WORD_FIELDS.length)
    }
    return found
  }

  async corpus(): Promise<Corpus> {
    return this.#index.corpus
  }

  async layout(): Promise<IndexLayout> {
    this.#layout ??= buildLayout(this.#index)
    return this.#layout
  }

  async languages(): Promise<readonly string[]> {
    return listNumbers(0, this.#index.status.files).map((it) => this.#index.file(it).state.language)
  }

  async chunksByHandle(handles: Uint32Array): Promise<readonly StoredChunk[]> {
    return Array.from(handles, (handle) => this.#index.chunk(handle))
  }

  async chunkHandles(uids: readonly string[]): Promise<Uint32Array> {
    return Uint32Array.from(lookUpEach(uids, (it) => this.#index.chunksWithUid(it)))
  }

  async chunkRanges(handles: Uint32Array): Promise<readonly ChunkRange[]> {
    return Array.from(handles, (handle) => {
      const place = this.#index.place(handle)
      if (place === undefined) throw new UnknownHandle(handle)
      return place
    })
  }

  async searchFullText(): Promise<readonly FullTextHit[]> {
    throw troubleWith(
      'unsupported',
      `an index in the format ${this.#index.backend} has no full-text search`,
    )
  }

  async vectorInfo(): Promise<undefined> {
    return undefined
  }

  async nearestChunks(): Promise<readonly VectorHit[]> {
    throw troubleWith('unsupported', `an index in the format ${this.#index.backend} has no vectors`)
  }

  async wordVectors(words: readonly string[]): Promise<readonly undefined[]> {
    return words.map(() => undefined)
  }

  async vocabulary(after: string, limit: number): Promise<readonly string[]> {
    return this.#index.words(after, limit)
  }

  async dependents(keys: readonly string[]): Promise<readonly string[]> {
    return [...new Set(lookUpEach(keys, (it) => this.#index.askersOf(it)))].toSorted()
  }

  async dependentsByKey(after: string, limit: number): Promise<readonly KeyDependents[]> {
    return this.#index.askers(after, limit)
  }

  async close(): Promise<void> {
    await this.#index.close()
  }

  /** Of those that exist, in the order of the paths. */
  #numbersOf(paths: readonly string[]): readonly number[] {
    const numbers = lookUpEach(paths, (path) => {
      const number = this.#index.fileNumber(path)
      return number === undefined ? [] : [number]
    })
    return numbers.toSorted(ascending((it) => it))
  }

  #chunksIn(file: number): readonly StoredChunk[] {
    const { firstChunk, chunkCount } = this.#index.file(file)
    return listNumbers(firstChunk, chunkCount).map((it) => this.#index.chunk(it))
  }

  /** Remembers, for one question, what it has read. */
  #chunksByPath(): (path: string) => readonly StoredChunk[] {
    const known = new Map<string, readonly StoredChunk[]>()
    return (path) => {
      const found = known.get(path) ?? this.#numbersOf([path]).flatMap((it) => this.#chunksIn(it))
      known.set(path, found)
      return found
    }
  }

  #chunks(uids: readonly string[]): readonly StoredChunk[] {
    return lookUpEach(uids, (it) => this.#index.chunksWithUid(it))
      .map((it) => this.#index.chunk(it))
      .toSorted(CHUNK_ORDER)
  }

  #symbols(ids: readonly string[]): readonly StoredSymbol[] {
    return lookUpEach(ids, (it) => this.#index.symbolsWithId(it))
      .map((it) => this.#index.symbol(it))
      .toSorted(SYMBOL_ORDER)
  }

  #symbolsOf(path: string): readonly StoredSymbol[] {
    return this.#numbersOf([path]).flatMap((number) => {
      const { firstSymbol, symbolCount } = this.#index.file(number)
      return listNumbers(firstSymbol, symbolCount).map((it) => this.#index.symbol(it))
    })
  }

  #unresolvedIn(path: string): readonly StoredUnresolved[] {
    const number = this.#index.fileNumber(path.toWellFormed())
    if (number === undefined) return []
    return this.#index.unresolvedOf(number).map((it) => ({ ...it, path }))
  }
}

const PATH = WORD_FIELDS.indexOf('path')

function hasName({ start, end }: StoredSymbol): boolean {
  return end > start
}

function buildLayout(index: FlatIndex): IndexLayout {
  const files = listNumbers(0, index.status.files).map((it) => index.file(it))
  const last = files.at(-1)
  const chunks = last === undefined ? 0 : last.firstChunk + last.chunkCount
  const chunkWords = Uint32Array.from({ length: chunks }, (_, it) => countWords(index.lengths(it)))
  return {
    paths: files.map((it) => it.state.path),
    firstHandles: Uint32Array.from(files, (it) => it.firstChunk),
    chunkCounts: Uint32Array.from(files, (it) => it.chunkCount),
    fileWords: Uint32Array.from(files, ({ firstChunk, chunkCount }) =>
      chunkWords.subarray(firstChunk, firstChunk + chunkCount).reduce((sum, it) => sum + it, 0),
    ),
    chunkWords,
  }
}

function countWords(lengths: Uint32Array | undefined): number {
  return lengths === undefined ? 0 : lengths.reduce((sum, it) => sum + it, 0) - (lengths[PATH] ?? 0)
}

/** The answers for each value, each value once; text that is not well formed is asked for as SQLite does. */
function lookUpEach<T>(
  values: readonly string[],
  question: (value: string) => readonly T[],
): readonly T[] {
  return [...new Set(values)].flatMap((value) => question(value.toWellFormed()))
}

/** An end that is empty is no symbol, and leads nowhere. */
function dropEmpty(symbols: readonly string[]): readonly string[] {
  return symbols.filter((it) => it !== '')
}

function filterByKind(edges: readonly StoredEdge[], kinds: Kinds): readonly StoredEdge[] {
  return kinds === undefined ? edges : edges.filter((it) => kinds.includes(it.kind))
}
