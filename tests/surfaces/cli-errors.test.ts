/** Every error has a code, a sentence, a hint, and a status from one total table. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_CODES } from '../../src/model/engine-error.ts'
import { EXIT_STATUS } from '../../src/surfaces/cli/exit-status.ts'
import { folderWith, GUIDE, newFolder, packBytes, packOf, removeFolder } from './support/folder.ts'
import {
  dossier,
  type ErrorJson,
  type Finished,
  json,
  type Running,
  startDossier,
} from './support/program.ts'

/** Another build would be waited for a minute: begun first, looked at last. */
let busyFolder = ''
let holder: DatabaseSync | undefined
let waiting: Running | undefined

beforeAll(() => {
  busyFolder = newFolder()
  writeFileSync(join(busyFolder, 'README.md'), GUIDE)
  mkdirSync(join(busyFolder, '_ctx'))
  holder = new DatabaseSync(join(busyFolder, '_ctx', '.dossier.lock'))
  holder.exec('BEGIN EXCLUSIVE')
  waiting = startDossier(['ctx', 'build'], { cwd: busyFolder, timeoutMs: 100_000 })
})

afterAll(() => {
  holder?.close()
  removeFolder(busyFolder)
})

function expectError(done: Finished, code: keyof typeof EXIT_STATUS): void {
  expect(done.stderr).toMatch(new RegExp(`^${code} \\S[^]*\\n  \\S`, 'm'))
  expect(done).toMatchObject({ status: EXIT_STATUS[code], stdout: '' })
  expect(done.stderr).not.toContain('    at ')
}

test('C2 the table of exit statuses is total and holds nothing else', () => {
  expect(Object.keys(EXIT_STATUS).toSorted()).toEqual([...ERROR_CODES].toSorted())
  for (const status of Object.values(EXIT_STATUS)) {
    expect(status).toBeGreaterThan(0)
    expect(status).toBeLessThan(256)
  }
})

describe('C2 POC_E_REQUEST_INVALID', () => {
  test.each([
    ['an unknown command', ['nope'], 'nope'],
    ['an unknown command with flags', ['nope', '--json'], 'nope'],
    ['an unknown subcommand', ['ctx', 'serch'], 'did you mean search?'],
    ['a mistyped subcommand with its flags', ['ctx', 'serch', '-q', 'x'], 'did you mean search?'],
    ['an unknown flag', ['ctx', 'build', '--bogus'], '--bogus'],
    ['a stray argument', ['ctx', 'build', 'docs'], 'too many arguments'],
    ['no query', ['ctx', 'search'], '--query'],
    ['a query without its value', ['ctx', 'search', '--query'], '--query'],
    ['an empty query', ['ctx', 'search', '-q', ''], '--query'],
    ['a blank query', ['ctx', 'search', '-q', ' \n\t'], '--query'],
    ['no ids', ['ctx', 'get'], '--ids'],
    ['an empty id', ['ctx', 'get', '--ids', ''], '--ids'],
    ['an unknown choice', ['ctx', 'get', '--ids', 'a', '--mode', 'all'], 'skeleton'],
    ['another unknown choice', ['ctx', 'sync', '--chunks-in', 'xml'], 'sqlite'],
    ['a budget of zero', ['ctx', 'get', '--ids', 'a', '--budget', '0'], '--budget'],
    ['a negative budget', ['ctx', 'get', '--ids', 'a', '--budget', '-5'], '--budget'],
    ['a number that is none', ['ctx', 'search', '-q', 'x', '--limit', 'NaN'], '--limit'],
    ['words for a number', ['ctx', 'search', '-q', 'x', '--limit', 'many'], '--limit'],
    ['an empty number', ['ctx', 'search', '-q', 'x', '--limit', ''], '--limit'],
    ['a fraction', ['ctx', 'search', '-q', 'x', '--limit', '1.5'], '--limit'],
    ['infinity', ['ctx', 'search', '-q', 'x', '--limit', 'Infinity'], '--limit'],
    ['too large a number', ['ctx', 'search', '-q', 'x', '--limit', '101'], '--limit'],
    ['too small a chunk', ['ctx', 'build', '--max-chars', '1'], '--max-chars'],
    ['no tokens', ['ctx', 'prompt', '--max-tokens', '0'], '--max-tokens'],
    ['an unknown shell', ['completion', 'tcsh'], 'bash, zsh, fish'],
    ['no shell', ['completion'], 'shell'],
  ])('%s', async (_, args, part) => {
    const folder = folderWith({ 'README.md': GUIDE })
    const done = await dossier(args, { cwd: folder })
    expect(done.status).toBe(EXIT_STATUS.POC_E_REQUEST_INVALID)
    expect(done.stdout + done.stderr).toContain('POC_E_REQUEST_INVALID')
    expect(done.stdout + done.stderr).toContain(part)
    expect(packBytes(folder), 'nothing was written').toEqual({})
  })

  test.each([
    ['ctx get --help', ['ctx', 'get']],
    ['ctx build --help', ['ctx', 'build', '--bogus']],
    ['pack diff --help', ['pack', 'diff', '--bogus']],
    ['completion --help', ['completion']],
    ['mcp --help', ['mcp', '--segments', 'docs']],
  ])('the hint is the help of the command: %s', async (help, args) => {
    const { stderr } = await dossier(args, { cwd: folderWith({ 'README.md': GUIDE }) })
    expect(stderr).toContain(`see \`dossier ${help}\``)
  })

  test('a SOURCE_DATE_EPOCH that is no time', async () => {
    const folder = folderWith({ 'README.md': GUIDE })
    const env = { SOURCE_DATE_EPOCH: 'yesterday' }
    const done = await dossier(['ctx', 'build'], { cwd: folder, env })
    expectError(done, 'POC_E_REQUEST_INVALID')
    expect(done.stderr).toContain('SOURCE_DATE_EPOCH')
  })

  test('two served segments of one name', async () => {
    const folder = folderWith({ 'a/docs/x.md': GUIDE, 'b/docs/x.md': GUIDE })
    const done = await dossier(['mcp', '-s', 'a/docs', '-s', 'b/docs'], { cwd: folder })
    expectError(done, 'POC_E_REQUEST_INVALID')
  })
})

