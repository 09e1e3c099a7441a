/**
 * context.db: the writing half, and the state that an incremental build starts from. Everything
 * here is derived from the documents; a damaged file is thrown away and made again.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { ascending } from '../../base/order.ts'
import type { Chunking, DocsPackHeader } from '../../model/docs-pack.ts'
import { type EncodedDocument, lengthsOf, type PieceLengths } from './encode.ts'
import type { ArrayStarts } from './pack-file.ts'
import { CREATE_INDEXES, CREATE_TABLES, DATABASE_VERSION, INDEX_WORDS } from './tables.ts'

/** What the database knows of a document's file, to tell whether it must be read again. */
export interface DocumentState {
  readonly path: string
  readonly doc: string
  readonly sha256: string
  readonly size: number
  readonly mtimeMs: number
  readonly hashedAtMs: number
  readonly chunkCount: number
  readonly lengths: PieceLengths
}

export interface DatabaseMeta {
  readonly header: DocsPackHeader
  readonly chunking: Chunking
  readonly chunksIn: 'json' | 'sqlite'
  /** The pack file that this database belongs to. */
  readonly json: { readonly size: number; readonly mtimeMs: number; readonly starts: ArrayStarts }
}

/** When a document's file was written, and when it was read. */
export interface FileTimes {
  readonly mtimeMs: number
  readonly hashedAtMs: number
}

/** FTS5 gathers this much before it writes a segment; at the usual 1 MB it is busy merging them. */
const WORDS_IN_MEMORY = `INSERT INTO chunks_fts(chunks_fts, rank) VALUES('hashsize', 67108864)`
const LARGE_PAGE_CACHE = 'PRAGMA cache_size = -65536'

export class DocsDatabase {
  readonly connection: DatabaseSync
  /** A new database gets its words and indexes at the end, all at once. */
  readonly #isIndexed: boolean
  #statements: Statements | undefined

  private constructor(connection: DatabaseSync, isIndexed: boolean) {
    this.connection = connection
    this.#isIndexed = isIndexed
  }

  /** A new database. Nobody reads it before it is finished, so it needs no journal. */
  static create(path: string): DocsDatabase {
    const connection = new DatabaseSync(path)
    connection.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${LARGE_PAGE_CACHE}`)
    connection.exec(`PRAGMA user_version = ${DATABASE_VERSION}`)
    const database = new DocsDatabase(connection, false)
    connection.exec(`BEGIN; ${CREATE_TABLES}; ${WORDS_IN_MEMORY}`)
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
      const version = connection.prepare('PRAGMA user_version').get()?.['user_version']
      if (version !== DATABASE_VERSION)
        throw new Error(`context.db is of version ${String(version)}`)
      return new DocsDatabase(connection, true)
    } catch (error) {
      connection.close()
      throw error
    }
  }

  begin(): void {
    this.connection.exec('BEGIN IMMEDIATE')
  }

  /** The last step of a new database, when all its rows are in. */
  finish(): void {
    this.connection.exec(`${INDEX_WORDS}; ${CREATE_INDEXES}; COMMIT`)
  }

  commit(): void {
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

  /** By path, in code-unit order, which is the order of the pack. */
  documents(): readonly DocumentState[] {
    return this.connection
      .prepare(
        `SELECT path, doc, sha256, size, mtime_ms, hashed_at_ms, chunk_count, source_files_bytes,
           docs_bytes, digest_bytes, index_bytes, chunks_bytes FROM documents`,
      )
      .all()
      .map(documentState)
      .toSorted(ascending((it) => it.path))
  }

  /** The text of every chunk, by id. */
  texts(): ReadonlyMap<string, string> {
    const rows = this.connection.prepare('SELECT id, text FROM chunks').all()
    return new Map(rows.map((row) => [String(row['id']), String(row['text'])]))
  }

  put(path: string, document: EncodedDocument, times: FileTimes): void {
    const statements = this.#prepared()
    const lengths = lengthsOf(document.bytes)
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
    for (const row of document.rows) statements.putChunk.run(...row)
    if (this.#isIndexed) statements.putWords.run(document.doc)
  }

  /** The file has another time but the same content. */
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
    this.#statements ??= prepare(this.connection)
    return this.#statements
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

function prepare(connection: DatabaseSync): Statements {
  return {
    putDocument: connection.prepare(`INSERT INTO documents VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)`),
    putChunk: connection.prepare(
      `INSERT INTO chunks(id, doc, title_path, source_path, heading_level, char_count, line_count,
         start_line, end_line, part, ordinal, preview, parts, text)
       VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
    ),
    putWords: connection.prepare(`${INDEX_WORDS} WHERE doc = ?`),
    touch: connection.prepare('UPDATE documents SET mtime_ms = ?, hashed_at_ms = ? WHERE path = ?'),
    docOf: connection.prepare('SELECT doc FROM documents WHERE path = ?'),
    removeWords: connection.prepare(
      'DELETE FROM chunks_fts WHERE rowid IN (SELECT n FROM chunks WHERE doc = ?)',
    ),
    removeChunks: connection.prepare('DELETE FROM chunks WHERE doc = ?'),
    removeDocument: connection.prepare('DELETE FROM documents WHERE path = ?'),
  }
}

function documentState(row: Record<string, unknown>): DocumentState {
  return {
    path: String(row['path']),
    doc: String(row['doc']),
    sha256: String(row['sha256']),
    size: Number(row['size']),
    mtimeMs: Number(row['mtime_ms']),
    hashedAtMs: Number(row['hashed_at_ms']),
    chunkCount: Number(row['chunk_count']),
    lengths: {
      source_files: Number(row['source_files_bytes']),
      docs: Number(row['docs_bytes']),
      digest: Number(row['digest_bytes']),
      index: Number(row['index_bytes']),
      chunks: Number(row['chunks_bytes']),
    },
  }
}
