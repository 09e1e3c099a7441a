/** A repository is read and never executed: neither its programs nor what its settings name. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createSystemTools } from '../../src/platform/run-tool.ts'
import { folderWith, GUIDE, withHistory } from './support/folder.ts'
import { dossier, ENVIRONMENT, startDossier } from './support/program.ts'
import { until } from './support/until.ts'

const SOURCE = { 'src/a.ts': 'export const a = 1\n', 'tsconfig.json': '{ "include": ["src"] }\n' }

/** A program that leaves a trace when it is run. */
function plant(path: string, trace: string): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, `#!/bin/sh\necho "$0 $*" >> '${trace}'\nexit 1\n`)
  chmodSync(path, 0o755)
}

describe('T6 --precise runs nothing of the repository', () => {
  test('T6 not what its packages bring along, and the command that is run is printed', async () => {
    const folder = folderWith(SOURCE)
    const trace = join(folder, 'trace')
    plant(join(folder, 'node_modules/.bin/scip-typescript'), trace)
    const done = await dossier(['index', '--precise'], { cwd: folder })
    expect(existsSync(trace) && readFileSync(trace, 'utf8')).toBe(false)
    // This project has the indexer among its own packages, which lie outside of the repository.
    expect(done).toMatchObject({ status: 0 })
    expect(done.stderr).toMatch(/^running \/\S+scip-typescript index /m)
  })

  test('T6 nor what lies on the search path, in any spelling', () => {
    const folder = folderWith(SOURCE)
    const outside = folderWith({})
    plant(join(folder, 'bin/scip-typescript'), join(folder, 'trace'))
    symlinkSync(join(folder, 'bin'), join(outside, 'link'))
    symlinkSync(join(folder, 'bin/scip-typescript'), join(outside, 'scip-typescript'))
    const paths = ['', '.', 'bin', './bin', join(folder, 'bin'), join(outside, 'link'), outside]
    for (const path of [...paths, paths.join(':')])
      expect(createSystemTools(outside, path).find('scip-typescript', folder), path).toBeUndefined()
    const own = folderWith({})
    plant(join(own, 'scip-typescript'), join(folder, 'trace'))
    expect(
      createSystemTools(outside, [...paths, own].join(':')).find('scip-typescript', folder),
    ).toBe(join(own, 'scip-typescript'))
  })

  test('T6 nor from the folders above it in the same git repository', () => {
    const top = folderWith({ '.git/HEAD': 'ref: refs/heads/main\n', 'packages/one/a.ts': '' })
    plant(join(top, 'node_modules/.bin/scip-typescript'), join(top, 'trace'))
    const bin = join(top, 'node_modules/.bin')
    const tools = createSystemTools(join(bin, '..', 'dossier', 'dist'), bin)
    expect(tools.find('scip-typescript', join(top, 'packages/one'))).toBeUndefined()
  })

  test('T6 an indexer from outside finds no program of the repository on its search path', async () => {
    const folder = folderWith(SOURCE)
    const outside = folderWith({})
    const trace = join(folder, 'trace')
    plant(join(folder, 'node_modules/.bin/helper'), trace)
    plant(join(folder, 'helper'), trace)
    const program = join(outside, 'scip-typescript')
    writeFileSync(program, '#!/bin/sh\nhelper\nexit 1\n')
    chmodSync(program, 0o755)
    const path = ['.', '', join(folder, 'node_modules/.bin'), ENVIRONMENT['PATH']].join(':')
    const args = ['index', '--precise-tool', program]
    const done = await dossier(args, { cwd: folder, env: { PATH: path } })
    expect(done.stderr).toMatch(/helper.*not found/)
    expect(existsSync(trace)).toBe(false)
  })

  test('T6 the one that --precise-tool names is run, wherever it lies', async () => {
    const folder = folderWith(SOURCE)
    const trace = join(folder, 'trace')
    plant(join(folder, 'node_modules/.bin/scip-typescript'), trace)
    const args = ['index', '--precise-tool', 'node_modules/.bin/scip-typescript']
    const done = await dossier(args, { cwd: folder })
    expect(readFileSync(trace, 'utf8')).toContain('scip-typescript index')
    expect(done.stderr).toContain(
      `running ${join(folder, 'node_modules/.bin/scip-typescript')} index`,
    )
    expect(done.stderr).toMatch(/^POC_E_READ_FAILED scip-typescript failed/m)
  })

  test('T6 one that is not there, or not known, is refused', async () => {
    const folder = folderWith({ ...SOURCE, 'bin/ctags': '' })
    for (const tool of ['bin/scip-typescript', 'bin/ctags']) {
      const done = await dossier(['index', '--precise-tool', tool], { cwd: folder })
      expect(done.stderr).toMatch(/^POC_E_REQUEST_INVALID .*bin\/.*\n {2}\S/)
    }
  })
})

