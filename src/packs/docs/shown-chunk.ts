/** A section as it may be handed out. */
import type { StoredChunk } from '../../model/docs-index.ts'
import { shownText, type Viewer } from '../redact-output.ts'

export interface ShownChunk<Chunk> {
  readonly chunk: Chunk
  /** How many likely secrets are not in it. */
  readonly redacted: number
}

export function shownChunk<Chunk extends Pick<StoredChunk, 'title_path' | 'text'>>(
  viewer: Viewer,
  chunk: Chunk,
): ShownChunk<Chunk> {
  const { text, redacted } = shownText(viewer, chunk.text)
  return { chunk: { ...chunk, text, title_path: shownTitles(viewer, chunk) }, redacted }
}

export function shownTitles(
  viewer: Viewer,
  { title_path }: Pick<StoredChunk, 'title_path'>,
): readonly string[] {
  return title_path.map((it) => shownText(viewer, it).text)
}
