/** Folders that may not be read or written, indexes that are none, and two at once: H8, H9. */
import { chmodSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { indexPath } from '../../src/packs/index/code-index.ts'
import { indexStatus } from '../../src/packs/index/index-status.ts'
import { dumpOf, indexIn } from '../support/indexed-folder.ts'
import { onDisk } from '../support/project.ts'
import { quietWorld } from '../support/world.ts'
import { folderWith } from '../surfaces/support/folder.ts'
import { dossier, type ErrorJson, json, startDossier } from '../surfaces/support/program.ts'
import { giveTo, unprivileged } from '../surfaces/support/unprivileged.ts'

const FINE = 'export function fine() {\n  return 1\n}\nfine()\n'
const nobody = await unprivileged()

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
    const done = await dossier(['index', '--json', '--quiet'], { cwd: folder, ...nobody })
    chmodSync(folder, 0o755)
    expect(done.status).toBe(5)
    const { error } = json<ErrorJson>(done)
    expect(error.code).toBe('POC_E_WRITE_FAILED')
    expect(error.message).toContain('.dossier')
    expect(error.hint).not.toBe('')
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

  test('H9 without one, the status says how to make it', async () => {
    const status = indexStatus(quietWorld(onDisk('')), { path: '.' })
    await expect(status).rejects.toMatchObject({
      code: 'POC_E_INDEX_MISSING',
      hint: 'make one with `dossier index`',
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
