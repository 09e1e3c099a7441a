/** Where the links of a vault lead, what is seen of them, and what is told of those that do not: NV3, NV4. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withFolder } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { vault, vaultOf } from '../support/vault.ts'

const AROUND = `
//- Target.md
---
aliases: [The Goal, Zweck]
---
# A title of its own
## Part One
### Sub
Text. ^here
## Other
### Sub
//- deep/er/Nested page.md
## Häuser & Gärten
//- file.pdf
//- board.canvas
`

async function linked(text: string) {
  const read = await vault(`${AROUND}\n//- from/Page.md\n${text}`)
  const page = read.note('from/Page')
  return { content: page.content, references: page.references, account: read.account }
}

describe('NV3 a link leads to', () => {
  test.each([
    ['a page', '[[Target]]', 'Target', 'Target'],
    ['a page, by another case', '[[tARGET]]', 'tARGET', 'Target'],
    ['a page, with its extension', '[[Target.md]]', 'Target', 'Target'],
    ['a page, by words of its own', 'to [[Target|the *goal*]]!', 'to the *goal*!', 'Target'],
    ['a page, with the bar of a table', '| [[Target\\|goal]] |', '| goal |', 'Target'],
    ['a page, by its alias', '[[zweck]]', 'zweck', 'Target'],
    ['a heading', '[[Target#Part One]]', 'Target > Part One', 'Target#Part One'],
    ['a heading, by its slug', '[x](../Target.md#part-one)', 'x', 'Target#Part One'],
    ['a heading under another', '[[Target#Other#Sub]]', 'Target > Other > Sub', 'Target#Sub~2'],
    ['the first of two headings', '[[Target#Sub|s]]', 's', 'Target#Sub'],
    ['the page where there is no such heading', '[[Target#Nope|t]]', 't', 'Target'],
    ['a block', '[[Target#^here]]', 'Target', 'Target#^here'],
    ['the page where there is no such block', '[[Target#^gone]]', 'Target', 'Target'],
    ['what it embeds', '![[Target]]', 'Target', 'Target'],
    ['a page by its path', '[[deep/er/Nested page]]', 'Nested page', 'deep/er/Nested page'],
    ['a page by the end of its path', '[[er/nested page]]', 'nested page', 'deep/er/Nested page'],
    ['a page from the top', '[[/Target|t]]', 't', 'Target'],
    ['a page by the way to it', '[[../Target|t]]', 't', 'Target'],
    ['a page by an address', '[a *b*](../Target.md)', 'a *b*', 'Target'],
    ['a page by an encoded one', '[a](../deep/er/Nested%20page.md)', 'a', 'deep/er/Nested page'],
    ['a page by one in brackets', '[a](<../deep/er/Nested page.md>)', 'a', 'deep/er/Nested page'],
    ['a page by one without extension', '[a](../Target)', 'a', 'Target'],
    ['a page by its name alone', '[a](Target.md)', 'a', 'Target'],
    ['a page by a reference', '[a][r]\n\n[r]: ../Target.md', 'a\n\n[r]: ../Target.md', 'Target'],
    [
      'a heading of another alphabet',
      '[a](../deep/er/Nested%20page.md#h%C3%A4user--g%C3%A4rten)',
      'a',
      'deep/er/Nested page#Häuser & Gärten',
    ],
  ])('%s', async (...[, text, content, id]) => {
    const found = await linked(text)
    expect(found.content).toBe(content)
    expect(found.references).toEqual([id])
    expect(found.account).toMatchObject({ inlineReferences: 1, unresolved: 0, diagnostics: [] })
  })
})

describe('NV3 no link is', () => {
  test.each([
    ['a code span', '`[[Target]]` and ``[[Target]] ` ``'],
    ['a fence', '~~~md\n[[Target]]\n[a](../Target.md)\n~~~'],
    ['indented code', 'a\n\n    [[Target]]'],
    ['a comment', '%% [[Target]] %% and %%\n\n[a](../Target.md)\n\n%%'],
    ['a comment of HTML', '<!-- [[Target]] -->'],
    ['an attribute', '<a href="[[Target]]">x</a>'],
    ['escaped', '\\[[Target]]'],
    ['an address elsewhere', '[a](https://x.y/Target.md) <https://Target.md> [b](mailto:a@b.c)'],
    ['a file that is no note', '![[file.pdf]] [[board.canvas]] [a](../file.pdf) ![](p.png)'],
    ['an index of an index', 'a[[1, 2], [3, 4]]'],
  ])('%s', async (_, text) => {
    const found = await linked(text)
    expect(found.references).toEqual([])
    expect(found.account).toMatchObject({ inlineReferences: 0, unresolved: 0 })
  })
})

test('NV3 a file that is no note is called by its name, and a size is no name', async () => {
  expect((await linked('![[file.pdf|300x200]] [[board.canvas|the board]]')).content).toBe(
    'file.pdf the board',
  )
})

test('NV3 a link within a page leads to its heading, from the note that it stands in', async () => {
  const read = await vault(`
//- p.md
Up here. [[#Second]]
## First [[#Second|link]]
- [[#^b]] and [[p]] and [[#First link]]
## Second
### Third
[up](#first-link)

Block. ^b
`)
  expect(read.note('p').references).toEqual([])
  expect(read.note('p#First link').references).toEqual(['p#Second', 'p#^b', 'p'])
  expect(read.note('p#First link').content).toBe('- b and p and First link')
  expect(read.note('p#Third').references).toEqual(['p#First link'])
})

test('NV3 of pages with the same name the nearest is meant', async () => {
  const read = await vault(`
//- a/Note.md
//- a/b/Note.md
//- c/d/Note.md
//- a/b/x.md
[[Note]]
//- a/y.md
[[note]]
//- c/d/e/z.md
[[NOTE]]
//- q.md
[[Note]] [[d/Note]]
//- r/Note.md
//- Exact.md
//- r/Exact.md
//- r/s.md
[[Exact]]
`)
  expect(read.note('a/b/x').references).toEqual(['a/b/Note'])
  expect(read.note('a/y').references).toEqual(['a/Note'])
  expect(read.note('c/d/e/z').references).toEqual(['c/d/Note'])
  expect(read.note('q').references).toEqual(['a/Note', 'c/d/Note'])
  // What is written is the whole path of a page.
  expect(read.note('r/s').references).toEqual(['Exact'])
})

test('NV3 letters with accents are the same however they are composed', async () => {
  const read = await vaultOf([
    ['Cafe\u0301.md', 'x'],
    ['p.md', '[[Caf\u00e9]]'],
  ])
  expect(read.note('p').references).toEqual(['Cafe\u0301'])
})

test('NV3 a number sign may be part of a name', async () => {
  const read = await vaultOf([
    ['C#.md', 'x'],
    ['C.md', '## Sharp'],
    ['p.md', '[[C#]] [[C#Sharp]]'],
  ])
  expect(read.note('p').references).toEqual(['C%23', 'C#Sharp'])
})

test('NV3 where Dendron keeps the notes, the page stands last', async () => {
  const read = await vault(`
//- dendron.yml
version: 5
//- area.work.md
//- p.md
[[My work|area.work]] and [[area.work]] and [[My work|area.work#part]]
`)
  expect(read.note('p')).toMatchObject({
    content: 'My work and area.work and My work',
    references: ['area.work'],
  })
})

test('NV4 what leads nowhere is counted and told with the nearest name', async () => {
  const { account, content, references } = await linked(
    '[[Targett]] [[Targett]] [[xyzzy]] [a](../Missing.md) ![[gone.png]]',
  )
  expect(references).toEqual([])
  expect(content).toBe('Targett Targett xyzzy [a](../Missing.md) gone.png')
  expect(account.unresolved).toBe(5)
  expect(account.diagnostics).toEqual(
    [
      'the link to `Targett` has no matching note; the nearest is `Target`',
      'the link to `xyzzy` has no matching note',
      'the link to `../Missing.md` has no matching note',
      'the link to `gone.png` has no matching note',
    ].map((message) => ({ code: 'unresolved', path: 'from/Page.md', message })),
  )
})

test('NV4 at most twenty are told, and all are counted', async () => {
  const links = Array.from({ length: 50 }, (_, at) => `[[missing ${at}]]`)
  const { account } = await linked(links.join('\n'))
  expect(account.unresolved).toBe(50)
  expect(account.diagnostics).toHaveLength(20)
})

function shown({ to, form }: { readonly to: string; readonly form: string }): string {
  if (form === 'alias') return `[[${to}|words]]`
  if (form === 'embed') return `![[${to}]]`
  if (form === 'field') return `\nkey:: [[${to}]]\n`
  return form === 'markdown' ? `[words](${to.replace(/^([^#]+)/, '$1.md')})` : `[[${to}]]`
}

test('NV4 every link is resolved or counted', async () => {
  const target = fc.constantFrom(
    'A',
    'b/B',
    'B',
    'Nope',
    'A#Part',
    'A#^x',
    '#Part',
    'b/Nope',
    'alias',
  )
  const link = fc
    .tuple(target, fc.constantFrom('wiki', 'alias', 'embed', 'markdown', 'field'))
    // A file's name is not called by another name of the page.
    .map(([to, form]) => ({ to: to === 'alias' && form === 'markdown' ? 'A' : to, form }))
  await fc.assert(
    fc.asyncProperty(fc.array(link, { maxLength: 12 }), async (links) => {
      const files = [
        ['A.md', '---\nalias: alias\n---\n## Part\ntext ^x'],
        ['b/B.md', links.map(shown).join(' and ')],
      ] as const
      const { account, records } = await withFolder((folder) => vaultOf(files, folder))
      const targets = records.flatMap((it) => it.fields.flatMap((field) => field.values))
      const inFields = targets.filter((it) => it.target !== undefined).length
      const missing = links.filter((it) => /Nope/.test(it.to)).length
      expect(account.unresolved).toBe(missing)
      expect(account.inlineReferences + inFields + account.unresolved).toBe(links.length)
    }),
    runs(200),
  )
})
