/** A file's rows: what reading it gave, put in and taken out again. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type FileRecord, WORD_FIELDS, type WordTable } from '../../model/index-record.ts'
import type { Counters } from './counters.ts'
import { LengthPages } from './lengths.ts'
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

export class FileRows {
  readonly touchedBuckets = new Set<number>()
  readonly #parts: FileRowsParts
  readonly #statements: Statements
  readonly #postings: ListWriter
  readonly #lengths: LengthPages
  readonly #chunks: RowInserter
  readonly #symbols: RowInserter
  readonly #provided: RowInserter

  constructor(connection: DatabaseSync, parts: FileRowsParts) {
    this.#parts = parts
    this.#statements = prepare(connection)
    const { counters } = parts
    this.#postings = new ListWriter(connection, 'postings', () => ++counters.segment)
    this.#lengths = new LengthPages(connection)
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
      counters.symbol + 1,
      file.symbols.length,
      counters.provided + 1,
      file.provides.length,
      0,
    )
    if (file.facts.length > 0) this.#statements.putFacts.run(number, file.facts)
    this.#putWords(file.words, file.chunks.length)
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
        counters.lengths[field] = (counters.lengths[field] ?? 0) - this.#lengths.get(chunk, field)
      }
    }
  }

  flush(): void {
    this.#postings.flush()
    this.#lengths.flush()
  }

  #putWords(words: WordTable, chunkCount: number): void {
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
    for (let chunk = 0; chunk < chunkCount; chunk += 1) {
      const lengths = words.lengths.subarray(chunk * FIELDS, (chunk + 1) * FIELDS)
      this.#lengths.put(first + chunk, lengths)
      for (const [field, it] of lengths.entries()) {
        counters.lengths[field] = (counters.lengths[field] ?? 0) + it
      }
    }
    counters.chunks += chunkCount
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

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

type Statements = ReturnType<typeof prepare>

function prepare(connection: DatabaseSync) {
  const values = (table: string, columns: number): StatementSync =>
    connection.prepare(`INSERT INTO ${table} VALUES (?${', ?'.repeat(columns - 1)})`)
  const removal = (table: string): StatementSync =>
    connection.prepare(`DELETE FROM ${table} WHERE n BETWEEN ? AND ?`)
  return {
    fileAt: connection.prepare('SELECT * FROM files WHERE path = ?'),
    putFile: values('files', 18),
    putFacts: values('facts', 2),
    putDead: values('dead_chunks', 2),
    removeFile: connection.prepare('DELETE FROM files WHERE n = ?'),
    removeFacts: connection.prepare('DELETE FROM facts WHERE file = ?'),
    removeChunks: removal('chunks'),
    removeSymbols: removal('symbols'),
    removeProvided: removal('provided'),
  }
}
