/** What of a vault is a note, what it is called, and that nothing is lost: NV1, NV2. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NoteRecord } from '../../src/model/note.ts'
import { withFolder } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { outline, type ReadVault, vault, vaultOf } from '../support/vault.ts'

test('NV1 folders, pages, headings and named blocks are notes, each below its owner', async () => {
  const read = await vault(`
//- Home.md
# Home

Lead.

## Plan
### Steps
- first ^step-one
  - nested
#### Detail
### Risks
## Log
Text.
//- work/Deep/Idea.md
No heading.
//- work/Note.md
`)
  expect(outline(read)).toBe(
    [
      'folder work/ "work"',
      '  folder work/Deep/ "Deep"',
      '    page work/Deep/Idea "Idea"',
      '  page work/Note "Note"',
      'page Home "Home"',
      '  heading Home#Plan "Plan"',
      '    heading Home#Steps "Steps"',
      '      block Home#^step-one "first"',
      '      heading Home#Detail "Detail"',
      '    heading Home#Risks "Risks"',
      '  heading Home#Log "Log"',
    ].join('\n'),
  )
  expect(read.note('Home').content).toBe('Lead.')
  expect(read.note('Home#Plan').content).toBe('')
  expect(read.note('Home#Steps').content).toBe('- first\n  - nested')
  expect(read.note('Home#^step-one').content).toBe('- nested')
  expect(read.note('Home#Log').content).toBe('Text.')
})

describe('NV1 a page is called', () => {
  test.each([
    ['by its front matter', '---\ntitle: "Given: name"\n---\n# Other\n', 'Given: name'],
    [
      'by a first heading of level 1',
      '\n\n# A *fine* [title](https://x.y)\n\ntext',
      'A fine title',
    ],
    ['by an underlined one', 'Under\n=====\n', 'Under'],
    ['by its file where the heading is not first', 'text\n\n# Later\n', 'Some page'],
    ['by its file where the heading is a lower one', '## Second\n', 'Some page'],
    ['by its file where the heading is code', '```\n# no\n```\n', 'Some page'],
    ['by its file where it has nothing', '', 'Some page'],
  ])('%s', async (_, text, name) => {
    expect((await vaultOf([['a/Some page.md', text]])).note('a/Some page').name).toBe(name)
  })
})

test('NV1 a title that front matter gives too is no heading below it, another one is', async () => {
  const read = await vault(`
//- Same.md
---
title: One title
---
# One Title!
text
//- Other.md
---
title: One title
---
# Another
text
`)
  expect(outline(read)).toBe(
    'page Other "One title"\n  heading Other#Another "Another"\npage Same "One title"',
  )
  expect(read.note('Same').content).toBe('text')
})

test('NV1 a page of a journal is a day, and knows its date', async () => {
  const read = await vault(`
//- daily/2025-12-13.md
Hello.
//- daily/2024_02_29.md
//- daily/2025-02-30.md
//- daily.journal.2025.12.14.md
//- daily/2025-12-13 extra.md
`)
  const day = read.note('daily/2025-12-13')
  expect(day).toMatchObject({ kind: 'day', name: '2025-12-13', created: Date.UTC(2025, 11, 13) })
  expect(read.note('daily/2024_02_29')).toMatchObject({ kind: 'day', name: '2024-02-29' })
  expect(read.note('daily.journal.2025.12.14').kind).toBe('day')
  expect(read.note('daily/2025-02-30').kind).toBe('page')
  expect(read.note('daily/2025-12-13 extra').kind).toBe('page')
})

test('NV1 ids are unique whatever files and headings are called', async () => {
  const read = await vaultOf([
    ['a.md', '## b\n## b\n## b~2\n## ^x\n\ntext ^x\n\nmore ^x\n'],
    ['a.markdown', 'twin'],
    ['a#b.md', 'a number sign in a name'],
    ['a/c.md', 'a folder beside the page of its name'],
  ])
  const ids = read.records.map((it) => it.id)
  expect(ids.toSorted()).toEqual(
    [
      'a.markdown',
      'a',
      'a#b',
      'a#b~2',
      'a#b~2~2',
      'a#^x',
      'a#^x~2',
      'a#^x~3',
      'a%23b',
      'a/',
      'a/c',
    ].toSorted(),
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test('NV1 a block is a paragraph, an item with what is below it, or what stands above its id', async () => {
  const read = await vault(`
//- p.md
A paragraph
over two lines. ^para

> quoted
> text
^quote

| a | b |
|---|---|

^table

- one
  - two ^inner

  more ^outer

\`\`\`js
const code = 1 // ^no
\`\`\`

^code
2 ^ 3 and x^2
`)
  const shown = (id: string) => [read.note(id).kind, read.note(id).name, read.note(id).content]
  expect(shown('p#^para')).toEqual(['block', 'A paragraph over two lines.', ''])
  expect(shown('p#^quote')).toEqual(['block', 'quoted', '> quoted\n> text'])
  expect(shown('p#^table')).toEqual(['block', '| a | b |', '| a | b |\n|---|---|'])
  expect(shown('p#^inner')).toEqual(['block', 'two', ''])
  expect(shown('p#^outer')).toEqual(['block', 'one', '- two\n\nmore'])
  expect(read.note('p#^inner').parent).toBe('p#^outer')
  expect(shown('p#^code')[0]).toBe('code')
  expect(read.records.map((it) => it.id).toSorted()).toEqual(
    ['p', 'p#^code', 'p#^inner', 'p#^outer', 'p#^para', 'p#^quote', 'p#^table'].toSorted(),
  )
})

/** Pages out of pieces that get in each other's way. */
const PIECES = [
  '# Top',
  '## Part',
  '### Part',
  'Under\n---',
  'plain words',
  'two\nlines 😀 [[Alpha]]',
  '[[Alpha|words]] and [[Nowhere]]',
  'see [[Alpha#Part]]',
  '- item [[beta]] ^id1',
  '\t- deep item #tag',
  '  more of it',
  '> quote ^id2',
  '```\n# code [[Alpha]]\n- x\n```',
  '~~~',
  '    indented code',
  'key:: value [[Alpha]]',
  '- listed:: [md](Alpha.md)',
  '^id3',
  '%% hidden [[Alpha]] %%',
  '<div>\n# html\n</div>',
  '((0a1b2c3d-0000-4000-8000-000000000001))',
  'id:: 0a1b2c3d-0000-4000-8000-000000000001',
  '---',
  '***bold*** **x** *y*',
  '-',
  '',
  '[a]: Alpha.md\n\n[ref][a]',
]
const PAGE = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 14 })
  .chain((pieces) => fc.constantFrom('\n', '\n\n', '\r\n').map((end) => pieces.join(end)))
