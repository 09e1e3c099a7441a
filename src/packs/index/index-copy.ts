/**
 * The records that an index was made of, gathered again from what a reader says. Words are kept by
 * word and were put by file, so they are all turned around first.
 */
import type { CodeIndexMeta, CodeIndexReader, StoredFile } from '../../model/code-index.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import {
  type FileRecord,
  type ResolvedFile,
  WORD_FIELDS,
  type WordTable,
} from '../../model/index-record.ts'
import type { Entries } from '../../store/code/lists.ts'
import { copyIndex, type FlatSink } from '../../store/flat/copy-index.ts'

export interface CopySource {
  readonly files: number
  readonly meta: CodeIndexMeta
  batches(): AsyncIterable<CopyBatch>
}

export interface CopyBatch {
  readonly records: readonly FileRecord[]
  readonly resolved: readonly ResolvedFile[]
}

const FILES_AT_ONCE = 64

export async function recordsOf(
  reader: CodeIndexReader,
  pause: () => Promise<void>,
): Promise<CopySource> {
  const gathered = new Gathered()
  const { status } = await copyIndex(reader, gathered, pause)
  const { extractorVersion, options, builtAt } = status
  // When the files were read is not known of another machine, so their times are not trusted: the
  // next run compares contents.
  const skipped = without(status.skipped, gathered.diagnostics)
  const meta = { extractorVersion, options, builtAt, readAt: '', skipped }
  return { files: gathered.paths.length, meta, batches: () => batches(reader, gathered) }
}

async function* batches(reader: CodeIndexReader, gathered: Gathered): AsyncGenerator<CopyBatch> {
  const { paths } = gathered
  for (let at = 0; at < paths.length; at += FILES_AT_ONCE) {
    const files = await reader.storedFiles(paths.slice(at, at + FILES_AT_ONCE))
    yield {
      records: files.map((file, offset) => ({
        ...fileRecord(file),
        words: gathered.wordsOf(at + offset),
      })),
      resolved: files.map(({ path, edges, unresolved, diagnostics }, offset) => ({
        path,
        edges,
        unresolved,
        asked: gathered.asks[at + offset] ?? [],
        failure: diagnostics.find((it) => it.code === 'unresolvable')?.message,
      })),
    }
  }
}

function fileRecord(file: StoredFile): Omit<FileRecord, 'words'> {
  const { path, sha256, size, mtimeMs, language, lines, surface } = file
  const { chunks, symbols, facts, provides, diagnostics } = file
  return {
    path,
    sha256,
    size,
    mtimeMs,
    language,
    lines,
    surface,
    chunks,
    symbols,
    facts,
    provides,
    diagnostics,
  }
}

/** What was met on the walk: all that was left out, without what stands with the files themselves. */
function without(
  all: readonly Diagnostic[],
  ofFiles: readonly Diagnostic[],
): readonly Diagnostic[] {
  const left = new Map<string, number>()
  for (const it of ofFiles) left.set(keyOf(it), (left.get(keyOf(it)) ?? 0) + 1)
  return all.filter((it) => {
    const count = left.get(keyOf(it)) ?? 0
    left.set(keyOf(it), count - 1)
    return count <= 0
  })
}

function keyOf({ path, code, message }: Diagnostic): string {
  return JSON.stringify([path, code, message])
}

const FIELDS = WORD_FIELDS.length

/** All that a file's records lack, as the numbers of a flat index. */
class Gathered implements FlatSink {
  readonly paths: string[] = []
  readonly diagnostics: Diagnostic[] = []
  /** The questions of each file. */
  readonly asks: string[][] = []
  readonly #firstChunks: number[] = []
  readonly #fileOfChunk: number[] = []
  readonly #words: string[] = []
  /** Number of the word, of the chunk, of the field, and the count, one after the other. */
  readonly #entries: number[][] = []
  #lengths = new Uint32Array()

  file(file: StoredFile): void {
    this.#firstChunks.push(this.#fileOfChunk.length)
    for (const _ of file.chunks) this.#fileOfChunk.push(this.paths.length)
    this.paths.push(file.path)
    this.diagnostics.push(...file.diagnostics)
    this.asks.push([])
    this.#entries.push([])
  }

  asker(key: string, files: readonly number[]): void {
    for (const it of files) this.asks[it]?.push(key)
  }

  word(word: string, { numbers, tags, counts }: Entries): void {
    for (const [at, chunk] of numbers.entries()) {
      const own = this.#entries[this.#fileOfChunk[chunk] ?? 0]
      own?.push(this.#words.length, chunk, tags[at] ?? 0, counts[at] ?? 0)
    }
    this.#words.push(word)
  }

  lengths(lengths: Uint32Array): void {
    this.#lengths = new Uint32Array(lengths)
  }

  wordsOf(file: number): WordTable {
    const entries = this.#entries[file] ?? []
    const first = this.#firstChunks[file] ?? 0
    const past = this.#firstChunks[file + 1] ?? this.#fileOfChunk.length
    const words: string[] = []
    const counts = new Uint32Array(entries.length)
    let last = -1
    for (let at = 0; at < entries.length; at += 4) {
      const word = entries[at] ?? 0
      if (word !== last) words.push(this.#words[word] ?? '')
      last = word
      counts[at] = words.length - 1
      counts[at + 1] = (entries[at + 1] ?? 0) - first
      counts[at + 2] = entries[at + 2] ?? 0
      counts[at + 3] = entries[at + 3] ?? 0
    }
    return { words, counts, lengths: this.#lengths.slice(first * FIELDS, past * FIELDS) }
  }
}
