/** What a pack about a change holds: DF1 to DF5, DF9, DF11. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ContextPack } from '../../src/model/context-pack.ts'
import { verifyPack } from '../../src/packs/context/pack-verify.ts'
import { GitRepository, hasGit } from '../support/git-repository.ts'
import { threadlessWorld } from '../support/indexed-folder.ts'
import { itemsOf, shownIn, textOf } from '../support/packed.ts'
import { writeFile } from '../support/project.ts'
import { harborRepository, ON_DISK, reviewPack } from '../support/review.ts'

function edit(folder: string, path: string, change: (text: string) => string): void {
  writeFile(folder, path, change(readFileSync(join(folder, path), 'utf8')))
}

function deepen(folder: string): void {
  edit(folder, 'src/tide.ts', (text) =>
    text.replace('return depth + RANGE', 'return depth - RANGE'),
  )
}

function namesIn({ changes }: ContextPack): readonly string[] {
  return (changes?.files ?? []).flatMap((it) => [`${it.path}: ${it.symbols.join(', ')}`])
}

function changedPaths(pack: ContextPack): readonly (string | undefined)[] {
  return shownIn(pack, 'seeds').map((it) => it.split(' ')[0])
}

describe.skipIf(!hasGit)('DF1 which change', () => {
  test('DF1 the files on disk against HEAD, with those that git does not know and does not ignore', async () => {
    const { folder, commit } = bound(harborRepository())
    commit('Ignore', { '.gitignore': 'ignored.ts\n' })
    deepen(folder)
    writeFile(folder, 'src/new.ts', 'export function moor(): number {\n  return 1\n}\n')
    writeFile(folder, 'ignored.ts', 'export const hidden = 1\n')
    const pack = await reviewPack(folder, ON_DISK)
    expect(pack.request).toMatchObject({ intent: 'review', diff: { source: 'working tree' } })
    expect(namesIn(pack)).toEqual(['src/new.ts: moor', 'src/tide.ts: depthAt'])
    const one = await reviewPack(folder, { kind: 'range', range: 'HEAD' })
    expect(namesIn(one)).toEqual(namesIn(pack))
  })

  test('DF1 ranges with two and three dots, and what is staged', async () => {
    const repository = harborRepository()
    const { folder } = repository
    repository.run('checkout', '--quiet', '-b', 'deep')
    deepen(folder)
    repository.run('commit', '--quiet', '--all', '--message', 'Deepen')
    repository.run('checkout', '--quiet', 'main')
    edit(folder, 'src/office.ts', (text) => text.replace('bringIn(', ' bringIn('))
    repository.run('commit', '--quiet', '--all', '--message', 'Space')
    const paths = async (range: string) =>
      (await reviewPack(folder, { kind: 'range', range })).changes?.files.map((it) => it.path)
    expect(await paths('deep..')).toEqual(['src/office.ts', 'src/tide.ts'])
    expect(await paths('deep...')).toEqual(['src/office.ts'])
    expect(await paths('main...deep')).toEqual(['src/tide.ts'])
    edit(folder, 'src/pilot.ts', (text) => `${text}// staged\n`)
    repository.run('add', 'src/pilot.ts')
    deepen(folder)
    const staged = await reviewPack(folder, { kind: 'staged' })
    expect(staged.changes?.files.map((it) => it.path)).toEqual(['src/pilot.ts'])
  })

  test('DF1 words of a question only order what changed', async () => {
    const { folder } = harborRepository()
    for (const path of ['src/berth.ts', 'src/pilot.ts', 'src/tide.ts'])
      edit(folder, path, (text) => text.replace('return', 'return /* now */'))
    const plain = await reviewPack(folder, ON_DISK)
    const asked = await reviewPack(folder, ON_DISK, { wish: { query: 'depth of the tide swing' } })
    expect(changedPaths(plain).toSorted()).toEqual(changedPaths(asked).toSorted())
    expect(changedPaths(asked)[0]).toBe('src/tide.ts')
    expect(changedPaths(plain)[0]).toBe('src/berth.ts')
  })
})

