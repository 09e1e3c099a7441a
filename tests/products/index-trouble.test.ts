/** Folders that may not be read or written or do not end, indexes that are none, two at once: H3, H8, H9. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { SILENT } from '../../src/model/progress.ts'
import { bringUpToDate, buildCodeIndex, indexPath } from '../../src/packs/index/code-index.ts'
import { indexStatus } from '../../src/packs/index/index-status.ts'
import { type Files, realFiles } from '../../src/platform/files.ts'
import { dumpOf, indexIn } from '../support/indexed-folder.ts'
import { onDisk, writeFile } from '../support/project.ts'
import { quietWorld } from '../support/world.ts'
import { folderWith, write } from '../surfaces/support/folder.ts'
import { dossier, type ErrorJson, json, startDossier } from '../surfaces/support/program.ts'
import { giveTo, unprivileged } from '../surfaces/support/unprivileged.ts'

const FINE = 'export function fine() {\n  return 1\n}\nfine()\n'
const nobody = await unprivileged()

/** Without a cache to write to, which an index would go to in place of the repository. */
const HOMELESS = { ...nobody, env: { HOME: '/nonexistent' } }

interface OutcomeJson {
  readonly files: number
  readonly signature: string
  readonly skipped: readonly { readonly path: string; readonly code: string }[]
}

describe.skipIf(nobody === undefined)('H8 permissions', () => {
  test('H8 what may not be read is named, and the rest is indexed', async () => {
    const folder = folderWith({ 'fine.ts': FINE, 'secret.ts': FINE, 'closed/a.ts': FINE })
    giveTo(nobody ?? {}, folder)
    chmodSync(join(folder, 'secret.ts'), 0)
    chmodSync(join(folder, 'closed'), 0)
    const args = ['index', '--json', '--quiet']
    const done = await dossier(args, { cwd: folder, ...nobody })
    chmodSync(join(folder, 'closed'), 0o755)
    const { files, skipped } = json<OutcomeJson>(done)
    expect(files, done.stderr).toBe(1)
    expect(skipped).toMatchObject([
      { path: 'closed', code: 'unreadable' },
      { path: 'secret.ts', code: 'unreadable' },
    ])
    expect(JSON.stringify(skipped)).not.toContain(folder)
  })

  test.each([
    ['a repository that is read-only', (folder: string) => chmodSync(folder, 0o555)],
    [
      'a .dossier that cannot be written to',
      (folder: string) => {
        mkdirSync(join(folder, '.dossier'))
        chmodSync(join(folder, '.dossier'), 0o555)
      },
    ],
    ['a file named .dossier', (folder: string) => writeFileSync(join(folder, '.dossier'), '')],
  ])('H8 %s is an error that says so', async (_, spoil) => {
    const folder = folderWith({ 'fine.ts': FINE })
    giveTo(nobody ?? {}, folder)
    spoil(folder)
    const done = await dossier(['index', '--json', '--quiet'], { cwd: folder, ...HOMELESS })
    chmodSync(folder, 0o755)
    expect(done.status).toBe(5)
    const { error } = json<ErrorJson>(done)
    expect(error.code).toBe('POC_E_WRITE_FAILED')
    expect(error.message).toContain('.dossier')
    expect(error.hint).toMatch(/(?:permissions|new files[^;]*|move it), or name .* --index-dir;/)
  })
})

describe.skipIf(nobody === undefined)('H8 a pack where nothing can be written', () => {
  test.each([
    [
      'without an index has to hear that there is none',
      false,
      /, or name another folder with --index-dir/,
    ],
    ['with an old one may take it as it is', true, /--no-index/],
  ] as const)('H8 %s', async (_, isIndexed, hint) => {
    const folder = folderWith({ 'fine.ts': FINE })
    giveTo(nobody ?? {}, folder)
    if (isIndexed) await dossier(['index'], { cwd: folder, ...nobody })
    write(folder, { 'more.ts': FINE })
    const closed = isIndexed ? join(folder, '.dossier') : folder
    chmodSync(closed, 0o555)
    const done = await dossier(['pack', 'what is fine', '--json'], { cwd: folder, ...HOMELESS })
    chmodSync(closed, 0o755)
    const { error } = json<ErrorJson>(done)
    expect(error).toMatchObject({ code: 'POC_E_WRITE_FAILED', hint: expect.stringMatching(hint) })
  })
})

