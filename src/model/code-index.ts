/**
 * What a store of the code index can be asked to do. Writing is one transaction at a time; reading
 * sees one state of the index until it is told to look again. Batches in, batches out, and every
 * answer in a total order, so that a server can implement it as well as a file, and all give the
 * same answers.
 */
import type { Diagnostic } from './diagnostic.ts'
import type { VectorInfo, WordVector } from './embedder.ts'
import type {
  ChunkRecord,
  EdgeKind,
  EdgeRecord,
  EvidenceKind,
  FileRecord,
  ResolvedFile,
  SymbolRecord,
  UnresolvedRecord,
} from './index-record.ts'

/**
 * What a transaction goes by: the index as it is, the same after all of it was checked, or nothing.
 * Even then what is there stays until the commit.
 */
export type TransactionStart = 'present' | 'checked' | 'nothing'

export interface CodeIndexWriter {
  /** Waits until nobody else writes. */
  begin(from?: TransactionStart): Promise<void>
  /** Replaces all that was known of these paths, what resolving had made of them included. */
  put(files: readonly FileRecord[]): Promise<void>
  /** The files have other times but the same content. */
  touch(files: readonly FileTimes[]): Promise<void>
  remove(paths: readonly string[]): Promise<void>
  /** Of files that have been put. */
  putResolved(files: readonly ResolvedFile[]): Promise<void>
  /**
   * Makes all that was put readable to other threads while the transaction goes on; where it can be
   * found, for `openLookup`. Undefined where that is not possible without publishing it.
   */
  share(): Promise<string | undefined>
  /** The vectors of the chunks as the transaction sees them, and all that they are made of. */
  vectors(): VectorWriter
  /** What is not given stays as it was. */
  setMeta(meta: Partial<CodeIndexMeta>): Promise<void>
  /** Of this transaction. Without it none is kept: it told of files that may be others now. */
  setSnapshot(look: FolderSnapshot): Promise<void>
  /** From here on readers see it, all at once. Returns the signature of the index. */
  commit(): Promise<string>
  /** As if `begin` had never been called. */
  rollback(): Promise<void>
  /**
   * Drops what many small commits have left behind, which makes reading slower and slower. For idle
   * times: it takes a second or two for 10,000 files, and nothing where it is not needed.
   */
  compact(when?: 'needed' | 'always'): Promise<void>
  /** What the transaction sees, its own writes included. */
  readonly lookup: IndexLookup
  close(): Promise<void>
}

/**
 * Vectors are made after everything else of a commit. What of it needs the engine's vector search
 * fails with `POC_E_NOT_SUPPORTED` where that cannot be loaded.
 */
export interface VectorWriter {
  /** Undefined where there are none. */
  info(): VectorInfo | undefined
  /** Whether every chunk that is there has its place among them, and none that is gone. */
  isComplete(): boolean
  /** All chunks, by path and place. */
  chunkHandles(): Uint32Array
  /** Every word with the places where it stands, word by word in the order of the store. */
  wordPostings(): Iterable<WordPostings>
  /** What was known by other means is dropped, and so are the vectors of chunks that are gone. */
  prepare(info: VectorInfo): Promise<void>
  /** Of these, those whose vectors are not known from a chunk of the same uid. */
  chunksWithoutVector(handles: Uint32Array): Uint32Array
  /** In the order of the handles. */
  chunkTexts(handles: Uint32Array): readonly Pick<StoredChunk, 'path' | 'title' | 'text'>[]
  /** Vectors one after the other; what is all zero is like nothing and is left out. */
  put(handles: Uint32Array, vectors: Int8Array): void
  putWords(words: readonly string[], vectors: readonly WordVector[]): void
  /** All that is there is now in step with the chunks. */
  finish(): void
  drop(): Promise<void>
}

/**
 * What resolving asks while it writes. Synchronous, because it asks millions of times between two
 * steps of a computation; a writer of a server answers from a copy that it keeps nearby.
 */
