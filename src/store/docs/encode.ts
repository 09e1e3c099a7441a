/**
 * One document in the forms that the two files of a pack take: lines of JSON, and rows. Made where
 * the document is read, which may be another thread, so that the writer only writes.
 */
import { compoundParts, unspacedPairs } from '../../base/identifiers.ts'
import type { ChunkEntry, PackedDocument } from '../../model/docs-pack.ts'

export const ARRAYS = ['source_files', 'docs', 'digest', 'index', 'chunks'] as const
export type ArrayName = (typeof ARRAYS)[number]
/** A document's piece of each array of the JSON file; empty where it has no entry. */
export type PieceBytes = Readonly<Record<ArrayName, Uint8Array>>
export type PieceLengths = Readonly<Record<ArrayName, number>>

export interface EncodedDocument {
  readonly doc: string
  readonly sha256: string
  readonly size: number
  readonly totalChars: number
  /** As JSON: a document without text has `null`. */
  readonly digest: string
  readonly bytes: PieceBytes
  readonly rows: readonly ChunkRow[]
}

/** The columns of `chunks` in their order, after its number. */
export type ChunkRow = readonly (string | number | null)[]

export const SEPARATOR = ',\n'

export function encodeDocument(document: PackedDocument, withTexts: boolean): EncodedDocument {
  const { source, doc } = document
  const digest = JSON.stringify(document.digest ?? null)
  const bytes = {
    source_files: bytesOf([JSON.stringify(source)]),
    docs: bytesOf([JSON.stringify(doc)]),
    digest: bytesOf(document.digest === undefined ? [] : [digest]),
    index: bytesOf(document.index.map((entry) => JSON.stringify(entry))),
    chunks: bytesOf(document.chunks.map((chunk) => encodeChunk(chunk, withTexts))),
  }
  const { sha256, size } = source
  return {
    doc: doc.doc,
    sha256,
    size,
    totalChars: doc.total_chars,
    digest,
    bytes,
    rows: chunkRows(document),
  }
}

export function chunkRows(document: PackedDocument): readonly ChunkRow[] {
  return document.chunks.map((chunk, ordinal) => {
    const title = JSON.stringify(chunk.title_path)
    return [
      chunk.id,
      document.doc.doc,
      title,
      chunk.source_path,
      chunk.heading_level,
      chunk.char_count,
      chunk.line_count,
      chunk.start_line,
      chunk.end_line,
      chunk.part ?? null,
      ordinal,
      document.index[ordinal]?.preview ?? '',
      hiddenWords(title, chunk.text),
      chunk.text,
    ]
  })
}

export function lengthsOf(bytes: PieceBytes): PieceLengths {
  return {
    source_files: bytes.source_files.length,
    docs: bytes.docs.length,
    digest: bytes.digest.length,
    index: bytes.index.length,
    chunks: bytes.chunks.length,
  }
}

function encodeChunk(chunk: ChunkEntry, withText: boolean): string {
  const { text: _, ...rest } = chunk
  return JSON.stringify(withText ? chunk : rest)
}

const EMPTY = new Uint8Array(0)

function bytesOf(entries: readonly string[]): Uint8Array {
  return entries.length === 0 ? EMPTY : ENCODER.encode(entries.join(SEPARATOR))
}

/** Not `Buffer.from`: small buffers share one pool, and a shared one cannot go to another thread. */
const ENCODER = new TextEncoder()

/** Words that the full-text tokenizer does not see: parts of compounds, pairs of ideographs. */
function hiddenWords(title: string, text: string): string {
  return [title, text].flatMap((it) => [...compoundParts(it), ...unspacedPairs(it)]).join(' ')
}
