/** Which files of a vault are read, and that their order and their faults change nothing: NV8, NV9. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Files, realFiles } from '../../src/platform/files.ts'
import { openVault } from '../../src/sources/notes/vault/vault.ts'
import { isVault } from '../../src/sources/notes/vault/vault-files.ts'
import { onDisk, project, temporaryFolder, writeFile } from '../support/project.ts'
import { type ReadVault, readVault, vault, vaultOf } from '../support/vault.ts'

test('NV8 what programs keep for themselves is not read, nor what is ignored', async () => {
  const read = await vault(`
//- .gitignore
private/
//- .dossierignore
*.draft.md
//- Kept.md
//- UPPER.MD
//- long.markdown
//- a.draft.md
//- private/Secret.md
//- sub/.gitignore
x.md
//- sub/x.md
//- sub/y.md
//- .obsidian/plugins/readme.md
//- .trash/Old.md
//- .git/notes.md
//- .hidden/h.md
//- node_modules/pkg/README.md
//- logseq/config.edn
//- logseq/bak/pages/Old.md
//- drawing.canvas
//- image.png
//- notes.txt
`)
  expect(read.records.map((it) => it.id)).toEqual(['sub/', 'Kept', 'UPPER', 'long', 'sub/y'])
  expect(read.account).toMatchObject({ seen: 4, diagnostics: [] })
})

test('NV8 a folder called logseq without settings is one like any other', async () => {
  const read = await vault('//- logseq/Guide.md\n')
  expect(read.records.map((it) => it.id)).toEqual(['logseq/', 'logseq/Guide'])
})

test('NV8 a file that cannot be read as text is told, and the rest is read', async () => {
  const folder = temporaryFolder()
  writeFile(folder, 'Good.md', 'Good [[Locked]].')
  writeFile(folder, 'Binary.md', new Uint8Array([65, 0, 66]))
  writeFile(folder, 'Broken.md', new Uint8Array([0x68, 0x69, 0xff, 0x21]))
  writeFile(folder, 'Wide.md', Buffer.from('\ufeffWide [[Good]]', 'utf16le'))
  writeFile(folder, 'Marked.md', '\ufeff---\ntitle: With a mark\n---\n')
  writeFile(folder, 'Locked.md', 'x')
  symlinkSync(join(folder, 'Good.md'), join(folder, 'Link.md'))
  symlinkSync(folder, join(folder, 'circle'))
  symlinkSync(folder, join(folder, 'picture.png'))
  const files: Files = {
    ...realFiles,
    read: (path) => {
      if (path.endsWith('Locked.md')) throw new Error('EACCES: permission denied')
      return realFiles.read(path)
    },
  }
  const read = await readVault(folder, files)
  expect(read.records.map((it) => it.id)).toEqual(['Broken', 'Good', 'Marked', 'Wide'])
  expect(read.note('Broken').content).toBe('hi\ufffd!')
  expect(read.note('Wide').references).toEqual(['Good'])
  expect(read.note('Marked').name).toBe('With a mark')
  expect(read.account.seen).toBe(6)
  expect(read.account.diagnostics.map((it) => [it.code, it.path])).toEqual([
    ['binary', 'Binary.md'],
    ['invalid-utf8', 'Broken.md'],
    ['link', 'Link.md'],
    ['unreadable', 'Locked.md'],
    ['link', 'circle'],
    ['unresolved', 'Good.md'],
  ])
})

test('NV8 a name that would break a line is left out and told', async () => {
  const read = await vaultOf([
    ['a\nb.md', 'x'],
    ['c.md', 'y'],
  ])
  expect(read.records.map((it) => it.id)).toEqual(['c'])
  expect(read.account.diagnostics).toMatchObject([{ code: 'unreadable', path: 'a\nb.md' }])
})

test('NV8 an empty vault and none at all have nothing in them, and none is told', async () => {
  const empty = await readVault(temporaryFolder())
  expect([empty.records, empty.account.seen, empty.account.diagnostics]).toEqual([[], 0, []])
  const none = await readVault(join(temporaryFolder(), 'none'))
  expect(none.account).toMatchObject({ seen: 0, diagnostics: [{ code: 'unreadable', path: '.' }] })
})

test('NV8 a folder is a vault if there is a Markdown file somewhere in it', () => {
  const folder = onDisk(
    '//- a/b/c.md\n//- d/e.txt\n//- f/.obsidian/x.md\n//- g/node_modules/y.md\n',
  )
  mkdirSync(join(folder, 'h'))
  const found = ['', 'a', 'd', 'f', 'g', 'h', 'none', 'a/b/c.md'].filter((it) =>
    isVault(realFiles, join(folder, it)),
  )
  expect(found).toEqual(['', 'a'])
})

const MIXED = `
//- b/Note.md
[[Note]] [[a]] #x/y
//- a/Note.md
# One
[[Missing]] [[Missing two]]
//- a.md
---
alias: same
---
//- c.md
---
alias: same
---
//- d.md
[[same]] [[note]]
//- pages/p___q.md
- x
//- pages/p.md
- y
//- logseq/config.edn
`

/** Entries of each folder the other way round. */
const BACKWARDS: Files = {
  ...realFiles,
  list: (folder) => realFiles.list(folder).toReversed(),
}

function timeless(read: ReadVault) {
  return [read.records.map((it) => ({ ...it, modified: 0 })), read.account]
}

test('NV9 the order in which the disk lists files changes nothing', async () => {
  const folder = onDisk(MIXED)
  const other = temporaryFolder()
  for (const [path, text] of [...project(MIXED)].toReversed()) writeFile(other, path, text)
  const first = timeless(await readVault(folder))
  expect(timeless(await readVault(folder, BACKWARDS))).toEqual(first)
  expect(timeless(await readVault(other))).toEqual(first)
})

test('NV9 the batches tell how much was read, and of how much', async () => {
  const pages = Array.from({ length: 450 }, (_, at) => [`p${at}.md`, `text ${at}`] as const)
  const folder = temporaryFolder()
  for (const [path, text] of pages) writeFile(folder, path, text)
  const source = openVault(realFiles, folder)
  const reads: number[] = []
  for await (const batch of source.batches()) if (batch.read > 0) reads.push(batch.read)
  expect(reads).toHaveLength(3)
  expect(reads.reduce((sum, it) => sum + it, 0)).toBe(source.size)
  expect(source.size).toBe(pages.reduce((sum, [, text]) => sum + text.length, 0))
})