export interface IndexLookup {
  exists(path: string): boolean
  /** Paths of the files that lie directly in a folder, sorted; `''` is the top. */
  filesInFolder(path: string): readonly string[]
  /** Paths of the files in a folder and in those below it, sorted. */
  filesBelow(folder: string): readonly string[]
  facts(path: string): Uint8Array | undefined
  /** The text of a file, as far as its chunks hold it; what lies between them is one line break. */
  text(path: string): string | undefined
  definitionsProvided(name: string): readonly ProvidedDefinition[]
  symbolsInFile(path: string): readonly SymbolRecord[]
  /** By the numbers of the definitions; what has no symbol is a gap. */
  symbolIdsInFile(path: string): readonly (string | undefined)[]
  /** Symbols by their simple name, by id and path; any so many where there are more. */
  symbolsNamed(name: string, most: number): readonly NamedSymbol[]
  /** Paths of the files that asked one of these questions when they were resolved, sorted. */
  dependents(keys: readonly string[]): readonly string[]
  files(paths?: readonly string[]): readonly FileState[]
  /** How many files there are, but for those that were left out for what they say. */
  countFiles(): number
  /** Why those were left out. */
  skippedFiles(): readonly Diagnostic[]
  meta(): CodeIndexMeta
  /** Of the last committed state. */
  signature(): string
}

export interface CodeIndexMeta {
  readonly extractorVersion: string
  /** Canonical JSON of the options that decide what an index holds. */
  readonly options: string
  /** ISO 8601. No part of the signature. */
  readonly builtAt: string
  /**
   * When all that is there was last looked at, as the machine had it, whatever is to be written
   * down: files are trusted by it. A file that was read later is trusted as if it had been then.
   */
  readonly readAt: string
  /** What was met on the walk and is no file of the index. */
  readonly skipped: readonly Diagnostic[]
}

/** What files on disk are compared with, to tell whether an index still says what they say. */
export interface IndexState {
  readonly meta: CodeIndexMeta
  readonly files: readonly FileTimes[]
}

/**
 * What a look at the whole repository went by, to tell later that it would find the same. Only that
 * of the last commit is kept, so the files that it found are those of the index.
 */
export interface FolderSnapshot {
  /** What decided besides the repository itself, as text that is the same or not. */
  readonly conditions: string
  /** The folders that were listed and the ignore files that were read; the top is ''. */
  readonly paths: readonly string[]
  /** Of each place its inode and its times, of content and of any change; NaN if never trusted. */
  readonly marks: Float64Array
}

export interface StoredSnapshot extends FolderSnapshot {
  /** The paths of the index, in no order. */
  readonly files: readonly string[]
  /** Of each file its size and its time. */
  readonly times: Float64Array
}

export interface FileTimes {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
}

/** What is needed to tell whether a file must be read again, and who must be resolved again then. */
export interface FileState extends FileTimes {
  readonly sha256: string
  readonly language: string
  readonly lines: number
  readonly surface: string
}

/** What is known of a symbol by its simple name. */
export interface NamedSymbol {
  readonly id: string
  readonly path: string
  readonly kind: string
}

/** A definition in a file's facts. */
export interface ProvidedDefinition {
  readonly path: string
  readonly definition: number
}

