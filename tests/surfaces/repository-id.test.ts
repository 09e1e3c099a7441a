/** The name of a repository in its packs: T18. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ContextPack } from '../../src/model/context-pack.ts'
import { GitRepository, hasGit } from '../support/git-repository.ts'
import { folderWith } from './support/folder.ts'
import { HARBOR } from './support/harbor.ts'
import { dossier, ENVIRONMENT, json, shell } from './support/program.ts'

// Put together, so that no scanner takes this file for one that leaks.
const TOKEN = ['ghp', '_16C7e42F292c6912E7710c83', '8347Ae178B4a'].join('')

async function packOf(cwd: string, env: Record<string, string> = {}): Promise<ContextPack> {
  return json<ContextPack>(await dossier(['pack', 'dockShip', '--json'], { cwd, env }))
}

function harborRepository(): GitRepository {
  const repository = new GitRepository()
  repository.commit('Open the harbor', HARBOR)
  return repository
}

/** A clone beside the repository, in a folder of another name. */
function cloned(repository: GitRepository, name: string, ...flags: readonly string[]): string {
  repository.run('clone', '--quiet', ...flags, `file://${repository.folder}`, `.clones/${name}`)
  return join(repository.folder, '.clones', name)
}

/** A program called git that says when it is run. */
function watchedGit(folder: string): { readonly path: string; readonly ran: string } {
  const path = join(folder, 'bin')
  const ran = join(folder, 'ran')
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'git'), `#!/bin/sh\necho ran >> '${ran}'\nexec '${real}' "$@"\n`)
  chmodSync(join(path, 'git'), 0o755)
  return { path: `${path}:${ENVIRONMENT['PATH'] ?? ''}`, ran }
}

describe.skipIf(!hasGit)('T18 clones of one repository', () => {
  test('T18 in folders of other names give the same packs, by whatever address they came', async () => {
    const repository = harborRepository()
    const [one, two] = [cloned(repository, 'one'), cloned(repository, 'two')]
    repository.run('-C', one, 'remote', 'set-url', 'origin', 'git@Example.com:fleet/harbor.git')
    const url = `https://user:${TOKEN}@example.com/fleet/harbor`
    repository.run('-C', two, 'remote', 'set-url', 'origin', url)
    const packs = [await packOf(one), await packOf(two)]
    expect(packs.map((it) => it.request.repoId)).toEqual(Array(2).fill('example.com/fleet/harbor'))
    expect(packs[1]?.packId).toBe(packs[0]?.packId)
    const text = (await dossier(['pack', 'dockShip'], { cwd: two })).stdout
    expect(text).toContain('\nexample.com/fleet/harbor · answer')
    expect(text + JSON.stringify(packs)).not.toContain(TOKEN)
    const found = await shell(`grep -rl ${TOKEN} .dossier`, { cwd: two })
    expect(found.stdout).toBe('')
  })

  test('T18 without a remote of a server are known by their first commit', async () => {
    const repository = harborRepository()
    const root = repository.run('rev-parse', 'HEAD')
    repository.commit('Build a pier', { 'src/pier.ts': 'export const pier = 1\n' })
    const [one, two] = [cloned(repository, 'one'), cloned(repository, 'two')]
    const packs = [await packOf(one), await packOf(two)]
    expect(packs.map((it) => it.request.repoId)).toEqual([root, root])
    expect(packs[1]?.packId).toBe(packs[0]?.packId)
    expect((await dossier(['pack', 'x'], { cwd: one })).stdout).toContain(`${root.slice(0, 12)} · `)
  })

  test('T18 neither remote nor name is in the signature of the index', async () => {
    const repository = harborRepository()
    const one = cloned(repository, 'one')
    const before = (await packOf(one)).indexSignature
    repository.run('-C', one, 'remote', 'set-url', 'origin', 'https://example.com/other/name')
    const after = await packOf(one)
    expect(after.indexSignature).toBe(before)
    expect(after.request.repoId).toBe('example.com/other/name')
  })

  test('T18 worktrees and submodules are part of their repository, folders of it have its name', async () => {
    const repository = harborRepository()
    const clone = cloned(repository, 'one')
    const git = (...args: readonly string[]): string => repository.run('-C', clone, ...args)
    git('remote', 'set-url', 'origin', 'https://example.com/fleet/harbor')
    git('worktree', 'add', '--quiet', '../tree')
    expect((await packOf(join(clone, '../tree'))).request.repoId).toBe('example.com/fleet/harbor')
    const below = ['pack', 'dockShip', 'src', '--json']
    const inFolder = json<ContextPack>(await dossier(below, { cwd: clone }))
    expect(inFolder.request.repoId).toBe('example.com/fleet/harbor#src')
    const source = `file://${repository.folder}`
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, 'quay')
    git('-C', 'quay', 'remote', 'set-url', 'origin', 'https://example.com/fleet/quay')
    const submodule = json<ContextPack>(
      await dossier(['pack', 'dockShip', 'quay', '--json'], { cwd: clone }),
    )
    expect(submodule.request.repoId).toBe('example.com/fleet/quay')
  })
})

