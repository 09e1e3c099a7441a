/** Diffs that say little, or say it strangely, and those that cannot be met: DF6, DF7, DF8, DF10. */
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ascending } from '../../src/base/order.ts'
import type { ContextPack } from '../../src/model/context-pack.ts'
import type { DiffWish } from '../../src/packs/context/diff-request.ts'
import { canonicalPack } from '../../src/packs/context/pack-id.ts'
import { GitRepository, hasGit } from '../support/git-repository.ts'
import { itemsOf, textOf } from '../support/packed.ts'
import { temporaryFolder, writeFile } from '../support/project.ts'
import { harborRepository, ON_DISK, reviewPack } from '../support/review.ts'
import { SECRET_KINDS as SECRETS } from '../support/secret-kinds.ts'

const range = (text: string): DiffWish => ({ kind: 'range', range: text })
const patch = (text: string): DiffWish => ({ kind: 'patch', text })

function filesIn({ changes }: ContextPack) {
  return (changes?.files ?? [])
    .toSorted(ascending((it) => it.path))
    .map(({ path, status, notes }) => [path, status, ...notes])
}

function functionOf(value: number): string {
  return `export function f(): number {\n  return ${value}\n}\n`
}

function keyFile(body: string): string {
  return `export function key(): string {\n  return ${body}\n}\n`
}

function strangePatch(path: string): string {
  return `--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n context\n-not there\n+not there either\n`
}

