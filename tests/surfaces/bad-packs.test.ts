/** A pack that is damaged, misplaced or locked away: what is said, what still works, what mends it. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  databaseOf,
  folderWith,
  GUIDE,
  leftovers,
  packBytes,
  packOf,
  scribble,
  write,
} from './support/folder.ts'
import { type BuildJson, dossier, type HitsJson, json, shell } from './support/program.ts'
import { giveTo, unprivileged } from './support/unprivileged.ts'

const nobody = await unprivileged()
const SEARCH = ['ctx', 'search', '-q', 'title path', '--json']

async function builtFolder(...flags: readonly string[]): Promise<string> {
  const folder = folderWith({ 'README.md': GUIDE, 'more.md': '# More\n\nAnother title path.\n' })
  const done = await dossier(['ctx', 'sync', ...flags], { cwd: folder })
  expect(done.status).toBe(0)
  return folder
}

/** The command that a message tells the user to run. */
function adviceIn(text: string): string {
  return /`(dossier ctx [^`]+)`/.exec(text)?.[1] ?? 'false'
}

const DATABASE_DAMAGE: readonly (readonly [string, (path: string) => void])[] = [
  ['empty', (path) => truncateSync(path, 0)],
  ['cut to half', (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2))],
  ['cut to a hundred bytes', (path) => truncateSync(path, 100)],
  ['no database at all', (path) => writeFileSync(path, 'not a database '.repeat(1000))],
  ['damaged in its head', (path) => scribble(path, 0)],
  ['damaged after its first page', (path) => scribble(path, 4096)],
  ['damaged in the middle', (path) => scribble(path, 20_480)],
]

describe.each(DATABASE_DAMAGE)('S3 B4 a context.db that is %s', (_, damage) => {
  test('gives the same answers, with a notice, and what that advises makes it anew', async () => {
    const folder = await builtFolder()
    const before = await dossier(SEARCH, { cwd: folder })
    damage(databaseOf(folder))
    const after = await dossier(SEARCH, { cwd: folder })
    expect(after.stderr).toMatch(/^context\.db .*\n$/)
    expect(after).toMatchObject({ status: 0, stdout: before.stdout })
    const mended = await shell(adviceIn(after.stderr), { cwd: folder })
    expect(mended).toMatchObject({ status: 0, stderr: '' })
    expect(await dossier(SEARCH, { cwd: folder })).toMatchObject({
      status: 0,
      stderr: '',
      stdout: before.stdout,
    })
    expect(leftovers(folder)).toEqual([])
  })
})

describe('B8 texts in the database alone', () => {
  const kinds = DATABASE_DAMAGE.filter(([name]) => name === 'empty' || name.endsWith('middle'))

  test.each(kinds)('%s: an error that says what to do, and that helps', async (_, damage) => {
    const folder = await builtFolder('--chunks-in', 'sqlite')
    const before = await dossier(SEARCH, { cwd: folder })
    damage(databaseOf(folder))
    const broken = await dossier(['ctx', 'search', '-q', 'title path'], { cwd: folder })
    expect(broken.stderr).toMatch(/^POC_E_PACK_CORRUPT .*context\.db.*\n {2}\S/)
    expect(broken).toMatchObject({ status: 4, stdout: '' })
    expect((await shell(adviceIn(broken.stderr), { cwd: folder })).status).toBe(0)
    expect((await dossier(SEARCH, { cwd: folder })).stdout).toBe(before.stdout)
  })

  test('a missing one is said to be missing', async () => {
    const folder = await builtFolder('--chunks-in', 'sqlite')
    rmSync(databaseOf(folder))
    const broken = await dossier(['ctx', 'get', '-i', 'README:0000000000'], { cwd: folder })
    expect(broken).toMatchObject({ status: 4, stdout: '' })
    expect(broken.stderr).toMatch(/POC_E_PACK_CORRUPT .*missing/)
  })
})

const FILE_DAMAGE: readonly (readonly [string, (path: string) => void])[] = [
  ['empty', (path) => truncateSync(path, 0)],
  ['cut to half', (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2))],
  ['no JSON at all', (path) => writeFileSync(path, 'not JSON')],
  ['binary', (path) => writeFileSync(path, Buffer.from([0, 255, 254, 1]))],
  ['JSON of another kind', (path) => writeFileSync(path, '[1, 2, 3]')],
  ['a pack without its chunks', withoutChunks],
]

function withoutChunks(path: string): void {
  const { chunks: _, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as { chunks: unknown }
  writeFileSync(path, JSON.stringify(rest))
}

describe.each(FILE_DAMAGE)('V1 B4 a context_pack.json that is %s', (_, damage) => {
  test('is an error for readers, not valid, and made anew by sync', async () => {
    const folder = await builtFolder()
    const before = await dossier(SEARCH, { cwd: folder })
    damage(packOf(folder))
    const broken = await dossier(['ctx', 'stats'], { cwd: folder })
    expect(broken.stderr).toMatch(/^POC_E_PACK_CORRUPT .*context_pack\.json .*\n {2}\S/m)
    expect(broken).toMatchObject({ status: 4, stdout: '' })
    const checked = await dossier(['ctx', 'validate'], { cwd: folder })
    expect(checked.status).toBe(1)
    expect(checked.stdout).toContain('FAIL')
    expect((await dossier(['ctx', 'sync'], { cwd: folder })).status).toBe(0)
    expect(await dossier(SEARCH, { cwd: folder })).toMatchObject({
      status: 0,
      stderr: '',
      stdout: before.stdout,
    })
  })
})

describe('B4 the wrong thing in its place', () => {
  test('a folder where the pack file should be', async () => {
    const folder = folderWith({ 'README.md': GUIDE, '_ctx/context_pack.json/x': 'mine' })
    const done = await dossier(['ctx', 'build'], { cwd: folder })
    expect(done).toMatchObject({ status: 5, stdout: '' })
    expect(done.stderr).toMatch(/POC_E_WRITE_FAILED .*\n {2}a folder is at the path/)
    expect(readFileSync(join(packOf(folder), 'x'), 'utf8')).toBe('mine')
    expect(leftovers(folder)).toEqual([])
    expect(existsSync(databaseOf(folder)), 'no half of a pack').toBe(false)
  })

  test('a folder where the database should be', async () => {
    const folder = await builtFolder()
    rmSync(databaseOf(folder))
    mkdirSync(databaseOf(folder))
    const before = readFileSync(packOf(folder))
    expect((await dossier(SEARCH, { cwd: folder })).status).toBe(0)
    const done = await dossier(['ctx', 'build'], { cwd: folder })
    expect(done).toMatchObject({ status: 5, stdout: '' })
    expect(done.stderr).toContain('POC_E_WRITE_FAILED')
    expect(readFileSync(packOf(folder))).toEqual(before)
    expect(leftovers(folder)).toEqual([])
  })

  test.each(['context_pack.json', 'context.db'])(
    'a FIFO named %s is not waited for',
    async (name) => {
      const folder = folderWith({ 'README.md': GUIDE, '_ctx/.keep': '' })
      spawnSync('mkfifo', [join(folder, '_ctx', name)])
      for (const args of [SEARCH, ['ctx', 'build', '--json']]) {
        const done = await dossier(args, { cwd: folder, timeoutMs: 5000 })
        expect(done.signal, args.join(' ')).toBe(null)
      }
    },
  )

  // Root writes everywhere, and nobody cannot read a project below a private folder.
  test.skipIf(nobody === undefined)('a read-only _ctx', async () => {
    const folder = await builtFolder()
    giveTo(nobody ?? {}, folder)
    chmodSync(join(folder, '_ctx'), 0o555)
    const before = packBytes(folder)
    write(folder, { 'README.md': `${GUIDE}\n## New\n\nWords.\n` })
    for (const command of ['build', 'sync']) {
      const done = await dossier(['ctx', command], { cwd: folder, ...nobody })
      expect(done).toMatchObject({ status: 5, stdout: '' })
      expect(done.stderr).toMatch(/POC_E_WRITE_FAILED .*\n {2}.*permissions.*--output/)
      expect(packBytes(folder)).toEqual(before)
      expect(leftovers(folder)).toEqual([])
    }
    expect((await dossier(SEARCH, { cwd: folder, ...nobody })).status).toBe(0)
    const args = ['ctx', 'sync', '--dry-run', '--json']
    const dry = await dossier(args, { cwd: folder, ...nobody })
    expect(dry.status, 'a dry run needs no lock').toBe(0)
  })

  test.skipIf(nobody === undefined)('an unreadable pack', async () => {
    const folder = await builtFolder()
    giveTo(nobody ?? {}, folder)
    chmodSync(packOf(folder), 0)
    chmodSync(databaseOf(folder), 0)
    const done = await dossier(['ctx', 'stats'], { cwd: folder, ...nobody })
    expect(done).toMatchObject({ status: 5, stdout: '' })
    expect(done.stderr).toMatch(/POC_E_READ_FAILED .*\n {2}check the permissions/)
  })
})

