/** One document's contribution to a docs pack: its chunks, their index entries, its digest. */
import { codePointLength } from '../../base/text.ts'
import { preview } from '../../format/preview.ts'
import type { DocChunk } from '../../model/doc-chunk.ts'
import type { ChunkEntry, IndexEntry, PackedDocument } from '../../model/docs-pack.ts'
import { chooseDigest } from '../../score/digest.ts'
import { readDocument } from '../../sources/markdown/read-document.ts'

export interface LoadedDocument {
  readonly doc: string
  /** Relative to the segment. */
  readonly file: string
  /** Relative to the repository root. */
  readonly sourcePath: string
  readonly text: string
  readonly sha256: string
  readonly size: number
  readonly mtime: number
}

export function packDocument(loaded: LoadedDocument, maxChars: number): PackedDocument {
  const { doc, sourcePath } = loaded
  const reading = readDocument(doc, loaded.text, maxChars)
  const entries = reading.chunks.map((chunk) => ({
    chunk,
    entry: createChunkEntry(chunk, sourcePath),
  }))
  const chunks = entries.map((it) => it.entry)
  return {
    source: {
      path: sourcePath,
      sha256: loaded.sha256,
      mtime: loaded.mtime,
      chars: codePointLength(loaded.text),
      size: loaded.size,
    },
    doc: {
      doc,
      file: loaded.file,
      sha256: reading.contentSha256,
      chunk_count: chunks.length,
      total_chars: reading.contentChars,
    },
    digest: chunks.length === 0 ? undefined : { doc, ...chooseDigest(chunks) },
    index: entries.map(({ chunk, entry }) => createIndexEntry(doc, entry, chunk.body)),
    chunks,
  }
}

function createChunkEntry(chunk: DocChunk, sourcePath: string): ChunkEntry {
  return {
    id: chunk.id,
    title_path: chunk.titlePath,
    text: chunk.text,
    source_path: sourcePath,
    heading_level: chunk.headingLevel,
    char_count: codePointLength(chunk.text),
    line_count: chunk.endLine - chunk.startLine + 1,
    start_line: chunk.startLine,
    end_line: chunk.endLine,
    ...(chunk.part === undefined ? {} : { part: chunk.part }),
  }
}

function createIndexEntry(doc: string, entry: ChunkEntry, body: string): IndexEntry {
  const { id, title_path, text: _, ...placed } = entry
  return {
    id,
    doc,
    title_path,
    preview: preview(body),
    token_est: Math.floor(placed.char_count / 4),
    ...placed,
  }
}
