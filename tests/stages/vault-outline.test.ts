/** Pages of an outline program: bullets as notes, properties, block references, namespaces: NV7. */
import { expect, test } from 'vitest'
import { outline, vault, vaultOf } from '../support/vault.ts'

const ONE = '64b0c8a1-1111-4222-8333-444455556666'
const TWO = '64b0c8a1-1111-4222-8333-444455557777'

test('NV7 bullets are notes, nested as they are set in', async () => {
  const read = await vault(`
//- logseq/config.edn
//- pages/Plan.md
title:: The plan
tags:: project, two words

- First
	- below
	  and on
		- deeper
	- again
- TODO Second
  collapsed:: true
  due:: [[Dec 13th, 2025]]
  id:: ${ONE}
	- > quoted
	- ## A heading
- \`\`\`js
  - no bullet
  \`\`\`
-
//- journals/2025_12_13.md
- today
`)
  expect(outline(read)).toBe(
    [
      'folder journals/ "journals"',
      '  day journals/2025_12_13 "2025-12-13"',
      '    note journals/2025_12_13#1 "today"',
      'folder pages/ "pages"',
      '  page pages/Plan "The plan"',
      '    note pages/Plan#1 "First"',
      '      note pages/Plan#1.1 "below and on"',
      '        note pages/Plan#1.1.1 "deeper"',
      '      note pages/Plan#1.2 "again"',
      `    block pages/Plan#^${ONE} "TODO Second"`,
      '      note pages/Plan#2.1 "> quoted"',
      '      note pages/Plan#2.2 "A heading"',
      '    code pages/Plan#3 "- no bullet"',
    ].join('\n'),
  )
  expect(read.note('pages/Plan')).toMatchObject({ content: '', fields: [] })
  expect(read.note('pages/Plan').tags).toEqual(['project', 'two words'])
  expect(read.note(`pages/Plan#^${ONE}`).fields).toEqual([
    { name: 'due', values: [{ text: 'Dec 13th, 2025', target: 'journals/2025_12_13' }] },
  ])
  expect(read.note('pages/Plan#3').content).toBe('```js\n- no bullet\n```')
})

test('NV7 properties in the first bullet, with nothing else in it, are those of the page', async () => {
  const read = await vault(`
//- logseq/config.edn
//- pages/p.md
- alias:: other name, third
  type:: [[Kind]]
- text [[other name]]
//- pages/Kind.md
//- pages/q.md
- [[Third]]
`)
  expect(read.note('pages/p').fields).toEqual([
    { name: 'alias', values: [{ text: 'other name, third' }] },
    { name: 'type', values: [{ text: 'Kind', target: 'pages/Kind' }] },
  ])
  expect(read.note('pages/p').children).toEqual(['pages/p#2'])
  expect(read.note('pages/p#2').references).toEqual(['pages/p'])
  expect(read.note('pages/q#1').references).toEqual(['pages/p'])
})

test('NV7 a reference to a block shows its words and leads to it', async () => {
  const read = await vault(`
//- logseq/config.edn
//- pages/a.md
- Some **words** about [[b]] and ((${TWO}))
  id:: ${ONE}
- other
  id:: ${TWO}
//- pages/b.md
- see ((${ONE})) and {{embed ((${TWO}))}} and [this](((${TWO})))
- gone ((64b0c8a1-0000-4000-8000-000000000000))
- [words here]([[a]]) and {{embed [[a]]}}
`)
  expect(read.note('pages/b#1')).toMatchObject({
    name: 'see Some **words** about b and … and other and this',
    references: [`pages/a#^${ONE}`, `pages/a#^${TWO}`],
  })
  expect(read.note(`pages/a#^${ONE}`)).toMatchObject({
    name: 'Some words about b and other',
    references: ['pages/b', `pages/a#^${TWO}`],
  })
  expect(read.note('pages/b#3')).toMatchObject({
    name: 'words here and a',
    references: ['pages/a'],
  })
  expect(read.account.unresolved).toBe(1)
})

test('NV7 names with slashes are namespaces, by whatever the file is called', async () => {
  const read = await vault(`
//- logseq/config.edn
//- pages/work.md
- x
//- pages/work___plan.md
- [[work]]
//- pages/work%2Fplan%2Fnext.md
- [[Work/Plan]] and #work
//- pages/home___garden.md
- [[nowhere/at all]]
`)
  expect(outline(read)).toBe(
    [
      'folder pages/ "pages"',
      '  page pages/home___garden "home/garden"',
      '    note pages/home___garden#1 "nowhere/at all"',
      '  page pages/work "work"',
      '    note pages/work#1 "x"',
      '    page pages/work___plan "work/plan"',
      '      note pages/work___plan#1 "work"',
      '      page pages/work%2Fplan%2Fnext "work/plan/next"',
      '        note pages/work%2Fplan%2Fnext#1 "Work/Plan and #work"',
    ].join('\n'),
  )
  expect(read.note('pages/work%2Fplan%2Fnext#1').references).toEqual([
    'pages/work___plan',
    'pages/work',
  ])
})

test('NV7 a tag is a page, where there is one, and no missing link, where there is none', async () => {
  const read = await vault(`
//- logseq/config.edn
//- pages/idea.md
//- pages/two words.md
//- pages/p.md
- #idea #other #[[two words]] #[[three words here]]
`)
  const note = read.note('pages/p#1')
  expect(note.tags).toEqual(['idea', 'other', 'two words', 'three words here'])
  expect(note.references).toEqual(['pages/two words', 'pages/idea'])
  expect(note.name).toBe('#idea #other #two words #three words here')
  expect(read.account.unresolved).toBe(0)
})

test('NV7 what stands between the bullets is the text of the page or the heading', async () => {
  const read = await vault(`
//- logseq/config.edn
//- pages/p.md
Lead.

- one

After.

## Part
- two

  still two
lazy

Outside.
`)
  expect(outline(read)).toContain('heading pages/p#Part "Part"\n      note pages/p#2 "two"')
  expect(read.note('pages/p').content).toBe('Lead.\n\nAfter.')
  expect(read.note('pages/p#1').content).toBe('')
  expect(read.note('pages/p#2').content).toBe('still two\nlazy')
  expect(read.note('pages/p#Part').content).toBe('Outside.')
})

test('NV7 the same bullets in a page of any other program are its text', async () => {
  const text = '- one\n  - two'
  const plain = await vaultOf([['pages/p.md', text]])
  expect(plain.note('pages/p')).toMatchObject({ content: text, children: [] })
  const beside = await vaultOf([
    ['logseq/config.edn', ''],
    ['notes/p.md', text],
  ])
  expect(beside.note('notes/p').children).toEqual([])
})

test('NV7 two folders tell an outline without its settings, unless Obsidian keeps them', async () => {
  const files = [
    ['pages/p.md', '- one'],
    ['journals/2025_12_13.md', '- two'],
  ] as const
  expect((await vaultOf(files)).note('pages/p').children).toEqual(['pages/p#1'])
  const kept = await vaultOf([...files, ['.obsidian/app.json', '{}']])
  expect(kept.note('pages/p').children).toEqual([])
})

test('NV7 an id that was copied leads to the first page that has it', async () => {
  const bullet = `- text\n  id:: ${ONE}`
  const read = await vaultOf([
    ['logseq/config.edn', ''],
    ['pages/b.md', bullet],
    ['pages/a.md', bullet],
    ['pages/c.md', `- ((${ONE}))`],
  ])
  expect(read.note('pages/c#1').references).toEqual([`pages/a#^${ONE}`])
  expect(read.note(`pages/b#^${ONE}`).name).toBe('text')
})
