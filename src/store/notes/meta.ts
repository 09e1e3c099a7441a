/** What a workspace says of itself. */
import type { DatabaseSync } from 'node:sqlite'
import type { VectorInfo } from '../../model/embedder.ts'
import type { NotesStatus } from '../../model/notes-index.ts'

export type StoredStatus = Omit<NotesStatus, 'vectors'>

interface Meta {
  readonly status: StoredStatus
  readonly vectors: VectorInfo | null
}

export function loadMeta<Key extends keyof Meta>(
  connection: DatabaseSync,
  key: Key,
): Meta[Key] | undefined {
  const row = connection.prepare('SELECT value FROM meta WHERE key = ?').get(key)
  return row === undefined ? undefined : (JSON.parse(String(row['value'])) as Meta[Key])
}

export function saveMeta<Key extends keyof Meta>(
  connection: DatabaseSync,
  key: Key,
  value: Meta[Key],
): void {
  connection.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(key, JSON.stringify(value))
}