test.skipIf(!existsSync('/proc/1'))('H8 a folder that the system fills is refused', async () => {
  const place = { cwd: '/', timeoutMs: 20_000 }
  const done = await dossier(['index', '/proc/1', '--json'], place)
  const { error } = json<ErrorJson>(done)
  expect(error).toMatchObject({
    code: 'POC_E_WRITE_FAILED',
    hint: expect.stringContaining('takes no new files'),
  })
})

describe('H3 a walk without an end', () => {
  test('H3 C4 says that it goes on, and stops when it is told to', async () => {
    const folder = onDisk(`//- fine.ts\n${FINE}`)
    for (let at = 0; at < 2000; at += 1) writeFile(folder, `folder${at}/fine.ts`, 'fine()\n')
    const stop = new AbortController()
    let listed = 0
    const list: Files['list'] = (path) => {
      // Not at once: a signal gets in when the work pauses.
      if (listed === 0) setImmediate(() => stop.abort())
      listed += 1
      return realFiles.list(path)
    }
    const told: string[] = []
    const progress = { ...SILENT, begin: (label: string) => told.push(label) }
    const world = { files: { ...realFiles, list }, signal: stop.signal, progress }
    await expect(indexIn(folder, world)).rejects.toMatchObject({ code: 'POC_E_CANCELLED' })
    expect(listed).toBeLessThan(1500)
    expect(told).toEqual(['looking at files'])
  })
})

describe('H9 two at once', () => {
  test('H9 both succeed, one after the other, with one result', async () => {
    const files = Array.from({ length: 40 }, (_, at) => [`file${at}.ts`, FINE] as const)
    const folder = folderWith(Object.fromEntries(files))
    const running = [1, 2].map(() => startDossier(['index', '--json', '--quiet'], { cwd: folder }))
    const [one, other] = await Promise.all(running.map((it) => it.finished))
    expect([one?.status, other?.status], `${one?.stderr}${other?.stderr}`).toEqual([0, 0])
    const outcomes = [one, other].map((it) => it && json<OutcomeJson>(it))
    expect(outcomes).toMatchObject([{ files: 40 }, { files: 40 }])
    expect(outcomes[0]?.signature).toBe(outcomes[1]?.signature)
    expect(await dumpOf(folder)).toContain('"file39.ts"')
  })
})

/** What can be found in the place of an index, and what both commands say of it. */
const BAD: readonly (readonly [string, string, (path: string) => void])[] = [
  ['garbage', 'POC_E_PACK_FOREIGN', (path) => writeFileSync(path, 'no database\n'.repeat(500))],
  ['another database', 'POC_E_PACK_FOREIGN', otherDatabase],
  ['a newer version', 'POC_E_CONTRACT_VERSION', newerVersion],
  ['a part of one', 'POC_E_PACK_CORRUPT', (path) => truncateSync(path, 20_000)],
  ['one with holes', 'POC_E_PACK_CORRUPT', (path) => holes(path)],
]

function otherDatabase(path: string): void {
  writeFileSync(path, '')
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE notes (text)')
  database.close()
}

function newerVersion(path: string): void {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA user_version = 1000000')
  database.close()
}

function holes(path: string): void {
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0, 4096, bytes.length))
}

/** Large enough for pages of its own, which nobody looks at when the index is opened. */
const DULL = Array.from({ length: 400 }, (_, at) => `export const dull${at} = ${at}\n`).join('')

function scratched(path: string): void {
  const bytes = readFileSync(path)
  const from = Math.floor(bytes.length / 2 / 4096) * 4096
  writeFileSync(path, bytes.fill(0xa5, from, from + 8192))
}

function refuse(): never {
  throw new Error('refused')
}