describe('T18 folders', () => {
  test('T18 without git are known by their name', async () => {
    const folder = folderWith(HARBOR)
    expect((await packOf(folder)).request.repoId).toBe(basename(folder))
  })

  test.each([
    ['nothing in it', {}],
    ['a folder of another machine', { '.git': 'gitdir: //example.com/share\n' }],
    ['a folder that is not there', { '.git': 'gitdir: ../nowhere\n' }],
    ['no sense', { '.git': '\u0000\u0001' }],
    ['an address that is none', { '.git/config': '[remote "origin"]\nurl = ext::sh -c id\n' }],
  ])('T18 whose .git has %s are known by their name', async (_, files) => {
    const folder = folderWith({ ...HARBOR, ...files })
    if (Object.keys(files).length === 0) mkdirSync(join(folder, '.git'))
    expect((await packOf(folder)).request.repoId).toBe(basename(folder))
  })

  test.skipIf(!hasGit)('T18 of which only the newest commits were cloned as well', async () => {
    const repository = harborRepository()
    repository.commit('Build a pier', { 'src/pier.ts': 'export const pier = 1\n' })
    const shallow = cloned(repository, 'shallow', '--depth', '1')
    expect((await packOf(shallow)).request.repoId).toBe('shallow')
  })
})

describe.skipIf(!hasGit)('T18 what is run for it', () => {
  test('T18 nothing where there is a remote, git once where there is none', async () => {
    const repository = harborRepository()
    const { path, ran } = watchedGit(folderWith({}))
    const runs = (): number =>
      existsSync(ran) ? readFileSync(ran, 'utf8').trim().split('\n').length : 0
    const clone = cloned(repository, 'one')
    await packOf(clone, { PATH: path })
    await packOf(clone, { PATH: path })
    expect(runs()).toBe(1)
    rmSync(ran)
    repository.run('-C', clone, 'remote', 'set-url', 'origin', 'https://example.com/a/b')
    rmSync(join(clone, '.dossier'), { recursive: true })
    await packOf(clone, { PATH: path })
    expect(runs()).toBe(0)
  })

  test('T18 nothing where nothing was committed yet', async () => {
    const folder = folderWith(HARBOR)
    const { path, ran } = watchedGit(folderWith({}))
    execFileSync('git', ['init', '--quiet', folder])
    expect((await packOf(folder, { PATH: path })).request.repoId).toBe(basename(folder))
    expect(existsSync(ran)).toBe(false)
  })

  test('T18 no git of the repository itself', async () => {
    const repository = harborRepository()
    const clone = cloned(repository, 'one')
    const { path, ran } = watchedGit(clone)
    expect((await packOf(clone, { PATH: path })).request.repoId).not.toBe('')
    expect(existsSync(ran)).toBe(false)
  })
})
