/**
 * Writes context.db, and reads the state from which an incremental build starts. Everything here is
 * derived from the documents; a damaged file is discarded and rebuilt.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Chunking, ChunksIn, DocsPackHeader } from '../../model/docs-pack.ts'
import { CHUNK_COLUMNS, type EncodedDocument, measurePieces, type PieceLengths } from './encode.ts'
import type { ArrayStarts } from './pack-file.ts'
import { CREATE_TABLES, DATABASE_VERSION, INDEX_WORDS, OLDEST_READABLE_VERSION } from './tables.ts'

/** The stored state of a document's file, which shows whether it must be read again. */
export interface DocumentState {
  readonly path: string
  readonly doc: string
  readonly sha256: string
  readonly size: number
  readonly mtimeMs: number
  readonly hashedAtMs: number
  readonly chunkCount: number
}

export interface DatabaseMeta {
  readonly header: DocsPackHeader
  readonly chunking: Chunking
  readonly chunksIn: ChunksIn
  /** Number of files found, including unreadable ones: document ids depend on all of them. */
  readonly found: number
  /** The segment as a path below the root that its source paths are relative to. */
  readonly prefix: string
  /** The pack file that this database belongs to. */
  readonly json: { readonly size: number; readonly mtimeMs: number; readonly starts: ArrayStarts }
}

/** When a document's file was written, and when it was read. */
export interface FileTimes {
  readonly mtimeMs: number
  readonly hashedAtMs: number
}

/** FTS5 gathers this much before it writes a segment; at the usual 1 MB it is busy merging them. */
const SET_FTS_HASH_SIZE = `INSERT INTO chunks_fts(chunks_fts, rank) VALUES('hashsize', 67108864)`
/**
 * Chunks whose words are indexed at once. Each such statement makes FTS5 write out all that it has
 * gathered, so they should be few; but what is left at the end is done when nothing else is.
 */
const CHUNKS_PER_FTS_BATCH = 4096
const LARGE_PAGE_CACHE = 'PRAGMA cache_size = -131072'

export class DocsDatabase {
  readonly connection: DatabaseSync
  readonly #version: number
  /** Chunks are numbered in the order they are put; their words follow in batches. */
  #lastChunk = 0
  #indexedChunks = 0
  #statements: Statements | undefined

  private constructor(connection: DatabaseSync, version: number) {
    this.connection = connection
    this.#version = version
  }

