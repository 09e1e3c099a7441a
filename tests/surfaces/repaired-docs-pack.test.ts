/** T2: what sync says of a pack that was altered, and where the hints lead. */
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { databaseOf, folderWith, GUIDE, packBytes, packOf } from './support/folder.ts'
import { dossier, shell } from './support/program.ts'

const SEGMENT = 'my docs'

async function builtFolder(...flags: readonly string[]): Promise<string> {
  const folder = folderWith({ [`${SEGMENT}/guide.md`]: GUIDE })
  const done = await dossier(['ctx', 'sync', '-s', SEGMENT, ...flags], { cwd: folder })
  expect(done.status).toBe(0)
  return folder
}

function alter(folder: string): void {
  const database = new DatabaseSync(databaseOf(join(folder, SEGMENT)))
  database.exec(`UPDATE chunks SET text = 'forged' WHERE n = 1`)
  database.close()
}

/** The last command between backquotes. */
function adviceIn(text: string): string {
  return (
    text
      .match(/`dossier ctx [^`]+`/g)
      ?.at(-1)
      ?.slice(1, -1) ?? 'false'
  )
}

describe('T2 an altered database', () => {
  test('T2 sync repairs it and says so; then the pack is valid and sync writes no byte', async () => {
    const folder = await builtFolder()
    alter(folder)
    const checked = await dossier(['ctx', 'validate', '-s', SEGMENT], { cwd: folder })
    expect(checked.status).toBe(1)
    expect(adviceIn(checked.stdout)).toBe(`dossier ctx sync --segment 'my docs'`)
    const synced = await shell(adviceIn(checked.stdout), { cwd: folder })
    expect(synced).toMatchObject({ status: 0, stderr: '' })
    expect(synced.stdout).toMatch(/^written 2 chunks from 1 document\n/)
    expect(synced.stdout).toContain(
      '\n  repaired: context.db was changed or copied after the last build\n',
    )
    const after = packBytes(join(folder, SEGMENT))
    const valid = await dossier(['ctx', 'validate', '-s', SEGMENT], { cwd: folder })
    expect(valid.status).toBe(0)
    const again = await dossier(['ctx', 'sync', '-s', SEGMENT], { cwd: folder })
    expect(again.stdout).toBe('up to date 2 chunks from 1 document\n')
    expect(packBytes(join(folder, SEGMENT))).toEqual(after)
  })

  test('T2 is not read from: the pack file answers, with a notice', async () => {
    const folder = await builtFolder()
    alter(folder)
    const found = await dossier(['ctx', 'search', '-s', SEGMENT, '-q', 'budget'], { cwd: folder })
    expect(found.stdout).toContain('token budget')
    expect(found.stdout).not.toContain('forged')
    expect(found.stderr).toMatch(/^context\.db .*`dossier ctx sync --segment 'my docs'`.*\n$/)
  })

  test('T2 one that hides behind its old time needs a build, and validate names it', async () => {
    const folder = await builtFolder('--chunks-in', 'sqlite', '--max-chars', '300')
    const { atime, mtime } = statSync(databaseOf(join(folder, SEGMENT)))
    alter(folder)
    utimesSync(databaseOf(join(folder, SEGMENT)), atime, mtime)
    const checked = await dossier(['ctx', 'validate', '-s', SEGMENT], { cwd: folder })
    expect(checked.status).toBe(1)
    expect(adviceIn(checked.stdout)).toBe(
      `dossier ctx build --segment 'my docs' --chunks-in sqlite --max-chars 300`,
    )
    expect((await shell(adviceIn(checked.stdout), { cwd: folder })).status).toBe(0)
    const valid = await dossier(['ctx', 'validate', '-s', SEGMENT], { cwd: folder })
    expect(valid.status).toBe(0)
  })
})

describe('T2 --force', () => {
  test('T2 is not needed where both files are damaged or one is missing', async () => {
    const folder = await builtFolder()
    writeFileSync(packOf(join(folder, SEGMENT)), 'no JSON')
    rmSync(databaseOf(join(folder, SEGMENT)))
    const broken = await dossier(['ctx', 'stats', '-s', SEGMENT], { cwd: folder })
    expect(broken.status).toBe(4)
    expect(adviceIn(broken.stderr)).toBe(`dossier ctx sync --segment 'my docs'`)
    const synced = await shell(adviceIn(broken.stderr), { cwd: folder })
    expect(synced).toMatchObject({ status: 0, stderr: '' })
    expect(synced.stdout).toContain('repaired: context.db is missing')
  })

  test.each([
    ['another program', '{"schema_version": 1, "generator_version": "0.1.0"}'],
    ['a newer schema', '{"schema_version": 9, "generator_version": "dossier 9.0.0"}'],
  ])('T2 is needed for a pack of %s, and the hint says so', async (_, text) => {
    const folder = await builtFolder()
    rmSync(databaseOf(join(folder, SEGMENT)))
    writeFileSync(packOf(join(folder, SEGMENT)), text)
    const refused = await dossier(['ctx', 'sync', '-s', SEGMENT], { cwd: folder })
    expect(refused.status).toBe(4)
    expect(refused.stderr).toContain('--force')
    const checked = await dossier(['ctx', 'validate', '-s', SEGMENT], { cwd: folder })
    expect(adviceIn(checked.stdout)).toBe(`dossier ctx sync --segment 'my docs' --force`)
    expect((await shell(adviceIn(checked.stdout), { cwd: folder })).status).toBe(0)
    const valid = await dossier(['ctx', 'validate', '-s', SEGMENT], { cwd: folder })
    expect(valid.status).toBe(0)
  })
})
