/** Records of an index as bytes: numbers as varints, texts as UTF-8 with their length before them. */
import type { StoredChunk, StoredFile, StoredSymbol } from '../../model/code-index.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import {
  type ChunkRecord,
  EDGE_KINDS,
  EVIDENCE_KINDS,
  type SymbolRecord,
} from '../../model/index-record.ts'
import { ByteReader, ByteWriter } from '../code/varint.ts'
import type { NumberedEdge } from '../flat/edge-columns.ts'
import type { FlatFile } from '../flat/flat-index.ts'

/** Confidences have three decimals as a rule; one that has more is written as it is. */
const GRAIN = 1000
const REAL_BYTES = 8

export class Packer {
  readonly #bytes = new ByteWriter()

  /** What `write` writes, in bytes of its own. */
  pack(write: (packer: Packer) => void): Buffer {
    this.#bytes.length = 0
    write(this)
    return Buffer.from(this.#bytes.from(0))
  }

  number(value: number): void {
    this.#bytes.put(value)
  }

  /** May be below zero. */
  signed(value: number): void {
    this.#bytes.put(value < 0 ? -value * 2 - 1 : value * 2)
  }

  text(value: string): void {
    const bytes = Buffer.from(value)
    this.#bytes.put(bytes.length)
    this.#bytes.putBytes(bytes)
  }

  real(value: number): void {
    const bytes = Buffer.alloc(REAL_BYTES)
    bytes.writeDoubleLE(value)
    this.#bytes.putBytes(bytes)
  }

  share(value: number): void {
    const grains = Math.round(value * GRAIN)
    const isExact = grains >= 0 && grains / GRAIN === value
    this.#bytes.put(isExact ? grains + 1 : 0)
    if (!isExact) this.real(value)
  }

  /** In rising order. */
  rising(values: readonly number[] | Uint32Array): void {
    this.#bytes.put(values.length)
    let last = 0
    for (const it of values) {
      this.#bytes.put(it - last)
      last = it
    }
  }
}

export class Unpacker {
  readonly #bytes: ByteReader
  readonly #whole: Buffer

  constructor(bytes: Uint8Array) {
    this.#bytes = new ByteReader(bytes)
    this.#whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  get isAtEnd(): boolean {
    return this.#bytes.isAtEnd
  }

  number(): number {
    return this.#bytes.next()
  }

