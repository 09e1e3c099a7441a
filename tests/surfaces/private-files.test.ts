/** What we write holds copies of private files: only its owner may read it. */
import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith, write } from './support/folder.ts'
import { HARBOR } from './support/harbor.ts'
import { VAULT } from './support/person.ts'
import { type Finished, shell } from './support/program.ts'

/** Commands that between them write every kind of file that we have. */
const COMMANDS = [
  'index --embed self',
  'pack dockShip',
  'context-pack -q dockShip --write',
  'index export --backend jsonl',
  'index export --backend lmdb',
  'index --force',
  'flow new "Dock a ship"',
  'evidence add src/harbor.ts::1,4 src/berths.ts',
  'evidence toggle off 110',
  'evidence undo',
  'assemble',
  'notes import vault -w keeper',
  'context Lighthouse --workspace keeper',
  'ctx build --segment docs',
] as const

const FILES = { ...HARBOR, ...VAULT, 'docs/guide.md': '# Guide\n\nHow to moor.\n' }

function modesBelow(folder: string): Readonly<Record<string, string>> {
  const below = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return Object.fromEntries(
    ['.', ...below].toSorted().map((path) => [path, modeOf(join(folder, path))]),
  )
}

function modeOf(path: string): string {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return 'a link'
  return `${stat.isDirectory() ? 'folder' : 'file'} ${(stat.mode & 0o777).toString(8)}`
}

function openToOthers(folder: string): readonly string[] {
  const closed = new Set(['folder 700', 'file 600', 'a link'])
  return Object.entries(modesBelow(folder))
    .filter(([, mode]) => !closed.has(mode))
    .map(([path, mode]) => `${path} ${mode}`)
}

function run(folder: string, umask: string, line: string): Promise<Finished> {
  const env = { DOSSIER_HOME: join(folder, 'home') }
  return shell(`umask ${umask}; dossier ${line}`, { cwd: folder, env })
}

describe('T4 files that only their owner can read', () => {
  test.each(['022', '000'])('T4 all that commands write under umask %s', async (umask) => {
    const folder = folderWith(FILES)
    for (const line of COMMANDS) {
      const { status, stderr } = await run(folder, umask, line)
      expect(status, `${line}: ${stderr}`).toBe(0)
    }
    for (const name of ['index.db', 'flows', 'artifacts', 'index.lmdb', 'context_packs.jsonl'])
      expect(readdirSync(join(folder, '.dossier'))).toContain(name)
    expect(readdirSync(join(folder, 'home', 'notes'))).toContain('keeper.db')
    expect(openToOthers(join(folder, '.dossier'))).toEqual([])
    expect(openToOthers(join(folder, 'home'))).toEqual([])
    // A docs pack lies beside its documents, to be committed with them.
    expect(modeOf(join(folder, 'docs', '_ctx', 'context_pack.json'))).not.toBe('file 600')
  })

  test('T4 what was open before is closed by the next command that writes', async () => {
    const folder = folderWith(FILES)
    for (const it of ['index', 'flow new Dock', 'evidence add src/harbor.ts'])
      await run(folder, '022', it)
    for (const line of [
      'index --force',
      'context-pack -q dockShip --write',
      'evidence add src/office.ts',
      'index export --backend jsonl',
    ]) {
      openAll(join(folder, '.dossier'))
      expect((await run(folder, '022', line)).status).toBe(0)
      expect(openToOthers(join(folder, '.dossier')), line).toEqual([])
    }
  })

  test('T4 notes and settings that were open before are closed', async () => {
    const folder = folderWith(FILES)
    const home = join(folder, 'home')
    await run(folder, '022', 'notes import vault -w keeper')
    openAll(home)
    expect((await run(folder, '022', 'notes sync keeper')).status).toBe(0)
    expect(openToOthers(home)).toEqual([])
  })

  test('T4 what is not ours keeps its mode', async () => {
    const folder = folderWith(FILES)
    const home = join(folder, 'home')
    write(folder, { 'home/theirs/notes.txt': 'x', 'outside/file.txt': 'x' })
    openAll(join(folder, 'outside'))
    openAll(home)
    mkdirSync(join(folder, '.dossier'))
    chmodSync(join(folder, '.dossier'), 0o755)
    symlinkSync('../outside', join(folder, '.dossier', 'link'))
    symlinkSync('../outside/file.txt', join(folder, '.dossier', 'file-link'))
    await run(folder, '022', 'index')
    await run(folder, '022', 'notes import vault -w keeper')
    expect(modesBelow(join(folder, 'outside'))).toEqual({
      '.': 'folder 755',
      'file.txt': 'file 644',
    })
    expect(modesBelow(join(home, 'theirs'))).toEqual({ '.': 'folder 755', 'notes.txt': 'file 644' })
  })

  test('T4 a link in the place of our folder closes nothing behind it', async () => {
    const folder = folderWith(FILES)
    write(folder, { 'outside/file.txt': 'x' })
    openAll(join(folder, 'outside'))
    symlinkSync('outside', join(folder, '.dossier'))
    await run(folder, '022', 'index')
    expect(modeOf(join(folder, 'outside', 'file.txt'))).toBe('file 644')
    expect(modeOf(join(folder, 'outside'))).toBe('folder 755')
  })

  test('T4 an export to a folder that is named has the modes of the umask', async () => {
    const folder = folderWith(FILES)
    await run(folder, '022', 'index')
    expect((await run(folder, '022', 'index export --backend jsonl --to out')).status).toBe(0)
    const modes = new Set(Object.values(modesBelow(join(folder, 'out'))))
    expect(modes).toEqual(new Set(['folder 755', 'file 644']))
  })

  test('T4 what a prompt remembers is closed with its folder', async () => {
    const folder = folderWith({ 'a.ts': 'export const a = 1\n' })
    const home = join(folder, 'home')
    mkdirSync(home)
    writeFileSync(join(home, 'shell-history'), 'old\n')
    openAll(home)
    const line = `script -qec "sh -c 'umask 022; dossier shell'" /dev/null <<'LINES'\necho hi\n/quit\nLINES`
    await shell(line, { cwd: folder, env: { DOSSIER_HOME: home } })
    expect(openToOthers(home)).toEqual([])
  })
})

function openAll(folder: string): void {
  for (const path of Object.keys(modesBelow(folder))) {
    const place = join(folder, path)
    const stat = lstatSync(place)
    if (!stat.isSymbolicLink()) chmodSync(place, stat.isDirectory() ? 0o755 : 0o644)
  }
}
