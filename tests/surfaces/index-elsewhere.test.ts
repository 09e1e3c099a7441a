/** A repository that cannot be written to has its index elsewhere. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ask } from '../../src/index.ts'
import { EXIT_STATUS } from '../../src/surfaces/cli/exit-status.ts'
import { folderWith, write } from './support/folder.ts'
import { harborFolder, indexedHarbor } from './support/harbor.ts'
import { served, textOf } from './support/mcp.ts'
import { dossier, type Finished, json, type RunOptions } from './support/program.ts'
import { giveTo, unprivileged } from './support/unprivileged.ts'

const nobody = await unprivileged()

function expectFine(done: Finished): Finished {
  expect(done.stderr, done.stderr).not.toContain('POC_E_')
  expect(done.status).toBe(0)
  return done
}

describe('T23 --index-dir', () => {
  test('T23 every command that opens an index takes it, and the repository stays as it is', async () => {
    const folder = harborFolder()
    const before = readdirSync(folder)
    const elsewhere = join(folderWith({}), 'deep', 'index')
    const run = async (...args: readonly string[]): Promise<Finished> =>
      expectFine(await dossier([...args, '--index-dir', elsewhere], { cwd: folder }))
    await run('index')
    expect((await run('pack', 'dockShip')).stdout).toContain('src/harbor.ts')
    expect(json<{ index: string }>(await run('status', '--json')).index).toBe(
      join(elsewhere, 'index.db'),
    )
    const written = await run('context-pack', '-q', 'dockShip', '--write', '--json')
    const { packId } = json<{ packId: string }>(written)
    await run('context-pack', '--read', '--pack-id', packId)
    await run('index', 'export', '--backend', 'jsonl')
    await run('index', 'import', join(elsewhere, 'artifacts'))
    await run('pack', 'verify', packId)
    expect(readdirSync(folder)).toEqual(before)
    expect(readdirSync(elsewhere)).toEqual(expect.arrayContaining(['artifacts', 'index.db']))
    expect(readFileSync(join(elsewhere, 'repository'), 'utf8')).toBe(`${folder}\n`)
    expect(statSync(elsewhere).mode & 0o777).toBe(0o700)
    expect(statSync(join(elsewhere, 'index.db')).mode & 0o777).toBe(0o600)
  })

  test('T23 DOSSIER_INDEX_DIR says the same, and so does an input of the library', async () => {
    const folder = harborFolder()
    const elsewhere = join(folderWith({}), 'index')
    const env = { DOSSIER_INDEX_DIR: elsewhere }
    expectFine(await dossier(['index'], { cwd: folder, env }))
    expectFine(await dossier(['flow', 'new', 'Dock'], { cwd: folder, env }))
    expectFine(await dossier(['evidence', 'add', 'symbol:dockShip'], { cwd: folder, env }))
    expect(existsSync(join(folder, '.dossier', 'index.db'))).toBe(false)
    const status = await ask('status', { indexDir: elsewhere }, { workingFolder: folder })
    expect(status.index).toBe(join(elsewhere, 'index.db'))
  })

  test('T23 over MCP', async () => {
    const folder = harborFolder()
    const elsewhere = join(folderWith({}), 'index')
    const { client } = await served(folder, ['--repo', folder, '--index-dir', elsewhere])
    const call = { name: 'context_pack_create', arguments: { query: 'dockShip' } }
    expect(textOf(await client.callTool(call))).toContain('src/harbor.ts')
    expect(existsSync(join(elsewhere, 'index.db'))).toBe(true)
    expect(existsSync(join(folder, '.dossier'))).toBe(false)
    const { tools } = await client.listTools()
    expect(JSON.stringify(tools)).not.toContain('indexDir')
  })

  test('T23 a folder with files of others is refused, and left as it is', async () => {
    const folder = harborFolder()
    const others = folderWith({ 'letter.txt': 'Dear' })
    chmodSync(others, 0o755)
    const done = await dossier(['index', '--index-dir', others], { cwd: folder })
    expect(done.stderr).toMatch(/^POC_E_PACK_FOREIGN .*letter\.txt.*\n {2}.*--index-dir/)
    expect(done.status).toBe(EXIT_STATUS.POC_E_PACK_FOREIGN)
    expect(readdirSync(others)).toEqual(['letter.txt'])
    expect(statSync(others).mode & 0o777).toBe(0o755)
  })

  test('T23 the index of another repository is neither read nor replaced', async () => {
    const [one, two] = [harborFolder(), harborFolder()]
    const elsewhere = join(folderWith({}), 'index')
    expectFine(await dossier(['index', '--index-dir', elsewhere], { cwd: one }))
    for (const args of [['index'], ['index', '--force'], ['pack', 'x'], ['status']]) {
      const done = await dossier([...args, '--index-dir', elsewhere], { cwd: two })
      expect(done.stderr, args.join(' ')).toMatch(/^POC_E_PACK_FOREIGN /)
      expect(done.stderr).toContain(one)
    }
    expectFine(await dossier(['pack', 'dockShip', '--index-dir', elsewhere], { cwd: one }))
  })
})

describe.skipIf(nobody === undefined)('T23 a repository that cannot be written to', () => {
  test('T23 is indexed in the cache of the user, with a notice', async () => {
    const folder = readOnly()
    const { cache, ...options } = reader(folder)
    const first = expectFine(await dossier(['pack', 'dockShip'], options))
    expect(first.stdout).toContain('src/harbor.ts')
    const [name = ''] = readdirSync(join(cache, 'dossier'))
    const place = join(cache, 'dossier', name)
    expect(first.stderr).toContain(`${folder} cannot be written to; its index is in ${place}`)
    expect(name).toMatch(/^dossier-surface-\w+-[0-9a-f]{16}$/)
    expect(readFileSync(join(place, 'repository'), 'utf8')).toBe(`${folder}\n`)
    expect(statSync(place).mode & 0o777).toBe(0o700)
    expect(existsSync(join(folder, '.dossier'))).toBe(false)
    for (const args of [['status'], ['index'], ['context-pack', '-q', 'dockShip', '--write']])
      expectFine(await dossier(args, options))
    // From a folder below it, the same index.
    const below = await dossier(['status', '--json'], { ...options, cwd: join(folder, 'src') })
    expect(json<{ root: string }>(expectFine(below)).root).toBe(folder)
    expect(readdirSync(join(cache, 'dossier'))).toEqual([name])
    const quiet = await dossier(['pack', 'dockShip', '--quiet'], options)
    expect(quiet.stderr).toBe('')
  })

  test('T23 that has an index which can be read is answered from it', async () => {
    const folder = await indexedHarbor()
    giveTo(nobody ?? {}, folder)
    chmodSync(join(folder, '.dossier'), 0o500)
    const { cache, ...options } = reader(folder)
    const done = expectFine(await dossier(['pack', 'dockShip', '--no-index'], options))
    chmodSync(join(folder, '.dossier'), 0o700)
    expect(done.stderr).toBe('')
    expect(existsSync(cache)).toBe(false)
  })

  test('T23 whose index belongs to somebody else gets one for this user', async () => {
    const folder = await indexedHarbor()
    expect(statSync(join(folder, '.dossier')).mode & 0o777).toBe(0o700)
    const { cache, ...options } = reader(folder)
    const done = expectFine(await dossier(['pack', 'dockShip'], options))
    expect(done.stdout).toContain('src/harbor.ts')
    expect(readdirSync(join(cache, 'dossier'))).toHaveLength(1)
  })

  test('T23 and without a cache that can be written to either, the error says what to do', async () => {
    const folder = readOnly()
    const env = { HOME: '/nonexistent', XDG_CACHE_HOME: '' }
    const done = await dossier(['index'], { cwd: folder, env, ...nobody })
    expect(done.stderr).toMatch(/^POC_E_WRITE_FAILED .*\n {2}.*--index-dir/m)
  })

  test('T23 a cache folder that was made for another repository is not used', async () => {
    const folder = readOnly()
    const { cache, ...options } = reader(folder)
    expectFine(await dossier(['index'], options))
    const [name = ''] = readdirSync(join(cache, 'dossier'))
    const other = folderWith({ 'a.ts': 'export const a = 1\n' })
    write(join(cache, 'dossier', name), { repository: `${other}\n` })
    const done = await dossier(['pack', 'dockShip'], options)
    expect(done.stderr).toMatch(/^POC_E_PACK_FOREIGN /m)
  })
})

/** Root's, readable by everybody; the person has a home of their own. */
function reader(folder: string): RunOptions & { readonly cache: string } {
  const home = folderWith({})
  giveTo(nobody ?? {}, home)
  const cache = join(home, 'cache')
  return { cwd: folder, cache, env: { HOME: home, XDG_CACHE_HOME: cache }, ...nobody }
}

function readOnly(): string {
  const folder = harborFolder()
  chmodSync(folder, 0o555)
  return folder
}
