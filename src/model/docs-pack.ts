/**
 * A docs pack, schema version 1, as it stands on disk: digest and index for the prompt, chunks on
 * demand. The names are the wire names, because the file is the contract (docs/FORMAT.md).
 */
export const DOCS_PACK_SCHEMA_VERSION = 1
export const DEFAULT_MAX_CHARS = 6000
/** The limits of `max_chars`. */
export const LEAST_CHARS = 200
export const MOST_CHARS = 1_000_000
export const CHUNKING_METHOD = 'headings+paragraph_fallback+fence_aware'

export interface DocsPack extends DocsPackHeader {
  readonly source_files: readonly SourceFile[]
  readonly chunking: Chunking
  readonly docs: readonly DocEntry[]
  readonly digest: readonly DigestEntry[]
  readonly index: readonly IndexEntry[]
  readonly chunks: readonly ChunkEntry[]
}

export interface DocsPackHeader {
  readonly schema_version: number
  readonly segment: string
  readonly created_at: string
  readonly generator_version: string
}

export interface SourceFile {
  /** Relative to the repository root. */
  readonly path: string
  /** Of the bytes on disk. */
  readonly sha256: string
  /** Whole seconds; outside the canonical form. */
  readonly mtime: number
  readonly chars: number
  readonly size: number
}

export interface Chunking {
  readonly method: string
  readonly max_chars: number
}

export interface DocEntry {
  readonly doc: string
  /** Relative to the segment. */
  readonly file: string
  /** Of the normalised text, front matter left out: the same for CRLF and LF. */
  readonly sha256: string
  readonly chunk_count: number
  readonly total_chars: number
}

export interface DigestEntry {
  readonly doc: string
  readonly summary: string
  readonly source_chunk_ids: readonly string[]
}

/** What index and chunk share: where the text stands in its source. */
interface Placed {
  readonly id: string
  readonly title_path: readonly string[]
  readonly source_path: string
  readonly heading_level: number
  readonly char_count: number
  readonly line_count: number
  readonly start_line: number
  readonly end_line: number
  /** 1, 2, … when a section over `max_chars` was split; absent otherwise. */
  readonly part?: number
}

export interface IndexEntry extends Placed {
  readonly doc: string
  readonly preview: string
  readonly token_est: number
}

export interface ChunkEntry extends Placed {
  /** Absent from the file when the texts were left to context.db. */
  readonly text: string
}

/** Where the texts live: in the JSON file as well, or in context.db alone. */
export type ChunksIn = 'json' | 'sqlite'

/** Everything that one document contributes to a pack. */
export interface PackedDocument {
  readonly source: SourceFile
  readonly doc: DocEntry
  /** A document without text has none. */
  readonly digest: DigestEntry | undefined
  readonly index: readonly IndexEntry[]
  readonly chunks: readonly ChunkEntry[]
}
