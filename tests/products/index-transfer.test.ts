/** An index, written out and read in again: all of it or nothing. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exportIndex, importIndex } from '../../src/packs/index/index-transfer.ts'
import { realFiles } from '../../src/platform/files.ts'
import type { World } from '../../src/platform/world.ts'
import { openCodeIndex } from '../../src/store/code/reader.ts'
import { indexPath } from '../support/code-store.ts'
import { dumpOf, indexIn, threadlessWorld } from '../support/indexed-folder.ts'
import { listing, onDisk, temporaryFolder, writeFile } from '../support/project.ts'
import { folderWith } from '../surfaces/support/folder.ts'
import { dossier } from '../surfaces/support/program.ts'

const PROJECT = `
//- src/a.ts
import { run } from './b'
export const start = () => run(missing())
//- src/b.ts
/** Runs it. */
export function run(it: unknown) { return it }
//- notes.md
See \`run\` in src/b.ts.
//- broken.png
not a picture
`
const BACKENDS = ['jsonl', 'lmdb'] as const
const FOLDERS = { jsonl: '.dossier/artifacts', lmdb: '.dossier/index.lmdb' } as const

async function indexed(): Promise<string> {
  const folder = onDisk(PROJECT)
  writeFile(folder, 'odd.ts', Buffer.from([0x61, 0x80, 0x0a]))
  await indexIn(folder)
  return folder
}

function world(folder: string, changes: Partial<World> = {}): World {
  return threadlessWorld(folder, changes)
}

describe.each(BACKENDS)('BK4 %s', (backend) => {
  test('BK4 comes back as it was, with its signature, times and full-text search', async () => {
    const folder = await indexed()
    const other = temporaryFolder()
    const out = await exportIndex(world(folder), { path: '.', backend })
    expect(out.folder.endsWith(FOLDERS[backend])).toBe(true)
    const back = await importIndex(world(other), { folder: out.folder, path: '.' })
    expect(back).toMatchObject({ backend, signature: out.signature, files: out.files })
    expect(await dumpOf(other)).toBe(await dumpOf(folder))
    const [before, after] = [folder, other].map((it) => openCodeIndex(realFiles, indexPath(it)))
    expect(await after?.status()).toEqual(await before?.status())
    expect(await after?.files()).toEqual(await before?.files())
    const query = { words: ['run', 'start'], weights: [1, 1, 1, 1, 1], limit: 9 }
    expect(await after?.searchFullText(query)).toEqual(await before?.searchFullText(query))
    expect((await before?.searchFullText(query))?.length).toBeGreaterThan(1)
    await before?.close()
    await after?.close()
  })

  test('BK4 takes the place of another index, and the next run finds nothing to do', async () => {
    const folder = await indexed()
    const before = await dumpOf(folder)
    const { folder: out } = await exportIndex(world(folder), { path: '.', backend })
    writeFile(folder, 'src/b.ts', 'export const other = 1\n')
    writeFile(folder, 'src/c.ts', 'export const more = 1\n')
    await indexIn(folder)
    expect(await dumpOf(folder)).not.toBe(before)
    await importIndex(world(folder), { folder: out, path: '.' })
    expect(await dumpOf(folder)).toBe(before)
    // Times are not trusted: what was edited is found, whatever the index says of its time.
    await indexIn(folder)
    const fresh = temporaryFolder()
    for (const it of ['src/a.ts', 'src/b.ts', 'src/c.ts', 'notes.md', 'broken.png', 'odd.ts'])
      writeFile(fresh, it, readFileSync(join(folder, it)))
    await indexIn(fresh)
    expect(await dumpOf(folder)).toBe(await dumpOf(fresh))
  })

  test('BK4 a damaged folder is refused, and the index stays', async () => {
    const folder = await indexed()
    const { folder: out } = await exportIndex(world(folder), { path: '.', backend })
    writeFile(folder, 'src/b.ts', 'export const other = 1\n')
    await indexIn(folder)
    const before = await dumpOf(folder)
    const largest = backend === 'lmdb' ? 'index.mdb' : 'chunks-0000.jsonl'
    const bytes = readFileSync(join(out, largest))
    writeFileSync(join(out, largest), bytes.fill(0x20, bytes.length - 9, bytes.length - 5))
    await expect(importIndex(world(folder), { folder: out, path: '.' })).rejects.toMatchObject({
      code: 'POC_E_PACK_CORRUPT',
    })
    expect(await dumpOf(folder)).toBe(before)
    const empty = temporaryFolder()
    await expect(importIndex(world(empty), { folder: out, path: '.' })).rejects.toThrow()
    expect(listing(empty)).toEqual([])
  })

  test('BK4 an export that is interrupted leaves what was there, and nothing else', async () => {
    const folder = await indexed()
    const place = join(folder, FOLDERS[backend])
    const before = listing(join(folder, '.dossier'))
    for (const calls of [1, 2, 3]) {
      const stopped = exportIndex(stoppedAfter(folder, calls), { path: '.', backend })
      await expect(stopped).rejects.toMatchObject({ code: 'POC_E_CANCELLED' })
      expect(listing(join(folder, '.dossier'))).toEqual(before)
    }
    await exportIndex(world(folder), { path: '.', backend })
    const whole = contentsOf(place)
    writeFile(folder, 'src/b.ts', 'export const other = 1\n')
    await indexIn(folder)
    await expect(
      exportIndex(stoppedAfter(folder, 2), { path: '.', backend }),
    ).rejects.toMatchObject({ code: 'POC_E_CANCELLED' })
    expect(contentsOf(place)).toEqual(whole)
    await exportIndex(world(folder), { path: '.', backend })
    expect(contentsOf(place)).not.toEqual(whole)
  })

  test('BK4 what a killed export left behind is cleared by the next one', async () => {
    const folder = await indexed()
    const place = join(folder, FOLDERS[backend])
    await exportIndex(world(folder), { path: '.', backend })
    const names = readdirSync(join(folder, '.dossier'))
    const left = join(
      folder,
      `.dossier/.dossier-folder-${basename(place)}-01234567-89ab-cdef-0123-456789abcdef`,
    )
    mkdirSync(left)
    writeFileSync(join(left, 'chunks-0000.jsonl'), 'half')
    mkdirSync(`${left}.former`)
    writeFileSync(`${left}.lock`, '')
    await exportIndex(world(folder), { path: '.', backend })
    expect(readdirSync(join(folder, '.dossier'))).toEqual(names)
  })

  test('BK4 an import that is interrupted leaves the index as it was', async () => {
    const folder = await indexed()
    const { folder: out } = await exportIndex(world(folder), { path: '.', backend })
    writeFile(folder, 'src/b.ts', 'export const other = 1\n')
    await indexIn(folder)
    const before = await dumpOf(folder)
    for (const calls of [1, 2, 3, 4]) {
      const stopped = importIndex(stoppedAfter(folder, calls), { folder: out, path: '.' })
      await expect(stopped, String(calls)).rejects.toMatchObject({ code: 'POC_E_CANCELLED' })
      expect(await dumpOf(folder)).toBe(before)
    }
  })
})

