/** Notes in, and what becomes of them: import, sync, list, with every kind of source that is a file. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeTanaWorkspace } from '../support/tana-workspace.ts'
import { write } from './support/folder.ts'
import { type Person, person } from './support/person.ts'
import { type ErrorJson, json } from './support/program.ts'

interface ImportJson {
  readonly workspace: string
  readonly kind: string
  readonly source: string
  readonly notes: number
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
  readonly trashed: number
  readonly unresolved: number
  readonly diagnostics: readonly { readonly code: string }[]
}

interface ListJson {
  readonly workspaces: readonly {
    readonly alias: string
    readonly isDefault: boolean
    readonly kind: string
    readonly source: string
    readonly copy?: {
      readonly notes: number
      readonly tagged: number
      readonly links: number
      readonly ageSeconds: number
    }
    readonly trouble?: string
  }[]
}

async function errorOf(it: Person, ...args: readonly string[]): Promise<ErrorJson['error']> {
  const done = await it.run(...args, '--json')
  expect(done.status, done.stdout).not.toBe(0)
  return json<ErrorJson>(done).error
}

describe('NC4 import', () => {
  test('NC4 a vault becomes the workspace main, registered with where it lies', async () => {
    const it = person()
    const done = await it.run('notes', 'import', 'vault')
    expect(done).toMatchObject({ status: 0, stderr: '' })
    expect(done.stdout).toMatch(/^imported main: \d+ notes, all new, in \d/)
    expect(it.config()).toEqual({
      workspaces: { main: { source: join(it.folder, 'vault'), kind: 'vault' } },
    })
    expect(existsSync(join(it.folder, 'home', 'notes', 'main.db'))).toBe(true)
  })

  test('NC4 an export of Tana is told by what is in it, whatever it is called', async () => {
    const it = person({})
    const path = writeTanaWorkspace(it.folder)
    writeFileSync(join(it.folder, 'backup.dat'), readFileSync(path))
    const args = ['notes', 'import', 'backup.dat', '--workspace', 'company', '--json']
    const made = json<ImportJson>(await it.run(...args))
    expect(made).toMatchObject({ workspace: 'company', kind: 'tana-export' })
    expect(made.notes).toBeGreaterThan(50)
    expect(made.added).toBeGreaterThanOrEqual(made.notes)
    expect(made.trashed).toBeGreaterThan(0)
  })

  test('NC4 a file of the Intermediate Format is told by what is in it', async () => {
    const it = person({ 'notes.json': INTERMEDIATE })
    const made = json<ImportJson>(await it.run('notes', 'import', 'notes.json', '--json'))
    expect(made).toMatchObject({ kind: 'tana-intermediate', changed: 0 })
    expect(made.notes).toBeGreaterThan(0)
  })

  test('NC4 the same source again finds what has changed', async () => {
    const it = person()
    await it.run('notes', 'import', 'vault')
    write(it.folder, { 'vault/Recipes.md': '# Recipes\n\nBread takes two days.\n' })
    const again = json<ImportJson>(await it.run('notes', 'import', 'vault', '--json'))
    expect(again).toMatchObject({ added: 0, removed: 0 })
    expect(again.changed).toBeGreaterThan(0)
    expect(again.unchanged).toBeGreaterThan(0)
  })

  test('NC4 another source takes the place of a workspace only when told', async () => {
    const it = person({
      'vault/A.md': '# A\n\nNotes of the first.\n',
      'other/B.md': '# B\n\nNotes of the second.\n',
    })
    await it.run('notes', 'import', 'vault')
    const refused = await errorOf(it, 'notes', 'import', 'other')
    expect(refused).toMatchObject({ code: 'POC_E_REQUEST_INVALID' })
    expect(refused.message).toContain(join(it.folder, 'vault'))
    expect(refused.hint).toContain('--replace')
    expect((await it.run('context', 'first')).stdout).toContain('Notes of the first')
    const done = await it.run('notes', 'import', 'other', '--replace')
    expect(done.status, done.stderr).toBe(0)
    expect((await it.run('context', 'second')).stdout).toContain('Notes of the second')
    expect((await it.run('context', 'first')).status).toBe(1)
  })

  test('NC4 keys of the settings that are not ours stay', async () => {
    const it = person()
    it.configure({ mine: [1], workspaces: { old: { source: '/gone', kind: 'vault', why: 'x' } } })
    await it.run('notes', 'import', 'vault', '--workspace', 'main', '--quiet')
    expect(it.config()).toEqual({
      mine: [1],
      workspaces: {
        old: { source: '/gone', kind: 'vault', why: 'x' },
        main: { source: join(it.folder, 'vault'), kind: 'vault' },
      },
    })
  })

  test('NC5 an export that is cut off, and a file of another kind, are told for what they are', async () => {
    const it = person({ 'page.md': '# Mara\n' })
    const whole = readFileSync(writeTanaWorkspace(it.folder))
    writeFileSync(join(it.folder, 'cut.json'), whole.subarray(0, Math.floor(whole.length / 2)))
    for (const source of ['cut.json', 'page.md']) {
      const done = await it.run('notes', 'import', source)
      expect(done).toMatchObject({ status: 4, stdout: '' })
      expect(done.stderr).toContain(`POC_E_SOURCE_INVALID ${join(it.folder, source)}`)
    }
    expect(existsSync(it.configFile)).toBe(false)
  })
})

describe('NC6 sync and list', () => {
  test('NC6 nothing changed is said, and nothing else is done', async () => {
    const it = person()
    await it.run('notes', 'import', 'vault')
    const done = await it.run('notes', 'sync')
    expect(done).toMatchObject({ status: 0, stderr: '' })
    expect(done.stdout).toMatch(/^imported main: \d+ notes, nothing changed, in /)
  })

  test('NC6 what is new, changed and gone can be found, or no more', async () => {
    const it = person()
    await it.run('notes', 'import', 'vault')
    rmSync(join(it.folder, 'vault', 'Recipes.md'))
    write(it.folder, { 'vault/Foghorn.md': '# Foghorn\n\nBlows in [[Lighthouse]].\n' })
    const made = json<{ workspaces: readonly ImportJson[] }>(
      await it.run('notes', 'sync', '--json'),
    )
    expect(made.workspaces).toHaveLength(1)
    expect(made.workspaces[0]).toMatchObject({ workspace: 'main' })
    expect((await it.run('context', 'foghorn')).stdout).toContain('Blows in')
    expect((await it.run('context', 'bread')).status).toBe(1)
  })

  test('NC6 all workspaces, or one; a source that is gone keeps no other from it', async () => {
    const it = person({ 'a/A.md': '# Apple\n\nRed.\n', 'b/B.md': '# Berry\n\nBlue.\n' })
    await it.run('notes', 'import', 'a', '-w', 'a')
    await it.run('notes', 'import', 'b', '-w', 'b')
    write(it.folder, { 'b/B.md': '# Berry\n\nBlack.\n' })
    rmSync(join(it.folder, 'a'), { recursive: true })
    const all = await it.run('notes', 'sync')
    expect(all.status).toBe(1)
    expect(all.stdout).toContain('imported b')
    expect(all.stderr).toContain('a: ')
    expect((await it.run('context', 'berry', '-w', 'b')).stdout).toContain('Black')
    expect((await it.run('context', 'apple', '-w', 'a')).stdout).toContain('Red')
    const one = await errorOf(it, 'notes', 'sync', 'a')
    expect(one.message).toContain(join(it.folder, 'a'))
    const wrong = await errorOf(it, 'notes', 'sync', 'c')
    expect(wrong.code).toBe('POC_E_WORKSPACE_UNKNOWN')
  })

  test('NC6 the list has each with its source, its size and its age, the default marked', async () => {
    const it = person()
    await it.run('notes', 'import', 'vault', '-w', 'lamp')
    await it.run('notes', 'import', writeTanaWorkspace(it.folder), '-w', 'company')
    it.configure({ ...(it.config() as object), defaultWorkspace: 'lamp' })
    const { workspaces } = json<ListJson>(await it.run('notes', 'list', '--json'))
    expect(workspaces.map((one) => [one.alias, one.kind, one.isDefault])).toEqual([
      ['company', 'tana-export', false],
      ['lamp', 'vault', true],
    ])
    for (const { copy, source } of workspaces) {
      expect(source.startsWith(it.folder)).toBe(true)
      expect(copy?.notes).toBeGreaterThan(3)
      expect(copy?.tagged).toBeGreaterThan(2)
      expect(copy?.links).toBeGreaterThan(3)
      expect(copy?.ageSeconds).toBeLessThan(60)
    }
    const { stdout } = await it.run('notes', 'list')
    expect(stdout).toMatch(
      /^company {2}tana-export\n {2}\/.*\n {2}\d+ notes, \d+ tagged, \d+ links/,
    )
    expect(stdout).toContain('lamp (default)  vault\n')
  })

  test('NC6 a copy that is missing or broken is said, and can be had again', async () => {
    const it = person()
    await it.run('notes', 'import', 'vault')
    const notes = join(it.folder, 'home', 'notes')
    for (const name of readdirSync(notes)) rmSync(join(notes, name), { recursive: true })
    const { workspaces } = json<ListJson>(await it.run('notes', 'list', '--json'))
    expect(workspaces[0]?.copy).toBeUndefined()
    expect(workspaces[0]?.trouble).toContain('dossier notes sync')
    const gone = await errorOf(it, 'context', 'lamp')
    expect(gone.hint).toContain('dossier notes sync')
    expect((await it.run('notes', 'sync')).status).toBe(0)
    expect((await it.run('context', 'lamp')).status).toBe(0)
    writeFileSync(join(notes, 'main.db'), 'this is no database, whatever its name says')
    expect((await it.run('notes', 'list')).stdout).toContain('no copy')
    expect((await errorOf(it, 'context', 'lamp')).hint).toMatch(/\S/)
  })

  test('NC6 without any workspace, the list says how to get one', async () => {
    const it = person({})
    const done = await it.run('notes', 'list')
    expect(done).toMatchObject({ status: 0, stderr: '' })
    expect(done.stdout).toContain('dossier notes import')
    expect((await errorOf(it, 'notes', 'sync')).hint).toContain('dossier notes import')
  })
})

const INTERMEDIATE = JSON.stringify({
  version: 'TanaIntermediateFile V0.1',
  summary: {
    leafNodes: 1,
    topLevelNodes: 1,
    totalNodes: 2,
    calendarNodes: 0,
    fields: 0,
    brokenRefs: 0,
  },
  nodes: [
    {
      uid: 'top',
      name: 'Harbour',
      createdAt: 1_700_000_000_000,
      editedAt: 1_700_000_000_000,
      type: 'node',
      children: [
        {
          uid: 'leaf',
          name: 'A berth for the ferry',
          createdAt: 1_700_000_000_000,
          editedAt: 1_700_000_000_000,
          type: 'node',
        },
      ],
    },
  ],
})

test('NV8 a page with broken bytes is told, and not said to be left out', async () => {
  const it = person({ 'vault/Quay.md': '# Quay\n' })
  write(it.folder, { 'vault/Quay.md': Uint8Array.of(0x23, 0x20, 0x51, 0xe9, 0x0a) })
  const { stdout } = await it.run('notes', 'import', 'vault')
  expect(stdout).toContain('  no valid UTF-8: 1\n    Quay.md is not valid UTF-8')
  expect(stdout).not.toContain('left out')
})

test('NV6 front matter that is not understood is told, and its page is not said to be left out', async () => {
  const it = person({ 'vault/Odd.md': '---\ntitle: [unclosed\n---\nText after.\n' })
  const { stdout } = await it.run('notes', 'import', 'vault')
  expect(stdout).toContain(
    '  not understood: 1\n    Odd.md the value of `title` cannot be parsed\n',
  )
  expect(stdout).not.toContain('left out')
  expect((await it.run('context', 'Odd')).stdout).toContain('Text after.')
})
