/** Reads an index from LMDB: what is asked for comes out of mapped memory, and nothing is loaded. */
import { join } from 'node:path'
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
import { computeFileDigest } from '../../platform/folder.ts'
import { Memo } from '../../platform/memo.ts'
import { decodeUnresolved } from '../code/resolved-rows.ts'
import { createArtifactError } from '../flat/artifact-errors.ts'
import { type EdgeNames, toStoredEdge } from '../flat/edge-columns.ts'
import type { FlatFile, FlatIndex } from '../flat/flat-index.ts'
import { FlatReader } from '../flat/flat-reader.ts'
import { type IndexPiece, type Manifest, readManifest, toIndexStatus } from '../flat/manifest.ts'
import { Environment } from './environment.ts'
import {
  type PackedFile,
  type PackedLocation,
  Unpacker,
  unpackChunk,
  unpackEdges,
  unpackFile,
  unpackLocation,
  unpackSymbol,
} from './packing.ts'
import { LENGTHS_PER_PAGE } from './writer.ts'

/**
 * Throws where the file is missing or cut. What was changed in it is found by `verifyLmdbIndex`,
 * which reads all of it.
 */
export function openLmdbIndex(files: Files, folder: string): CodeIndexReader {
  return new FlatReader(openIndex(files, folder))
}

/** Throws where the file is not, byte for byte, the one that was written. */
export function verifyLmdbIndex(files: Files, folder: string): void {
  const { piece, path } = checkDataFile(files, folder)
  if (computeFileDigest(path).sha256 !== piece.sha256) {
    throw createArtifactError('corrupt', `${path} does not match its checksum`)
  }
}

interface DataFile {
  readonly manifest: Manifest
  readonly piece: IndexPiece
  readonly path: string
}

/** Reading beyond the end of a truncated mapped file would crash the process. */
function checkDataFile(files: Files, folder: string): DataFile {
  const manifest = readManifest(files, folder)
  const piece = manifest.pieces.find((it) => it.kind === 'data')
  if (manifest.backend !== 'lmdb' || piece === undefined) {
    throw createArtifactError(
      'foreign',
      `${folder} is an index in the format ${manifest.backend}, not LMDB`,
    )
  }
  const path = join(folder, piece.name)
  let size: number
  try {
    size = files.stat(path).size
  } catch (error) {
    throw createArtifactError('corrupt', `${path} is missing or cannot be read`, error)
  }
  if (size !== piece.bytes) {
    throw createArtifactError('corrupt', `${path} has ${size} bytes instead of ${piece.bytes}`)
  }
  return { manifest, piece, path }
}

function openIndex(files: Files, folder: string): LmdbIndex {
  const { manifest, path } = checkDataFile(files, folder)
  try {
    return new LmdbIndex({ files, folder, manifest }, Environment.open(path))
  } catch (error) {
    throw createArtifactError('corrupt', `${path} cannot be opened: ${String(error)}`, error)
  }
}

interface IndexOrigin {
  readonly files: Files
  readonly folder: string
  readonly manifest: Manifest
}

const FIELDS = WORD_FIELDS.length
/** Texts of each kind, decoded; and pages of lengths. */
const CACHE_SIZE = { limit: 100_000 }

class LmdbIndex implements FlatIndex {
  readonly backend = 'LMDB'
  readonly status: FlatIndex['status']
  readonly corpus: Corpus
  readonly #origin: IndexOrigin
  readonly #environment: Environment
  readonly #paths: Memo<number, string>
  readonly #pages: Memo<number, Uint32Array>
  readonly #names: EdgeNames