export interface CodeIndexReader {
  /** Looks at the newest state. Whether it is another one than before; handles are void then. */
  refresh(): Promise<boolean>
  /** Of the state that is read; at hand much sooner than the whole status. */
  signature(): Promise<string>
  status(): Promise<IndexStatus>
  /** All, or those of the paths that are there; by path. */
  files(paths?: readonly string[]): Promise<readonly FileState[]>
  /** Everything that was put for these paths, except the words; by path. */
  storedFiles(paths: readonly string[]): Promise<readonly StoredFile[]>
  /** Those that exist, by path, start, end and uid. */
  chunks(uids: readonly string[]): Promise<readonly StoredChunk[]>
  chunksInFiles(paths: readonly string[]): Promise<readonly StoredChunk[]>
  /** The smallest chunk around each of the places, undefined where there is none. */
  chunksAt(places: readonly CodePosition[]): Promise<readonly (StoredChunk | undefined)[]>
  /** By path, start, end and id. */
  symbols(ids: readonly string[]): Promise<readonly StoredSymbol[]>
  symbolsNamed(names: readonly string[]): Promise<readonly StoredSymbol[]>
  /** Symbols whose names stand in one of these chunks. A file has a symbol, but no name in it. */
  symbolsInChunks(uids: readonly string[]): Promise<readonly StoredSymbol[]>
  /** Where each symbol is defined, all places of it; by path, start, end and symbol. */
  definitions(symbols: readonly string[]): Promise<readonly SymbolDefinition[]>
  /** By path, start, end, kind, from, to and evidence; of every kind unless told. */
  edgesFrom(symbols: readonly string[], kinds?: readonly EdgeKind[]): Promise<readonly StoredEdge[]>
  /** Edges whose evidence stands in one of these chunks. */
  edgesInChunks(
    uids: readonly string[],
    kinds?: readonly EdgeKind[],
  ): Promise<readonly StoredEdge[]>
  edgesTo(symbols: readonly string[], kinds?: readonly EdgeKind[]): Promise<readonly StoredEdge[]>
  /** How many edges lead to each of the symbols, in their order; counted up to `most`, no further. */
  countEdgesTo(symbols: readonly string[], most: number): Promise<readonly number[]>
  /** By path, start, end, kind and so on; by any name unless told. */
  unresolvedInFiles(
    paths: readonly string[],
    names?: readonly string[],
  ): Promise<readonly StoredUnresolved[]>
  /** The text that supports each edge, in the order of the edges. */
  evidence(edges: readonly StoredEdge[]): Promise<readonly EdgeEvidence[]>
  /** Where each word stands, in the order of the words. */
  postings(words: readonly string[]): Promise<readonly WordPostings[]>
  /** How many chunks hold each word, in the order of the words; counted up to `most`, no further. */
  wordFrequencies(words: readonly string[], most: number): Promise<readonly number[]>
  /** Words per field of each chunk, chunk by chunk. */
  fieldLengths(handles: Uint32Array): Promise<Uint32Array>
  corpus(): Promise<Corpus>
  /** The same object until the state changes. */
  layout(): Promise<IndexLayout>
  /** Languages of the files, in the order of the layout. */
  languages(): Promise<readonly string[]>
  /** Which chunks the handles stand for, in the order of the handles. */
  chunkRanges(handles: Uint32Array): Promise<readonly ChunkRange[]>
  chunksByHandle(handles: Uint32Array): Promise<readonly StoredChunk[]>
  /** Of all chunks with these ids, in no order. */
  chunkHandles(uids: readonly string[]): Promise<Uint32Array>
  /** By full-text search; `POC_E_NOT_SUPPORTED` where the store has none. */
  searchFullText(query: FullTextQuery): Promise<readonly FullTextHit[]>
  /** What the vectors of the chunks are; undefined where there are none. */
  vectorInfo(): Promise<VectorInfo | undefined>
  /** By the directions of the vectors, exactly; `POC_E_NOT_SUPPORTED` where there are none. */
  nearestChunks(vector: Int8Array, limit: number): Promise<readonly VectorHit[]>
  /** In the order of the words; undefined where there is none. */
  wordVectors(words: readonly string[]): Promise<readonly (WordVector | undefined)[]>
  /** A page of all words, or of all questions: those after `after`, in an order of the store's own. */
  vocabulary(after: string, limit: number): Promise<readonly string[]>
  /** Paths of the files that asked one of these questions when they were resolved, sorted. */
  dependents(keys: readonly string[]): Promise<readonly string[]>
  dependentsByKey(after: string, limit: number): Promise<readonly KeyDependents[]>
  close(): Promise<void>
}

