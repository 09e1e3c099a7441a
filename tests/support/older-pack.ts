/** A docs pack as versions wrote it whose ids hashed a final newline: database version 1. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { DocsPack } from '../../src/model/docs-pack.ts'
import { databasePath, packPath, readPack } from './pack.ts'
import { bodyOf, pathOf, sha } from './recomputed-ids.ts'

/** Gives a pack that was just built its older form, and returns the older ids in pack order. */
export function makeOlder(folder: string): readonly string[] {
  const pack = readPack(folder)
  const older = olderIds(pack)
  const renamed = (text: string): string =>
    pack.chunks.reduce((all, { id }, at) => all.replaceAll(id, older[at] ?? ''), text)
  writeFileSync(packPath(folder), renamed(readFileSync(packPath(folder), 'utf8')))
  const { size, mtimeMs } = statSync(packPath(folder))
  const database = new DatabaseSync(databasePath(folder))
  for (const { id } of pack.chunks)
    database.prepare('UPDATE chunks SET id = ? WHERE id = ?').run(renamed(id), id)
  const digests = database.prepare('SELECT path, digest FROM documents').all()
  for (const { path, digest } of digests)
    database
      .prepare('UPDATE documents SET digest = ? WHERE path = ?')
      .run(renamed(String(digest)), String(path))
  const row = database.prepare(`SELECT value FROM meta WHERE key = 'pack'`).get()
  const meta = JSON.parse(String(row?.['value'])) as { json: { starts: unknown } }
  const json = { size, mtimeMs, starts: meta.json.starts }
  database
    .prepare(`UPDATE meta SET value = ? WHERE key = 'pack'`)
    .run(JSON.stringify({ ...meta, json }))
  database.exec('PRAGMA user_version = 1')
  database.close()
  return older
}

function olderIds(pack: DocsPack): readonly string[] {
  return pack.chunks.map((chunk, at) => {
    const doc = pack.index[at]?.doc ?? ''
    const text = sha('sha256', `${bodyOf(chunk)}\n`)
    const digits = sha('sha1', `${doc}\n${pathOf(chunk.title_path)}\n${text}`).slice(0, 10)
    return `${doc}:${digits}`
  })
}
