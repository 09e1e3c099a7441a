/**
 * Vectors of chunks and words, written. They lie in tables of their own that are made with the
 * first of them. A file that is removed leaves its vectors behind until the end of the commit: the
 * chunks that come in its place are mostly the same, and a vector may have cost money.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { assert } from '../../base/assert.ts'
import type { VectorWriter, WordPostings } from '../../model/code-index.ts'
import type { VectorInfo, WordVector } from '../../model/embedder.ts'
import type { Counters } from './counters.ts'
import { loadDead } from './dead.ts'
import { allLists, decode } from './lists.ts'
import {
  asBlob,
  isOf,
  loadVectorSearch,
  type StoredVectors,
  storedVectors,
} from './vector-search.ts'

/** No chunk has this number: vectors of it are in step with nothing. */
const UNFINISHED = -1

const CREATE_TABLES = `
CREATE TABLE vector_info (info TEXT NOT NULL);
CREATE TABLE vector_chunks (chunk INTEGER PRIMARY KEY, uid TEXT NOT NULL);
CREATE INDEX vector_chunks_uid ON vector_chunks(uid);
CREATE TABLE word_vectors (
  word TEXT PRIMARY KEY,
  worth REAL NOT NULL,
  bytes BLOB NOT NULL
) WITHOUT ROWID;
`

const DROP_TABLES = `
DROP TABLE chunk_vectors;
DROP TABLE vector_chunks;
DROP TABLE word_vectors;
DROP TABLE vector_info;
`

export class VectorTables implements VectorWriter {
  readonly #connection: DatabaseSync
  readonly #counters: Counters

  constructor(connection: DatabaseSync, counters: Counters) {
    this.#connection = connection
    this.#counters = counters
  }

  info(): VectorInfo | undefined {
    const stored = storedVectors(this.#connection)
    if (stored === undefined) return undefined
    const { name, model, dimensions, url } = stored
    return { name, model, dimensions, url }
  }

  isComplete(): boolean {
    const stored = storedVectors(this.#connection)
    return stored !== undefined && isOf(stored, this.#counters)
  }

  chunkHandles(): Uint32Array {
    const statement = this.#connection.prepare(
      'SELECT c.n FROM chunks c JOIN files f ON f.n = c.file ORDER BY f.path, c.n',
    )
    statement.setReturnArrays(true)
    return Uint32Array.from(statement.all() as unknown as [number][], ([handle]) => handle)
  }

  *wordPostings(): Generator<WordPostings> {
    const isDead = loadDead(this.#connection) ?? (() => false)
    for (const { key, blobs } of allLists(this.#connection, 'postings')) {
      const { numbers, tags, counts, distinct } = decode(blobs, (it) => !isDead(it))
      yield { word: key, handles: numbers, fields: tags, counts, frequency: distinct }
    }
  }

  async prepare(info: VectorInfo): Promise<void> {
    await loadVectorSearch(this.#connection)
    const before = this.info()
    const isKept = before !== undefined && info.name !== 'self' && isSame(before, info)
    if (before !== undefined && !isKept) this.#connection.exec(DROP_TABLES)
    if (!isKept) {
      this.#connection.exec(`${CREATE_TABLES}
        CREATE VIRTUAL TABLE chunk_vectors USING vec0(
          chunk INTEGER PRIMARY KEY,
          embedding int8[${Math.trunc(info.dimensions)}] distance_metric=cosine
        )`)
    }
    this.#save({ ...info, lastChunk: UNFINISHED, chunks: UNFINISHED })
  }

  chunksWithoutVector(handles: Uint32Array): Uint32Array {
    const present = this.#connection.prepare('SELECT 1 FROM vector_chunks WHERE chunk = ?')
    const twin = this.#connection.prepare(`SELECT v.chunk FROM chunks c
      JOIN vector_chunks v ON v.uid = c.uid WHERE c.n = ? ORDER BY v.chunk LIMIT 1`)
    const known = this.#connection.prepare('SELECT embedding FROM chunk_vectors WHERE chunk = ?')
    const insert = this.#insertStatement()
    const note = this.#noteStatement()
    return handles.filter((handle) => {
      if (present.get(handle) !== undefined) return false
      const chunk = twin.get(handle)?.['chunk']
      if (chunk === undefined) return true
      note.run(handle, handle)
      const embedding = known.get(chunk)?.['embedding']
      if (embedding !== undefined) insert.run(BigInt(handle), embedding)
      return false
    })
  }

  chunkTexts(handles: Uint32Array): ReturnType<VectorWriter['chunkTexts']> {
    const statement = this.#connection.prepare(
      'SELECT f.path, c.title, c.text FROM chunks c JOIN files f ON f.n = c.file WHERE c.n = ?',
    )
    return Array.from(handles, (handle) => {
      const row = statement.get(handle)
      assert(row !== undefined, 'a handle of this transaction')
      const { path, title, text } = row
      return { path: String(path), title: String(title), text: String(text) }
    })
  }

  put(handles: Uint32Array, vectors: Int8Array): void {
    const dimensions = this.info()?.dimensions ?? 0
    assert(vectors.length === handles.length * dimensions, 'a vector for each chunk')
    const insert = this.#insertStatement()
    const note = this.#noteStatement()
    for (const [at, handle] of handles.entries()) {
      const vector = vectors.subarray(at * dimensions, (at + 1) * dimensions)
      note.run(handle, handle)
      if (vector.some((it) => it !== 0)) insert.run(BigInt(handle), asBlob(vector))
    }
  }

  putWords(words: readonly string[], vectors: readonly WordVector[]): void {
    const insert = this.#connection.prepare('INSERT INTO word_vectors VALUES (?, ?, ?)')
    for (const [at, { worth, values }] of vectors.entries()) {
      insert.run(words[at] ?? '', worth, asBlob(values))
    }
  }

  finish(): void {
    const gone = this.#connection
      .prepare('SELECT chunk FROM vector_chunks WHERE chunk NOT IN (SELECT n FROM chunks)')
      .all()
      .map((row) => Number(row['chunk']))
    const removals = ['chunk_vectors', 'vector_chunks'].map((table) =>
      this.#connection.prepare(`DELETE FROM ${table} WHERE chunk = ?`),
    )
    for (const chunk of gone) for (const removal of removals) removal.run(BigInt(chunk))
    const stored = storedVectors(this.#connection)
    assert(stored !== undefined, 'prepare() before this')
    const { chunk, chunks } = this.#counters
    this.#save({ ...stored, lastChunk: chunk, chunks })
  }

  async drop(): Promise<void> {
    if (this.info() === undefined) return
    await loadVectorSearch(this.#connection)
    this.#connection.exec(DROP_TABLES)
  }

  /** sqlite-vec takes whole numbers alone for keys, and those of JavaScript come as others. */
  #insertStatement(): StatementSync {
    return this.#connection.prepare(
      'INSERT INTO chunk_vectors(chunk, embedding) VALUES (?, vec_int8(?))',
    )
  }

  #noteStatement(): StatementSync {
    return this.#connection.prepare(
      'INSERT INTO vector_chunks SELECT cast(? AS INTEGER), uid FROM chunks WHERE n = ?',
    )
  }

  #save(stored: StoredVectors): void {
    this.#connection.exec('DELETE FROM vector_info')
    this.#connection.prepare('INSERT INTO vector_info VALUES (?)').run(JSON.stringify(stored))
  }
}

function isSame(a: VectorInfo, b: VectorInfo): boolean {
  return a.name === b.name && a.model === b.model && a.dimensions === b.dimensions
}
