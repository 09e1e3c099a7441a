/** No room left: told by its name, and what was there before is still there. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeCorpus } from './support/corpus.ts'
import {
  databaseOf,
  leftovers,
  newFolder,
  packBytes,
  packOf,
  removeFolder,
} from './support/folder.ts'
import { dossier, type Finished, shell } from './support/program.ts'

let top = ''
let mount = ''
let docs = ''

/** A disk of its own when this may mount one, else an ordinary folder for the limited files. */
const CAN_MOUNT = canMount()

function canMount(): boolean {
  const folder = newFolder()
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder]).status === 0
  if (isMounted) spawnSync('umount', [folder])
  removeFolder(folder)
  return isMounted
}

beforeAll(async () => {
  top = newFolder()
  mount = join(top, 'disk')
  mkdirSync(mount)
  if (CAN_MOUNT) spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=755', 'tmpfs', mount])
  docs = join(mount, 'docs')
  writeCorpus(docs, { files: 30, bytesPerFile: 40_000 })
  await dossier(['ctx', 'sync', '--quiet'], { cwd: docs })
})

afterAll(() => {
  if (CAN_MOUNT) spawnSync('umount', [mount])
  removeFolder(top)
})

function expectRefused(done: Finished, before: Readonly<Record<string, string>>): void {
  expect(done.stderr).toMatch(/^POC_E_WRITE_FAILED .*\n {2}.*(?:disk is full|larger than)/m)
  expect(done).toMatchObject({ status: 5, stdout: '' })
  expect(packBytes(docs)).toEqual(before)
  expect(leftovers(docs)).toEqual([])
}

/** A file may not grow beyond the limit: the same path as a full disk, for whoever runs the tests. */
describe('B4 a limit on files', () => {
  test('below the size of the JSON file', async () => {
    const before = packBytes(docs)
    const done = await shell('ulimit -f 64; dossier ctx build', { cwd: docs })
    expectRefused(done, before)
  })

  test('between the JSON file and the database', async () => {
    const before = packBytes(docs)
    const json = statSync(packOf(docs)).size
    const database = statSync(databaseOf(docs)).size
    expect(database).toBeGreaterThan(json + 100_000)
    const blocks = Math.floor((json + database) / 2 / 1024)
    const done = await shell(`ulimit -f ${blocks}; dossier ctx build`, { cwd: docs })
    expectRefused(done, before)
  })
})

/** Fills the disk but for this much, and makes room again. */
async function withRoom(bytes: number, action: () => Promise<void>): Promise<void> {
  const filler = join(mount, 'filler')
  const free = Number(
    spawnSync('df', ['--output=avail', '-B1', mount], { encoding: 'utf8' }).stdout.split('\n')[1],
  )
  writeFileSync(filler, Buffer.alloc(Math.max(0, free - bytes)))
  try {
    await action()
  } finally {
    truncateSync(filler, 0)
    removeFolder(filler)
  }
}

// Mounting a small disk takes privileges that a test run may not have; the limits above need none.
describe.skipIf(!CAN_MOUNT)('B4 a full disk', () => {
  test.each([0, 40_000, 400_000, 2_000_000])('with %i bytes left', async (room) => {
    appendFileSync(join(docs, 'page-1.md'), `\n## With ${room}\n\nWords.\n`)
    const before = packBytes(docs)
    await withRoom(room, async () => {
      for (const command of ['sync', 'build']) {
        expectRefused(await dossier(['ctx', command, '--quiet'], { cwd: docs }), before)
      }
      const args = ['ctx', 'search', '-q', 'topic7x3', '--json']
      expect((await dossier(args, { cwd: docs })).status).toBe(0)
    })
    const done = await dossier(['ctx', 'sync', '--quiet'], { cwd: docs })
    expect(done).toMatchObject({ status: 0, stderr: '' })
    expect((await dossier(['ctx', 'validate'], { cwd: docs })).status).toBe(0)
  })
})
