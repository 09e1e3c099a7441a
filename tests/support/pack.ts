/** Packs built, read and compared: what the tests of products have in common. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DocsIndex } from '../../src/model/docs-index.ts'
import type { DocsPack } from '../../src/model/docs-pack.ts'
import { canonicalDocsPack } from '../../src/packs/context/canonical-pack.ts'
import {
  type BuildReport,
  type BuildRequest,
  buildDocsPack,
} from '../../src/packs/docs/docs-pack.ts'
import { withDocsIndex } from '../../src/packs/docs/with-docs-index.ts'
import type { World } from '../../src/platform/world.ts'
import { quietWorld } from './world.ts'

const FULL: BuildRequest = { segment: '.', incremental: false, dryRun: false, force: false }

/** A build of the whole folder, from scratch unless the request says otherwise. */
export function build(world: World, request: Partial<BuildRequest> = {}): Promise<BuildReport> {
  return buildDocsPack(world, { ...FULL, ...request })
}

export function sync(world: World, request: Partial<BuildRequest> = {}): Promise<BuildReport> {
  return build(world, { incremental: true, ...request })
}

export async function built(folder: string): Promise<DocsPack> {
  await build(quietWorld(folder))
  return readPack(folder)
}

export function packPath(folder: string): string {
  return join(folder, '_ctx', 'context_pack.json')
}

export function databasePath(folder: string): string {
  return join(folder, '_ctx', 'context.db')
}

export function readPack(folder: string): DocsPack {
  return JSON.parse(readFileSync(packPath(folder), 'utf8')) as DocsPack
}

export function ask<T>(folder: string, question: (index: DocsIndex) => Promise<T>): Promise<T> {
  return withDocsIndex(quietWorld(folder), { segment: '.' }, question)
}

/** RFC 8785, without what says when: `created_at` and `mtime`. */
export function canonicalPack(path: string): string {
  return canonicalDocsPack(JSON.parse(readFileSync(path, 'utf8')) as DocsPack)
}

/** Every row of context.db but times and row numbers, and the words that its index holds. */
export function canonicalDatabase(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const documents = database.prepare('SELECT * FROM documents ORDER BY path').all()
    const chunks = database.prepare('SELECT * FROM chunks ORDER BY source_path, ordinal').all()
    const words = database
      .prepare('SELECT count(*) AS rows FROM chunks_fts WHERE rowid IN (SELECT n FROM chunks)')
      .get()
    const indexed = database.prepare('SELECT count(*) AS rows FROM chunks_fts').get()
    return JSON.stringify(
      { documents, chunks, words, indexed },
      (key, value: unknown) => (TIMES.has(key) ? undefined : value),
      1,
    )
  } finally {
    database.close()
  }
}

const TIMES: ReadonlySet<string> = new Set(['n', 'mtime_ms', 'hashed_at_ms'])
