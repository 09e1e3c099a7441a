/** What is answered is what is on disk at that moment, on every surface, or the answer says that it is older. */
import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { editAndAsk, writePlaces } from '../../bench/freshness/pairs.ts'
import { writeTanaWorkspace } from '../support/tana-workspace.ts'
import { folderWith, GUIDE, write } from './support/folder.ts'
import { editBerths, harborFolder, indexedHarbor } from './support/harbor.ts'
import { codeOf, served, servedAs, textOf } from './support/mcp.ts'
import { person } from './support/person.ts'
import { dossier, type HitsJson, json } from './support/program.ts'
import { giveTo, unprivileged } from './support/unprivileged.ts'

const nobody = await unprivileged()

describe('T1 over MCP', () => {
  test('T1 no answer is stale right after an edit of code, documents or notes', async () => {
    const top = folderWith({})
    const env = { DOSSIER_HOME: join(top, 'home') }
    writePlaces(top)
    const segment = ['--repo-root', 'repo', '--segment', 'docs']
    await dossier(['ctx', 'build', ...segment], { cwd: top, env })
    await dossier(['notes', 'import', 'vault'], { cwd: top, env })
    const { client } = await served(top, ['--repo', 'repo', ...segment, '--notes'], env)
    const pairs = await editAndAsk({ client, top, pairs: 30, seed: 7 })
    expect(pairs.filter((it) => it.stale !== undefined)).toEqual([])
    expect(new Set(pairs.map((it) => it.place)).size).toBe(3)
    expect(new Set(pairs.map((it) => it.edit)).size).toBe(6)
  })

  test('T1 a pack by its id is refused as stale once a file has changed', async () => {
    const folder = harborFolder()
    const { client } = await served(folder, ['--repo', '.'])
    const made = await client.callTool({
      name: 'context_pack_create',
      arguments: { query: 'berthFor' },
    })
    const [packId = ''] = /[0-9a-f]{64}/.exec(textOf(made)) ?? []
    const get = (args: object) =>
      client.callTool({ name: 'context_pack_get', arguments: { packId, ...args } })
    expect(textOf(await get({}))).toContain('berthFor')
    editBerths(folder)
    const stale = await get({})
    expect(codeOf(stale), textOf(stale)).toBe('POC_E_PACK_STALE')
    expect(textOf(stale)).toContain('src/berths.ts')
    expect(textOf(await get({ stale: true }))).toContain('files have changed since')
  })

  test.skipIf(nobody === undefined)(
    'T1 what cannot be brought up to date names the files that it is older than',
    async () => {
      const folder = await indexedHarbor()
      write(folder, { 'docs/guide.md': GUIDE })
      await dossier(['ctx', 'build', '-s', 'docs'], { cwd: folder })
      await dossier(['index', '--quiet'], { cwd: folder })
      const identity = nobody ?? {}
      giveTo(identity, folder)
      chmodSync(join(folder, '.dossier'), 0o555)
      chmodSync(join(folder, 'docs', '_ctx'), 0o555)
      const flags = ['--repo', '.', '-s', 'docs']
      const { client } = await servedAs({ cwd: folder, flags, identity })
      editBerths(folder)
      write(folder, { 'docs/guide.md': `${GUIDE}\n## Walrus\n\nTusks.\n` })
      const pack = await client.callTool({
        name: 'context_pack_create',
        arguments: { query: 'berthFor' },
      })
      expect(pack.isError ?? false, textOf(pack)).toBe(false)
      expect(textOf(pack)).toMatch(/stale.*docs\/guide\.md, src\/berths\.ts/)
      expect(JSON.stringify(pack)).toContain('"isStale":true')
      const found = await client.callTool({
        name: 'search_context',
        arguments: { query: 'title path' },
      })
      expect(found.isError ?? false, textOf(found)).toBe(false)
      expect(textOf(found)).toContain('older than 1 document: docs/guide.md')
    },
  )
})

describe('T1 packs on the command line', () => {
  test('T1 context-pack brings the index up to date, and makes none', async () => {
    const folder = await indexedHarbor()
    editBerths(folder)
    const fresh = await dossier(['context-pack', '-q', 'berthFor'], { cwd: folder })
    expect(fresh.stdout).toContain("'pier'")
    expect(fresh.stderr).not.toContain('stale')
    const none = await dossier(['context-pack', '-q', 'berthFor'], { cwd: harborFolder() })
    expect(none.stderr).toContain('POC_E_INDEX_MISSING')
  })

  test.each([
    ['pack', ['pack', 'berthFor', '--no-index']],
    ['context-pack', ['context-pack', '-q', 'berthFor', '--no-index']],
  ])('T1 %s of an index as it is says that it is stale', async (_, args) => {
    const folder = await indexedHarbor()
    expect((await dossier(args, { cwd: folder })).stderr).not.toContain('stale')
    editBerths(folder)
    const old = await dossier(args, { cwd: folder })
    expect(old.stdout).toContain('return undefined')
    expect(old.stderr).toContain('stale')
    expect(old.stderr).toContain('src/berths.ts')
  })

  test('T1 a kept pack is stale once a file has changed, indexed or not', async () => {
    const folder = await indexedHarbor()
    const kept = await dossier(['context-pack', '-q', 'berthFor', '--write'], { cwd: folder })
    const read = ['context-pack', '--read', '--pack-id', kept.stdout.trim()]
    expect((await dossier(read, { cwd: folder })).status).toBe(0)
    editBerths(folder)
    const stale = await dossier(read, { cwd: folder })
    expect(stale.stderr).toContain('POC_E_PACK_STALE')
    expect(stale.stderr).toContain('src/berths.ts')
    const anyway = await dossier([...read, '--stale'], { cwd: folder })
    expect(anyway.stdout).toContain('return undefined')
    expect(anyway.stderr).toContain('files have changed since')
  })
})

