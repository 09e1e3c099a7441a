/**
 * A docs pack that is only a JSON file. Searching it goes through the same FTS5 tables, made in
 * memory on the first search, so both kinds of pack give the same answers.
 */
import type {
  Backing,
  DocsIndex,
  DocsTotals,
  DocumentSource,
  StoredChunk,
} from '../../model/docs-index.ts'
import type {
  Chunking,
  DigestEntry,
  DocsPack,
  DocsPackHeader,
  IndexEntry,
} from '../../model/docs-pack.ts'
import { DocsDatabase } from './database.ts'
import { DatabaseIndex } from './database-index.ts'
import { createChunkRow } from './encode.ts'

const BATCH_SIZE = 512

export class JsonIndex implements DocsIndex {
  readonly header: DocsPackHeader
  readonly chunking: Chunking
  readonly backing: Backing
  readonly #pack: DocsPack
  readonly #chunks: ReadonlyMap<string, StoredChunk>
  #searchable: DatabaseIndex | undefined

  constructor(pack: DocsPack, note?: string) {
    const { schema_version, segment, created_at, generator_version } = pack
    this.header = { schema_version, segment, created_at, generator_version }
    this.chunking = pack.chunking
    this.backing = { kind: 'json', ...(note === undefined ? {} : { note }) }
    this.#pack = pack
    const docs = new Map(pack.index.map((entry) => [entry.id, entry.doc]))
    this.#chunks = new Map(
      pack.chunks.map((chunk) => [
        chunk.id,
        { ...chunk, doc: docs.get(chunk.id) ?? parseDocId(chunk.id) },
      ]),
    )
  }

  async totals(): Promise<DocsTotals> {
    return {
      documents: this.#pack.docs.length,
      chunks: this.#pack.chunks.length,
      chars: this.#pack.docs.reduce((sum, doc) => sum + doc.total_chars, 0),
    }
  }

  matching(terms: readonly string[], limit: number): Promise<readonly StoredChunk[]> {
    return this.#search().matching(terms, limit)
  }

  frequencies(terms: readonly string[]): Promise<readonly number[]> {
    return this.#search().frequencies(terms)
  }

  async chunks(ids: readonly string[]): Promise<readonly StoredChunk[]> {
    return ids.flatMap((id) => this.#chunks.get(id) ?? [])
  }

  async sourceOf(doc: string): Promise<DocumentSource | undefined> {
    // Both lists are in the order of the pack.
    const at = this.#pack.docs.findIndex((it) => it.doc === doc)
    const file = this.#pack.docs[at]?.file
    const sha256 = this.#pack.source_files[at]?.sha256
    return file === undefined || sha256 === undefined ? undefined : { file, sha256 }
  }

  async digest(): Promise<readonly DigestEntry[]> {
    return this.#pack.digest
  }

  async index(): Promise<readonly IndexEntry[]> {
    return this.#pack.index
  }

  async *batches(): AsyncIterable<readonly StoredChunk[]> {
    const all = [...this.#chunks.values()]
    for (let at = 0; at < all.length; at += BATCH_SIZE) yield all.slice(at, at + BATCH_SIZE)
  }

  async close(): Promise<void> {
    await this.#searchable?.close()
  }

  #search(): DatabaseIndex {
    this.#searchable ??= buildSearchIndex(this.#pack, [...this.#chunks.values()])
    return this.#searchable
  }
}

/** `<doc>:<10 hex>`, where the document itself may hold colons. */
function parseDocId(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf(':')))
}

const NOTHING = new Uint8Array(0)
const NO_BYTES = {
  source_files: NOTHING,
  docs: NOTHING,
  digest: NOTHING,
  index: NOTHING,
  chunks: NOTHING,
}
const NO_FILE = {
  size: 0,
  mtimeMs: 0,
  starts: { source_files: 0, docs: 0, digest: 0, index: 0, chunks: 0 },
}

/** Only what a search asks for: the rest of the pack is already in memory. */
function buildSearchIndex(pack: DocsPack, chunks: readonly StoredChunk[]): DatabaseIndex {
  const database = DocsDatabase.create(':memory:')
  const byDoc = Map.groupBy(chunks, (chunk) => chunk.doc)
  for (const doc of pack.docs) {
    const own = byDoc.get(doc.doc) ?? []
    const rows = own.map((chunk, ordinal) =>
      createChunkRow(chunk, {
        doc: doc.doc,
        ordinal,
        title: JSON.stringify(chunk.title_path),
        preview: '',
      }),
    )
    const document = {
      doc: doc.doc,
      sha256: '',
      size: 0,
      totalChars: doc.total_chars,
      digest: 'null',
      bytes: NO_BYTES,
      rows,
    }
    database.put(doc.file, document, { mtimeMs: 0, hashedAtMs: 0 })
  }
  const { schema_version, segment, created_at, generator_version, chunking } = pack
  const header = { schema_version, segment, created_at, generator_version }
  database.setMeta({ header, chunking, chunksIn: 'json', found: 0, prefix: '', json: NO_FILE })
  database.commit()
  return new DatabaseIndex(database)
}
