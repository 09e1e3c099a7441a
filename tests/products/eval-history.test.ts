/** What of a real history is replayed, and what a commit is taken to have changed: E1 to E3. */
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changedLines, linesOf, splitLines } from '../../src/packs/eval/changed-lines.ts'
import { CommitTree } from '../../src/packs/eval/commit-tree.ts'
import { type HistoryRequest, readHistory } from '../../src/packs/eval/history.ts'
import { messageQuery } from '../../src/packs/eval/message-query.ts'
import { Git } from '../../src/platform/git.ts'
import { ScratchFolder } from '../../src/platform/scratch-folder.ts'
import { GitRepository, hasGit } from '../support/git-repository.ts'
import { listing, temporaryFolder } from '../support/project.ts'
import { quietWorld } from '../support/world.ts'

const CODE = 'export function one() {\n  return 1\n}\n'

describe('E1 a message becomes a query', () => {
  test.each([
    ['fix: parse empty headers (#123)', 'fix: parse empty headers'],
    ['Parse it\n\nBecause.\n\nSigned-off-by: A <a@b>\nChange-Id: I12', 'Parse it\n\nBecause.'],
    ['Parse it\n\nFixes #12\n', 'Parse it'],
    ['Parse it (GH-9), see #7', 'Parse it, see'],
    ['a\n\n* b\nCo-authored-by: X <x@y>\n\n* c', 'a\n\n* b\n\n* c'],
    ['Say why\n\nNote: this is a sentence.', 'Say why\n\nNote: this is a sentence.'],
    ['colour #fff000 and issue/12', 'colour #fff000 and issue/12'],
    ['', ''],
  ])('E1 %j', (message, query) => {
    expect(messageQuery(message)).toBe(query)
  })
})

describe('E2 lines of a change, as they stood before', () => {
  test.each([
    ['@@ -2,3 +2 @@', [2, 3, 4]],
    ['@@ -5 +5,9 @@', [5]],
    ['@@ -5,0 +6,2 @@', [5, 6]],
    ['@@ -0,0 +1,2 @@', [1]],
    ['@@ -10,0 +11 @@', [10]],
    ['@@ -1 +1 @@\n-@@ -7 +7 @@\n+x', [1]],
    ['@@ -3,2 +3,2 @@ f\n-a\n@@ -4,0 +5 @@\n', [3, 4, 5]],
    ['Binary files differ', []],
  ])('E2 %j', (diff, lines) => {
    expect(linesOf(changedLines(diff, 10))).toEqual(lines)
  })

  test('E2 a last line without a line break is one', () => {
    expect(splitLines('a\nb')).toEqual(['a', 'b'])
    expect(splitLines('a\nb\n')).toEqual(['a', 'b'])
    expect(splitLines('')).toEqual([])
  })
})

function gitOf({ folder }: GitRepository): Git {
  const program = quietWorld(folder).tools.find('git', temporaryFolder()) ?? ''
  return new Git({ program, folder, signal: new AbortController().signal })
}

function history(repository: GitRepository, request: Partial<HistoryRequest> = {}) {
  return readHistory(gitOf(repository), {
    prefix: '',
    head: 'HEAD',
    since: undefined,
    most: 50,
    ...request,
  })
}

