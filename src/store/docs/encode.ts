/**
 * One document in the forms that the two files of a pack take: lines of JSON, and rows. Made where
 * the document is read, so that the writer, which may be another thread, only writes.
 */
import { compoundParts, unspacedPairs } from '../../base/identifiers.ts'
import { folded, words } from '../../base/words.ts'
import type { ChunkEntry, PackedDocument } from '../../model/docs-pack.ts'

export const ARRAY_NAMES = ['source_files', 'docs', 'digest', 'index', 'chunks'] as const
export type ArrayName = (typeof ARRAY_NAMES)[number]
/** A document's piece of each array of the JSON file; empty where it has no entry. */
export type PieceBytes = Readonly<Record<ArrayName, Uint8Array>>
export type PieceLengths = Readonly<Record<ArrayName, number>>

export interface EncodedDocument {
  readonly doc: string
  readonly sha256: string
  readonly size: number
  readonly totalChars: number
  /** As JSON; `null` for a document without text. */
  readonly digest: string
  readonly bytes: PieceBytes
  readonly rows: readonly ChunkRow[]
}

/** The columns of `chunks` after its number, in the order of a row. */
export const CHUNK_COLUMNS = [
  { name: 'id', kind: 'text' },
  { name: 'doc', kind: 'text' },
  { name: 'title_path', kind: 'text' },
  { name: 'source_path', kind: 'text' },
  { name: 'heading_level', kind: 'number' },
  { name: 'char_count', kind: 'number' },
  { name: 'line_count', kind: 'number' },
  { name: 'start_line', kind: 'number' },
  { name: 'end_line', kind: 'number' },
  { name: 'part', kind: 'number' },
  { name: 'ordinal', kind: 'number' },
  { name: 'preview', kind: 'text' },
  { name: 'parts', kind: 'text' },
  { name: 'text', kind: 'text' },
] as const

export type ChunkRow = readonly (string | number | null)[]

export const SEPARATOR = ',\n'

export function encodeDocument(document: PackedDocument, withTexts: boolean): EncodedDocument {
  const { source, doc } = document
  const digest = JSON.stringify(document.digest ?? null)
  const name = JSON.stringify(doc.doc)
  const index: string[] = []
  const chunks: string[] = []
  const rows: ChunkRow[] = []
  document.chunks.forEach((chunk, ordinal) => {
    const { preview, token_est } = document.index[ordinal] ?? NO_ENTRY
    // Both entries share half of their fields, which are encoded once.
    const id = JSON.stringify(chunk.id)
    const title = JSON.stringify(chunk.title_path)
    const place = encodePosition(chunk)
    const text = withTexts ? `"text":${JSON.stringify(chunk.text)},` : ''
    chunks.push(`{"id":${id},"title_path":${title},${text}${place}}`)
    index.push(
      `{"id":${id},"doc":${name},"title_path":${title},"preview":${JSON.stringify(preview)},"token_est":${token_est},${place}}`,
    )
    rows.push(createChunkRow(chunk, { doc: doc.doc, ordinal, title, preview }))
  })
  const bytes = {
    source_files: encodeEntries([JSON.stringify(source)]),
    docs: encodeEntries([JSON.stringify(doc)]),
    digest: encodeEntries(document.digest === undefined ? [] : [digest]),
    index: encodeEntries(index),
    chunks: encodeEntries(chunks),
  }
  const { sha256, size } = source
  return { doc: doc.doc, sha256, size, totalChars: doc.total_chars, digest, bytes, rows }
}

const NO_ENTRY = { preview: '', token_est: 0 }

function encodePosition(chunk: ChunkEntry): string {
  const part = chunk.part === undefined ? '' : `,"part":${chunk.part}`
  return `"source_path":${JSON.stringify(chunk.source_path)},"heading_level":${chunk.heading_level},"char_count":${chunk.char_count},"line_count":${chunk.line_count},"start_line":${chunk.start_line},"end_line":${chunk.end_line}${part}`
}

interface RowContext {
  readonly doc: string
  readonly ordinal: number
  /** The title path, as JSON. */
  readonly title: string
  readonly preview: string
}

export function createChunkRow(chunk: ChunkEntry, context: RowContext): ChunkRow {
  return [
    chunk.id,
    context.doc,
    context.title,
    chunk.source_path,
    chunk.heading_level,
    chunk.char_count,
    chunk.line_count,
    chunk.start_line,
    chunk.end_line,
    chunk.part ?? null,
    context.ordinal,
    context.preview,
    collectHiddenWords(context.title, chunk.text),
    chunk.text,
  ]
}

export function measurePieces(bytes: PieceBytes): PieceLengths {
  return {
    source_files: bytes.source_files.length,
    docs: bytes.docs.length,
    digest: bytes.digest.length,
    index: bytes.index.length,
    chunks: bytes.chunks.length,
  }
}

const EMPTY = new Uint8Array(0)

function encodeEntries(entries: readonly string[]): Uint8Array {
  return entries.length === 0 ? EMPTY : ENCODER.encode(entries.join(SEPARATOR))
}

const ENCODER = new TextEncoder()

/**
 * Words that the full-text tokenizer splits or folds differently than queries: parts of compounds,
 * pairs of ideographs, and letters that it does not fold.
 */
function collectHiddenWords(title: string, text: string): string {
  return [title, text]
    .flatMap((it) => [...compoundParts(it), ...unspacedPairs(it), ...foldNonLatinWords(it)])
    .join(' ')
}

/** SQLite folds the diacritics of Latin letters alone, and takes others as they are written. */
const BEYOND_LATIN = /[\u0250-\uffff]/

function foldNonLatinWords(text: string): readonly string[] {
  if (!BEYOND_LATIN.test(text)) return []
  return words(text).flatMap((word) => {
    const plain = folded(word)
    return plain === word.toLowerCase() ? [] : [plain]
  })
}