describe.skipIf(!hasGit)('DF2 changed lines', () => {
  test('DF2 are marked, with what was removed before them', async () => {
    const { folder } = harborRepository()
    deepen(folder)
    const text = textOf(await reviewPack(folder, ON_DISK))
    expect(text).toContain(
      '\n-  return depth + RANGE * swing(hour)\n+  return depth - RANGE * swing(hour)\n }\n',
    )
    expect(text).toContain('why: changed: 5; 1 line removed\n')
  })

  test('DF2 what is only removed belongs to the definition around it', async () => {
    const { folder } = harborRepository()
    edit(folder, 'src/berth.ts', (text) => text.replace(/ {2}throw[^\n]*\n/, ''))
    const pack = await reviewPack(folder, ON_DISK)
    expect(namesIn(pack)).toEqual(['src/berth.ts: assignBerth'])
    expect(textOf(pack)).toContain("\n   }\n-  throw new Error('no berth is deep enough')\n }\n")
  })

  test('DF2 a comment belongs to what follows it, and an import to nothing', async () => {
    const { folder } = harborRepository()
    edit(folder, 'src/tide.ts', (text) => text.replace('How deep', 'Just how deep'))
    edit(folder, 'src/office.ts', (text) => `import { depthAt } from './tide.ts'\n${text}`)
    expect(namesIn(await reviewPack(folder, ON_DISK))).toEqual([
      'src/office.ts: ',
      'src/tide.ts: depthAt',
    ])
  })

  test('DF2 members of a new class are part of it', async () => {
    const { folder } = harborRepository()
    writeFile(
      folder,
      'src/crane.ts',
      'export class Crane {\n  load = 1\n  lift(): number {\n    return this.load\n  }\n}\n',
    )
    expect(namesIn(await reviewPack(folder, ON_DISK))).toEqual(['src/crane.ts: Crane'])
  })
})

describe.skipIf(!hasGit)('DF3 who refers to it', () => {
  test('DF3 lines that call a changed function and were not changed, tests and documents', async () => {
    const { folder } = harborRepository()
    edit(folder, 'src/berth.ts', (text) => text.replace('>= draught', '> draught'))
    const pack = await reviewPack(folder, ON_DISK)
    const referrers = pack.changes?.referrers ?? []
    expect(referrers).toContainEqual({
      path: 'src/pilot.ts',
      lines: [5],
      name: 'bringIn',
      to: 'assignBerth',
      isRemoved: false,
    })
    for (const { path, lines, to } of referrers) {
      const text = readFileSync(join(folder, path), 'utf8').split('\n')
      for (const line of lines) expect(text[line - 1]).toContain(to)
    }
    expect(textOf(pack)).toContain('\n- src/pilot.ts:5 bringIn → assignBerth\n')
    expect(shownIn(pack, 'tests').join()).toContain('test')
    expect(shownIn(pack, 'docs')).not.toEqual([])
    expect(shownIn(pack, 'callers').join()).not.toContain('src/berth.ts')
  })

  test('DF3 a change log that mentions it is not among them', async () => {
    const repository = harborRepository()
    const { folder } = repository
    repository.commit('Log', { 'CHANGELOG.md': '# 1.0\n\n`assignBerth` is new.\n' })
    edit(folder, 'src/berth.ts', (text) => text.replace('>= draught', '> draught'))
    const pack = await reviewPack(folder, ON_DISK)
    expect(shownIn(pack, 'docs').map((it) => it.split(' ')[0])).toEqual(['README.md'])
  })

  test('DF3 a caller that was changed as well is not among them', async () => {
    const { folder } = harborRepository()
    edit(folder, 'src/berth.ts', (text) => text.replace('>= draught', '> draught'))
    edit(folder, 'src/pilot.ts', (text) => text.replace('berths, 7, 6', 'berths, 8, 6'))
    const { changes } = await reviewPack(folder, ON_DISK)
    expect(
      changes?.referrers.filter((it) => it.path === 'src/pilot.ts' && it.to === 'assignBerth'),
    ).toEqual([])
  })
})

describe.skipIf(!hasGit)('DF4 what is gone', () => {
  test('DF4 names of a deleted file are told with the lines that still have them', async () => {
    const { folder } = harborRepository()
    rmSync(join(folder, 'src/tide.ts'))
    const pack = await reviewPack(folder, ON_DISK)
    expect(pack.changes?.files).toMatchObject([
      { path: 'src/tide.ts', status: 'deleted', removedNames: expect.arrayContaining(['depthAt']) },
    ])
    const gone = pack.changes?.referrers.filter((it) => it.isRemoved) ?? []
    expect(gone.map((it) => [it.path, it.to])).toContainEqual(['src/berth.ts', 'depthAt'])
    expect(textOf(pack)).toMatch(/src\/berth\.ts:\d+ .*names `depthAt`, which is no longer defined/)
  })

  test('DF4 a function that is renamed in its file leaves its old name behind', async () => {
    const { folder } = harborRepository()
    edit(folder, 'src/tide.ts', (text) => text.replace('function depthAt', 'function waterAt'))
    const pack = await reviewPack(folder, ON_DISK)
    expect(pack.changes?.files).toMatchObject([{ symbols: ['waterAt'], removedNames: ['depthAt'] }])
    expect(shownIn(pack, 'usages').join()).toContain('src/berth.ts')
  })
})

