/** What an index says of itself. */
import type { DatabaseSync } from 'node:sqlite'
import type { CodeIndexMeta } from '../../model/code-index.ts'

const EMPTY: CodeIndexMeta = {
  extractorVersion: '',
  options: '{}',
  builtAt: '',
  readAt: '',
  skipped: [],
}

export function loadMeta(connection: DatabaseSync): CodeIndexMeta {
  const rows = connection.prepare(`SELECT key, value FROM meta WHERE key <> 'counters'`).all()
  const found = rows.map((row) => [String(row['key']), JSON.parse(String(row['value']))])
  return { ...EMPTY, ...(Object.fromEntries(found) as Partial<CodeIndexMeta>) }
}

export function saveMeta(connection: DatabaseSync, meta: Partial<CodeIndexMeta>): void {
  const put = connection.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)')
  for (const [key, value] of Object.entries(meta)) put.run(key, JSON.stringify(value))
}