  constructor(origin: IndexOrigin, environment: Environment) {
    this.#origin = origin
    this.#environment = environment
    const builtAt = environment.byText('meta', 'builtAt')
    this.status = toIndexStatus(
      origin.manifest,
      builtAt === undefined ? '' : new Unpacker(builtAt).text(),
    )
    this.corpus = origin.manifest.corpus
    this.#paths = new Memo((file) => decodeText(environment.byNumber('paths', file)), CACHE_SIZE)
    this.#pages = new Memo((page) => this.#page(page), CACHE_SIZE)
    const texts = new Memo(
      (symbol: number) => decodeText(environment.byNumber('texts', symbol)),
      CACHE_SIZE,
    )
    this.#names = {
      getPath: (file) => this.#paths.get(file),
      getText: (symbol) => texts.get(symbol),
    }
  }

  fileNumber(path: string): number | undefined {
    const value = this.#environment.byText('files', path)
    return value === undefined ? undefined : new Unpacker(value).number()
  }

  file(number: number): FlatFile {
    return this.#file(number)
  }

  contents(number: number): Pick<StoredFile, 'facts' | 'provides' | 'diagnostics'> {
    const { provides, diagnostics } = this.#file(number)
    const facts = this.#environment.byNumber('facts', number)
    return { facts: new Uint8Array(facts ?? []), provides, diagnostics }
  }

  chunk(number: number): StoredChunk {
    const value = this.#environment.byNumber('chunks', number)
    return unpackChunk(new Unpacker(requireValue(value, `chunk ${number}`)), this.#names.getPath)
  }

  place(number: number): ChunkRange | undefined {
    const value = this.#environment.byNumber('chunks', number)
    if (value === undefined) return undefined
    const { uid, file, start, end }: PackedLocation = unpackLocation(new Unpacker(value))
    return { uid, path: this.#paths.get(file), start, end }
  }

  chunksWithUid(uid: string): readonly number[] {
    return this.#rising('uids', uid)
  }

  symbol(number: number): StoredSymbol {
    const value = this.#environment.byNumber('symbols', number)
    return unpackSymbol(new Unpacker(requireValue(value, `symbol ${number}`)), this.#names.getPath)
  }

  symbolsWithId(id: string): readonly number[] {
    const value = this.#environment.byText('ids', id)
    if (value === undefined) return []
    const from = new Unpacker(value)
    from.number()
    return from.rising()
  }

  symbolsNamed(name: string): readonly number[] {
    return this.#rising('names', name)
  }

  edgesOf(file: number): readonly StoredEdge[] {
    return this.#edges('fileEdges', file)
  }

  edgesFrom(symbol: string): readonly StoredEdge[] {
    return this.#edges('edgesFrom', this.#textNumber(symbol))
  }

  edgesTo(symbol: string): readonly StoredEdge[] {
    return this.#edges('edgesTo', this.#textNumber(symbol))
  }

  unresolvedOf(file: number): readonly UnresolvedRecord[] {
    return decodeUnresolved(decodeText(this.#environment.byNumber('unresolved', file)))
  }

  postings(word: string): readonly Uint8Array[] {
    const value = this.#environment.byText('postings', word)
    return value === undefined ? [] : [value]
  }

  lengths(chunk: number): Uint32Array | undefined {
    const page = this.#pages.get(Math.floor(chunk / LENGTHS_PER_PAGE))
    const start = (chunk % LENGTHS_PER_PAGE) * FIELDS
    return page.length === 0 ? undefined : page.subarray(start, start + FIELDS)
  }

  words(after: string, limit: number): readonly string[] {
    return this.#environment.textsAfter('postings', after, limit)
  }

  askersOf(key: string): readonly string[] {
    return this.#rising('askers', key).map((it) => this.#paths.get(it))
  }

  askers(after: string, limit: number): readonly KeyDependents[] {
    return this.#environment.textsAfter('askers', after, limit).map((key) => ({
      key,
      paths: this.askersOf(key),
    }))
  }

  async newer(): Promise<FlatIndex | undefined> {
    const { files, folder, manifest } = this.#origin
    const isSame = readManifest(files, folder).sha256 === manifest.sha256
    return isSame ? undefined : openIndex(files, folder)
  }

  async close(): Promise<void> {
    await this.#environment.close()
  }

  #file(number: number): PackedFile {
    const value = this.#environment.byText('files', this.#paths.get(number))
    return unpackFile(new Unpacker(requireValue(value, `file ${number}`)))
  }

  #textNumber(symbol: string): number | undefined {
    const value = this.#environment.byText('ids', symbol)
    return value === undefined ? undefined : new Unpacker(value).number()
  }

  #edges(
    table: 'fileEdges' | 'edgesFrom' | 'edgesTo',
    number: number | undefined,
  ): readonly StoredEdge[] {
    const value = number === undefined ? undefined : this.#environment.byNumber(table, number)
    if (value === undefined) return []
    return unpackEdges(new Unpacker(value)).map((it) => toStoredEdge(it, this.#names))
  }

  #rising(table: 'uids' | 'names' | 'askers', text: string): readonly number[] {
    const value = this.#environment.byText(table, text)
    return value === undefined ? [] : new Unpacker(value).rising()
  }

  /** Empty where there is none. */
  #page(page: number): Uint32Array {
    const value = this.#environment.byNumber('lengths', page)
    if (value === undefined) return new Uint32Array()
    const from = new Unpacker(value)
    const lengths: number[] = []
    while (!from.isAtEnd) lengths.push(from.number())
    return Uint32Array.from(lengths)
  }
}

function decodeText(value: Uint8Array | undefined): string {
  return value === undefined ? '' : Buffer.from(value).toString('utf8')
}

function requireValue(value: Uint8Array | undefined, what: string): Uint8Array {
  if (value === undefined) throw new RangeError(`the index has no ${what}`)
  return value
}
