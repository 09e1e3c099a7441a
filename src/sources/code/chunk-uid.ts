/** Names for chunks that last: no edit outside a chunk changes its own. */
import type { Chunk } from './chunks.ts'

/**
 * `xxh64:<16 hex>` for each chunk, over the path, the kind, the qualified name and the text as it
 * is. Equals are numbered in the order of the text, from the second on.
 */
export function chunkUids(
  file: { readonly path: string; readonly text: string; readonly chunks: readonly Chunk[] },
  xxh64: (text: string) => string,
): readonly string[] {
  const equals = new Map<string, number>()
  return file.chunks.map(({ kind, name, start, end }) => {
    const content = [file.path, kind, name, file.text.slice(start, end)].join('\0')
    const uid = xxh64(content)
    const ordinal = equals.get(uid) ?? 0
    equals.set(uid, ordinal + 1)
    return `xxh64:${ordinal === 0 ? uid : xxh64(`${content}\0${ordinal}`)}`
  })
}
