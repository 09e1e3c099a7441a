/** Whatever bytes a folder holds, a build says what it did with them and keeps the rest. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith, GUIDE, leftovers, packBytes, write } from './support/folder.ts'
import { type BuildJson, dossier, type HitsJson, json } from './support/program.ts'
import { giveTo, unprivileged } from './support/unprivileged.ts'

const nobody = await unprivileged()

async function build(cwd: string): Promise<BuildJson> {
  const done = await dossier(['ctx', 'build', '--json', '--quiet'], { cwd })
  expect(done, done.stderr).toMatchObject({ status: 0, stderr: '' })
  return json<BuildJson>(done)
}

async function titles(cwd: string, query: string): Promise<readonly string[]> {
  const args = ['ctx', 'search', '-q', query, '-l', '1', '--json']
  return json<HitsJson>(await dossier(args, { cwd })).hits.map((it) => it.title)
}

async function expectValid(cwd: string): Promise<void> {
  const done = await dossier(['ctx', 'validate'], { cwd })
  expect(done, done.stdout).toMatchObject({ status: 0 })
}

describe('B7 bytes', () => {
  test('invalid UTF-8 is built, with a diagnostic', async () => {
    const bytes = Buffer.concat([
      Buffer.from('# Caf'),
      Buffer.from([0xe9, 0xff]),
      Buffer.from('\n'),
    ])
    const folder = folderWith({ 'README.md': GUIDE, 'latin.md': bytes })
    const built = await build(folder)
    expect(built).toMatchObject({ documents: 2 })
    expect(built.diagnostics).toMatchObject([{ code: 'invalid-utf8', path: 'latin.md' }])
    await expectValid(folder)
  })

  test('NUL bytes leave a file out, with a diagnostic', async () => {
    const folder = folderWith({ 'README.md': GUIDE, 'binary.md': 'a\0b' })
    const built = await build(folder)
    expect(built).toMatchObject({ documents: 1 })
    expect(built.diagnostics).toMatchObject([{ code: 'binary', path: 'binary.md' }])
    await expectValid(folder)
  })

  test('B3 a file that is left out is no change: the next sync writes nothing', async () => {
    const folder = folderWith({ 'README.md': GUIDE, 'binary.md': 'a\0b', 'other.md': '\0' })
    await build(folder)
    const before = packBytes(folder)
    const again = json<BuildJson>(await dossier(['ctx', 'sync', '--json'], { cwd: folder }))
    expect(packBytes(folder)).toEqual(before)
    expect(again.written).toBe(false)
  })

  test('nothing but NUL bytes is an error, and the former pack stays', async () => {
    const folder = folderWith({ 'README.md': GUIDE })
    await build(folder)
    const before = packBytes(folder)
    write(folder, { 'README.md': 'now\0binary' })
    for (const command of ['build', 'sync']) {
      const done = await dossier(['ctx', command], { cwd: folder })
      expect(done).toMatchObject({ status: 3, stdout: '' })
      expect(done.stderr).toMatch(/POC_E_NO_DOCUMENTS .*README\.md contains NUL bytes/)
      expect(packBytes(folder)).toEqual(before)
      expect(leftovers(folder)).toEqual([])
    }
  })

  test('all documents gone is an error, and the former pack stays', async () => {
    const folder = folderWith({ 'README.md': GUIDE })
    await build(folder)
    const before = packBytes(folder)
    rmSync(join(folder, 'README.md'))
    const done = await dossier(['ctx', 'sync'], { cwd: folder })
    expect(done.status).toBe(3)
    expect(done.stderr).toContain('POC_E_NO_DOCUMENTS')
    expect(packBytes(folder)).toEqual(before)
  })
})

describe('B7 sizes', () => {
  test('a file of 20 MB', async () => {
    const lines = Array.from({ length: 330_000 }, (_, at) =>
      at % 40 === 0
        ? `\n## Part ${at}\n`
        : `Line ${at} of a file that goes on and on, line by line by line.`,
    )
    const text = `# Large\n\n${lines.join('\n')}\n`
    expect(text.length).toBeGreaterThan(19_000_000)
    const folder = folderWith({ 'large.md': text })
    expect((await build(folder)).chunks).toBeGreaterThan(8000)
    expect(await titles(folder, 'part 120')).toEqual(['Large → Part 120'])
  })

  test('a section of 300,000 lines', async () => {
    const folder = folderWith({ 'long.md': `# Long\n\n${'word\n'.repeat(300_000)}` })
    expect((await build(folder)).chunks).toBeGreaterThan(200)
    await expectValid(folder)
  })

  test('a line of 5 MB', async () => {
    const folder = folderWith({ 'line.md': `# Line\n\n${'word '.repeat(1_000_000)}\n` })
    expect((await build(folder)).chunks).toBeGreaterThan(800)
    expect((await titles(folder, 'word'))[0]).toMatch(/^Line \(part \d+\)$/)
    await expectValid(folder)
  })

  test('100,000 headings in one file', async () => {
    const text = Array.from({ length: 100_000 }, (_, at) => `## Heading ${at}\n\nx\n`).join('')
    const folder = folderWith({ 'headings.md': text })
    expect((await build(folder)).chunks).toBe(100_000)
    expect(await titles(folder, 'heading 77777')).toEqual(['Heading 77777'])
  })
})

describe('B6 B7 what is no plain file', () => {
  test('links in circles and out of the folder are named and not followed', async () => {
    const folder = folderWith({ 'docs/README.md': GUIDE, 'secret/key.md': '# Key\n\nhunter2\n' })
    const docs = join(folder, 'docs')
    symlinkSync(docs, join(docs, 'loop'))
    symlinkSync('self.md', join(docs, 'self.md'))
    symlinkSync(join(folder, 'secret', 'key.md'), join(docs, 'key.md'))
    symlinkSync(join(folder, 'secret'), join(docs, 'more'))
    const built = await build(docs)
    expect(built).toMatchObject({ documents: 1 })
    expect(built.diagnostics.map((it) => [it.path, it.code])).toEqual([
      ['key.md', 'link'],
      ['loop', 'link'],
      ['more', 'link'],
      ['self.md', 'link'],
    ])
    expect(await titles(docs, 'hunter2')).toEqual([])
  })

  test('a FIFO named x.md is named and not waited for', async () => {
    const folder = folderWith({ 'README.md': GUIDE })
    expect(spawnSync('mkfifo', [join(folder, 'x.md')]).status).toBe(0)
    const built = await build(folder)
    expect(built).toMatchObject({ documents: 1 })
    expect(built.diagnostics).toMatchObject([{ code: 'not-a-file', path: 'x.md' }])
    await expectValid(folder)
  })

  test('a FIFO named .gitignore is not waited for, here or above', async () => {
    const folder = folderWith({ 'docs/README.md': GUIDE, '.git/HEAD': '' })
    spawnSync('mkfifo', [join(folder, '.gitignore'), join(folder, 'docs', '.gitignore')])
    const options = { cwd: folder, timeoutMs: 8000 }
    const done = await dossier(['ctx', 'build', '-s', 'docs'], options)
    expect(done).toMatchObject({ status: 0, signal: null })
  })

  // Root reads everything, and nobody cannot read a project below a private folder.
  test.skipIf(nobody === undefined)('an unreadable file is left out and named', async () => {
    const folder = folderWith({ 'README.md': GUIDE, 'locked.md': '# L\n', 'shut/in.md': '# I\n' })
    giveTo(nobody ?? {}, folder)
    chmodSync(join(folder, 'locked.md'), 0)
    chmodSync(join(folder, 'shut'), 0)
    const done = await dossier(['ctx', 'build', '--json'], { cwd: folder, ...nobody })
    chmodSync(join(folder, 'shut'), 0o755)
    expect(done).toMatchObject({ status: 0, stderr: '' })
    const built = json<BuildJson>(done)
    expect(built).toMatchObject({ documents: 1 })
    expect(built.diagnostics.map((it) => [it.path, it.code]).toSorted()).toEqual([
      ['locked.md', 'unreadable'],
      ['shut', 'unreadable'],
    ])
  })

  test.skipIf(nobody === undefined)('nothing but unreadable files is an error', async () => {
    const folder = folderWith({ 'locked.md': GUIDE })
    giveTo(nobody ?? {}, folder)
    chmodSync(join(folder, 'locked.md'), 0)
    const done = await dossier(['ctx', 'build'], { cwd: folder, ...nobody })
    expect(done.status).toBe(3)
    expect(done.stderr).toMatch(/POC_E_NO_DOCUMENTS .*locked\.md.*EACCES/)
    expect(packBytes(folder)).toEqual({})
  })
})

describe('C1 odd names', () => {
  test.each([
    'with space.md',
    'a, b.md',
    `quo"te's.md`,
    'two\nlines.md',
    'emoji 🎉.md',
    ' starts with a space.md',
    'colon:x.md',
    '--flag.md',
    '`tick` $HOME.md',
    'ends with a space .md',
  ])('%j is built, found and read by the id that search gives', async (name) => {
    const folder = folderWith({ [name]: '# Odd\n\nAn unusual name.\n' })
    expect(await build(folder)).toMatchObject({ documents: 1 })
    const found = await dossier(['ctx', 'search', '-q', 'unusual', '--json'], { cwd: folder })
    const id = json<HitsJson>(found).hits[0]?.id ?? ''
    expect(id).toContain(name.slice(0, -3))
    const got = await dossier(['ctx', 'get', `--ids=${id}`], { cwd: folder })
    expect(got, got.stderr).toMatchObject({ status: 0, stderr: '' })
    expect(got.stdout).toContain('An unusual name.')
    await expectValid(folder)
  })

  test('two odd ids in one list', async () => {
    const folder = folderWith({ 'a, b.md': '# A\n\nunusual\n', 'c.md': '# C\n\nunusual\n' })
    await build(folder)
    const found = await dossier(['ctx', 'search', '-q', 'unusual', '--json'], { cwd: folder })
    const ids = json<HitsJson>(found).hits.map((it) => it.id)
    const got = await dossier(['ctx', 'get', '--ids', ids.join(', '), '--json'], { cwd: folder })
    expect(got).toMatchObject({ status: 0, stderr: '' })
    expect(json<{ items: readonly unknown[] }>(got).items).toHaveLength(2)
  })

  test('a folder named x.md is a folder', async () => {
    const folder = folderWith({ 'README.md': GUIDE })
    mkdirSync(join(folder, 'x.md'))
    write(folder, { 'x.md/in.md': '# In\n' })
    expect(await build(folder)).toMatchObject({ documents: 2, diagnostics: [] })
  })
})
