/** A chunk as it is handed out: what it is, where it stands, its text. */
import type { StoredChunk } from '../model/docs-index.ts'

type Titled = Pick<StoredChunk, 'doc' | 'title_path' | 'part'>

export function titleLine(chunk: Titled): string {
  const title = chunk.title_path.length === 0 ? chunk.doc : chunk.title_path.join(' → ')
  return chunk.part === undefined ? title : `${title} (part ${chunk.part})`
}

export function chunkBlock(chunk: StoredChunk, text: string, isCut: boolean): string {
  const place = `${chunk.source_path}:${chunk.start_line}-${chunk.end_line}`
  const note = isCut ? ', shortened' : ''
  return `[${chunk.id}] ${titleLine(chunk)}\n(${place}${note})\n\n${text}\n`
}