describe.skipIf(!hasGit)('DF7 odd diffs', () => {
  test('DF7 nothing has changed', async () => {
    const { folder } = harborRepository()
    for (const diff of [ON_DISK, range('HEAD..HEAD'), { kind: 'staged' } as const, patch('')]) {
      const pack = await reviewPack(folder, diff)
      expect(pack.sections).toEqual([])
      expect(pack.confidence.level).toBe('none')
      expect(textOf(pack)).toMatch(/^# Changes in .*\n.*\nNothing has changed\.\n$/)
    }
  })

  test('DF7 a repository without a commit', async () => {
    const { folder } = new GitRepository()
    writeFile(folder, 'a.ts', 'export const a = 1\n')
    const pack = await reviewPack(folder, ON_DISK)
    expect(filesIn(pack)).toEqual([['a.ts', 'added']])
    expect(pack.request.diff?.base).toBe('')
  })

  test('DF7 a rename, with lines that changed and without', async () => {
    const repository = harborRepository()
    const { folder } = repository
    repository.run('mv', 'src/pilot.ts', 'src/guide.ts')
    const still = await reviewPack(folder, { kind: 'staged' })
    expect(still.changes?.files).toMatchObject([
      { path: 'src/guide.ts', oldPath: 'src/pilot.ts', status: 'renamed', addedLines: 0 },
    ])
    expect(textOf(still)).toContain('\n- src/guide.ts · renamed from src/pilot.ts\n')
    const text = readFileSync(join(folder, 'src/guide.ts'), 'utf8')
    writeFile(folder, 'src/guide.ts', text.replace('lies at', 'is at'))
    const moved = await reviewPack(folder, ON_DISK)
    expect(moved.changes?.files).toMatchObject([
      { path: 'src/guide.ts', oldPath: 'src/pilot.ts', symbols: ['bringIn'] },
    ])
  })

  test('DF7 a mode, bytes, an empty file, a link, and what the index leaves out', async () => {
    const repository = harborRepository()
    const { folder } = repository
    repository.commit('More', {
      'run.sh': 'echo 1\n',
      'a.bin': new Uint8Array([0, 1]),
      'empty.ts': '',
      '.dossierignore': 'secret.ts\n',
    })
    chmodSync(join(folder, 'run.sh'), 0o755)
    writeFile(folder, 'a.bin', new Uint8Array([0, 2]))
    rmSync(join(folder, 'empty.ts'))
    writeFile(folder, 'also-empty.ts', '')
    writeFile(folder, 'lib/bundle.min.js', `var a=1;${'x();'.repeat(2000)}\n`)
    writeFile(folder, 'secret.ts', 'export const a = 1\n')
    symlinkSync('/etc/hostname', join(folder, 'link'))
    const pack = await reviewPack(folder, ON_DISK)
    expect(filesIn(pack)).toEqual([
      ['a.bin', 'modified', 'binary'],
      ['also-empty.ts', 'added'],
      ['empty.ts', 'deleted'],
      ['lib/bundle.min.js', 'added', 'not in the index'],
      ['link', 'added', 'binary'],
      ['run.sh', 'modified', 'mode 100644 → 100755'],
      ['secret.ts', 'added', 'not in the index'],
    ])
  })

  test('DF7 a merge that is not finished', async () => {
    const repository = harborRepository()
    const { folder } = repository
    repository.run('checkout', '--quiet', '-b', 'other')
    repository.commit('Other', { 'src/tide.ts': 'export function depthAt() {}\n' })
    repository.run('checkout', '--quiet', 'main')
    repository.commit('Main', { 'src/tide.ts': 'export function depthAt() { return 1 }\n' })
    expect(() => repository.run('merge', 'other')).toThrow(/CONFLICT|Command failed/)
    expect(filesIn(await reviewPack(folder, ON_DISK))).toEqual([['src/tide.ts', 'modified']])
    expect((await reviewPack(folder, { kind: 'staged' })).changes?.notes.join()).toMatch(/merge/)
    const combined = patch(`${repository.run('diff')}\n`)
    await expect(reviewPack(folder, combined)).rejects.toThrow(/combined diff of a merge/)
  })

  test('DF7 a deleted file of text without names', async () => {
    const repository = harborRepository()
    rmSync(join(repository.folder, 'README.md'))
    const pack = await reviewPack(repository.folder, ON_DISK)
    expect(filesIn(pack)).toEqual([['README.md', 'deleted']])
    expect(textOf(pack)).toContain('\n- README.md · deleted · +0 −3')
  })

  test('DF7 CRLF', async () => {
    const repository = new GitRepository()
    const { folder } = repository
    const text = 'export function a(): number {\r\n  return 1\r\n}\r\n'
    repository.commit('One', { 'a.ts': text })
    writeFile(folder, 'a.ts', text.replace('1', '2'))
    const pack = await reviewPack(folder, ON_DISK)
    expect(pack.changes?.files).toMatchObject([{ path: 'a.ts', symbols: ['a'] }])
    expect(pack.sections[0]?.items[0]?.changes).toMatchObject({ lines: [{ start: 2, end: 2 }] })
    expect(textOf(pack)).toMatch(/\n- {2}return 1\n\+ {2}return 2/)
    for (const end of ['\r\n', '\n']) {
      const given = await reviewPack(folder, patch(repository.run('diff') + end))
      expect(given.changes?.files).toMatchObject([{ path: 'a.ts', symbols: ['a'] }])
    }
  })

  test('DF7 paths with spaces, quotes, backslashes and other alphabets', async () => {
    const repository = new GitRepository()
    const { folder } = repository
    const paths = [
      'a b/c d.ts',
      'q"uote.ts',
      "s'ingle.ts",
      'tab\there.ts',
      'back\\slash.ts',
      'größe/数.ts',
      '-dash.ts',
      'a b/x b/y.ts',
    ]
    repository.commit('One', Object.fromEntries(paths.map((it) => [it, functionOf(1)])))
    for (const path of paths) writeFile(folder, path, functionOf(2))
    const [first = ''] = paths
    for (const diff of [ON_DISK, range('HEAD'), patch(`${repository.run('diff')}\n`)]) {
      const pack = await reviewPack(folder, diff)
      expect(pack.changes?.files.map((it) => it.path)).toEqual(paths.toSorted())
      expect(itemsOf(pack).map((it) => it.fileRelPath)).toContain(first)
      expect(textOf(pack)).toContain('\n- "tab\\there.ts" · ')
    }
  })
})

describe.skipIf(!hasGit)('DF8 what cannot be met', () => {
  test('DF8 ranges', async () => {
    const { folder } = harborRepository()
    for (const text of ['nowhere', 'nowhere..', 'HEAD~9..', 'HEAD...nowhere', 'HEAD:src/tide.ts'])
      await expect(reviewPack(folder, range(text)), text).rejects.toMatchObject({
        code: 'POC_E_REQUEST_INVALID',
        message: expect.stringMatching(/there is no commit/),
        hint: expect.stringMatching(/\S/),
      })
    for (const text of ['--output=/tmp/x', '-p', '--ext-diff..HEAD', 'HEAD..--no-index', '..-x'])
      await expect(reviewPack(folder, range(text)), text).rejects.toMatchObject({
        code: 'POC_E_REQUEST_INVALID',
      })
  })

  test('DF8 no git repository: only a patch can be told about', async () => {
    const folder = temporaryFolder()
    writeFile(folder, 'a.ts', 'export const a = 2\n')
    await expect(reviewPack(folder, ON_DISK)).rejects.toMatchObject({
      code: 'POC_E_REQUEST_INVALID',
      message: expect.stringMatching(/not in a git repository/),
    })
    const text = '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-export const a = 1\n+export const a = 2\n'
    const pack = await reviewPack(folder, patch(text))
    expect(pack.changes).toMatchObject({ files: [{ path: 'a.ts', symbols: ['a'] }], together: [] })
  })

  test('DF8 histories that share nothing', async () => {
    const repository = harborRepository()
    repository.run('checkout', '--quiet', '--orphan', 'other')
    repository.commit('Other', { 'a.ts': 'export const a = 1\n' })
    await expect(reviewPack(repository.folder, range('main...'))).rejects.toMatchObject({
      code: 'POC_E_REQUEST_INVALID',
      hint: expect.stringMatching(/two dots/),
    })
  })

  test('DF8 patches that are none, or fit nothing', async () => {
    const { folder } = harborRepository()
    const garbage = ['hello\n', '@@ -1 +1 @@\n-a\n+b\n', '--- a/x\n+++ b/x\n@@ -1,9 +1 @@\n-a\n']
    for (const text of garbage)
      await expect(reviewPack(folder, patch(text)), text).rejects.toMatchObject({
        code: 'POC_E_REQUEST_INVALID',
        message: expect.stringMatching(/not a unified diff/),
        hint: expect.stringMatching(/git diff/),
      })
    for (const path of ['src/tide.ts', 'src/none.ts', '../outside.ts', '/etc/hostname'])
      await expect(reviewPack(folder, patch(strangePatch(path))), path).rejects.toMatchObject({
        code: 'POC_E_REQUEST_INVALID',
        message: expect.stringMatching(/does not fit/),
      })
  })

  test('DF8 a focus beside a diff', async () => {
    const { folder } = harborRepository()
    const wish = { focus: { fileRelPath: 'src/tide.ts' } }
    await expect(reviewPack(folder, ON_DISK, { wish })).rejects.toMatchObject({
      code: 'POC_E_REQUEST_INVALID',
    })
  })
})

describe.skipIf(!hasGit)('DF6 the same pack', () => {
  test('DF6 twice, and in another clone; another diff is another pack', async () => {
    const repository = harborRepository()
    const { folder } = repository
    const clone = join(temporaryFolder(), 'harbor')
    repository.run('remote', 'add', 'origin', 'https://example.com/harbor.git')
    repository.run('clone', '--quiet', '.', clone)
    writeFile(clone, '.git/config', readFileSync(join(folder, '.git/config'), 'utf8'))
    for (const top of [folder, clone])
      writeFile(top, 'src/tide.ts', 'export function depthAt() {}\n')
    const pack = await reviewPack(folder, ON_DISK)
    expect(canonicalPack(await reviewPack(folder, ON_DISK))).toBe(canonicalPack(pack))
    expect(canonicalPack(await reviewPack(clone, ON_DISK))).toBe(canonicalPack(pack))
    const staged = await reviewPack(folder, { kind: 'staged' })
    expect(staged.packId).not.toBe(pack.packId)
    writeFile(folder, 'picture.png', new Uint8Array([0x89, 0x50, 0]))
    const later = await reviewPack(folder, ON_DISK)
    expect(later.indexSignature).toBe(pack.indexSignature)
    expect(later.packId).not.toBe(pack.packId)
  })
})

test.skipIf(!hasGit)(
  'DF10 secrets of removed lines are redacted, and files of credentials not shown',
  async () => {
    const repository = harborRepository()
    const { folder } = repository
    const { text = '', secret = '' } = SECRETS.find((it) => it.kind.includes('GitHub')) ?? {}
    const bodies = [0, 1, 2, 3].map(
      (at) => `${'Qz7bV9kLm3Xw'.slice(at)}${'pT5nR8sY2cDf'.repeat(4)}`,
    )
    const pem = [
      '-----BEGIN ',
      'PRIVATE KEY-----\n',
      bodies.join('\n'),
      '\n-----END ',
      'PRIVATE KEY-----',
    ]
    repository.commit('Key', {
      'src/token.ts': keyFile(`\`${text}\``),
      'src/key.ts': keyFile(`\`${pem.join('')}\``),
      '.env': `SECRET_KEY=${'s3cr3t'.repeat(4)}\n`,
    })
    writeFile(folder, 'src/token.ts', keyFile("''"))
    // One line of a key alone does not look like a part of one.
    const [, second = ''] = bodies
    writeFile(folder, 'src/key.ts', keyFile(`\`${pem.join('').replace(`${second}\n`, '')}\``))
    writeFile(folder, '.env', `SECRET_KEY=${'0th3r!'.repeat(4)}\n`)
    const pack = await reviewPack(folder, ON_DISK)
    const all = textOf(pack) + JSON.stringify(pack)
    expect(all).toContain('[redacted]')
    expect(all).toContain('.env')
    expect(secret).not.toBe('')
    for (const it of [secret, second, 's3cr3t', '0th3r']) expect(all).not.toContain(it)
  },
)

test.skipIf(!hasGit)('DF1 a folder of a repository is told about alone', async () => {
  const repository = new GitRepository()
  const { folder } = repository
  repository.commit('Two', {
    'one/a.ts': 'export const a = 1\n',
    'two/b.ts': 'export const b = 1\n',
  })
  mkdirSync(join(folder, 'one'), { recursive: true })
  writeFile(folder, 'one/a.ts', 'export const a = 2\n')
  writeFile(folder, 'one/new.ts', 'export const c = 2\n')
  writeFile(folder, 'two/b.ts', 'export const b = 2\n')
  const pack = await reviewPack(join(folder, 'one'), ON_DISK)
  expect(pack.changes?.files.map((it) => it.path)).toEqual(['a.ts', 'new.ts'])
})
