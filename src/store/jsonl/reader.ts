/** Reads an index from JSONL: checks every piece, then keeps lines as bytes and all else as numbers. */
import type {
  ChunkRange,
  CodeIndexReader,
  Corpus,
  KeyDependents,
  StoredChunk,
  StoredEdge,
  StoredFile,
  StoredSymbol,
} from '../../model/code-index.ts'
import { type UnresolvedRecord, WORD_FIELDS } from '../../model/index-record.ts'
import type { Files } from '../../platform/files.ts'
import { signatureOfFiles } from '../code/signature.ts'
import { createArtifactError } from '../flat/artifact-errors.ts'
import type { FlatFile, FlatIndex } from '../flat/flat-index.ts'
import { FlatReader } from '../flat/flat-reader.ts'
import { type Manifest, readManifest, toIndexStatus } from '../flat/manifest.ts'
import { type Artifact, type FileLine, LineStore } from './lines.ts'
import { type LocalTimes, readLocalTimes } from './local-times.ts'
import {
  AskerTable,
  ChunkTable,
  EdgeTable,
  LinesByFile,
  PostingTable,
  pageAfter,
  readLengths,
  readLines,
  SymbolTable,
} from './tables.ts'

/** Throws where a piece is missing, cut or changed. */
export async function openJsonlIndex(files: Files, folder: string): Promise<CodeIndexReader> {
  return new FlatReader(loadIndex(files, folder))
}

function loadIndex(files: Files, folder: string): JsonlIndex {
  const manifest = readManifest(files, folder)
  if (manifest.backend !== 'jsonl') {
    throw createArtifactError(
      'foreign',
      `${folder} is an index in the format ${manifest.backend}, not JSONL`,
    )
  }
  const { indexSignature } = manifest
  const times = readLocalTimes({ files, folder, indexSignature })
  return new JsonlIndex({ files, folder, manifest }, times)
}

const FIELDS = WORD_FIELDS.length

class JsonlIndex implements FlatIndex {
  readonly backend = 'JSONL'
  readonly status: FlatIndex['status']
  readonly corpus: Corpus
  readonly #artifact: Artifact
  readonly #times: LocalTimes
  readonly #files: readonly FileLine[]
  readonly #fileNumbers: ReadonlyMap<string, number>
  readonly #facts: LinesByFile<'facts'>
  readonly #chunks: ChunkTable
  readonly #symbols: SymbolTable
  readonly #edges: EdgeTable
  readonly #unresolved: LinesByFile<'unresolved'>
  readonly #lengths: Uint32Array
  readonly #postings: PostingTable
  readonly #askers: AskerTable

  constructor(artifact: Artifact, times: LocalTimes) {
    const { manifest, folder } = artifact
    this.#artifact = artifact
    this.#times = times
    this.status = toIndexStatus(manifest, times.builtAt)
    this.corpus = manifest.corpus
    this.#files = readLines(LineStore.load('files', artifact))
    refuseSignatureMismatch(this.#files, manifest, folder)
    this.#fileNumbers = new Map(this.#files.map((it, at) => [it.path, at]))
    const fileOf = (path: string): number => this.#fileNumbers.get(path) ?? 0
    this.#facts = new LinesByFile(LineStore.load('facts', artifact), fileOf)
    this.#chunks = new ChunkTable(LineStore.load('chunks', artifact), fileOf)
    this.#symbols = new SymbolTable(LineStore.load('symbols', artifact), fileOf)
    this.#edges = new EdgeTable(LineStore.load('edges', artifact), this.#files, fileOf)
    this.#unresolved = new LinesByFile(LineStore.load('unresolved', artifact), fileOf)
    this.#lengths = readLengths(LineStore.load('lengths', artifact))
    this.#postings = new PostingTable(LineStore.load('postings', artifact))
    this.#askers = new AskerTable(LineStore.load('askers', artifact))
  }

  fileNumber(path: string): number | undefined {
    return this.#fileNumbers.get(path)
  }

  file(number: number): FlatFile {
    const line = this.#files[number]
    if (line === undefined) throw new RangeError(`file number ${number} does not exist`)
    const { path, sha256, size, language, lines, surface } = line
    const mtimeMs = this.#times.mtimes[number] ?? 0
    const [firstChunk, chunkCount] = this.#chunks.inFile(number)
    const [firstSymbol, symbolCount] = this.#symbols.inFile(number)
    return {
      state: { path, sha256, size, mtimeMs, language, lines, surface },
      firstChunk,
      chunkCount,
      firstSymbol,
      symbolCount,
    }
  }

  contents(number: number): Pick<StoredFile, 'facts' | 'provides' | 'diagnostics'> {
    const [facts] = this.#facts.of(number)
    return {
      facts: new Uint8Array(Buffer.from(facts?.base64 ?? '', 'base64')),
      provides: this.#files[number]?.provides ?? [],
      diagnostics: this.#files[number]?.diagnostics ?? [],
    }
  }

  chunk(number: number): StoredChunk {
    return this.#chunks.store.line(number)
  }

  place(number: number): ChunkRange | undefined {
    const place = this.#chunks.place(number)
    if (place === undefined) return undefined
    const { uid, file, start, end } = place
    return { uid, path: this.#files[file]?.path ?? '', start, end }
  }

  chunksWithUid(uid: string): readonly number[] {
    return this.#chunks.withUid(uid)
  }

  symbol(number: number): StoredSymbol {
    return this.#symbols.store.line(number)
  }

  symbolsWithId(id: string): readonly number[] {
    return this.#symbols.withId(id)
  }

  symbolsNamed(name: string): readonly number[] {
    return this.#symbols.named(name)
  }

  edgesOf(file: number): readonly StoredEdge[] {
    return this.#edges.of(file)
  }

  edgesFrom(symbol: string): readonly StoredEdge[] {
    return this.#edges.from(symbol)
  }

  edgesTo(symbol: string): readonly StoredEdge[] {
    return this.#edges.to(symbol)
  }

  unresolvedOf(file: number): readonly UnresolvedRecord[] {
    return this.#unresolved.of(file)
  }

  postings(word: string): readonly Uint8Array[] {
    return this.#postings.of(word)
  }

  lengths(chunk: number): Uint32Array | undefined {
    const start = chunk * FIELDS
    return start < this.#lengths.length ? this.#lengths.subarray(start, start + FIELDS) : undefined
  }

  words(after: string, limit: number): readonly string[] {
    return pageAfter(this.#postings.words, after, limit)
  }

  askersOf(key: string): readonly string[] {
    return this.#askers.of(key).map((it) => this.#files[it]?.path ?? '')
  }

  askers(after: string, limit: number): readonly KeyDependents[] {
    return pageAfter(this.#askers.keys, after, limit).map((key) => ({
      key,
      paths: this.askersOf(key),
    }))
  }

  async newer(): Promise<FlatIndex | undefined> {
    const { files, folder, manifest } = this.#artifact
    const { sha256, indexSignature } = readManifest(files, folder)
    const isSame =
      sha256 === manifest.sha256 &&
      readLocalTimes({ files, folder, indexSignature }).sha256 === this.#times.sha256
    return isSame ? undefined : loadIndex(files, folder)
  }

  async close(): Promise<void> {
    // Memory is all it holds.
  }
}

/** Each piece has its checksum; this checks that they belong to the index of the signature. */
function refuseSignatureMismatch(
  files: readonly FileLine[],
  manifest: Manifest,
  folder: string,
): void {
  if (signatureOfFiles(manifest.meta, files) === manifest.indexSignature) return
  throw createArtifactError(
    'corrupt',
    `the files in ${folder} do not match the signature of the index`,
  )
}
