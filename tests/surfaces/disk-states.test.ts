/** Whatever state the disk is in: an error with a code and a hint, or an answer; never "a bug". */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ask, EngineError, type OperationName } from '../../src/index.ts'
import { EXIT_STATUS } from '../../src/surfaces/cli/exit-status.ts'
import { newFolder, removeFolder, write } from './support/folder.ts'
import { HARBOR } from './support/harbor.ts'
import { VAULT } from './support/person.ts'
import { dossier, type Finished, type RunOptions, shell } from './support/program.ts'
import { giveTo, unprivileged } from './support/unprivileged.ts'

const nobody = await unprivileged()

let template = ''
let copies = 0

/** A repository with an index, a kept pack, a flow and notes; each test has a copy of it. */
beforeAll(async () => {
  template = join(newFolder(), 'template')
  write(template, { ...HARBOR, ...VAULT, 'docs/guide.md': '# Guide\n\nHow to moor.\n' })
  for (const args of [
    ['index'],
    ['context-pack', '-q', 'dockShip', '--write'],
    ['index', 'export', '--backend', 'jsonl'],
    ['index', 'export', '--backend', 'lmdb'],
    ['flow', 'new', 'Dock'],
    ['evidence', 'add', 'src/harbor.ts'],
    ['notes', 'import', 'vault', '-w', 'keeper'],
    ['ctx', 'build', '--segment', 'docs'],
  ]) {
    const done = await run(template, args)
    if (done.status !== 0) throw new Error(done.stderr)
  }
})

afterEach(() => {
  vi.unstubAllEnvs()
})

afterAll(() => removeFolder(join(template, '..')))

function copied(): string {
  copies += 1
  const folder = join(template, '..', `copy-${copies}`)
  spawnSync('cp', ['-a', template, folder])
  return folder
}

function run(folder: string, args: readonly string[], more: Partial<RunOptions> = {}) {
  const env = { DOSSIER_HOME: join(folder, 'home'), SHELL: '/bin/sh' }
  return dossier(args, { cwd: folder, env, ...more })
}

/** Either it works, or it says what is wrong and what to do about it. */
function expectNoBug(done: Finished, about: string): void {
  const said = `${about}: ${done.stdout}${done.stderr}`
  expect(done.stderr, said).not.toContain('This is a bug')
  expect(done.signal, said).toBeNull()
  if (done.status === 0) return
  expect(Object.values(EXIT_STATUS), said).toContain(done.status)
  if (done.status !== 1) expect(done.stderr, said).toMatch(/^POC_E_[A-Z_]+ \S.*\n {2}\S/m)
}

type Spoil = (folder: string) => void

const db = (folder: string): string => join(folder, '.dossier', 'index.db')

function withDatabase(path: string, change: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path)
  change(database)
  database.close()
}

function tablesOf(path: string): readonly string[] {
  const database = new DatabaseSync(path)
  const rows = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
  database.close()
  return rows.map((it) => String(it['name'])).toSorted()
}

function inPlaceOf(path: string, put: (path: string) => void): Spoil {
  return (folder) => {
    rmSync(join(folder, path), { recursive: true, force: true })
    put(join(folder, path))
  }
}

const file = (path: string): void => writeFileSync(path, 'x')
const emptyFile = (path: string): void => writeFileSync(path, '')
const folderThere = (path: string): void => {
  mkdirSync(path)
  writeFileSync(join(path, 'inside'), 'x')
}
const loop = (path: string): void => symlinkSync(path, path)
const nowhere = (path: string): void => symlinkSync('/nonexistent/file', path)
const fifo = (path: string): void => {
  spawnSync('mkfifo', [path])
}

type Question = () => readonly [OperationName, Readonly<Record<string, unknown>>]

/** Without bringing it up to date. */
const LOOKING: readonly Question[] = [
  () => ['status', {}],
  () => ['pack', { query: 'dockShip berth', index: false }],
]
const READING: readonly Question[] = [
  ...LOOKING,
  () => ['pack', { query: 'dockShip' }],
  () => ['context-pack', { query: 'dockShip', write: true }],
  () => ['ask', { question: 'where is a ship docked' }],
]
const INDEXING: readonly Question[] = [
  () => ['index', {}],
  () => ['index', { force: true }],
  () => ['index export', { backend: 'jsonl' }],
  () => ['index import', { folder: '.dossier/index.lmdb' }],
]
const FLOWS: readonly Question[] = [
  () => ['flow list', {}],
  () => ['flow new', { title: 'Another' }],
  () => ['evidence list', {}],
  () => ['evidence add', { selectors: ['src/berths.ts'] }],
  () => ['assemble', {}],
]

