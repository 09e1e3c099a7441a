/** The store of notes when things go wrong: killed writers, two at once, files that are not ours. */
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { EngineError } from '../../src/model/engine-error.ts'
import { realFiles } from '../../src/platform/files.ts'
import { openNotesWriter } from '../../src/store/notes/writer.ts'
import { madeNotes, noteId } from '../support/note-records.ts'
import {
  ABOUT,
  answersOf,
  found,
  importInto,
  note,
  notesPath,
  writerAt,
} from '../support/note-store.ts'
import { temporaryFolder } from '../support/project.ts'

const COUNT = 1500
const IDS = Array.from({ length: 60 }, (_, at) => noteId(at * 25))

async function build(folder: string, edition: number): Promise<void> {
  await importInto(folder, madeNotes({ count: COUNT, edition, words: 500 }))
}

function stateOf(folder: string): Promise<unknown> {
  return answersOf(folder, IDS, ['bako mio', 'tur', 'open'])
}

interface Moment {
  readonly said: string
  readonly afterMs: number
}

/** Kills a writer some time after it has said something. Returns what it said. */
async function killedWriter(folder: string, when: Moment): Promise<string> {
  const script = join(import.meta.dirname, '..', 'support', 'notes-store-child.ts')
  const child = spawn(process.execPath, [script, folder, String(COUNT), '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8')
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => resolve())
  })
  await new Promise<void>((resolve) => {
    child.on('close', () => resolve())
    child.stdout.on('data', (text: string) => {
      said += text
      if (said.includes(when.said)) resolve()
    })
  })
  await pause(when.afterMs)
  child.kill('SIGKILL')
  await ended
  return said
}

const MOMENTS: readonly Moment[] = [
  { said: 'put 0', afterMs: 0 },
  { said: 'put 900', afterMs: 0 },
  { said: 'committing', afterMs: 0 },
  { said: 'committing', afterMs: 10 },
  { said: 'committing', afterMs: 40 },
]

describe('NS10 a writer that is killed', () => {
  test('NS10 leaves what was there, or the whole of its own', async () => {
    const origin = temporaryFolder()
    await build(origin, 0)
    const before = await stateOf(origin)
    const whole = temporaryFolder()
    await build(whole, 1)
    const after = await stateOf(whole)
    expect(after).not.toEqual(before)
    const seen = new Set<string>()
    for (const moment of MOMENTS) {
      const folder = temporaryFolder()
      cpSync(origin, folder, { recursive: true })
      const said = await killedWriter(folder, moment)
      const state = await stateOf(folder)
      expect([before, after]).toContainEqual(state)
      const isBefore = JSON.stringify(state) === JSON.stringify(before)
      if (said.includes('committed')) expect(isBefore).toBe(false)
      if (!said.includes('committing')) expect(isBefore).toBe(true)
      seen.add(isBefore ? 'before' : 'after')
      await build(folder, 1)
      expect(await stateOf(folder)).toEqual(after)
    }
    expect(seen).toContain('before')
  })

  test('NS10 leaves nothing in the place of a first import, and the next one tidies up', async () => {
    for (const moment of MOMENTS.slice(0, 3)) {
      const folder = temporaryFolder()
      const said = await killedWriter(folder, moment)
      if (!said.includes('committing')) expect(existsSync(notesPath(folder))).toBe(false)
      await build(folder, 0)
      const names = readdirSync(dirname(notesPath(folder))).toSorted()
      expect(names).toEqual(['.main.db.lock', 'main.db'])
    }
  })

  test('NS10 closed without a commit, it leaves nothing of its own', async () => {
    const folder = temporaryFolder()
    const writer = writerAt(folder)
    await writer.begin()
    await writer.put([note('a')])
    await writer.close()
    await writer.close()
    expect(readdirSync(dirname(notesPath(folder)))).toEqual(['.main.db.lock'])
    await writer.begin()
    await writer.put([note('b')])
    await writer.commit(ABOUT)
    await writer.close()
    expect(await found(folder, 'b')).toEqual(['b'])
  })
})