  /** A new database. Nobody reads it before it is finished, so it needs no journal. */
  static create(path: string): DocsDatabase {
    const connection = new DatabaseSync(path)
    connection.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${LARGE_PAGE_CACHE}`)
    connection.exec(`PRAGMA user_version = ${DATABASE_VERSION}`)
    const database = new DocsDatabase(connection, DATABASE_VERSION)
    connection.exec(`BEGIN; ${CREATE_TABLES}; ${SET_FTS_HASH_SIZE}`)
    return database
  }

  /**
   * An existing database. The rollback journal, not the write-ahead log: a pack folder is copied,
   * committed and mounted read-only, and a log beside the file would be lost on the way.
   */
  static open(path: string, access: 'read' | 'write'): DocsDatabase {
    const connection = new DatabaseSync(path, { readOnly: access === 'read', timeout: 5000 })
    try {
      if (access === 'write') connection.exec(`PRAGMA journal_mode = DELETE; ${LARGE_PAGE_CACHE}`)
      const version = Number(connection.prepare('PRAGMA user_version').get()?.['user_version'])
      if (!(version >= OLDEST_READABLE_VERSION && version <= DATABASE_VERSION))
        throw new Error(`it has version ${version}`)
      return new DocsDatabase(connection, version)
    } catch (error) {
      connection.close()
      if (access === 'read' && isInterrupted(error)) {
        rollBackDatabase(path)
        return DocsDatabase.open(path, access)
      }
      throw error
    }
  }

  /** Whether its chunks have ids that a build would no longer give them. */
  hasOlderIds(): boolean {
    return this.#version < DATABASE_VERSION
  }

  begin(): void {
    this.connection.exec('BEGIN IMMEDIATE')
    const last = this.connection.prepare('SELECT max(n) AS n FROM chunks').get()
    this.#lastChunk = Number(last?.['n'] ?? 0)
    this.#indexedChunks = this.#lastChunk
  }

  /** Brings the full-text index up to the last chunk that was put. */
  #indexWords(): void {
    this.#prepared().putWords.run(this.#indexedChunks)
    this.#indexedChunks = this.#lastChunk
  }

  commit(): void {
    this.#indexWords()
    this.connection.exec('COMMIT')
  }

  close(): void {
    if (this.connection.isOpen) this.connection.close()
  }

  meta(): DatabaseMeta {
    const row = this.connection.prepare(`SELECT value FROM meta WHERE key = 'pack'`).get()
    return JSON.parse(String(row?.['value'])) as DatabaseMeta
  }

  setMeta(meta: DatabaseMeta): void {
    this.connection
      .prepare(`INSERT OR REPLACE INTO meta VALUES ('pack', ?)`)
      .run(JSON.stringify(meta))
  }

  documents(): readonly DocumentState[] {
    const statement = this.connection.prepare(
      'SELECT path, doc, sha256, size, mtime_ms, hashed_at_ms, chunk_count FROM documents',
    )
    // Arrays, not objects: for 10,000 documents that is most of the time of an idle sync.
    statement.setReturnArrays(true)
    return (statement.all() as unknown as StateRow[]).map(
      ([path, doc, sha256, size, mtimeMs, hashedAtMs, chunkCount]) => ({
        path,
        doc,
        sha256,
        size,
        mtimeMs,
        hashedAtMs,
        chunkCount,
      }),
    )
  }

  /** The length of every document's pieces of the pack file, in the order of the pack. */
  pieces(): readonly { readonly path: string; readonly lengths: PieceLengths }[] {
    const statement = this.connection.prepare(
      `SELECT path, source_files_bytes, docs_bytes, digest_bytes, index_bytes, chunks_bytes
         FROM documents`,
    )
    statement.setReturnArrays(true)
    const rows = statement.all() as unknown as [string, number, number, number, number, number][]
    const byPath = new Map(
      rows.map(([path, source_files, docs, digest, index, chunks]) => [
        path,
        { path, lengths: { source_files, docs, digest, index, chunks } },
      ]),
    )
    return [...byPath.keys()].toSorted().flatMap((path) => byPath.get(path) ?? [])
  }

  /** The text of every chunk, by id. */
  texts(): ReadonlyMap<string, string> {
    const rows = this.connection.prepare('SELECT id, text FROM chunks').all()
    return new Map(rows.map((row) => [String(row['id']), String(row['text'])]))
  }

  /** Ids of chunks that no search can find. */
  unsearchable(): readonly string[] {
    return this.connection
      .prepare('SELECT id FROM chunks WHERE n NOT IN (SELECT rowid FROM chunks_fts)')
      .all()
      .map((row) => String(row['id']))
  }

  put(path: string, document: EncodedDocument, times: FileTimes): void {
    const statements = this.#prepared()
    const lengths = measurePieces(document.bytes)
    statements.putDocument.run(
      path,
      document.doc,
      document.sha256,
      document.size,
      times.mtimeMs,
      times.hashedAtMs,
      document.rows.length,
      document.totalChars,
      document.digest,
      lengths.source_files,
      lengths.docs,
      lengths.digest,
      lengths.index,
      lengths.chunks,
    )
    for (const row of document.rows) {
      // Numbered here, not by SQLite, which gives the number of a removed row to the next one.
      this.#lastChunk += 1
      statements.putChunk.run(this.#lastChunk, ...row)
    }
    if (this.#lastChunk - this.#indexedChunks >= CHUNKS_PER_FTS_BATCH) this.#indexWords()
  }

  /** Updates the times of a file whose content is unchanged. */
  touch(path: string, times: FileTimes): void {
    this.#prepared().touch.run(times.mtimeMs, times.hashedAtMs, path)
  }

  remove(path: string): void {
    const statements = this.#prepared()
    const doc = statements.docOf.get(path)?.['doc']
    if (doc === undefined) return
    statements.removeWords.run(doc)
    statements.removeChunks.run(doc)
    statements.removeDocument.run(path)
  }

  #prepared(): Statements {
    this.#statements ??= prepareStatements(this.connection)
    return this.#statements
  }
}

/** The last writer was killed, and only a writer may roll its transaction back. */
const SQLITE_READONLY_ROLLBACK = 776

function isInterrupted(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_READONLY_ROLLBACK
}

function rollBackDatabase(path: string): void {
  const connection = new DatabaseSync(path, { timeout: 5000 })
  try {
    connection.prepare('SELECT count(*) FROM meta').get()
  } finally {
    connection.close()
  }
}

interface Statements {
  readonly putDocument: StatementSync
  readonly putChunk: StatementSync
  readonly putWords: StatementSync
  readonly touch: StatementSync
  readonly docOf: StatementSync
  readonly removeWords: StatementSync
  readonly removeChunks: StatementSync
  readonly removeDocument: StatementSync
}

function prepareStatements(connection: DatabaseSync): Statements {
  return {
    putDocument: connection.prepare(`INSERT INTO documents VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)`),
    putChunk: connection.prepare(
      `INSERT INTO chunks(n, ${CHUNK_COLUMNS.map((column) => column.name).join(', ')})
         VALUES (?${', ?'.repeat(CHUNK_COLUMNS.length)})`,
    ),
    putWords: connection.prepare(INDEX_WORDS),
    touch: connection.prepare('UPDATE documents SET mtime_ms = ?, hashed_at_ms = ? WHERE path = ?'),
    docOf: connection.prepare('SELECT doc FROM documents WHERE path = ?'),
    removeWords: connection.prepare(
      'DELETE FROM chunks_fts WHERE rowid IN (SELECT n FROM chunks WHERE doc = ?)',
    ),
    removeChunks: connection.prepare('DELETE FROM chunks WHERE doc = ?'),
    removeDocument: connection.prepare('DELETE FROM documents WHERE path = ?'),
  }
}

type StateRow = [string, string, string, number, number, number, number]
