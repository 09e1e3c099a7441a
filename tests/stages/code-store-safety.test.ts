/** The store of the code index when things go wrong: killed writers, and files that are not ours. */
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
import { madeFile, madeResolved, SMALL } from '../support/code-records.ts'
import { buildIndex, dumpAt, indexPath, reading, writerAt } from '../support/code-store.ts'
import { temporaryFolder } from '../support/project.ts'

const MANY = { ...SMALL, files: 200 }

function build(folder: string, edition: number): Promise<string> {
  const numbers = Array.from({ length: MANY.files }, (_, at) => at)
  return buildIndex(
    folder,
    numbers.map((it) => madeFile(it, MANY, edition)),
    numbers.map((it) => madeResolved(it, MANY, edition)),
  )
}

/** Kills a writer some time after it has said something. Returns what it said. */
async function killedWriter(
  folder: string,
  when: { readonly said: string; readonly afterMs: number },
): Promise<string> {
  const script = join(import.meta.dirname, '..', 'support', 'code-store-child.ts')
  const child = spawn(process.execPath, [script, folder, String(MANY.files), '1'], {
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

const MOMENTS = [
  { said: 'put 0', afterMs: 0 },
  { said: 'put 100', afterMs: 0 },
  { said: 'committing', afterMs: 0 },
  { said: 'committing', afterMs: 3 },
  { said: 'committing', afterMs: 10 },
  { said: 'committing', afterMs: 30 },
]

describe('N2 a writer that is killed', () => {
  test('N2 leaves the index that was there, or the whole of its own', async () => {
    const origin = temporaryFolder()
    await build(origin, 0)
    const before = await dumpAt(origin)
    const whole = temporaryFolder()
    await build(whole, 1)
    const after = await dumpAt(whole)
    const seen = new Set<string>()
    for (const moment of MOMENTS) {
      const folder = temporaryFolder()
      cpSync(origin, folder, { recursive: true })
      const said = await killedWriter(folder, moment)
      const dump = await dumpAt(folder)
      expect([before, after]).toContain(dump)
      if (said.includes('committed')) expect(dump).toBe(after)
      if (!said.includes('committing')) expect(dump).toBe(before)
      seen.add(dump === before ? 'before' : 'after')
      await build(folder, 1)
      expect(await dumpAt(folder)).toBe(after)
    }
    expect(seen).toContain('before')
  })

  test('N2 leaves nothing in the place of a first index, and the next one tidies up', async () => {
    for (const moment of MOMENTS.slice(0, 3)) {
      const folder = temporaryFolder()
      const said = await killedWriter(folder, moment)
      if (!said.includes('committing')) expect(existsSync(indexPath(folder))).toBe(false)
      await build(folder, 0)
      const names = readdirSync(dirname(indexPath(folder))).toSorted()
      expect(names).toEqual(['.gitignore', '.index.lock', 'index.db'])
      expect(await reading(folder, async (it) => (await it.status()).files)).toBe(MANY.files)
    }
  })

  test('N2 a log that is left from a removed index does no harm', async () => {
    const folder = temporaryFolder()
    await build(folder, 0)
    const expected = await dumpAt(folder)
    const other = temporaryFolder()
    mkdirSync(dirname(indexPath(other)), { recursive: true })
    const writer = writerAt(folder)
    await writer.begin()
    await writer.put([madeFile(3, MANY, 7)])
    await writer.commit()
    cpSync(`${indexPath(folder)}-wal`, `${indexPath(other)}-wal`)
    await writer.close()
    await build(other, 0)
    expect(await dumpAt(other)).toBe(expected)
  })

  test('N2 a second writer waits for the first', async () => {
    const folder = temporaryFolder()
    const [one, two] = [writerAt(folder), writerAt(folder)]
    await one.begin()
    await one.put([madeFile(1, SMALL)])
    const second = two.begin()
    await pause(20)
    await one.commit()
    await second
    await two.put([madeFile(2, SMALL)])
    await two.commit()
    await one.begin()
    await one.put([madeFile(3, SMALL)])
    await one.commit()
    await one.close()
    await two.close()
    expect(await reading(folder, async (it) => (await it.files()).length)).toBe(3)
  })
})

describe('N5 a file that is no index', () => {
  const refusals: readonly [string, string, (path: string) => void][] = [
    ['missing', 'POC_E_PACK_MISSING', () => undefined],
    ['a folder', 'POC_E_PACK_FOREIGN', (path) => mkdirSync(path)],
    ['a text', 'POC_E_PACK_FOREIGN', (path) => writeFileSync(path, 'not a database\n'.repeat(99))],
    ['empty', 'POC_E_PACK_FOREIGN', (path) => writeFileSync(path, '')],
    ['a database of somebody else', 'POC_E_PACK_FOREIGN', foreignDatabase],
  ]

  for (const [name, code, make] of refusals) {
    test(`N5 ${name}`, async () => {
      const folder = temporaryFolder()
      const path = indexPath(folder)
      mkdirSync(dirname(path), { recursive: true })
      make(path)
      const bytes = contentOf(path)
      await expectRefusal(() => dumpAt(folder), code)
      if (code === 'POC_E_PACK_MISSING') return
      await expectRefusal(() => writerAt(folder).begin(), code)
      expect(contentOf(path)).toEqual(bytes)
    })
  }

  test('N5 of a newer version', async () => {
    const folder = temporaryFolder()
    await buildIndex(folder, [madeFile(1, SMALL)])
    const connection = new DatabaseSync(indexPath(folder))
    connection.exec('PRAGMA user_version = 99')
    connection.close()
    await expectRefusal(() => dumpAt(folder), 'POC_E_CONTRACT_VERSION')
    await expectRefusal(() => writerAt(folder).begin(), 'POC_E_CONTRACT_VERSION')
  })

  test('N5 of an older version: refused by readers, made again by whoever writes', async () => {
    const folder = temporaryFolder()
    await buildIndex(folder, [madeFile(1, SMALL)])
    const connection = new DatabaseSync(indexPath(folder))
    connection.exec('PRAGMA user_version = 1; DROP TABLE chunks')
    connection.close()
    await expectRefusal(() => dumpAt(folder), 'POC_E_CONTRACT_VERSION')
    await buildIndex(folder, [madeFile(2, SMALL)])
    const other = temporaryFolder()
    await buildIndex(other, [madeFile(2, SMALL)])
    expect(await dumpAt(folder)).toEqual(await dumpAt(other))
  })

  test('N5 cut short or overwritten', async () => {
    const folder = temporaryFolder()
    await build(folder, 0)
    const path = indexPath(folder)
    const good = readFileSync(path)
    truncateSync(path, 40_960)
    await expectRefusal(() => dumpAt(folder), 'POC_E_PACK_CORRUPT')
    writeFileSync(path, good.fill(0xa5, 8192, 400_000))
    await expectRefusal(() => dumpAt(folder), 'POC_E_PACK_CORRUPT')
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
async function expectRefusal(action: () => Promise<unknown>, code: string): Promise<void> {
  const error: unknown = await action().then(
    () => undefined,
    (it: unknown) => it,
  )
  expect(error).toBeInstanceOf(EngineError)
  expect(error).toMatchObject({ code, hint: expect.stringMatching(/\w{3}/) })
}