const NAME = fc.constantFrom(
  'Alpha.md',
  'sub/Beta.md',
  'pages/a___b.md',
  'pages/a.md',
  'x/Alpha.md',
)
const GRAPH = ['logseq/config.edn', '{}'] as const
const VAULT = fc
  .tuple(fc.dictionary(NAME, PAGE, { maxKeys: 4 }), fc.boolean())
  .map(([pages, isGraph]) => [...Object.entries(pages), ...(isGraph ? [GRAPH] : [])])

/** Words, so that neither marks nor white space count. */
function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Everything that a page's notes say, by name, content and field. */
function said(read: ReadVault, page: string): ReadonlySet<string> {
  const own = read.records.filter((it) => it.id === page || it.id.startsWith(`${page}#`))
  const texts = own.flatMap((it: NoteRecord) => [
    it.name,
    it.content,
    it.id,
    ...it.tags,
    ...it.fields.flatMap((field) => [field.name, ...field.values.map((value) => value.text)]),
  ])
  return new Set(texts.flatMap(wordsIn))
}

test('NV1 children and parents agree, ids come once, and everything named is there', async () => {
  await fc.assert(
    fc.asyncProperty(VAULT, async (files) => {
      const { records } = await withFolder((folder) => vaultOf(files, folder))
      const byId = new Map(records.map((it) => [it.id, it]))
      expect(byId.size).toBe(records.length)
      for (const note of records) {
        expect(new Set(note.children).size).toBe(note.children.length)
        for (const child of note.children) expect(byId.get(child)?.parent).toBe(note.id)
        if (note.parent !== undefined) expect(byId.get(note.parent)?.children).toContain(note.id)
        expect(note.name).toBe(note.name.trim().replace(/\s+/g, ' '))
        const targets = note.fields.flatMap((it) =>
          it.values.flatMap((value) => value.target ?? []),
        )
        for (const id of [...note.references, ...targets]) expect(byId.has(id)).toBe(true)
        expect(note.references).not.toContain(note.id)
        expect(note.references.filter((it) => note.children.includes(it))).toEqual([])
      }
    }),
    runs(300),
  )
})

test('NV2 no word of a page is lost', async () => {
  const hidden = new Set(
    wordsIn('id id1 id2 id3 Nowhere Alpha 0a1b2c3d 0000 4000 8000 000000000001 md'),
  )
  await fc.assert(
    fc.asyncProperty(VAULT, async (files) => {
      const read = await withFolder((folder) => vaultOf(files, folder))
      for (const [path, text] of files) {
        if (!path.endsWith('.md')) continue
        const all = said(read, path.slice(0, -'.md'.length))
        expect(wordsIn(text).filter((it) => !all.has(it) && !hidden.has(it))).toEqual([])
      }
    }),
    runs(300),
  )
})

test('NV2 outside an outline the contents of a page hold every line but headings and fields', async () => {
  const lines = fc.array(
    fc.constantFrom('words', '- item', '> quote', '', '## Head', 'k:: v', '  x'),
  )
  await fc.assert(
    fc.asyncProperty(lines, async (given) => {
      const text = given.map((it, at) => (it.trim() === '' ? '' : `${it} ${at}`))
      const read = await withFolder((folder) => vaultOf([['p.md', text.join('\n')]], folder))
      const contents = read.records.flatMap((it) => it.content.split('\n')).map((it) => it.trim())
      const wanted = text.map((it) => it.trim()).filter((it) => it !== '' && !/^(?:#|k::)/.test(it))
      expect(contents.filter((it) => it !== '')).toEqual(wanted)
    }),
    runs(200),
  )
})