test('T6 watching a folder runs no watcher of its own', async () => {
  const folder = folderWith(SOURCE)
  const trace = join(folder, 'trace')
  plant(join(folder, 'watchman'), trace)
  const env = { PATH: `.:${folder}:${ENVIRONMENT['PATH']}` }
  const running = startDossier(['index', '--watch', '--json'], { cwd: folder, env })
  await until('it is indexed', () => running.stdout() !== '')
  let polls = 0
  await until('a change is seen', () => {
    if (polls % 100 === 0) writeFileSync(join(folder, 'src/b.ts'), `export const b = ${polls}\n`)
    polls += 1
    return running.stdout().trim().includes('\n')
  })
  running.child.kill('SIGINT')
  await running.finished
  expect(existsSync(trace)).toBe(false)
})

const hasGit = execFileSync('sh', ['-c', 'command -v git || true']).length > 0

describe.skipIf(!hasGit)('T6 history is read without running anything', () => {
  test('T6 neither a git in the repository nor what its settings name', async () => {
    const folder = folderWith({ 'SPEC.md': GUIDE, '.gitattributes': '* diff=evil filter=evil\n' })
    withHistory(folder, 'SPEC.md')
    const trace = join(folder, 'trace')
    const evil = join(folder, 'evil')
    plant(evil, trace)
    plant(join(folder, 'git'), trace)
    for (const hook of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman'])
      plant(join(folder, '.git/hooks', hook), trace)
    for (const [key, value] of HOSTILE(evil))
      execFileSync('git', ['config', key, value], { cwd: folder })
    const env = { PATH: `.:${folder}:${ENVIRONMENT['PATH']}` }
    const done = await dossier(['eval', '--commits', '1'], { cwd: folder, env })
    expect(existsSync(trace) && readFileSync(trace, 'utf8')).toBe(false)
    expect(done).toMatchObject({ status: 0 })
  })

  test('DF10 a diff runs neither filters, nor conversions, nor hooks, and writes nothing', async () => {
    const folder = folderWith({ 'SPEC.md': GUIDE, '.gitattributes': '* diff=evil filter=evil\n' })
    withHistory(folder, 'SPEC.md')
    const trace = join(folder, 'trace')
    plant(join(folder, 'evil'), trace)
    plant(join(folder, 'git'), trace)
    for (const hook of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman'])
      plant(join(folder, '.git/hooks', hook), trace)
    for (const [key, value] of HOSTILE(join(folder, 'evil')))
      execFileSync('git', ['config', key, value], { cwd: folder })
    execFileSync('git', ['config', 'filter.evil.required', 'true'], { cwd: folder })
    writeFileSync(join(folder, 'SPEC.md'), `${GUIDE}\nA line more.\n`)
    const before = readFileSync(join(folder, '.git/index'))
    const env = { PATH: `.:${folder}:${ENVIRONMENT['PATH']}` }
    for (const args of [['--diff'], ['--diff', 'HEAD~1..'], ['--diff', 'HEAD~1'], ['--staged']]) {
      const done = await dossier(['pack', ...args], { cwd: folder, env })
      expect(existsSync(trace) && readFileSync(trace, 'utf8'), args.join(' ')).toBe(false)
      expect(done, done.stderr).toMatchObject({ status: 0 })
    }
    expect(readFileSync(join(folder, '.git/index'))).toEqual(before)
  })

  test('T6 what a partial clone lacks is not fetched by a command of its settings', async () => {
    const folder = folderWith({ 'SPEC.md': GUIDE })
    withHistory(folder, 'SPEC.md')
    const trace = join(folder, 'trace')
    plant(join(folder, 'evil'), trace)
    const git = (...args: readonly string[]): string =>
      execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
    const blob = git('rev-parse', 'HEAD:SPEC.md')
    for (const [key, value] of [
      ['core.repositoryformatversion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.url', `ext::${join(folder, 'evil')}`],
      ['remote.origin.promisor', 'true'],
      ['protocol.ext.allow', 'always'],
    ] as const)
      git('config', key, value)
    execFileSync('rm', ['-f', join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2))])
    await dossier(['eval', '--commits', '1'], { cwd: folder })
    expect(existsSync(trace) && readFileSync(trace, 'utf8')).toBe(false)
  })
})

const HOSTILE = (evil: string): readonly (readonly [string, string])[] => [
  ['core.fsmonitor', evil],
  ['core.pager', evil],
  ['core.editor', evil],
  ['core.sshCommand', evil],
  ['core.alternateRefsCommand', evil],
  ['core.hooksPath', join(evil, '..', '.git/hooks')],
  ['diff.external', evil],
  ['diff.evil.textconv', evil],
  ['diff.evil.command', evil],
  ['filter.evil.clean', evil],
  ['filter.evil.smudge', evil],
  ['filter.evil.process', evil],
  ['gpg.program', evil],
  ['log.showSignature', 'true'],
  ['credential.helper', evil],
  ['pager.diff', evil],
  ['pager.rev-list', evil],
]
