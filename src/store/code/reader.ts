/**
 * Reads index.db: one state of it, from the first question until `refresh`. A long-lived reader
 * refreshes before each request; while it holds a state, the writer's log cannot be shortened.
 */
import type { DatabaseSync } from 'node:sqlite'
import type {
  ChunkRange,
  CodeIndexMeta,
  CodeIndexReader,
  CodePosition,
  Corpus,
  EdgeEvidence,
  FileState,
  FullTextHit,
  FullTextQuery,
  IndexLayout,
  IndexState,
  IndexStatus,
  KeyDependents,
  StoredChunk,
  StoredEdge,
  StoredFile,
  StoredSnapshot,
  StoredSymbol,
  StoredUnresolved,
  SymbolDefinition,
  VectorHit,
  WordPostings,
} from '../../model/code-index.ts'
import type { VectorInfo, WordVector } from '../../model/embedder.ts'
import type { EdgeKind } from '../../model/index-record.ts'
import type { Files } from '../../platform/files.ts'
import { ChunkRanges } from './chunk-ranges.ts'
import { openConnection } from './connection.ts'
import { loadLook } from './look.ts'
import { loadMeta } from './meta.ts'
import { Names } from './names.ts'
import { GraphQueries } from './read-graph.ts'
import { RecordQueries } from './read-records.ts'
import { readStatus } from './read-status.ts'
import { VectorQueries } from './read-vectors.ts'
import { WordQueries } from './read-words.ts'
import { storedSignature } from './signature.ts'
import { asUseError } from './trouble.ts'

interface State {
  /** Thousands of paths: loaded once for each state. */
  look(): StoredSnapshot | undefined
  readonly records: RecordQueries
  readonly graph: GraphQueries
  readonly words: WordQueries
  readonly vectors: VectorQueries
}

/** The index that is kept up to date, in place of one that was sent around. */
export interface SqliteIndexReader extends CodeIndexReader {
  meta(): Promise<CodeIndexMeta>
  state(): Promise<IndexState>
  /** Undefined where the last commit was made without looking at everything. */
  snapshot(): Promise<StoredSnapshot | undefined>
}

export function openCodeIndex(files: Files, path: string): SqliteIndexReader {
  return new DatabaseReader(openConnection(files, path, 'read'), path)
}

class DatabaseReader implements SqliteIndexReader {
  readonly #connection: DatabaseSync
  readonly #path: string
  #state: State | undefined
  #version: number | undefined

  constructor(connection: DatabaseSync, path: string) {
    this.#connection = connection
    this.#path = path
  }

  /** What was loaded of a state stays loaded where nobody has committed another. */
  async refresh(): Promise<boolean> {
    const [before, loaded] = [this.#version, this.#state]
    this.#leave()
    this.#begin()
    const isSame = before === this.#version
    if (isSame) this.#state = loaded
    return before !== undefined && !isSame
  }

  async signature(): Promise<string> {
    return this.#ask(() => storedSignature(this.#connection, loadMeta(this.#connection)))
  }

  async status(): Promise<IndexStatus> {
    return this.#ask(() => readStatus(this.#connection))
  }

  async meta(): Promise<CodeIndexMeta> {
    return this.#ask(() => loadMeta(this.#connection))
  }

  async snapshot(): Promise<StoredSnapshot | undefined> {
    return this.#ask((it) => it.look())
  }

  async state(): Promise<IndexState> {
    return this.#ask((it) => ({ meta: loadMeta(this.#connection), files: it.records.times() }))
  }

  async files(paths?: readonly string[]): Promise<readonly FileState[]> {
    return this.#ask((it) => it.records.files(paths))
  }

  async storedFiles(paths: readonly string[]): Promise<readonly StoredFile[]> {
    return this.#ask(({ records, graph }) =>
      records.files(paths).map((file) => ({
        ...file,
        ...records.contentsOf(file.path),
        edges: graph.edgesOfFile(file.path),
        unresolved: graph.unresolvedIn([file.path], undefined),
      })),
    )
  }

  async chunks(uids: readonly string[]): Promise<readonly StoredChunk[]> {
    return this.#ask((it) => it.records.chunks(uids))
  }

  async chunksInFiles(paths: readonly string[]): Promise<readonly StoredChunk[]> {
    return this.#ask((it) => it.records.chunksOf(paths))
  }

  async chunksAt(places: readonly CodePosition[]): Promise<readonly (StoredChunk | undefined)[]> {
    return this.#ask((it) => it.records.chunksAt(places))
  }

  async symbols(ids: readonly string[]): Promise<readonly StoredSymbol[]> {
    return this.#ask((it) => it.records.symbols(ids))
  }

  async symbolsNamed(names: readonly string[]): Promise<readonly StoredSymbol[]> {
    return this.#ask((it) => it.records.symbolsNamed(names))
  }

  async symbolsInChunks(uids: readonly string[]): Promise<readonly StoredSymbol[]> {
    return this.#ask((it) => it.records.symbolsIn(uids))
  }