describe.skipIf(!hasGit)('DF5 what usually changes together', () => {
  test('DF5 is told with the numbers of the history', async () => {
    const repository = new GitRepository()
    const { folder } = repository
    for (let at = 0; at < 6; at += 1) {
      repository.commit(`Both ${at}`, {
        'src/a.ts': `export const a = ${at}\n`,
        'src/b.ts': `export const b = ${at}\n`,
        ...(at < 2 ? { 'src/c.ts': `export const c = ${at}\n` } : {}),
      })
    }
    for (let at = 0; at < 2; at += 1)
      repository.commit(`One ${at}`, { 'src/a.ts': `export const a = ${at + 10}\n` })
    for (let at = 0; at < 9; at += 1)
      repository.commit(`Other ${at}`, { 'src/other.ts': `export const other = ${at}\n` })
    const many = Array.from({ length: 40 }, (_, at) => [`gen/${at}.ts`, `export const x = ${at}\n`])
    repository.commit('Many', { 'src/a.ts': 'export const a = 99\n', ...Object.fromEntries(many) })
    writeFile(folder, 'src/a.ts', 'export const a = 100\n')
    const pack = await reviewPack(folder, ON_DISK)
    expect(pack.changes?.together).toEqual([
      { path: 'src/b.ts', with: 'src/a.ts', together: 6, of: 8 },
    ])
    expect(textOf(pack)).toContain('\n- src/b.ts · changed with `src/a.ts` in 6 of 8 commits\n')
    writeFile(folder, 'src/b.ts', 'export const b = 100\n')
    expect((await reviewPack(folder, ON_DISK)).changes?.together).toEqual([])
    // The commits of a range are not part of its history.
    repository.run('commit', '--quiet', '--all', '--message', 'Both once more')
    repository.run('rm', '--quiet', 'src/b.ts')
    repository.run('commit', '--quiet', '--message', 'Gone')
    const range = await reviewPack(folder, { kind: 'range', range: 'HEAD~2..HEAD~1' })
    expect(range.changes?.counts.commits).toBe(18)
  })
})

describe.skipIf(!hasGit)('DF9 the files have gone on', () => {
  test('DF9 lines of a range are shown where they are now, and a note says so', async () => {
    const repository = harborRepository()
    const { folder } = repository
    deepen(folder)
    repository.run('commit', '--quiet', '--all', '--message', 'Deepen')
    edit(folder, 'src/tide.ts', (text) => `// one\n// two\n${text}`)
    const pack = await reviewPack(folder, { kind: 'range', range: 'HEAD~1..' })
    expect(namesIn(pack)).toEqual(['src/tide.ts: depthAt'])
    expect(textOf(pack)).toContain('why: changed: 7; 1 line removed\n')
    expect(textOf(pack)).toMatch(/^Note: 1 of the files has changed on disk since/m)
  })

  test('DF9 a patch that is still to be applied, and one that is', async () => {
    const repository = harborRepository()
    const { folder } = repository
    deepen(folder)
    const text = `${repository.run('diff')}\n`
    const applied = await reviewPack(folder, { kind: 'patch', text })
    const onDisk = await reviewPack(folder, ON_DISK)
    expect(itemsOf(applied)).toEqual(itemsOf(onDisk))
    expect(applied.changes?.notes).toEqual([])
    repository.run('checkout', '--quiet', '.')
    const pending = await reviewPack(folder, { kind: 'patch', text })
    expect(namesIn(pending)).toEqual(['src/tide.ts: depthAt'])
    expect(textOf(pending)).toContain(
      '\n-  return depth + RANGE * swing(hour)\n+  return depth - RANGE * swing(hour)\n }\n',
    )
    expect(textOf(pending)).toMatch(/^Note: the patch is not applied/m)
  })
})

test.skipIf(!hasGit)('DF11 a pack is proved by its diff, and a later diff is told', async () => {
  const { folder } = harborRepository()
  deepen(folder)
  const pack = await reviewPack(folder, ON_DISK)
  const world = threadlessWorld(folder)
  expect(await verifyPack(world, { pack, path: '.' })).toMatchObject({ verdict: 'equal' })
  // Of no file of the index, so that the index stays the same.
  writeFile(folder, 'picture.png', new Uint8Array([0x89, 0x50, 0, 1, 2]))
  const after = await verifyPack(world, { pack, path: '.' })
  expect(after.verdict).toBe('different')
  expect(after.differences.map((it) => it.place)).toContain('request.diff.sha256')
  const patch = await reviewPack(folder, { kind: 'patch', text: '' })
  await expect(verifyPack(world, { pack: patch, path: '.' })).rejects.toThrow(/patch/)
})

function bound(repository: GitRepository) {
  const { folder } = repository
  return { folder, commit: repository.commit.bind(repository) }
}
