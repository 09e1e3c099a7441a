/** Writes an index as JSONL: pieces of canonical lines, and a manifest with their checksums. */
import type { CodeIndexReader, StoredFile } from '../../model/code-index.ts'
import { WORD_FIELDS } from '../../model/index-record.ts'
import type { Files } from '../../platform/files.ts'
import type { Entries } from '../code/lists.ts'
import { copyIndex, type FlatSink } from '../flat/copy-index.ts'
import { createManifest, type Manifest, writeManifest } from '../flat/manifest.ts'
import { type LineKind, PieceWriter } from './lines.ts'
import { writeLocalTimes } from './local-times.ts'

/** A piece is read and hashed at once, so it must not be too large for that. */
const MAX_PIECE_BYTES = 32 * 1024 * 1024

export interface JsonlOptions {
  readonly files: Files
  /** Exists, and is empty. */
  readonly folder: string
  readonly generator: string
  /** Called from time to time; may throw to stop. */
  pause(): Promise<void>
  readonly pieceBytes?: number
}

/** Writes the whole content of the reader into the folder. */
export async function writeJsonlIndex(
  reader: CodeIndexReader,
  options: JsonlOptions,
): Promise<Manifest> {
  const { files, folder, generator } = options
  const sink = new JsonlSink(options)
  const poured = await copyIndex(reader, sink, () => options.pause())
  const { builtAt, signature } = poured.status
  writeLocalTimes({ files, folder, indexSignature: signature }, { builtAt, mtimes: sink.mtimes })
  const manifest = createManifest(poured, { backend: 'jsonl', generator, pieces: sink.end() })
  writeManifest(files, folder, manifest)
  return manifest
}

class JsonlSink implements FlatSink {
  readonly mtimes: number[] = []
  readonly #kinds: Readonly<{ [K in LineKind]: PieceWriter<K> }>

  constructor({ files, folder, pieceBytes }: JsonlOptions) {
    const place = { files, folder, most: pieceBytes ?? MAX_PIECE_BYTES }
    this.#kinds = {
      files: new PieceWriter('files', place),
      facts: new PieceWriter('facts', place),
      chunks: new PieceWriter('chunks', place),
      symbols: new PieceWriter('symbols', place),
      edges: new PieceWriter('edges', place),
      unresolved: new PieceWriter('unresolved', place),
      askers: new PieceWriter('askers', place),
      postings: new PieceWriter('postings', place),
      lengths: new PieceWriter('lengths', place),
    }
  }

  file(file: StoredFile): void {
    const { path, size, language, lines, surface, provides, diagnostics } = file
    this.mtimes.push(file.mtimeMs)
    this.#kinds.files.add({
      path,
      sha256: file.sha256,
      size,
      language,
      lines,
      surface,
      provides,
      diagnostics,
    })
    if (file.facts.length > 0) {
      this.#kinds.facts.add({ path, base64: Buffer.from(file.facts).toString('base64') })
    }
    for (const it of file.chunks) this.#kinds.chunks.add(it)
    for (const it of file.symbols) this.#kinds.symbols.add({ ...it, path })
    for (const it of file.edges) this.#kinds.edges.add(it)
    for (const it of file.unresolved) this.#kinds.unresolved.add(it)
  }

  asker(key: string, files: readonly number[]): void {
    this.#kinds.askers.add({ key, files })
  }

  word(word: string, { numbers, tags, counts }: Entries): void {
    const entries: number[] = []
    for (const [at, chunk] of numbers.entries()) entries.push(chunk, tags[at] ?? 0, counts[at] ?? 0)
    this.#kinds.postings.add({ word, entries })
  }

  lengths(lengths: Uint32Array): void {
    const fields = WORD_FIELDS.length
    for (let at = 0; at < lengths.length; at += fields)
      this.#kinds.lengths.add(Array.from(lengths.subarray(at, at + fields)))
  }

  end(): Manifest['pieces'] {
    return Object.values(this.#kinds).flatMap((it) => it.end())
  }
}