test('T1 status names the files that the index is older than', async () => {
  const folder = await indexedHarbor()
  expect((await dossier(['status'], { cwd: folder })).stdout).not.toContain('changed')
  editBerths(folder)
  const { stdout } = await dossier(['status'], { cwd: folder })
  expect(stdout).toContain('changed     1 file since: src/berths.ts')
})

describe('T1 docs packs on the command line', () => {
  test('T1 every command names the documents that changed, and the command that helps', async () => {
    const folder = folderWith({ 'docs/guide.md': GUIDE, 'docs/rules.md': '# Rules\n\nAsk.\n' })
    const segment = ['--segment', 'docs']
    await dossier(['ctx', 'build', ...segment], { cwd: folder })
    const hits = json<HitsJson>(
      await dossier(['ctx', 'search', ...segment, '-q', 'title', '--json'], { cwd: folder }),
    )
    const commands = [
      ['search', '-q', 'title'],
      ['get', '--ids', hits.hits[0]?.id ?? ''],
      ['prompt'],
      ['stats'],
    ]
    const said = async (args: readonly string[]): Promise<string> =>
      (await dossier(['ctx', ...args, ...segment], { cwd: folder })).stderr
    for (const args of commands) expect(await said(args), args[0]).toBe('')
    write(folder, { 'docs/guide.md': `${GUIDE}\nMore.\n`, 'docs/new.md': '# New\n\nText.\n' })
    rmSync(join(folder, 'docs/rules.md'))
    for (const args of commands) {
      const stderr = await said(args)
      expect(stderr, args[0]).toContain(
        'older than 3 documents: docs/guide.md, docs/new.md, docs/rules.md',
      )
      expect(stderr, args[0]).toContain('`dossier ctx sync --segment docs`')
    }
    await dossier(['ctx', 'sync', ...segment], { cwd: folder })
    expect(await said(['search', '-q', 'title'])).toBe('')
  })

  test('T1 a pack without its database is judged by the content of its documents', async () => {
    const folder = folderWith({ 'guide.md': GUIDE, 'bad.md': Buffer.from([0, 1, 2, 0xff]) })
    await dossier(['ctx', 'build'], { cwd: folder })
    rmSync(join(folder, '_ctx', 'context.db'))
    const search = ['ctx', 'search', '-q', 'title']
    expect((await dossier(search, { cwd: folder })).stderr).not.toContain('older')
    writeFileSync(join(folder, 'guide.md'), GUIDE.replace('hard', 'firm'))
    expect((await dossier(search, { cwd: folder })).stderr).toContain(
      'older than 1 document: guide',
    )
  })
})

describe('T1 notes on the command line', () => {
  test('T1 a vault that changed is read before the answer', async () => {
    const mara = person()
    await mara.run('notes', 'import', 'vault')
    write(mara.folder, { 'vault/Foghorn.md': '# Foghorn\n\nBlows at night.\n' })
    expect((await mara.run('context', 'foghorn')).stdout).toContain('Blows at night')
    write(mara.folder, { 'vault/Foghorn.md': '# Foghorn\n\nBlows at dawn!.\n' })
    expect((await mara.run('context', 'foghorn')).stdout).toContain('Blows at dawn')
  })

  test('T1 so is an export; where it has gone, the copy says so', async () => {
    const mara = person()
    const source = writeTanaWorkspace(mara.folder)
    copyFileSync(source, join(mara.folder, 'export.json'))
    await mara.run('notes', 'import', 'export.json')
    const ask = async (): Promise<string> =>
      (await mara.run('context', 'Atlas search engine')).stdout
    expect(await ask()).toContain('Atlas search engine')
    const text = readFileSync(source, 'utf8').replaceAll(
      'Atlas search engine',
      'Atlas search motors',
    )
    writeFileSync(join(mara.folder, 'export.json'), text)
    expect(await ask()).toContain('Atlas search motors')
    rmSync(join(mara.folder, 'export.json'))
    const gone = await ask()
    expect(gone).toContain('Atlas search motors')
    expect(gone).toMatch(
      /This answer is from the copy of \d{4}-\d\d-\d\d: the source of main is missing/,
    )
  })
})