describe('B1 B4 --output elsewhere', () => {
  test('writes there and nowhere else, and --pack reads it', async () => {
    const folder = folderWith({ 'docs/README.md': GUIDE })
    const args = ['ctx', 'build', '-s', 'docs', '--output', 'build/deep/pack.json', '--json']
    const built = json<BuildJson>(await dossier(args, { cwd: folder }))
    expect(built).toMatchObject({ written: true, documents: 1 })
    expect(readdirSync(join(folder, 'docs'))).toEqual(['README.md'])
    const made = readdirSync(join(folder, 'build', 'deep')).filter((it) => !it.startsWith('.'))
    expect(made.toSorted()).toEqual(['pack.db', 'pack.json'])
    const search = [...SEARCH, '-s', 'docs', '--pack', 'build/deep/pack.json']
    expect(json<HitsJson>(await dossier(search, { cwd: folder })).hits).not.toHaveLength(0)
  })

  test('removes nothing that is not its own', async () => {
    const folder = folderWith({ 'docs/README.md': GUIDE, 'out/.tmp-notes.md': 'mine' })
    mkdirSync(join(folder, 'out', '.tmp-folder'))
    const args = ['ctx', 'build', '-s', 'docs', '--output', 'out/pack.json']
    const done = await dossier(args, { cwd: folder })
    expect(done, done.stderr).toMatchObject({ status: 0 })
    expect(readFileSync(join(folder, 'out', '.tmp-notes.md'), 'utf8')).toBe('mine')
    expect(existsSync(join(folder, 'out', '.tmp-folder'))).toBe(true)
  })

  test('does not replace a document', async () => {
    const folder = folderWith({ 'docs/README.md': GUIDE })
    const args = ['ctx', 'build', '-s', 'docs', '--output', 'docs/README.md']
    const done = await dossier(args, { cwd: folder })
    expect(done.status).toBe(4)
    expect(done.stderr).toContain('POC_E_PACK_FOREIGN')
    expect(readFileSync(join(folder, 'docs/README.md'), 'utf8')).toBe(GUIDE)
  })

  test('--dry-run writes nothing at all', async () => {
    const folder = folderWith({ 'docs/README.md': GUIDE })
    for (const flags of [[], ['--output', 'out/pack.json'], ['--force']]) {
      const args = ['ctx', 'build', '-s', 'docs', '--dry-run', ...flags]
      const done = await dossier(args, { cwd: folder })
      expect(done).toMatchObject({ status: 0, stderr: '' })
      expect(done.stdout).toContain('would write 2 chunks from 1 document')
    }
    expect(readdirSync(folder)).toEqual(['docs'])
    expect(readdirSync(join(folder, 'docs'))).toEqual(['README.md'])
  })
})