describe('H9 an index that is none', () => {
  test.each(BAD)('H9 %s is left as it is, with %s', async (_, code, spoil) => {
    const folder = onDisk(`//- fine.ts\n${FINE}`)
    await indexIn(folder)
    spoil(indexPath(folder))
    const before = readFileSync(indexPath(folder))
    await expect(indexStatus(quietWorld(folder), { path: '.' })).rejects.toMatchObject({ code })
    await expect(indexIn(folder)).rejects.toMatchObject({ code })
    expect(readFileSync(indexPath(folder)).equals(before)).toBe(true)
  })

  test.each([...BAD, ['a scratch', '', scratched] as const])(
    'H9 N5 %s is replaced by force, and its error says so',
    async (_, code, spoil) => {
      const folder = onDisk(`//- fine.ts\n${FINE}\n//- dull.ts\n${DULL}`)
      await indexIn(folder)
      const before = await dumpOf(folder)
      spoil(indexPath(folder))
      if (code !== '') {
        const hint = expect.stringContaining('`dossier index --force`')
        const world = quietWorld(folder)
        await expect(indexStatus(world, { path: '.' })).rejects.toMatchObject({ code, hint })
        await expect(bringUpToDate(world, folder)).rejects.toMatchObject({ code, hint })
      }
      const notices: string[] = []
      const world = { ...quietWorld(folder), notice: (text: string) => notices.push(text) }
      await buildCodeIndex(world, { path: '.', force: true })
      expect(notices).toEqual([expect.stringContaining('made anew')])
      expect(await dumpOf(folder)).toBe(before)
      const names = readdirSync(join(folder, '.dossier')).toSorted()
      expect(names).toEqual(['.gitignore', '.index.lock', 'index.db'])
    },
  )

  test('H9 N5 what is in its place stays until the new one is whole', async () => {
    const files = Array.from({ length: 20 }, (_, at) => [`file${at}.ts`, FINE] as const)
    const folder = folderWith({
      ...Object.fromEntries(files),
      '.dossier/index.db': 'somebody needs this',
    })
    const threadless = { ...quietWorld(folder), extractors: refuse }
    await expect(buildCodeIndex(threadless, { path: '.', force: true })).rejects.toThrow('refused')
    expect(readFileSync(indexPath(folder), 'utf8')).toBe('somebody needs this')
  })

  test('H9 N5 a folder in its place is nothing to replace', async () => {
    const folder = onDisk(`//- fine.ts\n${FINE}`)
    mkdirSync(indexPath(folder), { recursive: true })
    await expect(
      buildCodeIndex(quietWorld(folder), { path: '.', force: true }),
    ).rejects.toMatchObject({ code: 'POC_E_PACK_FOREIGN', hint: expect.stringContaining('move') })
  })

  test.skipIf(nobody === undefined)('H9 N5 one that cannot be read is not replaced', async () => {
    const folder = folderWith({ 'fine.ts': FINE })
    giveTo(nobody ?? {}, folder)
    await dossier(['index'], { cwd: folder, ...nobody })
    const before = readFileSync(indexPath(folder))
    chmodSync(indexPath(folder), 0)
    const done = await dossier(['index', '--force', '--json'], { cwd: folder, ...nobody })
    expect(done.status).toBe(5)
    expect(readFileSync(indexPath(folder)).equals(before)).toBe(true)
  })

  test('H9 without one, the status says how to make it', async () => {
    const status = indexStatus(quietWorld(onDisk('')), { path: '.' })
    await expect(status).rejects.toMatchObject({
      code: 'POC_E_INDEX_MISSING',
      hint: 'make one with `dossier index`; `dossier pack` makes one too',
    })
  })

  test('H9 a folder that is none is a request that cannot be met', async () => {
    const folder = onDisk('//- file\n\n')
    for (const path of ['nowhere', 'file'])
      await expect(indexStatus(quietWorld(folder), { path })).rejects.toMatchObject({
        code: 'POC_E_REQUEST_INVALID',
      })
  })
})
