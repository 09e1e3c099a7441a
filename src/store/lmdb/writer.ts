/** Writes an index as LMDB: one memory-mapped file, and a manifest with its checksum. */
import { join } from 'node:path'
import type { CodeIndexReader, StoredFile } from '../../model/code-index.ts'
import { WORD_FIELDS } from '../../model/index-record.ts'
import type { Files } from '../../platform/files.ts'
import { computeFileDigest } from '../../platform/folder.ts'
import { type Entries, encode } from '../code/lists.ts'
import { encodeUnresolved } from '../code/resolved-rows.ts'
import { ByteWriter } from '../code/varint.ts'
import { copyIndex, type FlatSink } from '../flat/copy-index.ts'
import { EdgeColumns, type NumberGroups, TextNumbers } from '../flat/edge-columns.ts'
import { createManifest, type Manifest, writeManifest } from '../flat/manifest.ts'
import { DATA_NAME, Environment } from './environment.ts'
import { Packer, packChunk, packEdge, packFile, packSymbol } from './packing.ts'

export interface LmdbOptions {
  readonly files: Files
  /** Exists, and is empty. */
  readonly folder: string
  readonly generator: string
  /** Called from time to time; may throw to stop. */
  pause(): Promise<void>
}

/** Writes the whole content of the reader into the folder. */
export async function writeLmdbIndex(
  reader: CodeIndexReader,
  { files, folder, generator, pause }: LmdbOptions,
): Promise<Manifest> {
  const path = join(folder, DATA_NAME)
  const environment = Environment.create(path)
  const sink = new LmdbSink(environment)
  let manifest: Manifest
  try {
    const poured = await copyIndex(reader, sink, () => pause())
    sink.end(poured.status.builtAt)
    await environment.close()
    const piece = {
      name: DATA_NAME,
      kind: 'data',
      records: sink.records,
      ...computeFileDigest(path),
    }
    manifest = createManifest(poured, { backend: 'lmdb', generator, pieces: [piece] })
  } catch (error) {
    await environment.close()
    throw error
  }
  // The lock file of the writer; a reader creates its own.
  files.remove(`${path}-lock`)
  writeManifest(files, folder, manifest)
  return manifest
}

/** Values that are held in memory before they are written in one transaction. */
const MAX_PENDING_BYTES = 8 * 1024 * 1024
/** Chunks to a page of lengths. */
export const LENGTHS_PER_PAGE = 256

class LmdbSink implements FlatSink {
  records = 0
  readonly #environment: Environment
  readonly #packer = new Packer()
  readonly #bytes = new ByteWriter()
  readonly #texts = new TextNumbers()
  readonly #edges = new EdgeColumns(this.#texts)
  readonly #symbolsById = new Map<string, number[]>()
  readonly #symbolsByName = new Map<string, number[]>()
  readonly #chunksByUid = new Map<string, number[]>()
  readonly #pending: (() => void)[] = []
  #pendingBytes = 0
  #files = 0
  #chunks = 0
  #symbols = 0

  constructor(environment: Environment) {
    this.#environment = environment
  }

