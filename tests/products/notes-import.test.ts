/** Sources that are none, imports that are stopped: a workspace stays as it was. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { importNotes } from '../../src/packs/notes/notes-import.ts'
import { syncNotes } from '../../src/packs/notes/notes-sync.ts'
import { findWorkspace } from '../../src/packs/notes/notes-workspaces.ts'
import { withCopy } from '../../src/packs/notes/open-copies.ts'
import type { World } from '../../src/platform/world.ts'
import { writeTanaWorkspace } from '../support/tana-workspace.ts'
import { quietWorld } from '../support/world.ts'

interface Person {
  readonly world: World
  readonly folder: string
  write(files: Readonly<Record<string, string | Uint8Array>>): void
}

function person(
  files: Readonly<Record<string, string>> = {},
  changes: Partial<World> = {},
): Person {
  const folder = mkdtempSync(join(tmpdir(), 'dossier-notes-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const write: Person['write'] = (more) => {
    for (const [path, text] of Object.entries(more)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }
  write(files)
  return { world: quietWorld(folder, changes), folder, write }
}

function importing(source: string, workspace?: string) {
  return { source, workspace, replace: true }
}

/** All that is known of a workspace. */
async function stateOf({ world }: Person, alias = 'main'): Promise<unknown> {
  const config = readFileSync(world.home.configFile, 'utf8')
  const workspace = findWorkspace(world, readConfig(world), alias)
  return withCopy(world, workspace, async (reader) => {
    const { importedAt: _, ...status } = await reader.status()
    return { config, status, notes: await reader.notes(['Mara']) }
  })
}

const MARA = { 'vault/Mara.md': '# Mara\n\nKeeper of the lamp. #person\n' }

describe('NC5 a source that is none', () => {
  test.each([
    ['nothing there', 'nowhere', 'POC_E_REQUEST_INVALID'],
    ['a page by itself', 'vault/Mara.md', 'POC_E_SOURCE_INVALID'],
    ['an export that is cut off', 'cut.json', 'POC_E_SOURCE_INVALID'],
    ['JSON of somebody else', 'other.json', 'POC_E_SOURCE_INVALID'],
    ['an empty file', 'empty.json', 'POC_E_SOURCE_INVALID'],
    ['a folder without notes', 'hollow', 'POC_E_SOURCE_INVALID'],
    ['an export without notes', 'none.json', 'POC_E_SOURCE_INVALID'],
    ['an export of places alone', 'places.json', 'POC_E_SOURCE_INVALID'],
    ['an address that is none', 'http://', 'POC_E_REQUEST_INVALID'],
    ['an address with a secret in it', 'http://me:hunter2@localhost', 'POC_E_REQUEST_INVALID'],
  ])('NC5 %s is refused with a hint, and nothing is changed', async (_, source, code) => {
    const it = person({
      ...MARA,
      'hollow/readme.txt': 'no Markdown',
      'other.json': '{"hello": "world"}',
      'empty.json': '',
      'none.json': '{"docs": []}',
      'places.json': JSON.stringify({
        docs: [{ id: 'w_HOME', props: { created: 1, name: 'Home', _docType: 'home' } }],
      }),
    })
    const whole = readFileSync(writeTanaWorkspace(it.folder))
    it.write({ 'cut.json': whole.subarray(0, Math.floor(whole.length / 2)) })
    await importNotes(it.world, importing('vault'))
    const before = await stateOf(it)
    for (const alias of ['main', 'fresh']) {
      await expect(importNotes(it.world, importing(source, alias)), alias).rejects.toMatchObject({
        code,
        hint: expect.stringMatching(/\S/),
        message: expect.not.stringContaining('hunter2'),
      })
    }
    expect(await stateOf(it)).toEqual(before)
    expect(existsSync(join(it.world.home.dataFolder, 'notes', 'fresh.db'))).toBe(false)
  })

  test('NC5 a page by itself is told from an export: its folder can be imported', async () => {
    const it = person(MARA)
    await expect(importNotes(it.world, importing('vault/Mara.md'))).rejects.toMatchObject({
      message: expect.stringContaining('is a single page'),
      hint: expect.stringContaining(join(it.folder, 'vault')),
    })
  })

  test.each(['../x', 'Main', '', 'a b', '.hidden', 'a'.repeat(65)])(
    'NC5 %j is no alias of a workspace',
    async (alias) => {
      const it = person(MARA)
      await expect(importNotes(it.world, importing('vault', alias))).rejects.toMatchObject({
        code: 'POC_E_REQUEST_INVALID',
      })
      expect(existsSync(it.world.home.dataFolder)).toBe(false)
    },
  )

  test('NC5 a vault that was emptied leaves the copy that there is', async () => {
    const it = person(MARA)
    await importNotes(it.world, importing('vault'))
    const before = await stateOf(it)
    rmSync(join(it.folder, 'vault', 'Mara.md'))
    await expect(syncNotes(it.world, {})).rejects.toMatchObject({ code: 'POC_E_SOURCE_INVALID' })
    expect(await stateOf(it)).toEqual(before)
  })
})

describe('NC5 an import that is stopped', () => {
  test.each(['main', 'fresh'])('NC5 leaves %s as it was', async (alias) => {
    const stopped = new AbortController()
    const it = person(MARA)
    await importNotes(it.world, importing('vault', 'main'))
    const before = await stateOf(it)
    for (let at = 0; at < 1000; at += 1) it.write({ [`vault/n${at}.md`]: `# Note ${at}\n` })
    let advances = 0
    const world = quietWorld(it.folder, {
      signal: stopped.signal,
      progress: {
        begin: () => undefined,
        advance: () => {
          advances += 1
          if (advances === 7) stopped.abort()
        },
        end: () => undefined,
      },
    })
    const doing = importNotes(world, importing('vault', alias))
    await expect(doing).rejects.toMatchObject({ code: 'POC_E_CANCELLED' })
    expect(advances).toBe(7)
    expect(await stateOf(it)).toEqual(before)
    const done = await importNotes(it.world, importing('vault', alias))
    expect(done.notes).toBe(1001)
  })
})

describe('NC6 a file that looks the same', () => {
  test('NC6 is not read again, until it or its copy is another', async () => {
    const it = person(MARA)
    const path = writeTanaWorkspace(it.folder)
    const later = quietWorld(it.folder, {
      clock: { now: () => Date.now() + 10_000, recorded: (time) => time },
    })
    const first = await importNotes(later, importing(path))
    const read: string[] = []
    const watched = {
      ...later,
      progress: { ...later.progress, begin: (label: string) => read.push(label) },
    }
    const [same] = (await syncNotes(watched, {})).workspaces
    expect(read).toEqual([])
    expect(same).toMatchObject({
      notes: first.notes,
      trashed: first.trashed,
      added: 0,
      changed: 0,
      removed: 0,
      unchanged: first.added,
    })
    // As long as it was, with other words in it.
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('New website', 'Old website'))
    const [changed] = (await syncNotes(watched, {})).workspaces
    expect(read).toHaveLength(1)
    expect(changed?.changed).toBeGreaterThan(0)
    await syncNotes(watched, {})
    expect(read).toHaveLength(1)
    rmSync(join(it.world.home.dataFolder, 'notes', 'main.db'))
    const [again] = (await syncNotes(watched, {})).workspaces
    expect(again?.added).toBe(first.added)
  })
})