describe('C2 places', () => {
  test('POC_E_SEGMENT_MISSING names the nearest folder', async () => {
    const folder = folderWith({ 'docs/x.md': GUIDE })
    const done = await dossier(['ctx', 'sync', '-s', 'dosc'], { cwd: folder })
    expectError(done, 'POC_E_SEGMENT_MISSING')
    expect(done.stderr).toContain('did you mean docs?')
  })

  test('POC_E_SEGMENT_MISSING for a file and for a root that is not there', async () => {
    const folder = folderWith({ 'docs/x.md': GUIDE })
    const file = await dossier(['ctx', 'sync', '-s', 'docs/x.md'], { cwd: folder })
    expectError(file, 'POC_E_SEGMENT_MISSING')
    const root = await dossier(['ctx', 'sync', '-r', 'nowhere'], { cwd: folder })
    expectError(root, 'POC_E_SEGMENT_MISSING')
    expect(root.stderr).toContain('repository root')
  })

  test('POC_E_SEGMENT_OUTSIDE_ROOT by path, by link and by absolute path', async () => {
    const folder = folderWith({ 'root/docs/x.md': GUIDE, 'other/x.md': GUIDE })
    const { symlinkSync } = await import('node:fs')
    symlinkSync(join(folder, 'other'), join(folder, 'root', 'link'))
    for (const segment of ['../other', 'link', join(folder, 'other'), '..']) {
      const done = await dossier(['ctx', 'sync', '-s', segment], { cwd: join(folder, 'root') })
      expectError(done, 'POC_E_SEGMENT_OUTSIDE_ROOT')
    }
    expect(packBytes(join(folder, 'other'))).toEqual({})
  })

  test('POC_E_NO_DOCUMENTS in an empty folder and in one without Markdown', async () => {
    for (const files of [{ 'docs/.keep': '' }, { 'docs/a.txt': 'text', 'docs/b.rst': 'text' }]) {
      const done = await dossier(['ctx', 'build', '-s', 'docs'], { cwd: folderWith(files) })
      expectError(done, 'POC_E_NO_DOCUMENTS')
    }
  })
})