export interface IndexStatus {
  /** All that are known, those that were left out for what they say included. */
  readonly files: number
  readonly bytes: number
  readonly lines: number
  readonly chunks: number
  readonly symbols: number
  /** By kind; kinds without edges are there with 0. */
  readonly edges: Readonly<Record<EdgeKind, number>>
  readonly unresolved: number
  /** Most files first, then by name. */
  readonly languages: readonly { readonly language: string; readonly files: number }[]
  /** By path and code: of the walk, and of the files themselves. */
  readonly skipped: readonly Diagnostic[]
  readonly builtAt: string
  readonly signature: string
  readonly extractorVersion: string
  readonly options: string
  readonly supports: { readonly fullText: boolean }
}

export interface StoredFile extends FileState {
  readonly facts: Uint8Array
  /** By name and definition. */
  readonly provides: FileRecord['provides']
  readonly diagnostics: readonly Diagnostic[]
  readonly chunks: readonly StoredChunk[]
  readonly symbols: readonly SymbolRecord[]
  readonly edges: readonly StoredEdge[]
  readonly unresolved: readonly StoredUnresolved[]
}

interface InFile {
  readonly path: string
}

export interface StoredChunk extends ChunkRecord, InFile {}
export interface StoredSymbol extends SymbolRecord, InFile {}
/** The path is that of the file where the evidence stands. */
export interface StoredEdge extends EdgeRecord, InFile {}
export interface StoredUnresolved extends UnresolvedRecord, InFile {}

export interface CodePosition {
  readonly path: string
  readonly offset: number
}

export interface SymbolDefinition {
  readonly symbol: string
  readonly path: string
  /** Where the name stands. */
  readonly start: number
  readonly end: number
  /** The chunk that defines it, or else the one that the name stands in; empty for none. */
  readonly chunkUid: string
}

export interface EdgeEvidence {
  /** `ev:<16 hex>` of kind, path, range and text. */
  readonly id: string
  readonly kind: EvidenceKind
  readonly path: string
  readonly start: number
  readonly end: number
  /** 0 when no chunk holds the place. */
  readonly startLine: number
  readonly endLine: number
  readonly text: string
}

/**
 * Entries are ordered by handle and field. A handle is the number that this reader gives to a
 * chunk: cheap to sum scores by, and meaningless to anybody else. Rank by `chunkRanges`, not by it.
 */
export interface WordPostings {
  readonly word: string
  readonly handles: Uint32Array
  /** Number of the field in `WORD_FIELDS`. */
  readonly fields: Uint8Array
  readonly counts: Uint32Array
  /** In how many chunks the word stands. */
  readonly frequency: number
}

/** For averages. */
export interface Corpus {
  readonly chunks: number
  /** Words in each of `WORD_FIELDS`, over all chunks. */
  readonly lengths: readonly number[]
}

/**
 * Which files there are and which handles their chunks have: files lie in the order of their
 * handles, and the chunks of a file have handles in a row. The order is the reader's own.
 */
export interface IndexLayout {
  readonly paths: readonly string[]
  readonly firstHandles: Uint32Array
  readonly chunkCounts: Uint32Array
  /** How many words stand in a file, and in a chunk by its handle; those of the path do not count. */
  readonly fileWords: Uint32Array
  readonly chunkWords: Uint32Array
}

export interface ChunkRange {
  readonly uid: string
  readonly path: string
  readonly start: number
  readonly end: number
}

export interface FullTextQuery {
  /** Chunks that hold any of these. */
  readonly words: readonly string[]
  /** How much each of `WORD_FIELDS` weighs. */
  readonly weights: readonly number[]
  readonly limit: number
}

/** Best first, then by path, start, end and uid. */
export interface FullTextHit extends ChunkRange {
  readonly score: number
}

/** Nearest first, then by path, start, end and uid. */
export interface VectorHit extends ChunkRange {
  /** The cosine of the angle: 1 for the same direction. */
  readonly score: number
}

/** A handle of another state of the index: the caller's fault, whatever the index holds. */
export class UnknownHandle extends Error {
  constructor(handle: number) {
    super(`${handle} is not a handle of this state of the index`)
  }
}

export interface KeyDependents {
  readonly key: string
  /** Sorted. */
  readonly paths: readonly string[]
}