/** Asked of the library, which answers with what the command line prints: a process takes its time. */
async function expectAnswers(folder: string, questions: readonly Question[]): Promise<void> {
  vi.stubEnv('DOSSIER_HOME', join(folder, 'home'))
  for (const question of questions) {
    const [name, input] = question()
    const error: unknown = await ask(name, input as never, { workingFolder: folder }).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error === undefined) continue
    expect(error, name).toBeInstanceOf(EngineError)
    expect(error, name).toHaveProperty('hint', expect.stringMatching(/\S/))
    expect(error, name).not.toHaveProperty('code', 'POC_E_REQUEST_INVALID')
  }
}

const STATES: readonly (readonly [string, Spoil, readonly Question[]])[] = [
  ['.dossier is a file', inPlaceOf('.dossier', file), [...READING, ...INDEXING, ...FLOWS]],
  ['.dossier is a loop of links', inPlaceOf('.dossier', loop), [...READING, ...FLOWS]],
  ['.dossier is a link to nothing', inPlaceOf('.dossier', nowhere), [...READING, ...FLOWS]],
  ['.dossier is a FIFO', inPlaceOf('.dossier', fifo), [...READING, ...FLOWS]],
  ['index.db is a folder', inPlaceOf('.dossier/index.db', folderThere), [...READING, ...INDEXING]],
  ['index.db is empty', inPlaceOf('.dossier/index.db', emptyFile), [...READING, ...INDEXING]],
  ['index.db is a text', inPlaceOf('.dossier/index.db', file), [...READING, ...INDEXING]],
  ['index.db is a loop of links', inPlaceOf('.dossier/index.db', loop), [...READING, ...INDEXING]],
  ['index.db is a FIFO', inPlaceOf('.dossier/index.db', fifo), READING],
  ['the lock is a folder', inPlaceOf('.dossier/.index.lock', folderThere), INDEXING],
  ['the lock is a text', inPlaceOf('.dossier/.index.lock', file), INDEXING],
  ['the log is a folder', inPlaceOf('.dossier/index.db-wal', folderThere), READING],
  ['.packs is a file', inPlaceOf('.dossier/.packs', file), READING],
  ['a kept pack is a folder', inPlaceOf('.dossier/context_packs.jsonl', folderThere), READING],
  ['flows is a file', inPlaceOf('.dossier/flows', file), FLOWS],
  ['flows is a loop of links', inPlaceOf('.dossier/flows', loop), FLOWS],
  ['current is a folder', inPlaceOf('.dossier/flows/current', folderThere), FLOWS],
  ['current is a FIFO', inPlaceOf('.dossier/flows/current', fifo), FLOWS],
  ['artifacts is a file', inPlaceOf('.dossier/artifacts', file), INDEXING],
  ['index.mdb is a folder', inPlaceOf('.dossier/index.lmdb/index.mdb', folderThere), INDEXING],
  ['index.mdb is short', shortened('.dossier/index.lmdb/index.mdb'), INDEXING],
]

function shortened(path: string): Spoil {
  return (folder) => truncateSync(join(folder, path), 100)
}

describe('T21 a state of the disk is not a bug', () => {
  test.each(STATES)('T21 %s', async (_, spoil, questions) => {
    const folder = copied()
    spoil(folder)
    await expectAnswers(folder, questions)
  })

  test('T21 .dossier being a file is said, with a way out', async () => {
    const folder = copied()
    inPlaceOf('.dossier', file)(folder)
    for (const args of [['index'], ['pack', 'dockShip'], ['flow', 'new', 'x']]) {
      const { status, stderr } = await run(folder, args)
      expect(stderr).toMatch(/^POC_E_WRITE_FAILED .*\.dossier/)
      expect(stderr).toMatch(/\n {2}.*move it/)
      expect(status).toBe(EXIT_STATUS.POC_E_WRITE_FAILED)
    }
  })
})