/** Cancelled when it is asked for the so-manieth time whether it is. */
function stoppedAfter(folder: string, calls: number): World {
  let asked = 0
  const signal = new Proxy(new AbortController().signal, {
    get: (target, key) => {
      if (key !== 'aborted') return Reflect.get(target, key) as unknown
      asked += 1
      return asked >= calls
    },
  })
  return world(folder, { signal })
}

function contentsOf(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder).toSorted()
  return new Map(names.map((it) => [it, readFileSync(join(folder, it), 'base64')]))
}

describe('BK5 requests that cannot be met', () => {
  test('BK5 there is no index', async () => {
    const folder = temporaryFolder()
    await expect(exportIndex(world(folder), { path: '.', backend: 'jsonl' })).rejects.toMatchObject(
      { code: 'POC_E_INDEX_MISSING', hint: /dossier index/ },
    )
    expect(listing(folder)).toEqual([])
  })

  test('BK5 a folder with files of others is not replaced', async () => {
    const folder = await indexed()
    const before = listing(folder)
    for (const to of ['.', 'src', '.dossier', 'notes.md']) {
      await expect(
        exportIndex(world(folder), { path: '.', backend: 'jsonl', to }),
        to,
      ).rejects.toMatchObject({ code: 'POC_E_PACK_FOREIGN', hint: /--to/ })
    }
    expect(listing(folder)).toEqual(before)
    mkdirSync(join(folder, 'empty'))
    await exportIndex(world(folder), { path: '.', backend: 'jsonl', to: 'empty' })
    await exportIndex(world(folder), { path: '.', backend: 'lmdb', to: 'empty' })
    expect(readdirSync(join(folder, 'empty')).toSorted()).toEqual(['index.mdb', 'manifest.json'])
  })

  test('BK5 there is nothing to import', async () => {
    const folder = await indexed()
    const before = await dumpOf(folder)
    for (const it of ['nothing', 'src', 'notes.md']) {
      await expect(importIndex(world(folder), { folder: it, path: '.' })).rejects.toMatchObject({
        code: 'POC_E_PACK_MISSING',
        hint: /index export/,
      })
    }
    expect(await dumpOf(folder)).toBe(before)
  })
})

describe('BK6 on the command line', () => {
  test('BK6 index, index export and index import live side by side', async () => {
    const folder = folderWith({ 'a.ts': 'export const one = 1\n', 'export/b.ts': 'one()\n' })
    const run = (...args: readonly string[]) => dossier(args, { cwd: folder })
    expect(await run('index', '--json')).toMatchObject({ status: 0 })
    expect(await run('index', 'export', '--json')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"backend": "jsonl"') as string,
    })
    expect(await run('index', 'export', '.', '--backend', 'lmdb', '--to', 'out')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('exported 2 files') as string,
    })
    expect(existsSync(join(folder, 'out', 'index.mdb'))).toBe(true)
    rmSync(join(folder, '.dossier', 'index.db'))
    expect(await run('index', 'import', 'out', '--json')).toMatchObject({ status: 0 })
    expect(await run('status')).toMatchObject({ status: 0 })
    expect(await run('index', 'export', '--force')).toMatchObject({ status: 2 })
    expect(await run('index', 'export', '--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('--backend') as string,
    })
    // A folder of that name is named as one.
    expect(await run('index', './export', '--quiet')).toMatchObject({ status: 0 })
    expect(existsSync(join(folder, 'export', '.dossier', 'index.db'))).toBe(true)
    expect(await run('index', '--exclude', 'export', '--json')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"removed": 1') as string,
    })
  })

  test('BK6 an import without a folder says what is missing', async () => {
    const folder = folderWith({ 'a.ts': 'export const one = 1\n' })
    expect(await dossier(['index', 'import'], { cwd: folder })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('give the exported folder') as string,
    })
  })
})