describe.skipIf(!hasGit)('E1 suitable commits', () => {
  test('E1 each commit that cannot be judged is counted with its reason', async () => {
    const repository = new GitRepository()
    repository.commit('Begin with some code', { 'a.ts': CODE, 'package-lock.json': '{}' })
    const good = repository.commit('Return two from one', { 'a.ts': CODE.replace('1', '2') })
    repository.commit('wip', { 'a.ts': CODE })
    repository.commit('Bump version to 1.2.3', { 'a.ts': `${CODE}// 1.2.3\n` })
    repository.commit('Refresh the lock file', { 'package-lock.json': '{ }' })
    repository.commit('Add another new file', { 'b.ts': CODE })
    repository.commit('Say it without changing anything', {})
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`m${at}.ts`, CODE]))
    repository.commit('Add very many files', { ...many, 'a.ts': CODE })
    repository.run('checkout', '--quiet', '-b', 'side', 'HEAD~1')
    const side = repository.commit('Return three from one', { 'b.ts': CODE.replace('1', '3') })
    repository.run('checkout', '--quiet', 'main')
    repository.run('merge', '--quiet', '--no-ff', '--message', 'Merge the side branch', 'side')

    const { commits, leftOut, lookedAt } = await history(repository)
    expect(commits.map((it) => it.id)).toEqual([side, good])
    expect(lookedAt).toBe(10)
    expect(Object.fromEntries(leftOut)).toEqual({
      merge: 1,
      'first commit': 1,
      'short message': 1,
      'version or lock file alone': 2,
      'changes no file that was there': 1,
      'changes nothing here': 1,
      'over 10 files': 1,
    })
    expect(commits[1]).toMatchObject({
      subject: 'Return two from one',
      query: 'Return two from one',
      changes: [{ oldPath: 'a.ts', status: 'M' }],
    })
  })

  test('E1 as many as are wanted, after a commit, below a folder', async () => {
    const repository = new GitRepository()
    repository.commit('Begin with some code', { 'x/a.ts': CODE, 'y/b.ts': CODE })
    const first = repository.commit('Change x for good', { 'x/a.ts': `${CODE}// 1\n` })
    const second = repository.commit('Change y for good', { 'y/b.ts': `${CODE}// 2\n` })
    const third = repository.commit('Change x once more', { 'x/a.ts': `${CODE}// 3\n` })
    const ids = async (request: Partial<HistoryRequest>): Promise<readonly string[]> =>
      (await history(repository, request)).commits.map((it) => it.id)
    expect(await ids({ most: 2 })).toEqual([third, second])
    expect(await ids({ since: first })).toEqual([third, second])
    expect(await ids({ prefix: 'x' })).toEqual([third, first])
    const { commits } = await history(repository, { prefix: 'x' })
    expect(commits[0]?.changes.map((it) => it.oldPath)).toEqual(['a.ts'])
  })

  test('E1 a file that was renamed and changed is one change of the old file', async () => {
    const repository = new GitRepository()
    const text = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('')
    repository.commit('Begin with some text', { 'old.ts': text })
    repository.commit('Move it and change it', {
      'old.ts': null,
      'new.ts': text.replace('line 7\n', 'line seven\n'),
    })
    const { commits } = await history(repository)
    expect(commits[0]?.changes).toMatchObject([{ oldPath: 'old.ts', path: 'new.ts', status: 'R' }])
  })

  test('E3 a folder goes from commit to commit and holds just what the commit has', async () => {
    const repository = new GitRepository()
    const tree = (commit: string): string => repository.run('rev-parse', `${commit}^{tree}`)
    const odd = 'bytes\r\n\u0000\u00ff'
    const one = repository.commit('one', { 'a/b/c.ts': CODE, 'd.ts': CODE, 'ü "q"\n.txt': odd })
    const two = repository.commit('two', { 'a/b': 'now a file', 'd.ts': 'other' })
    symlinkSync('/etc/passwd', join(repository.folder, 'link'))
    const large = new Uint8Array(3 * 1024 * 1024).fill(65)
    const three = repository.commit('three', { 'large.ts': large, '.dossier/index.db': 'no index' })
    const before = listing(repository.folder).filter((it) => !it.startsWith('.git/objects/'))

    const scratch = ScratchFolder.at(join(temporaryFolder(), 'files'))
    const files = new CommitTree(gitOf(repository), scratch, { now: () => Date.now() })
    const held = async (commit: string): Promise<readonly string[]> => {
      await files.switchTo(tree(commit))
      return listing(scratch.path)
    }
    const ofOne = ['a/', 'a/b/', 'a/b/c.ts', 'd.ts', 'ü "q"\n.txt']
    expect(await held(one)).toEqual(ofOne)
    expect(readFileSync(join(scratch.path, 'ü "q"\n.txt'), 'utf8')).toBe(odd)
    expect(await held(two)).toEqual(['a/', 'a/b', 'd.ts', 'ü "q"\n.txt'])
    expect(readFileSync(join(scratch.path, 'd.ts'), 'utf8')).toBe('other')
    // Neither a link nor what is too large to be read, nor what would pass for an index.
    expect(await held(three)).toEqual(['a/', 'a/b', 'd.ts', 'ü "q"\n.txt'])
    expect(await held(one)).toEqual(ofOne)
    expect(readFileSync(join(scratch.path, 'a/b/c.ts'), 'utf8')).toBe(CODE)
    const after = listing(repository.folder).filter((it) => !it.startsWith('.git/objects/'))
    expect(after).toEqual(before)
  })

  test('E3 hooks, filters and settings of the repository are not run', async () => {
    const repository = new GitRepository()
    const marker = join(temporaryFolder(), 'ran')
    repository.commit('one', { 'a.ts': CODE, '.gitattributes': '*.ts filter=bad diff=bad\n' })
    const one = repository.run('rev-parse', 'HEAD^{tree}')
    for (const key of ['filter.bad.smudge', 'diff.bad.textconv', 'diff.bad.command'])
      repository.run('config', key, `touch ${marker}; cat`)
    repository.run('config', 'core.autocrlf', 'true')
    repository.run('config', 'diff.external', `touch ${marker}; true`)
    const scratch = ScratchFolder.at(join(temporaryFolder(), 'files'))
    const files = new CommitTree(gitOf(repository), scratch, { now: () => Date.now() })
    await files.switchTo(one)
    expect(readFileSync(join(scratch.path, 'a.ts'), 'utf8')).toBe(CODE)
    expect(existsSync(marker)).toBe(false)
  })

  test('E3 objects come whole and in order, however large, and what is not there is said', async () => {
    const repository = new GitRepository()
    const texts = ['', 'x', 'a\nb', 'y'.repeat(300_000), '\n']
    repository.commit('one', Object.fromEntries(texts.map((text, at) => [`f${at}`, text])))
    const ids = texts.map((_, at) => repository.run('rev-parse', `HEAD:f${at}`))
    const asked = [...ids, 'f'.repeat(40), ids[1] ?? '']
    const got: (string | undefined)[] = []
    await gitOf(repository).objects(asked, 200_000, (at, bytes) => {
      got[at] = bytes === undefined ? undefined : new TextDecoder().decode(bytes)
    })
    expect(got).toEqual(['', 'x', 'a\nb', undefined, '\n', undefined, 'x'])
    expect(readdirSync(repository.folder)).toContain('f0')
  })
})