describe('T21 a damaged index', () => {
  test('T21 without any one of its tables', async () => {
    const names = tablesOf(db(template)).filter(
      (it) => !/_(?:data|idx|content|docsize|config)$/.test(it),
    )
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) {
      const folder = copied()
      withDatabase(db(folder), (it) => it.exec(`DROP TABLE "${name}"`))
      write(folder, { 'src/new.ts': 'export const fresh = 1\n' })
      await expectAnswers(folder, [...LOOKING, () => ['index', {}]])
      removeFolder(folder)
    }
  })

  test.each([
    ['a column', (it: DatabaseSync) => it.exec('ALTER TABLE files RENAME COLUMN path TO other')],
    ['its meta rows', (it: DatabaseSync) => it.exec('DELETE FROM meta')],
    ['its version', (it: DatabaseSync) => it.exec('PRAGMA user_version = 0')],
    ['its files', (it: DatabaseSync) => it.exec('DELETE FROM files')],
  ])('T21 without %s, and --force leads out', async (_, change) => {
    const folder = copied()
    withDatabase(db(folder), change)
    await expectAnswers(folder, [...LOOKING, () => ['index', {}]])
    expect((await run(folder, ['index', '--force'])).status).toBe(0)
    expect((await run(folder, ['pack', 'dockShip'])).stdout).toContain('dockShip')
  })

  test('T21 whose content is not what we write', async () => {
    for (const name of tablesOf(db(template))) {
      const folder = copied()
      withDatabase(db(folder), (it) => scramble(it, name))
      await expectAnswers(folder, LOOKING)
      removeFolder(folder)
    }
  })

  test('T21 whose dropped table is named, with the command that makes it again', async () => {
    const folder = copied()
    withDatabase(db(folder), (it) => it.exec('DROP TABLE files'))
    const { status, stderr } = await run(folder, ['pack', 'dockShip'])
    expect(stderr).toMatch(/^POC_E_PACK_CORRUPT .*index\.db .*files\n {2}.*dossier index --force/)
    expect(status).toBe(EXIT_STATUS.POC_E_PACK_CORRUPT)
  })
})

/** Every blob cut to a byte, every text to a letter: what an interrupted copy or an editor leaves. */
function scramble(database: DatabaseSync, table: string): void {
  const columns = database.prepare(`PRAGMA table_info("${table}")`).all()
  for (const { name } of columns) {
    try {
      database.exec(
        `UPDATE "${table}" SET "${name}" = CASE typeof("${name}") WHEN 'blob' THEN x'ff' WHEN 'text' THEN 'z' ELSE "${name}" END`,
      )
    } catch {
      // Keys stay unique.
    }
  }
}

describe('T21 notes and docs packs', () => {
  const notes = 'home/notes/keeper.db'
  const NOTES: readonly Question[] = [
    () => ['context', { query: 'Lighthouse', workspace: 'keeper' }],
    () => ['notes list', {}],
    () => ['notes sync', { workspace: 'keeper' }],
  ]
  const DOCS: readonly Question[] = [
    () => ['ctx search', { query: 'moor', segment: 'docs' }],
    () => ['ctx validate', { segment: 'docs' }],
    () => ['ctx sync', { segment: 'docs' }],
  ]
  test.each<readonly [string, Spoil, readonly Question[]]>([
    ['the notes folder is a file', inPlaceOf('home/notes', file), NOTES],
    ['the copy is a folder', inPlaceOf(notes, folderThere), NOTES],
    ['the copy is empty', inPlaceOf(notes, emptyFile), NOTES],
    ['the copy lacks a table', (it) => dropLast(join(it, notes)), NOTES],
    ['the settings are a folder', inPlaceOf('home/config.json', folderThere), NOTES],
    ['the settings are a loop of links', inPlaceOf('home/config.json', loop), NOTES],
    ['the home is a file', inPlaceOf('home', file), NOTES],
    ['the docs pack is a folder', inPlaceOf('docs/_ctx/context_pack.json', folderThere), DOCS],
    ['the docs database is a folder', inPlaceOf('docs/_ctx/context.db', folderThere), DOCS],
    ['the docs database lacks a table', (it) => dropLast(join(it, 'docs/_ctx/context.db')), DOCS],
    ['_ctx is a file', inPlaceOf('docs/_ctx', file), DOCS],
  ])('T21 %s', async (_, spoil, questions) => {
    const folder = copied()
    spoil(folder)
    await expectAnswers(folder, questions)
  })
})

