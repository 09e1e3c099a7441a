/** A file's rows: what reading it gave, put in and taken out again. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { folderOf } from '../../base/paths.ts'
import { type FileRecord, WORD_FIELDS, type WordTable } from '../../model/index-record.ts'
import { ChunkPages } from './chunk-pages.ts'
import type { Counters } from './counters.ts'
import { ListWriter, tagged } from './lists.ts'
import type { ResolvedRows } from './resolved-rows.ts'
import { RowInserter } from './row-inserter.ts'
import { bucketOf } from './signature.ts'
import type { Strings } from './strings.ts'

export interface FileRowsParts {
  readonly counters: Counters
  readonly strings: Strings
  readonly resolved: ResolvedRows
}

const FIELDS = WORD_FIELDS.length
const PATH = WORD_FIELDS.indexOf('path')

export class FileRows {
  readonly touchedBuckets = new Set<number>()
  readonly #parts: FileRowsParts
  readonly #statements: Statements
  readonly #postings: ListWriter
  readonly #fieldWords: ChunkPages
  readonly #chunkWords: ChunkPages
  readonly #chunks: RowInserter
  readonly #symbols: RowInserter
  readonly #provided: RowInserter

  constructor(connection: DatabaseSync, parts: FileRowsParts) {
    this.#parts = parts
    this.#statements = prepare(connection)
    const { counters } = parts
    this.#postings = new ListWriter(connection, 'postings', () => ++counters.segment)
    this.#fieldWords = new ChunkPages(connection, 'field_words')
    this.#chunkWords = new ChunkPages(connection, 'chunk_words')
    this.#chunks = new RowInserter(connection, 'chunks', 13)
    this.#symbols = new RowInserter(connection, 'symbols', 9)
    this.#provided = new RowInserter(connection, 'provided', 4)
  }

  put(files: readonly FileRecord[]): void {
    for (const file of files) this.#putFile(file)
    this.#parts.strings.flush()
    this.#chunks.flush()
    this.#symbols.flush()
    this.#provided.flush()
  }

  #putFile(file: FileRecord): void {
    this.remove(file.path)
    const { counters } = this.#parts
    const number = ++counters.file
    const bucket = bucketOf(file.path)
    const chunkWords = wordsPerChunk(file.words, file.chunks.length)
    this.touchedBuckets.add(bucket)
    this.#statements.putFile.run(
      number,
      file.path,
      folderOf(file.path),
      bucket,
      file.sha256,
      file.size,
      file.mtimeMs,
      file.language,
      file.lines,
      file.surface,
      file.diagnostics.length === 0 ? '' : JSON.stringify(file.diagnostics),
      counters.chunk + 1,
      file.chunks.length,
      chunkWords.reduce((sum, it) => sum + it, 0),
      counters.symbol + 1,
      file.symbols.length,
      counters.provided + 1,
      file.provides.length,
      0,
    )
    if (file.facts.length > 0) this.#statements.putFacts.run(number, file.facts)
    this.#putWords(file.words, chunkWords)
    this.#putChunks(number, file)
    this.#putSymbols(number, file)
    for (const it of file.provides) {
      this.#provided.add(++counters.provided, number, it.name, it.definition)
    }
  }

  remove(path: string): void {
    const row = this.#statements.fileAt.get(path) as unknown as FileRange | undefined
    if (row === undefined) return
    const { counters } = this.#parts
    this.touchedBuckets.add(row.bucket)
    this.#statements.removeFile.run(row.n)
    this.#statements.removeFacts.run(row.n)
    this.#statements.removeSymbols.run(...range(row.first_symbol, row.symbol_count))
    this.#statements.removeProvided.run(...range(row.first_provided, row.provided_count))
    this.#parts.resolved.remove(row.resolution)
    if (row.chunk_count === 0) return
    const chunks = range(row.first_chunk, row.chunk_count)
    this.#statements.removeChunks.run(...chunks)
    this.#statements.putDead.run(row.first_chunk, row.first_chunk + row.chunk_count)
    counters.chunks -= row.chunk_count
    counters.deadChunks += row.chunk_count
    for (let chunk = chunks[0]; chunk <= chunks[1]; chunk += 1) {
      for (let field = 0; field < FIELDS; field += 1) {
        counters.lengths[field] =
          (counters.lengths[field] ?? 0) - this.#fieldWords.get(chunk, field)
      }
    }
  }

  flush(): void {
    this.#postings.flush()
    this.#fieldWords.flush()
    this.#chunkWords.flush()
  }

  #putWords(words: WordTable, chunkWords: Uint32Array): void {
    const { counters } = this.#parts
    const first = counters.chunk + 1
    const { counts } = words
    this.#postings.settle()
    const keys = words.words.map((it) => this.#postings.key(it))
    for (let at = 0; at < counts.length; at += 4) {
      const word = keys[counts[at] ?? 0] ?? 0
      const entry = tagged(counts[at + 2] ?? 0, counts[at + 3] ?? 0)
      this.#postings.add(word, first + (counts[at + 1] ?? 0), entry)
    }
    for (let chunk = 0; chunk < chunkWords.length; chunk += 1) {
      const lengths = words.lengths.subarray(chunk * FIELDS, (chunk + 1) * FIELDS)
      this.#fieldWords.put(first + chunk, lengths)
      this.#chunkWords.put(first + chunk, chunkWords.subarray(chunk, chunk + 1))
      for (const [field, it] of lengths.entries()) {
        counters.lengths[field] = (counters.lengths[field] ?? 0) + it
      }
    }
    counters.chunks += chunkWords.length
  }

  #putChunks(file: number, { chunks }: FileRecord): void {
    const { counters, strings } = this.#parts
    for (const it of chunks) {
      this.#chunks.add(
        ++counters.chunk,
        file,
        it.uid,
        it.kind,
        it.name,
        it.title,
        it.start,
        it.end,
        it.startLine,
        it.endLine,
        it.tokens,
        strings.numberOf(it.symbol),
        it.text,
      )
    }
  }

  #putSymbols(file: number, { symbols }: FileRecord): void {
    const { counters, strings } = this.#parts
    for (const it of symbols) {
      this.#symbols.add(
        ++counters.symbol,
        file,
        strings.numberOf(it.id),
        it.name,
        it.kind,
        it.definition,
        it.start,
        it.end,
        it.isExported ? 1 : 0,
      )
    }
  }
}

/** In all fields but the path, which all chunks of a file share. */
function wordsPerChunk({ lengths }: WordTable, chunks: number): Uint32Array {
  const found = new Uint32Array(chunks)
  for (let chunk = 0, at = 0; chunk < chunks; chunk += 1) {
    let sum = 0
    for (let field = 0; field < FIELDS; field += 1, at += 1) {
      if (field !== PATH) sum += lengths[at] ?? 0
    }
    found[chunk] = sum
  }
  return found
}

