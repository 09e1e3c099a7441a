/** Reads context.db. Finds candidates with FTS5; ranking happens elsewhere. */
import type { DatabaseSync } from 'node:sqlite'
import { ascending } from '../../base/order.ts'
import type {
  Backing,
  DocsIndex,
  DocsTotals,
  DocumentSource,
  StoredChunk,
} from '../../model/docs-index.ts'
import type { Chunking, DigestEntry, DocsPackHeader, IndexEntry } from '../../model/docs-pack.ts'
import type { DocsDatabase } from './database.ts'

/** Weights of a word in the title path, the text, a part of a compound and the path. */
const CANDIDATE_WEIGHTS = '6.0, 1.0, 0.8, 2.0'
const POSITION_COLUMNS = `id, doc, title_path, source_path, heading_level, char_count, line_count, start_line,
  end_line, part`
const BATCH_SIZE = 64

export class DatabaseIndex implements DocsIndex {
  readonly header: DocsPackHeader
  readonly chunking: Chunking
  readonly backing: Backing
  readonly #database: DocsDatabase
  readonly #connection: DatabaseSync

  constructor(database: DocsDatabase, note?: string) {
    const { header, chunking } = database.meta()
    this.backing = { kind: 'database', ...(note === undefined ? {} : { note }) }
    this.header = header
    this.chunking = chunking
    this.#database = database
    this.#connection = database.connection
  }

  async totals(): Promise<DocsTotals> {
    const row = this.#connection
      .prepare(
        `SELECT count(*) AS documents, total(chunk_count) AS chunks, total(total_chars) AS chars
           FROM documents`,
      )
      .get()
    return {
      documents: Number(row?.['documents']),
      chunks: Number(row?.['chunks']),
      chars: Number(row?.['chars']),
    }
  }

  async matching(terms: readonly string[], limit: number): Promise<readonly StoredChunk[]> {
    if (terms.length === 0) return []
    const numbers = this.#connection
      .prepare(
        `SELECT rowid AS n FROM chunks_fts WHERE chunks_fts MATCH ?
           ORDER BY bm25(chunks_fts, ${CANDIDATE_WEIGHTS}), rowid LIMIT ?`,
      )
      .all(matchAny(terms), limit)
    const byNumber = this.#connection.prepare(
      `SELECT ${POSITION_COLUMNS}, text FROM chunks WHERE n = ?`,
    )
    return numbers.flatMap((it) => toStoredChunks(byNumber.get(Number(it['n']))))
  }

  async frequencies(terms: readonly string[]): Promise<readonly number[]> {
    const count = this.#connection.prepare(
      'SELECT count(*) AS chunks FROM chunks_fts WHERE chunks_fts MATCH ?',
    )
    return terms.map((term) => Number(count.get(quotePhrase(term))?.['chunks']))
  }

  async chunks(ids: readonly string[]): Promise<readonly StoredChunk[]> {
    const byId = this.#connection.prepare(
      `SELECT ${POSITION_COLUMNS}, text FROM chunks WHERE id = ?`,
    )
    return ids.flatMap((id) => toStoredChunks(byId.get(id)))
  }

  async sourceOf(doc: string): Promise<DocumentSource | undefined> {
    const row = this.#connection
      .prepare('SELECT path, sha256 FROM documents WHERE doc = ?')
      .get(doc)
    return row && { file: String(row['path']), sha256: String(row['sha256']) }
  }

  async digest(): Promise<readonly DigestEntry[]> {
    return this.#connection
      .prepare('SELECT path, digest FROM documents')
      .all()
      .toSorted(ascending((it) => String(it['path'])))
      .map((it) => JSON.parse(String(it['digest'])) as DigestEntry | null)
      .filter((it) => it !== null)
  }

  async index(): Promise<readonly IndexEntry[]> {
    const byDoc = this.#connection.prepare(
      `SELECT ${POSITION_COLUMNS}, preview FROM chunks WHERE doc = ? ORDER BY ordinal`,
    )
    return this.#docs().flatMap((doc) => byDoc.all(doc).map(toIndexEntry))
  }

  async *batches(): AsyncIterable<readonly StoredChunk[]> {
    const byDoc = this.#connection.prepare(
      `SELECT ${POSITION_COLUMNS}, text FROM chunks WHERE doc = ? ORDER BY ordinal`,
    )
    const docs = this.#docs()
    for (let at = 0; at < docs.length; at += BATCH_SIZE) {
      yield docs.slice(at, at + BATCH_SIZE).flatMap((doc) => byDoc.all(doc).flatMap(toStoredChunks))
    }
  }

  async close(): Promise<void> {
    this.#database.close()
  }

  /** Sorted: rows come in no promised order, and the pack's order is that of the paths. */
  #docs(): readonly string[] {
    return this.#connection
      .prepare('SELECT path, doc FROM documents')
      .all()
      .toSorted(ascending((it) => String(it['path'])))
      .map((it) => String(it['doc']))
  }
}

/** Quoted, every text is a phrase and nothing in it is syntax. */
function quotePhrase(term: string): string {
  return `"${term.replaceAll('"', '""')}"`
}

function matchAny(terms: readonly string[]): string {
  return terms.map(quotePhrase).join(' OR ')
}

type DatabaseRow = Record<string, unknown>

function toStoredChunks(row: DatabaseRow | undefined): readonly StoredChunk[] {
  return row === undefined ? [] : [{ ...toPosition(row), text: String(row['text']) }]
}

function toIndexEntry(row: DatabaseRow): IndexEntry {
  const { id, doc, title_path, ...rest } = toPosition(row)
  const token_est = Math.floor(rest.char_count / 4)
  return { id, doc, title_path, preview: String(row['preview']), token_est, ...rest }
}

function toPosition(row: DatabaseRow): Omit<StoredChunk, 'text'> {
  return {
    id: String(row['id']),
    doc: String(row['doc']),
    title_path: JSON.parse(String(row['title_path'])) as readonly string[],
    source_path: String(row['source_path']),
    heading_level: Number(row['heading_level']),
    char_count: Number(row['char_count']),
    line_count: Number(row['line_count']),
    start_line: Number(row['start_line']),
    end_line: Number(row['end_line']),
    ...(row['part'] === null ? {} : { part: Number(row['part']) }),
  }
}