  signed(): number {
    const value = this.#bytes.next()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }

  text(): string {
    const length = this.#bytes.next()
    const start = this.#bytes.skip(length)
    return this.#whole.toString('utf8', start, start + length)
  }

  real(): number {
    return this.#whole.readDoubleLE(this.#bytes.skip(REAL_BYTES))
  }

  share(): number {
    const grains = this.#bytes.next()
    return grains === 0 ? this.real() : (grains - 1) / GRAIN
  }

  rising(): readonly number[] {
    let last = 0
    return Array.from({ length: this.#bytes.next() }, () => {
      last += this.#bytes.next()
      return last
    })
  }
}

export interface PackedFile extends FlatFile {
  readonly number: number
  readonly provides: StoredFile['provides']
  readonly diagnostics: readonly Diagnostic[]
}

export function packFile(to: Packer, file: PackedFile): void {
  const { state, provides, diagnostics } = file
  to.number(file.number)
  to.number(file.firstChunk)
  to.number(file.chunkCount)
  to.number(file.firstSymbol)
  to.number(file.symbolCount)
  to.text(state.path)
  to.text(state.sha256)
  to.number(state.size)
  to.real(state.mtimeMs)
  to.text(state.language)
  to.number(state.lines)
  to.text(state.surface)
  to.text(diagnostics.length === 0 ? '' : JSON.stringify(diagnostics))
  to.number(provides.length)
  for (const { name, definition } of provides) {
    to.text(name)
    to.signed(definition)
  }
}

export function unpackFile(from: Unpacker): PackedFile {
  const [number, firstChunk, chunkCount, firstSymbol, symbolCount] = readNumbers(from, 5)
  const state = {
    path: from.text(),
    sha256: from.text(),
    size: from.number(),
    mtimeMs: from.real(),
    language: from.text(),
    lines: from.number(),
    surface: from.text(),
  }
  const diagnostics = from.text()
  return {
    number,
    firstChunk,
    chunkCount,
    firstSymbol,
    symbolCount,
    state,
    diagnostics: diagnostics === '' ? [] : (JSON.parse(diagnostics) as Diagnostic[]),
    provides: Array.from({ length: from.number() }, () => ({
      name: from.text(),
      definition: from.signed(),
    })),
  }
}

/** The location of a chunk comes first, because ranking reads it for thousands of chunks. */
export function packChunk(to: Packer, file: number, chunk: ChunkRecord): void {
  to.number(file)
  to.text(chunk.uid)
  to.number(chunk.start)
  to.number(chunk.end)
  to.number(chunk.startLine)
  to.number(chunk.endLine)
  to.number(chunk.tokens)
  to.text(chunk.kind)
  to.text(chunk.name)
  to.text(chunk.title)
  to.text(chunk.symbol)
  to.text(chunk.text)
}

export interface PackedLocation {
  readonly file: number
  readonly uid: string
  readonly start: number
  readonly end: number
}

export function unpackLocation(from: Unpacker): PackedLocation {
  return { file: from.number(), uid: from.text(), start: from.number(), end: from.number() }
}

export function unpackChunk(from: Unpacker, pathOf: (file: number) => string): StoredChunk {
  const { file, uid, start, end } = unpackLocation(from)
  const [startLine, endLine, tokens] = readNumbers(from, 3)
  return {
    path: pathOf(file),
    uid,
    kind: from.text(),
    name: from.text(),
    title: from.text(),
    start,
    end,
    startLine,
    endLine,
    tokens,
    symbol: from.text(),
    text: from.text(),
  }
}

export function packSymbol(to: Packer, file: number, symbol: SymbolRecord): void {
  to.number(file)
  to.text(symbol.id)
  to.text(symbol.name)
  to.text(symbol.kind)
  to.signed(symbol.definition)
  to.number(symbol.start)
  to.number(symbol.end)
  to.number(symbol.isExported ? 1 : 0)
}

export function unpackSymbol(from: Unpacker, pathOf: (file: number) => string): StoredSymbol {
  return {
    path: pathOf(from.number()),
    id: from.text(),
    name: from.text(),
    kind: from.text(),
    definition: from.signed(),
    start: from.number(),
    end: from.number(),
    isExported: from.number() === 1,
  }
}

export function packEdge(to: Packer, edge: NumberedEdge): void {
  to.number(edge.file)
  to.number(EDGE_KINDS.indexOf(edge.kind) * EVIDENCE_ROOM + EVIDENCE_KINDS.indexOf(edge.evidence))
  to.number(edge.from)
  to.number(edge.to)
  to.number(edge.start)
  to.number(edge.end - edge.start)
  to.share(edge.confidence)
}

export function unpackEdges(from: Unpacker): readonly NumberedEdge[] {
  const edges: NumberedEdge[] = []
  while (!from.isAtEnd) {
    const [file, kinds, source, target, start, length] = readNumbers(from, 6)
    edges.push({
      file,
      kind: EDGE_KINDS[Math.floor(kinds / EVIDENCE_ROOM)] ?? 'usage',
      evidence: EVIDENCE_KINDS[kinds % EVIDENCE_ROOM] ?? 'span',
      from: source,
      to: target,
      start,
      end: start + length,
      confidence: from.share(),
    })
  }
  return edges
}

const EVIDENCE_ROOM = 8

type Numbers = [number, number, number, number, number, number]

function readNumbers(from: Unpacker, count: number): Numbers {
  const found: Numbers = [0, 0, 0, 0, 0, 0]
  for (let at = 0; at < count; at += 1) found[at] = from.number()
  return found
}
