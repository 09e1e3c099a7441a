/**
 * A code index that is written once and then only read. Everything has a number by the order of
 * what it says: files by path, chunks, symbols and edges by file and place. So the numbers are the
 * same on every machine, and what belongs to one file stands in a row.
 * `FlatReader` makes the port of it; each backend only says how a thing is found by its number.
 */
import type {
  ChunkRange,
  Corpus,
  FileState,
  IndexStatus,
  KeyDependents,
  StoredChunk,
  StoredEdge,
  StoredFile,
  StoredSymbol,
} from '../../model/code-index.ts'
import type { UnresolvedRecord } from '../../model/index-record.ts'

export interface FlatIndex {
  /** The name of the backend in error messages. */
  readonly backend: string
  readonly status: Omit<IndexStatus, 'supports'>
  readonly corpus: Corpus
  fileNumber(path: string): number | undefined
  file(number: number): FlatFile
  contents(number: number): Pick<StoredFile, 'facts' | 'provides' | 'diagnostics'>
  chunk(number: number): StoredChunk
  /** Undefined where no chunk has the number. */
  place(number: number): ChunkRange | undefined
  chunksWithUid(uid: string): readonly number[]
  symbol(number: number): StoredSymbol
  symbolsWithId(id: string): readonly number[]
  symbolsNamed(name: string): readonly number[]
  edgesOf(file: number): readonly StoredEdge[]
  edgesFrom(symbol: string): readonly StoredEdge[]
  edgesTo(symbol: string): readonly StoredEdge[]
  unresolvedOf(file: number): readonly UnresolvedRecord[]
  /** As `lists.ts` encodes them; none where the word is not known. */
  postings(word: string): readonly Uint8Array[]
  /** Words per field of a chunk; undefined where no chunk has the number. */
  lengths(chunk: number): Uint32Array | undefined
  words(after: string, limit: number): readonly string[]
  /** Paths of the files that asked a question. */
  askersOf(key: string): readonly string[]
  askers(after: string, limit: number): readonly KeyDependents[]
  /** The index that has replaced it, if any. */
  newer(): Promise<FlatIndex | undefined>
  close(): Promise<void>
}

export interface FlatFile {
  readonly state: FileState
  readonly firstChunk: number
  readonly chunkCount: number
  readonly firstSymbol: number
  readonly symbolCount: number
}

export function listNumbers(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => first + at)
}