  file(file: StoredFile): void {
    const number = this.#files
    const { path, sha256, size, mtimeMs, language, lines, surface, provides, diagnostics } = file
    const packed = {
      number,
      firstChunk: this.#chunks,
      chunkCount: file.chunks.length,
      firstSymbol: this.#symbols,
      symbolCount: file.symbols.length,
      state: { path, sha256, size, mtimeMs, language, lines, surface },
      provides,
      diagnostics,
    }
    this.#files += 1
    this.#byText('files', path, (it) => packFile(it, packed))
    this.#put('paths', number, Buffer.from(path))
    if (file.facts.length > 0) this.#put('facts', number, Buffer.from(file.facts))
    const unresolved = encodeUnresolved(file.unresolved)
    if (unresolved !== '') this.#put('unresolved', number, Buffer.from(unresolved))
    for (const it of file.chunks) {
      this.#byNumber('chunks', this.#chunks, (packer) => packChunk(packer, number, it))
      addToList(this.#chunksByUid, it.uid, this.#chunks)
      this.#chunks += 1
    }
    for (const it of file.symbols) {
      this.#byNumber('symbols', this.#symbols, (packer) => packSymbol(packer, number, it))
      addToList(this.#symbolsById, it.id, this.#symbols)
      addToList(this.#symbolsByName, it.name, this.#symbols)
      this.#symbols += 1
    }
    for (const it of file.edges) this.#edges.add(number, it)
  }

  asker(key: string, files: readonly number[]): void {
    this.#byText('askers', key, (it) => it.rising(files))
  }

  word(word: string, entries: Entries): void {
    const blob = Buffer.from(encode(entries, this.#bytes))
    this.#later(blob.length, () => this.#environment.putByText('postings', word, blob))
  }

  lengths(lengths: Uint32Array): void {
    const room = LENGTHS_PER_PAGE * WORD_FIELDS.length
    for (let page = 0; page * room < lengths.length; page += 1) {
      const own = lengths.subarray(page * room, (page + 1) * room)
      this.#byNumber('lengths', page, (it) => {
        for (const value of own) it.number(value)
      })
    }
  }

  end(builtAt: string): void {
    for (const [uid, numbers] of this.#chunksByUid)
      this.#byText('uids', uid, (it) => it.rising(numbers))
    for (const [name, numbers] of this.#symbolsByName)
      this.#byText('names', name, (it) => it.rising(numbers))
    for (const id of this.#symbolsById.keys()) this.#texts.intern(id)
    for (let at = 0; at < this.#texts.size; at += 1) this.#symbol(at)
    this.#edgeLists('fileEdges', this.#edges.byFile(this.#files), this.#files)
    this.#edgeLists('edgesFrom', this.#edges.byFrom(), this.#texts.size)
    this.#edgeLists('edgesTo', this.#edges.byTo(), this.#texts.size)
    this.#byText('meta', 'builtAt', (it) => it.text(builtAt))
    this.#flush()
  }

  /** A symbol's id, by which edges name it, with the places where it is defined. */
  #symbol(number: number): void {
    const id = this.#texts.text(number)
    this.#put('texts', number, Buffer.from(id))
    this.#byText('ids', id, (it) => {
      it.number(number)
      it.rising(this.#symbolsById.get(id) ?? [])
    })
  }

  #edgeLists(
    table: 'fileEdges' | 'edgesFrom' | 'edgesTo',
    groups: NumberGroups,
    count: number,
  ): void {
    for (let group = 0; group < count; group += 1) {
      const edges = groups.of(group)
      if (edges.length === 0) continue
      this.#byNumber(table, group, (it) => {
        for (const edge of edges) packEdge(it, this.#edges.numbered(edge))
      })
    }
  }

  #byText(table: Parameters<Environment['putByText']>[0], text: string, write: PackValue): void {
    const value = this.#packer.pack(write)
    this.#later(value.length, () => this.#environment.putByText(table, text, value))
  }

  #byNumber(table: Parameters<Environment['putByNumber']>[0], key: number, write: PackValue): void {
    this.#put(table, key, this.#packer.pack(write))
  }

  #put(table: Parameters<Environment['putByNumber']>[0], key: number, value: Buffer): void {
    this.#later(value.length, () => this.#environment.putByNumber(table, key, value))
  }

  #later(bytes: number, put: () => void): void {
    this.records += 1
    this.#pending.push(put)
    this.#pendingBytes += bytes
    if (this.#pendingBytes > MAX_PENDING_BYTES) this.#flush()
  }

  #flush(): void {
    this.#environment.write(() => {
      for (const put of this.#pending) put()
    })
    this.#pending.length = 0
    this.#pendingBytes = 0
  }
}

type PackValue = (packer: Packer) => void

function addToList(map: Map<string, number[]>, key: string, number: number): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [number])
  else known.push(number)
}