describe('C2 packs', () => {
  const questions = [
    ['ctx', 'search', '-q', 'x'],
    ['ctx', 'get', '-i', 'README:0000000000'],
    ['ctx', 'stats'],
    ['ctx', 'prompt'],
    ['ctx', 'validate'],
  ]

  test.each(questions)('POC_E_PACK_MISSING for %s %s', async (...args) => {
    const done = await dossier(args, { cwd: folderWith({ 'README.md': GUIDE }) })
    expectError(done, 'POC_E_PACK_MISSING')
    expect(done.stderr).toContain('dossier ctx build')
  })

  test('POC_E_PACK_CORRUPT, POC_E_CONTRACT_VERSION and POC_E_READ_FAILED', async () => {
    const pack = '_ctx/context_pack.json'
    const corrupt = folderWith({ 'README.md': GUIDE, [pack]: '{"schema_version": 1, ' })
    expectError(await dossier(['ctx', 'stats'], { cwd: corrupt }), 'POC_E_PACK_CORRUPT')
    const newer = folderWith({ 'README.md': GUIDE, [pack]: '{"schema_version": 99}' })
    expectError(await dossier(['ctx', 'stats'], { cwd: newer }), 'POC_E_CONTRACT_VERSION')
    const isFolder = folderWith({ 'README.md': GUIDE, [`${pack}/x`]: '' })
    expectError(await dossier(['ctx', 'stats'], { cwd: isFolder }), 'POC_E_READ_FAILED')
  })

  test('B5 POC_E_PACK_FOREIGN and POC_E_CONTRACT_VERSION keep the file until --force', async () => {
    const foreign = '{"schema_version": 1, "generator_version": "other 2.0"}'
    const newer = '{"schema_version": 2, "generator_version": "dossier 9.0.0"}'
    for (const [code, content] of [
      ['POC_E_PACK_FOREIGN', foreign],
      ['POC_E_PACK_FOREIGN', '# Not even JSON\n'],
      ['POC_E_CONTRACT_VERSION', newer],
    ] as const) {
      const folder = folderWith({ 'README.md': GUIDE, '_ctx/context_pack.json': content })
      expectError(await dossier(['ctx', 'sync'], { cwd: folder }), code)
      expect(readFileSync(packOf(folder), 'utf8')).toBe(content)
      const forced = await dossier(['ctx', 'sync', '--force'], { cwd: folder })
      expect(forced.status).toBe(0)
    }
  })

  test('POC_E_CHUNK_UNKNOWN and POC_E_BUDGET_EXCEEDED', async () => {
    const folder = folderWith({ 'README.md': GUIDE })
    await dossier(['ctx', 'build'], { cwd: folder })
    const unknown = await dossier(['ctx', 'get', '-i', 'README:0000000000'], { cwd: folder })
    expectError(unknown, 'POC_E_CHUNK_UNKNOWN')
    expect(unknown.stderr).toContain('did you mean README:')
    const small = await dossier(['ctx', 'prompt', '--max-tokens', '1'], { cwd: folder })
    expectError(small, 'POC_E_BUDGET_EXCEEDED')
  })

  test('POC_E_WRITE_FAILED where a file stands in the place of a folder', async () => {
    const folder = folderWith({ 'README.md': GUIDE, _ctx: 'a file' })
    const done = await dossier(['ctx', 'build', '--json'], { cwd: folder })
    expect(done).toMatchObject({ status: EXIT_STATUS.POC_E_WRITE_FAILED, stderr: '' })
    const { error } = json<ErrorJson>(done)
    expect(error.code).toBe('POC_E_WRITE_FAILED')
    expect(error.hint).toContain('--output')
    expect(readFileSync(join(folder, '_ctx'), 'utf8')).toBe('a file')
  })
})

test('C2 POC_E_BUSY after a minute of waiting', { timeout: 100_000 }, async () => {
  const done = await waiting?.finished
  expect(done?.stderr).toContain('waiting for another build of this pack\n')
  expect(done?.stderr).toMatch(/POC_E_BUSY .*\n {2}\S/)
  expect(done?.status).toBe(EXIT_STATUS.POC_E_BUSY)
})