function dropLast(path: string): void {
  const [, name = ''] = tablesOf(path).toReversed()
  withDatabase(path, (it) => it.exec(`DROP TABLE "${name}"`))
}

describe('T21 no room', () => {
  /** A file may not grow beyond the limit: the same path as a full disk, for whoever runs the tests. */
  test.each([
    'index --force',
    'pack dockShip',
    'flow new x',
    'evidence add src/berths.ts',
    'assemble',
    'context-pack -q dockShip --write',
    'notes import vault -w keeper --replace',
    'index export --backend lmdb',
    'index export --backend jsonl',
  ])('T21 %s with a limit on files', async (line) => {
    const folder = copied()
    write(folder, { 'src/new.ts': 'export const fresh = 1\n' })
    const env = { DOSSIER_HOME: join(folder, 'home') }
    const done = await shell(`ulimit -f 0; dossier ${line}`, { cwd: folder, env })
    expectNoBug(done, line)
    expect(done.stderr).toMatch(/^POC_E_WRITE_FAILED/m)
  })

  test('T21 too few open files', async () => {
    const folder = copied()
    const env = { DOSSIER_HOME: join(folder, 'home') }
    for (const limit of [18, 22, 26]) {
      const line = `ulimit -n ${limit}; dossier pack dockShip --no-index`
      const done = await shell(line, { cwd: folder, env })
      expect(done.stderr).not.toContain('This is a bug')
    }
  })
})

describe.skipIf(nobody === undefined)('T21 folders that cannot be used', () => {
  const PACK = ['pack', 'dockShip']
  const INDEX = ['index', '--force']
  const ADD = ['evidence', 'add', 'src/berths.ts']
  test.each<readonly [string, Place, readonly (readonly string[])[]]>([
    [
      '.dossier cannot be written to',
      { path: '.dossier', mode: 0o500 },
      [PACK, INDEX, ['flow', 'new', 'x']],
    ],
    ['.dossier cannot be read', { path: '.dossier', mode: 0o000 }, [PACK, INDEX, ADD]],
    [
      'the flows cannot be read',
      { path: '.dossier/flows', mode: 0o000 },
      [['flow', 'new', 'x'], ADD],
    ],
    [
      'the flows cannot be written to',
      { path: '.dossier/flows', mode: 0o500 },
      [['flow', 'new', 'x'], ADD],
    ],
    ['index.db cannot be read', { path: '.dossier/index.db', mode: 0o000 }, [PACK, INDEX]],
    ['index.db cannot be written to', { path: '.dossier/index.db', mode: 0o400 }, [PACK]],
    ['the lock cannot be read', { path: '.dossier/.index.lock', mode: 0o000 }, [PACK]],
    ['the home cannot be read', { path: 'home', mode: 0o000 }, [['notes', 'sync', 'keeper']]],
  ])('T21 %s', async (_, place, commands) => {
    const folder = copied()
    write(folder, { 'src/new.ts': 'export const fresh = 1\n' })
    giveTo(nobody ?? {}, folder)
    chmodSync(join(folder, place.path), place.mode)
    for (const args of commands) expectNoBug(await run(folder, args, nobody), args.join(' '))
  })
})

interface Place {
  readonly path: string
  readonly mode: number
}

test('T21 a name that is too long for the disk', async () => {
  const folder = copied()
  const long = 'x'.repeat(300)
  for (const args of [
    ['pack', 'x', '--focus', `${long}.ts`],
    ['evidence', 'add', `${long}.ts`],
    ['flow', 'use', long],
    ['index', long],
    ['index', 'export', '--backend', 'jsonl', '--to', long],
    ['notes', 'import', long],
    ['context-pack', '-q', 'x', '--repo', `${long}/${long}`],
  ])
    expectNoBug(await run(folder, args), args[0] ?? '')
})
