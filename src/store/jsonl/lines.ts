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
import { canonical, type Manifest, type Piece, writeWhole } from '../flat/manifest.ts'
import { artifactTrouble } from '../flat/trouble.ts'

/** What each line of a kind is; the number of a line, over all pieces, is what others name it by. */
export interface Lines {
  readonly files: FileLine
  readonly facts: { readonly path: string; readonly base64: string }
  readonly chunks: ChunkRecord & { readonly path: string }
  readonly symbols: SymbolRecord & { readonly path: string }
  readonly edges: EdgeRecord & { readonly path: string }
  readonly unresolved: UnresolvedRecord & { readonly path: string }
  /** Numbers of the files that asked. */
  readonly askers: { readonly key: string; readonly files: readonly number[] }
  /** Number of the chunk, of the field and how often, one after the other. */
  readonly postings: { readonly word: string; readonly entries: readonly number[] }
  /** Words per field; one line for each chunk. */
  readonly lengths: readonly number[]
}

/** The times are those of a machine, and stand elsewhere. */
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

export type LineKind = keyof Lines

const NEWLINE = 10

/** Gathers lines of one kind, and writes them in pieces. */
export class PieceWriter<K extends LineKind> {
  readonly pieces: Piece[] = []
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

  add(line: Lines[K]): void {
    const bytes = Buffer.from(`${canonical(line)}\n`)
    // A line that is larger than a piece is one.
    if (this.#bytes > 0 && this.#bytes + bytes.length > this.#place.most) this.#write()
    this.#lines.push(bytes)
    this.#bytes += bytes.length
  }

  /** There is a piece of every kind, so that a missing one is never taken for an empty one. */
  end(): readonly Piece[] {
    if (this.#bytes > 0 || this.pieces.length === 0) this.#write()
    return this.pieces
  }

  #write(): void {
    const { files, folder } = this.#place
    const name = `${this.#kind}-${String(this.pieces.length).padStart(4, '0')}.jsonl`
    const bytes = Buffer.concat(this.#lines, this.#bytes)
    writeWhole(files, join(folder, name), bytes)
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
    if (pieces.length === 0) throw artifactTrouble('corrupt', `${folder} has no piece of ${kind}`)
    for (const piece of pieces) store.#add(pieceBytes(files, folder, piece), piece, folder)
    return store
  }

  get size(): number {
    return this.#starts.length
  }

  line(number: number): Lines[K] {
    const buffer = this.#buffers[this.#buffer[number] ?? 0]
    const text = buffer?.toString('utf8', this.#starts[number], this.#ends[number]) ?? ''
    return JSON.parse(text) as Lines[K]
  }

  #add(bytes: Buffer, piece: Piece, folder: string): void {
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
      throw artifactTrouble('corrupt', `${join(folder, piece.name)} has not the lines it should`)
    }
  }
}

export interface Artifact {
  readonly files: Files
  readonly folder: string
  readonly manifest: Manifest
}

/** Throws where the piece is missing, cut or changed. */
function pieceBytes(files: Files, folder: string, piece: Piece): Buffer {
  const path = join(folder, piece.name)
  let bytes: Uint8Array
  try {
    bytes = files.read(path)
  } catch (error) {
    throw artifactTrouble('corrupt', `${path} is missing or cannot be read`, error)
  }
  if (bytes.length !== piece.bytes) {
    throw artifactTrouble('corrupt', `${path} has ${bytes.length} bytes and not ${piece.bytes}`)
  }
  if (sha256(bytes) !== piece.sha256) throw artifactTrouble('corrupt', `${path} was changed`)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
