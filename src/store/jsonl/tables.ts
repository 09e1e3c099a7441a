/**
 * Lookup tables over the lines of each kind: by file, by id, by word. Built once, when an index is
 * opened.
 */
import type { StoredEdge } from '../../model/code-index.ts'
import { WORD_FIELDS } from '../../model/index-record.ts'
import { BY_BYTES } from '../code/byte-order.ts'
import { encode } from '../code/lists.ts'
import { ByteWriter } from '../code/varint.ts'
import {
  EdgeColumns,
  type EdgeNames,
  type NumberGroups,
  TextNumbers,
  toStoredEdge,
} from '../flat/edge-columns.ts'
import { listNumbers } from '../flat/flat-index.ts'
import type { FileLine, LineKind, LineStore, LineTypes } from './lines.ts'

type FileNumber = (path: string) => number

export function readLines<K extends LineKind>(store: LineStore<K>): readonly LineTypes[K][] {
  return listNumbers(0, store.size).map((it) => store.line(it))
}

/** The range of lines of each file: lines are in the order of the files. */
class FileRanges {
  readonly #firsts: number[] = []
  #size = 0

  add(file: number): void {
    while (this.#firsts.length <= file) this.#firsts.push(this.#size)
    this.#size += 1
  }

  /** First and count. */
  of(file: number): readonly [number, number] {
    const first = this.#firsts[file] ?? this.#size
    return [first, (this.#firsts[file + 1] ?? this.#size) - first]
  }
}

/** Numbers under texts, most of which have one. */
class NumbersByText {
  readonly #numbers = new Map<string, number | number[]>()

  add(text: string, number: number): void {
    const known = this.#numbers.get(text)
    if (known === undefined) this.#numbers.set(text, number)
    else if (typeof known === 'number') this.#numbers.set(text, [known, number])
    else known.push(number)
  }

  of(text: string): readonly number[] {
    const known = this.#numbers.get(text) ?? []
    return typeof known === 'number' ? [known] : known
  }
}

/** Lines that are only ever asked for by file. */
export class LinesByFile<K extends 'facts' | 'unresolved'> {
  readonly #store: LineStore<K>
  readonly #ranges = new FileRanges()

  constructor(store: LineStore<K>, fileOf: FileNumber) {
    this.#store = store
    for (let at = 0; at < store.size; at += 1) this.#ranges.add(fileOf(store.line(at).path))
  }

  of(file: number): readonly LineTypes[K][] {
    return listNumbers(...this.#ranges.of(file)).map((it) => this.#store.line(it))
  }
}

interface ChunkLocation {
  readonly uid: string
  readonly file: number
  readonly start: number
  readonly end: number
}

export class ChunkTable {
  readonly store: LineStore<'chunks'>
  readonly #ranges = new FileRanges()
  readonly #byUid = new NumbersByText()
  readonly #uids: string[] = []
  readonly #files: Uint32Array
  readonly #starts: Uint32Array
  readonly #ends: Uint32Array

  constructor(store: LineStore<'chunks'>, fileOf: FileNumber) {
    this.store = store
    this.#files = new Uint32Array(store.size)
    this.#starts = new Uint32Array(store.size)
    this.#ends = new Uint32Array(store.size)
    for (let at = 0; at < store.size; at += 1) {
      const { path, uid, start, end } = store.line(at)
      const file = fileOf(path)
      this.#ranges.add(file)
      this.#byUid.add(uid, at)
      this.#uids.push(uid)
      this.#files[at] = file
      this.#starts[at] = start
      this.#ends[at] = end
    }
  }

  inFile(file: number): readonly [number, number] {
    return this.#ranges.of(file)
  }

  withUid(uid: string): readonly number[] {
    return this.#byUid.of(uid)
  }

  place(number: number): ChunkLocation | undefined {
    const uid = this.#uids[number]
    if (uid === undefined) return undefined
    const [file = 0, start = 0, end = 0] = [
      this.#files[number],
      this.#starts[number],
      this.#ends[number],
    ]
    return { uid, file, start, end }
  }
}

export class SymbolTable {
  readonly store: LineStore<'symbols'>
  readonly #ranges = new FileRanges()
  readonly #byId = new NumbersByText()
  readonly #byName = new NumbersByText()

  constructor(store: LineStore<'symbols'>, fileOf: FileNumber) {
    this.store = store
    for (let at = 0; at < store.size; at += 1) {
      const { path, id, name } = store.line(at)
      this.#ranges.add(fileOf(path))
      this.#byId.add(id, at)
      this.#byName.add(name, at)
    }
  }

  inFile(file: number): readonly [number, number] {
    return this.#ranges.of(file)
  }

  withId(id: string): readonly number[] {
    return this.#byId.of(id)
  }

  named(name: string): readonly number[] {
    return this.#byName.of(name)
  }
}

/** Lines are not kept: as columns, edges take a twentieth of the memory. */
export class EdgeTable {
  readonly #names: EdgeNames
  readonly #texts = new TextNumbers()
  readonly #columns = new EdgeColumns(this.#texts)
  readonly #byFile: NumberGroups
  readonly #byFrom: NumberGroups
  readonly #byTo: NumberGroups

  constructor(store: LineStore<'edges'>, files: readonly FileLine[], fileOf: FileNumber) {
    this.#names = {
      getPath: (file) => files[file]?.path ?? '',
      getText: (symbol) => this.#texts.text(symbol),
    }
    for (let at = 0; at < store.size; at += 1) {
      const edge = store.line(at)
      this.#columns.add(fileOf(edge.path), edge)
    }
    this.#byFile = this.#columns.byFile(files.length)
    this.#byFrom = this.#columns.byFrom()
    this.#byTo = this.#columns.byTo()
  }

  of(file: number): readonly StoredEdge[] {
    return this.#edges(this.#byFile.of(file))
  }

  from(symbol: string): readonly StoredEdge[] {
    const number = this.#texts.find(symbol)
    return number === undefined ? [] : this.#edges(this.#byFrom.of(number))
  }

  to(symbol: string): readonly StoredEdge[] {
    const number = this.#texts.find(symbol)
    return number === undefined ? [] : this.#edges(this.#byTo.of(number))
  }

  #edges(numbers: Uint32Array): readonly StoredEdge[] {
    return Array.from(numbers, (it) => toStoredEdge(this.#columns.numbered(it), this.#names))
  }
}

/** As the database has them: a few bytes an entry. */
export class PostingTable {
  readonly words: readonly string[]
  readonly #blobs = new Map<string, Uint8Array>()

  constructor(store: LineStore<'postings'>) {
    const bytes = new ByteWriter()
    for (const { word, entries } of iterateLines(store)) {
      const size = entries.length / 3
      const column = (offset: number): number[] =>
        listNumbers(0, size).map((it) => entries[it * 3 + offset] ?? 0)
      const numbers = Uint32Array.from(column(0))
      const tags = Uint8Array.from(column(1))
      this.#blobs.set(word, encode({ numbers, tags, counts: Uint32Array.from(column(2)) }, bytes))
    }
    this.words = [...this.#blobs.keys()]
  }

  of(word: string): readonly Uint8Array[] {
    const blob = this.#blobs.get(word)
    return blob === undefined ? [] : [blob]
  }
}

export class AskerTable {
  readonly keys: readonly string[]
  readonly #files = new Map<string, Uint32Array>()

  constructor(store: LineStore<'askers'>) {
    for (const { key, files } of iterateLines(store)) this.#files.set(key, Uint32Array.from(files))
    this.keys = [...this.#files.keys()]
  }

  of(key: string): readonly number[] {
    return [...(this.#files.get(key) ?? [])]
  }
}

/** Chunk by chunk. */
export function readLengths(store: LineStore<'lengths'>): Uint32Array {
  const lengths = new Uint32Array(store.size * WORD_FIELDS.length)
  for (let at = 0; at < store.size; at += 1) lengths.set(store.line(at), at * WORD_FIELDS.length)
  return lengths
}

/** Of texts that are ordered by their bytes: so many after a given one, which need not be there. */
export function pageAfter(
  sorted: readonly string[],
  after: string,
  limit: number,
): readonly string[] {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (BY_BYTES(sorted[middle] ?? '', after) <= 0) low = middle + 1
    else high = middle
  }
  return sorted.slice(low, low + limit)
}

function* iterateLines<K extends LineKind>(store: LineStore<K>): Generator<LineTypes[K]> {
  for (let at = 0; at < store.size; at += 1) yield store.line(at)
}
