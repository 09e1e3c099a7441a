/**
 * The lines of each kind, and the pieces that they are cut into. A line is canonical JSON, so the
 * same index gives the same bytes on every machine.
 */
import { join } from 'node:path'
import type { Diagnostic } from '../../model/diagnostic.ts'
import type {
  ChunkRecord,
  EdgeRecord,
  SymbolRecord,
  UnresolvedRecord,
} from '../../model/index-record.ts'
import type { Files } from '../../platform/files.ts'
import { sha256 } from '../../platform/hash.ts'
import { createArtifactError } from '../flat/artifact-errors.ts'
import { canonicalJson, type IndexPiece, type Manifest, writeNewFile } from '../flat/manifest.ts'

/**
 * The type of the lines of each kind. Other lines refer to a line by its number over all pieces.
 */
export interface LineTypes {
  readonly files: FileLine
  readonly facts: { readonly path: string; readonly base64: string }
  readonly chunks: ChunkRecord & { readonly path: string }
  readonly symbols: SymbolRecord & { readonly path: string }
  readonly edges: EdgeRecord & { readonly path: string }
  readonly unresolved: UnresolvedRecord & { readonly path: string }
  /** Numbers of the files that looked the key up. */
  readonly askers: { readonly key: string; readonly files: readonly number[] }
  /** Number of the chunk, of the field and how often, one after the other. */
  readonly postings: { readonly word: string; readonly entries: readonly number[] }
  /** Words per field; one line for each chunk. */
  readonly lengths: readonly number[]
}

/** Times depend on the machine and are stored separately. */
export interface FileLine {
  readonly path: string
  readonly sha256: string
  readonly size: number
  readonly language: string
  readonly lines: number
  readonly surface: string
  readonly provides: readonly { readonly name: string; readonly definition: number }[]
  readonly diagnostics: readonly Diagnostic[]
}

export type LineKind = keyof LineTypes

const NEWLINE = 10

/** Gathers lines of one kind, and writes them in pieces. */
export class PieceWriter<K extends LineKind> {
  readonly pieces: IndexPiece[] = []
  readonly #kind: K
  readonly #place: { readonly files: Files; readonly folder: string; readonly most: number }
  #lines: Buffer[] = []
  #bytes = 0

  constructor(
    kind: K,
    place: { readonly files: Files; readonly folder: string; readonly most: number },
  ) {
    this.#kind = kind
    this.#place = place
  }

  add(line: LineTypes[K]): void {
    const bytes = Buffer.from(`${canonicalJson(line)}\n`)
    // A line that is larger than a piece gets a piece to itself.
    if (this.#bytes > 0 && this.#bytes + bytes.length > this.#place.most) this.#write()
    this.#lines.push(bytes)
    this.#bytes += bytes.length
  }

  /** Every kind has at least one piece, so that a missing file is noticed. */
  end(): readonly IndexPiece[] {
    if (this.#bytes > 0 || this.pieces.length === 0) this.#write()
    return this.pieces
  }

  #write(): void {
    const { files, folder } = this.#place
    const name = `${this.#kind}-${String(this.pieces.length).padStart(4, '0')}.jsonl`
    const bytes = Buffer.concat(this.#lines, this.#bytes)
    writeNewFile(files, join(folder, name), bytes)
    this.pieces.push({
      name,
      kind: this.#kind,
      records: this.#lines.length,
      bytes: bytes.length,
      sha256: sha256(bytes),
    })
    this.#lines = []
    this.#bytes = 0
  }
}

/** The bytes of all pieces of a kind, and where each line begins. Lines are parsed when asked for. */
export class LineStore<K extends LineKind> {
  readonly #buffers: Buffer[] = []
  readonly #buffer: number[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []

  static load<K extends LineKind>(kind: K, { files, folder, manifest }: Artifact): LineStore<K> {
    const store = new LineStore<K>()
    const pieces = manifest.pieces.filter((it) => it.kind === kind)
    if (pieces.length === 0)
      throw createArtifactError('corrupt', `${folder} has no piece of ${kind}`)
    for (const piece of pieces) store.#add(readPieceBytes(files, folder, piece), piece, folder)
    return store
  }

  get size(): number {
    return this.#starts.length
  }

  line(number: number): LineTypes[K] {
    const buffer = this.#buffers[this.#buffer[number] ?? 0]
    const text = buffer?.toString('utf8', this.#starts[number], this.#ends[number]) ?? ''
    return JSON.parse(text) as LineTypes[K]
  }

  #add(bytes: Buffer, piece: IndexPiece, folder: string): void {
    this.#buffers.push(bytes)
    const before = this.#starts.length
    for (let start = 0; start < bytes.length; ) {
      const found = bytes.indexOf(NEWLINE, start)
      const end = found === -1 ? bytes.length : found
      this.#buffer.push(this.#buffers.length - 1)
      this.#starts.push(start)
      this.#ends.push(end)
      start = end + 1
    }
    if (this.#starts.length - before !== piece.records) {
      throw createArtifactError(
        'corrupt',
        `${join(folder, piece.name)} has an unexpected number of lines`,
      )
    }
  }
}

export interface Artifact {
  readonly files: Files
  readonly folder: string
  readonly manifest: Manifest
}

/** Throws where the piece is missing, cut or changed. */
function readPieceBytes(files: Files, folder: string, piece: IndexPiece): Buffer {
  const path = join(folder, piece.name)
  let bytes: Uint8Array
  try {
    bytes = files.read(path)
  } catch (error) {
    throw createArtifactError('corrupt', `${path} is missing or cannot be read`, error)
  }
  if (bytes.length !== piece.bytes) {
    throw createArtifactError(
      'corrupt',
      `${path} has ${bytes.length} bytes instead of ${piece.bytes}`,
    )
  }
  if (sha256(bytes) !== piece.sha256)
    throw createArtifactError('corrupt', `${path} does not match its checksum`)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