  async definitions(symbols: readonly string[]): Promise<readonly SymbolDefinition[]> {
    return this.#ask((it) => it.records.definitions(symbols))
  }

  async edgesFrom(
    symbols: readonly string[],
    kinds?: readonly EdgeKind[],
  ): Promise<readonly StoredEdge[]> {
    return this.#ask((it) => it.graph.edgesFrom(symbols, kinds))
  }

  async edgesInChunks(
    uids: readonly string[],
    kinds?: readonly EdgeKind[],
  ): Promise<readonly StoredEdge[]> {
    return this.#ask((it) => it.graph.edgesIn(uids, kinds))
  }

  async edgesTo(
    symbols: readonly string[],
    kinds?: readonly EdgeKind[],
  ): Promise<readonly StoredEdge[]> {
    return this.#ask((it) => it.graph.edgesTo(symbols, kinds))
  }

  async countEdgesTo(symbols: readonly string[], most: number): Promise<readonly number[]> {
    return this.#ask((it) => it.graph.fanIn(symbols, most))
  }

  async unresolvedInFiles(
    paths: readonly string[],
    names?: readonly string[],
  ): Promise<readonly StoredUnresolved[]> {
    return this.#ask((it) => it.graph.unresolvedIn(paths, names))
  }

  async evidence(edges: readonly StoredEdge[]): Promise<readonly EdgeEvidence[]> {
    return this.#ask((it) => it.records.evidence(edges))
  }

  async postings(words: readonly string[]): Promise<readonly WordPostings[]> {
    return this.#ask((it) => it.words.matching(words))
  }

  async wordFrequencies(words: readonly string[], most: number): Promise<readonly number[]> {
    return this.#ask((it) => it.words.frequencies(words, most))
  }

  async fieldLengths(handles: Uint32Array): Promise<Uint32Array> {
    return this.#ask((it) => it.words.lengths(handles))
  }

  async languages(): Promise<readonly string[]> {
    return this.#ask((it) => it.words.languages())
  }

  async chunksByHandle(handles: Uint32Array): Promise<readonly StoredChunk[]> {
    return this.#ask((it) => it.records.chunksBy(handles))
  }

  async chunkHandles(uids: readonly string[]): Promise<Uint32Array> {
    return this.#ask((it) => it.records.handlesOf(uids))
  }

  async layout(): Promise<IndexLayout> {
    return this.#ask((it) => it.words.layout())
  }

  async corpus(): Promise<Corpus> {
    return this.#ask((it) => it.words.corpus())
  }

  async chunkRanges(handles: Uint32Array): Promise<readonly ChunkRange[]> {
    return this.#ask((it) => it.words.located(handles))
  }

  async searchFullText(query: FullTextQuery): Promise<readonly FullTextHit[]> {
    return this.#ask((it) => it.words.fullText(query))
  }

  async vectorInfo(): Promise<VectorInfo | undefined> {
    return this.#ask((it) => it.vectors.info())
  }

  async nearestChunks(vector: Int8Array, limit: number): Promise<readonly VectorHit[]> {
    await this.#ask((it) => it.vectors.load())
    return this.#ask((it) => it.vectors.nearest(vector, limit))
  }

  async wordVectors(words: readonly string[]): Promise<readonly (WordVector | undefined)[]> {
    return this.#ask((it) => it.vectors.wordVectors(words))
  }

  async vocabulary(after: string, limit: number): Promise<readonly string[]> {
    return this.#ask((it) => it.words.vocabulary(after, limit))
  }

  async dependents(keys: readonly string[]): Promise<readonly string[]> {
    return this.#ask((it) => it.graph.dependents(keys))
  }

  async dependentsByKey(after: string, limit: number): Promise<readonly KeyDependents[]> {
    return this.#ask((it) => it.graph.askers(after, limit))
  }

  async close(): Promise<void> {
    if (!this.#connection.isOpen) return
    this.#leave()
    this.#connection.close()
  }

  #ask<T>(question: (state: State) => T): T {
    try {
      return question(this.#state ?? this.#enter())
    } catch (error) {
      throw asUseError(error, this.#path)
    }
  }

  #begin(): void {
    this.#connection.exec('BEGIN')
    // The transaction begins with its first look at the file.
    this.#connection.prepare('SELECT count(*) FROM meta').get()
    this.#version = Number(this.#connection.prepare('PRAGMA data_version').get()?.['data_version'])
  }

  #enter(): State {
    if (!this.#connection.isTransaction) this.#begin()
    const names = new Names(this.#connection)
    const ranges = new ChunkRanges(this.#connection, names)
    const words = new WordQueries(this.#connection)
    this.#state = {
      records: new RecordQueries(this.#connection, ranges),
      graph: new GraphQueries(this.#connection, names, ranges),
      words,
      vectors: new VectorQueries(this.#connection, words),
      look: once(() => loadLook(this.#connection)),
    }
    return this.#state
  }

  #leave(): void {
    this.#state = undefined
    if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
  }
}

function once<T>(load: () => T): () => T {
  let loaded: { readonly value: T } | undefined
  return () => {
    loaded ??= { value: load() }
    return loaded.value
  }
}
