/** What goes to stdout, what to stderr, and how it looks. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TABLE } from '../../src/surfaces/operations/table.ts'
import { hasGit } from '../support/git-repository.ts'
import { startEndpoint } from '../support/vectors.ts'
import { writeCorpus } from './support/corpus.ts'
import { folderWith, GUIDE, newFolder, removeFolder, withHistory, write } from './support/folder.ts'
import {
  dossier,
  type ErrorJson,
  type HitsJson,
  json,
  type RunOptions,
  shell,
} from './support/program.ts'

const ESCAPE = '\x1b'
const HAS_SCRIPT = existsSync('/usr/bin/script')

let folder = ''
let ids: readonly string[] = []
let packId = ''
/** Where the program runs, with a home of its own. */
let here: RunOptions = { cwd: '' }

beforeAll(async () => {
  folder = newFolder()
  here = { cwd: folder, env: { DOSSIER_HOME: join(folder, 'home') } }
  write(folder, { 'docs/README.md': GUIDE })
  writeCorpus(join(folder, 'many'), { files: 4, bytesPerFile: 60_000 })
  await dossier(['ctx', 'sync', '-s', 'docs'], { cwd: folder })
  await dossier(['ctx', 'sync', '-s', 'many'], { cwd: folder })
  const found = await dossier(['ctx', 'search', '-s', 'docs', '-q', 'token', '--json'], {
    cwd: folder,
  })
  ids = json<HitsJson>(found).hits.map((it) => it.id)
  if (hasGit) withHistory(join(folder, 'docs'), 'README.md')
  await dossier(['index', 'docs'], { cwd: folder })
  await dossier(['index', 'export', 'docs'], { cwd: folder })
  const kept = await dossier(['context-pack', '--repo', 'docs', '-q', 'token', '--write'], {
    cwd: folder,
  })
  packId = kept.stdout.trim()
  await dossier(['notes', 'import', 'docs', '--workspace', 'docs'], here)
  await dossier(['flow', 'new', 'prepared', '--repo', 'docs'], here)
  await dossier(['evidence', 'add', 'README.md', '--repo', 'docs'], here)
})

afterAll(() => removeFolder(folder))

/** The least that each operation must be told, with where to look. */
async function told(name: string, place: string): Promise<readonly string[]> {
  if (name === 'notes embed') {
    return [place, '--embed', (await startEndpoint()).url, '--embed-model', 'one']
  }
  if (name === 'evidence remove') {
    const again = ['README.md::1,2', '--rank', '900', '--repo', 'docs', '--flow', 'prepared']
    await dossier(['evidence', 'add', ...again], here)
  }
  const flow = ['--repo', place, '--flow', 'prepared']
  const needs: Readonly<Record<string, readonly string[]>> = {
    'flow new': ['other', '--repo', place],
    'flow list': ['--repo', place],
    'flow use': ['prepared', '--repo', place],
    'evidence add': ['README.md', ...flow],
    'evidence toggle': ['readme_md', ...flow],
    'evidence rank': ['readme_md', '100', ...flow],
    'evidence remove': ['900', ...flow],
    'evidence focus': ['off', ...flow],
    'evidence deps': ['readme_md', ...flow],
    ask: ['token', ...flow],
    submit: ['--dry-run', '--api', 'anthropic', ...flow],
    pack: ['token', place],
    'pack diff': [packId, packId, '--repo', place],
    'pack verify': [packId, place],
    'context-pack': ['--repo', place, '--query', 'token'],
    'context-pack get': [packId, '--repo', place],
    'index import': ['docs/.dossier/artifacts', place],
    context: ['token', '--workspace', place],
    'notes import': [place, '--workspace', 'docs'],
    // It is about all there are; what it can be told wrong is a flag.
    'notes list': place === 'docs' ? [] : [`--${place}`],
    'ctx search': ['-s', place, '--query', 'token'],
    'ctx get': ['-s', place, '--ids', ids[0] ?? ''],
  }
  if (/^(?:flow|evidence|assemble)\b/.test(name)) return needs[name] ?? flow
  return needs[name] ?? (name.startsWith('ctx ') ? ['-s', place] : [place])
}

const NAMES = TABLE.map((it) => it.name).filter((name) => name !== 'eval' || hasGit)

describe.each(NAMES)('C1 %s', (name) => {
  test('prints its result on stdout and nothing on stderr', async () => {
    const args = [...name.split(' '), ...(await told(name, 'docs'))]
    const done = await dossier(args, here)
    expect(done).toMatchObject({ status: 0, stderr: '' })
    expect(done.stdout).not.toBe('')
    expect(done.stdout.endsWith('\n')).toBe(true)
    expect(done.stdout).not.toContain(ESCAPE)
  })

  test('prints one JSON value with --json', async () => {
    const args = [...name.split(' '), ...(await told(name, 'docs')), '--json']
    const done = await dossier(args, here)
    expect(done).toMatchObject({ status: 0, stderr: '' })
    expect(json<object>(done)).toBeTypeOf('object')
  })

  test('prints an error as one JSON value on stdout with --json', async () => {
    const args = [...name.split(' '), ...(await told(name, 'nowhere')), '--json']
    const done = await dossier(args, here)
    expect(done).toMatchObject({ status: 2, stderr: '' })
    expect(json<ErrorJson>(done)).toEqual({
      error: {
        code: codeFor(name),
        message: expect.stringContaining('nowhere'),
        hint: expect.stringMatching(/\S/),
      },
    })
  })
})

/** What it says to a place that is not there. */
function codeFor(name: string): string {
  if (name.startsWith('ctx ')) return 'POC_E_SEGMENT_MISSING'
  return ['context', 'notes sync', 'notes embed'].includes(name)
    ? 'POC_E_WORKSPACE_UNKNOWN'
    : 'POC_E_REQUEST_INVALID'
}