describe('NS11 two writers', () => {
  test('NS11 the second waits for the first, and can be called off', async () => {
    const folder = temporaryFolder()
    const [one, two] = [writerAt(folder), writerAt(folder)]
    await one.begin()
    await one.put([note('a')])
    const second = two.begin()
    const calledOff = new AbortController()
    const waits: string[] = []
    const third = openNotesWriter(realFiles, notesPath(folder), {
      signal: calledOff.signal,
      onWait: () => {
        waits.push('waiting')
        calledOff.abort()
      },
    })
    await expect(third.begin()).rejects.toMatchObject({ code: 'POC_E_CANCELLED' })
    expect(waits).toEqual(['waiting'])
    await one.commit(ABOUT)
    await second
    await two.put([note('a'), note('b')])
    expect(await two.commit(ABOUT)).toMatchObject({ added: 1, unchanged: 1 })
    await Promise.all([one.close(), two.close()])
  })

  test('NS11 workspaces side by side do not wait for each other', async () => {
    const folder = temporaryFolder()
    const one = writerAt(folder)
    await one.begin()
    const other = openNotesWriter(realFiles, join(dirname(notesPath(folder)), 'other.db'), {
      signal: AbortSignal.abort(),
      onWait: () => undefined,
    })
    await other.begin()
    await other.put([note('x')])
    await other.commit(ABOUT)
    await one.put([note('a')])
    await one.commit(ABOUT)
    expect(await found(folder, 'x')).toEqual([])
    await Promise.all([one.close(), other.close()])
  })
})

describe('NS12 a file that is no workspace', () => {
  const refusals: readonly [string, string, (path: string) => void][] = [
    ['missing', 'POC_E_INDEX_MISSING', () => undefined],
    ['a folder', 'POC_E_PACK_FOREIGN', (path) => mkdirSync(path)],
    ['a text', 'POC_E_PACK_FOREIGN', (path) => writeFileSync(path, 'not a database\n'.repeat(99))],
    ['empty', 'POC_E_PACK_FOREIGN', (path) => writeFileSync(path, '')],
    ['a database of somebody else', 'POC_E_PACK_FOREIGN', foreignDatabase],
  ]

  for (const [name, code, make] of refusals) {
    test(`NS12 ${name}`, async () => {
      const folder = temporaryFolder()
      const path = notesPath(folder)
      mkdirSync(dirname(path), { recursive: true })
      make(path)
      const bytes = contentOf(path)
      await expectRefusal(() => found(folder, 'x'), code)
      if (code === 'POC_E_INDEX_MISSING') return
      await expectRefusal(() => writerAt(folder).begin(), code)
      expect(contentOf(path)).toEqual(bytes)
    })
  }

  test('NS12 of another version is refused by readers, and made anew by an import', async () => {
    const folder = temporaryFolder()
    await build(folder, 0)
    const connection = new DatabaseSync(notesPath(folder))
    connection.exec('PRAGMA user_version = 99')
    connection.close()
    const error = await expectRefusal(() => found(folder, 'x'), 'POC_E_CONTRACT_VERSION')
    expect(error.hint).toContain('dossier notes sync')
    const writer = writerAt(folder)
    await writer.begin()
    await writer.close()
    await expectRefusal(() => found(folder, 'x'), 'POC_E_CONTRACT_VERSION')
    expect(await importInto(folder, [note('a')])).toMatchObject({ added: 1 })
    expect(await found(folder, 'a')).toEqual(['a'])
  })

  test('NS12 cut short or overwritten', async () => {
    const folder = temporaryFolder()
    await build(folder, 0)
    const path = notesPath(folder)
    const good = readFileSync(path)
    truncateSync(path, 40_960)
    await expectRefusal(() => stateOf(folder), 'POC_E_PACK_CORRUPT')
    writeFileSync(path, good.fill(0xa5, 8192, good.length - 4096))
    await expectRefusal(() => stateOf(folder), 'POC_E_PACK_CORRUPT')
    expect(existsSync(path)).toBe(true)
  })
})

function foreignDatabase(path: string): void {
  const connection = new DatabaseSync(path)
  connection.exec('CREATE TABLE meta (key TEXT)')
  connection.close()
}

function contentOf(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** An error with a code and a hint, never one of SQLite's own. */
async function expectRefusal(action: () => Promise<unknown>, code: string): Promise<EngineError> {
  const error: unknown = await action().then(
    () => undefined,
    (it: unknown) => it,
  )
  expect(error).toBeInstanceOf(EngineError)
  expect(error).toMatchObject({ code, hint: expect.stringMatching(/\w{3}/) })
  return error as EngineError
}