interface FileRange {
  readonly n: number
  readonly bucket: number
  readonly first_chunk: number
  readonly chunk_count: number
  readonly first_symbol: number
  readonly symbol_count: number
  readonly first_provided: number
  readonly provided_count: number
  readonly resolution: number
}

/** First and last. */
function range(first: number, count: number): [number, number] {
  return [first, first + count - 1]
}

type Statements = ReturnType<typeof prepare>

function prepare(connection: DatabaseSync) {
  const values = (table: string, columns: number): StatementSync =>
    connection.prepare(`INSERT INTO ${table} VALUES (?${', ?'.repeat(columns - 1)})`)
  const removal = (table: string): StatementSync =>
    connection.prepare(`DELETE FROM ${table} WHERE n BETWEEN ? AND ?`)
  return {
    fileAt: connection.prepare('SELECT * FROM files WHERE path = ?'),
    putFile: values('files', 19),
    putFacts: values('facts', 2),
    putDead: values('dead_chunks', 2),
    removeFile: connection.prepare('DELETE FROM files WHERE n = ?'),
    removeFacts: connection.prepare('DELETE FROM facts WHERE file = ?'),
    removeChunks: removal('chunks'),
    removeSymbols: removal('symbols'),
    removeProvided: removal('provided'),
  }
}