test('C1 an error without --json goes to stderr alone', async () => {
  const done = await dossier(['ctx', 'stats', '-s', 'nowhere'], { cwd: folder })
  expect(done).toMatchObject({ status: 2, stdout: '' })
  expect(done.stderr).toMatch(/^POC_E_SEGMENT_MISSING the segment .*nowhere.*\n {2}\S.*\n$/)
})

test('C1 a command line that cannot be read is a JSON error as well', async () => {
  const done = await dossier(['ctx', 'search', '--bogus', '--json'], { cwd: folder })
  expect(done).toMatchObject({ status: 2, stderr: '' })
  expect(json<ErrorJson>(done).error.code).toBe('POC_E_REQUEST_INVALID')
})

test('C1 a request met in part has its JSON on stdout and its trouble on stderr', async () => {
  const wanted = ['--ids', `${ids[0]},README:0000000000`]
  const done = await dossier(['ctx', 'get', '-s', 'docs', ...wanted, '--json'], { cwd: folder })
  expect(done.status).toBe(1)
  expect(json<{ items: readonly unknown[] }>(done).items).toHaveLength(1)
  expect(done.stderr).toContain('POC_E_CHUNK_UNKNOWN')
})

test('C1 --quiet silences notices, and never an error', async () => {
  const talking = await dossier(['ctx', 'sync', '-s', 'many', '--output', 'a.json'], {
    cwd: folder,
  })
  expect(talking.stderr).toContain('--chunks-in sqlite')
  const args = ['ctx', 'sync', '-s', 'many', '--quiet', '--output', 'b.json']
  const quiet = await dossier(args, { cwd: folder })
  expect(quiet).toMatchObject({ status: 0, stderr: '' })
  expect(quiet.stdout).toContain('written')
  const failing = await dossier(['ctx', 'stats', '-s', 'no', '--quiet'], { cwd: folder })
  expect(failing.stderr).toContain('POC_E_SEGMENT_MISSING')
})

describe('C1 colours', () => {
  const validate = ['ctx', 'validate', '-s', 'docs']

  test('a pipe gets none, on a build server neither', async () => {
    for (const env of [{}, { CI: 'true' }, { TERM: 'xterm-256color' }]) {
      const done = await dossier(validate, { cwd: folder, env })
      expect(done.stdout, JSON.stringify(env)).not.toContain(ESCAPE)
    }
  })

  test('FORCE_COLOR gives them to a pipe, NO_COLOR takes them from everybody', async () => {
    const forced = await dossier(validate, { cwd: folder, env: { FORCE_COLOR: '1' } })
    expect(forced.stdout).toContain(ESCAPE)
    const refused = await dossier(validate, { cwd: folder, env: { NO_COLOR: '1', CI: 'true' } })
    expect(refused.stdout).not.toContain(ESCAPE)
  })

  // A terminal is made with util-linux's `script`; without it there is none to be had here.
  test.skipIf(!HAS_SCRIPT)('a terminal gets them unless NO_COLOR is set', async () => {
    const line = `script -qec 'dossier ctx validate -s docs' /dev/null`
    const plain = { cwd: folder, env: { TERM: 'xterm' } }
    expect((await shell(line, plain)).stdout).toContain(ESCAPE)
    const refused = { cwd: folder, env: { TERM: 'xterm', NO_COLOR: '1' } }
    expect((await shell(line, refused)).stdout).not.toContain(ESCAPE)
  })

  test.skipIf(!HAS_SCRIPT)('an error that is written to a file has none', async () => {
    const line = `script -qec 'dossier ctx stats -s nowhere 2>err.txt' /dev/null`
    await shell(line, { cwd: folder, env: { TERM: 'xterm' } })
    const written = readFileSync(join(folder, 'err.txt'), 'utf8')
    expect(written).toContain('POC_E_SEGMENT_MISSING')
    expect(written).not.toContain(ESCAPE)
  })
})

test('C1 a reader that goes away early is no error', async () => {
  const found = await dossier(
    ['ctx', 'search', '-s', 'many', '-q', 'token budget', '-l', '100', '--json'],
    { cwd: folder },
  )
  const many = json<HitsJson>(found)
    .hits.map((it) => it.id)
    .join(',')
  const command = `dossier ctx get -s many --budget 1000000 --json --ids "${many}"`
  const whole = await shell(command, { cwd: folder })
  expect(whole.stdout.length, 'more than a pipe holds').toBeGreaterThan(70_000)
  const cut = await shell(`${command} | head -1; echo "status $\{PIPESTATUS[0]}"`, { cwd: folder })
  expect(cut).toMatchObject({ stdout: '{\nstatus 0\n', stderr: '' })
})

test('C1 help and version go to stdout with status 0', async () => {
  const empty = folderWith({})
  for (const args of [['--help'], ['ctx', '--help'], ['mcp', '--help'], ['--version'], []]) {
    const done = await dossier(args, { cwd: empty })
    expect(done, args.join(' ')).toMatchObject({ status: 0, stderr: '' })
    expect(done.stdout, args.join(' ')).not.toBe('')
  }
})

test('W2 what was mended is told apart from what was left out', async () => {
  const broken = folderWith({
    'a.py': Buffer.from('title = "\xff"\n', 'latin1'),
    'b.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0),
  })
  await dossier(['index', '.'], { cwd: broken })
  const { stdout } = await dossier(['status', '.'], { cwd: broken })
  expect(stdout).toContain('  no valid UTF-8: 1\n    a.py is not valid UTF-8')
  expect(stdout).toContain('  left out, binary: 1\n    b.png ')
})
