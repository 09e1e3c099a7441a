/** The likely secrets of a chunk, looked for once: its title, its seed and each of its showings ask. */
import { findSecrets, type SecretRange } from '../base/secrets.ts'
import type { StoredChunk } from '../model/code-index.ts'

const known = new WeakMap<StoredChunk, readonly SecretRange[]>()

export function secretsOf(chunk: StoredChunk): readonly SecretRange[] {
  const before = known.get(chunk)
  if (before !== undefined) return before
  const found = findSecrets(chunk.text)
  known.set(chunk, found)
  return found
}
