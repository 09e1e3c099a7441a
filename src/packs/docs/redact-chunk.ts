/** Redacts likely secrets in a section. */
import type { StoredChunk } from '../../model/docs-index.ts'
import { shownText, type Viewer } from '../redact-output.ts'

export interface RedactedChunk<Chunk> {
  readonly chunk: Chunk
  /** Number of redacted secrets. */
  readonly redacted: number
}

export function redactChunk<Chunk extends Pick<StoredChunk, 'title_path' | 'text'>>(
  viewer: Viewer,
  chunk: Chunk,
): RedactedChunk<Chunk> {
  const { text, redacted } = shownText(viewer, chunk.text)
  return { chunk: { ...chunk, text, title_path: redactTitles(viewer, chunk) }, redacted }
}

export function redactTitles(
  viewer: Viewer,
  { title_path }: Pick<StoredChunk, 'title_path'>,
): readonly string[] {
  return title_path.map((it) => shownText(viewer, it).text)
}
