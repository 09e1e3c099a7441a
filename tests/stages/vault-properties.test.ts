/** Tags, front matter, fields and times of the notes of a vault: NV5, NV6. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFrontMatterFields } from '../../src/sources/markdown/front-matter-fields.ts'
import { temporaryFolder } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { vault, vaultOf } from '../support/vault.ts'

async function page(text: string) {
  const read = await vaultOf([
    ['p.md', text],
    ['Project.md', '## Goals'],
    ['Ann.md', ''],
  ])
  return { ...read.note('p'), account: read.account }
}

describe('NV5 tags are read from', () => {
  test.each([
    ['a text', 'a #one, (no #two) and\n#three', ['one', 'two', 'three']],
    ['a list in a row', '---\ntags: [one, "#two"]\n---\n', ['one', 'two']],
    ['a list in lines', '---\ntags:\n  - one\n  - two words\n---\n', ['one', 'two words']],
    ['a list that is not set in', '---\ntags:\n- one\n- two\nx: y\n---\n', ['one', 'two']],
    ['a text with commas', '---\ntags: one, two,three\n---\n', ['one', 'two', 'three']],
    ['a text with spaces', '---\ntag: one #two\n---\n', ['one']],
    ['nested names', '#a/b/c and #a/d/', ['a/b/c', 'a/d', 'a/b', 'a']],
    ['other alphabets', '#größe #日本語 #tag_1-x', ['größe', '日本語', 'tag_1-x']],
    ['names of more words', 'a #[[two words]] b', ['two words']],
    ['both, each once', '---\ntags: [One]\n---\n#one #two', ['One', 'two']],
    ['a line of its own', 'tags:: #one #two', ['one', 'two']],
  ])('%s', async (_, text, tags) => {
    expect((await page(text)).tags).toEqual(tags)
  })

  test.each([
    ['numbers', 'issue #123 and #2025'],
    ['code', '`#one`\n\n```\n#two\n```\n\n    #three'],
    ['addresses', 'https://x.y/#one [a](https://x.y/#two) <https://x.y#three>'],
    ['headings', '# One\n##\n###'],
    ['the middle of a word', 'C#sharp a#b \\#c'],
    ['attributes', '<span style="color: #fff">x</span>'],
    ['links', '[[#One]] [[Project#Goals| #two]]'],
    ['comments', '%% #one %% <!-- #two -->'],
  ])('and not from %s', async (_, text) => {
    expect((await page(text)).tags).toEqual([])
  })
})

test('NV5 a tag belongs to the note that it stands in', async () => {
  const read = await vault(`
//- p.md
---
tags: [whole]
---
#lead
## Part #head
text #inner

block #mine ^b

and #after
`)
  expect(read.note('p').tags).toEqual(['whole', 'lead'])
  expect(read.note('p#Part #head').tags).toEqual(['head', 'inner', 'after'])
  expect(read.note('p#^b').tags).toEqual(['mine'])
})

test('NV6 front matter is fields, with the notes that they name', async () => {
  const { fields, name, references, account, content } = await page(`---
title: "It's: \\"quoted\\""
status: open # not this
count: 3
done: false
empty:
none: null
'quoted key': 'it''s'
key with spaces: v
größe: groß
up: "[[Project]]"
bare: [[Project#Goals|the goals]]
people: [ "[[Ann]]", Bob, '[[Nobody]]' ]
several: "[[Ann]], [[Project]]"
mixed: see [[Ann]] and [[Project]]
lines:
  - "[[Ann]]"
  - plain # comment
multi: [a,
  b]
text: |
  first
    second

  third
folded: >-
  one
  two
long: goes
  on here
map:
  inner: 1
  list: [x, y]
row: {a: 1, b: "two, three"}
url: https://x.y/z#a
date: 2025-12-13
---
body`)
  expect(name).toBe(`It's: "quoted"`)
  expect(content).toBe('body')
  expect(fields.map((it) => [it.name, ...it.values])).toEqual([
    ['status', { text: 'open' }],
    ['count', { text: '3' }],
    ['done', { text: 'false' }],
    ['quoted key', { text: "it's" }],
    ['key with spaces', { text: 'v' }],
    ['größe', { text: 'groß' }],
    ['up', { text: 'Project', target: 'Project' }],
    ['bare', { text: 'the goals', target: 'Project#Goals' }],
    ['people', { text: 'Ann', target: 'Ann' }, { text: 'Bob' }, { text: 'Nobody' }],
    ['several', { text: 'Ann', target: 'Ann' }, { text: 'Project', target: 'Project' }],
    ['mixed', { text: 'see Ann and Project', target: 'Ann' }],
    ['lines', { text: 'Ann', target: 'Ann' }, { text: 'plain' }],
    ['multi', { text: 'a' }, { text: 'b' }],
    ['text', { text: 'first\n  second\n\nthird' }],
    ['folded', { text: 'one two' }],
    ['long', { text: 'goes on here' }],
    ['map.inner', { text: '1' }],
    ['map.list', { text: 'x' }, { text: 'y' }],
    ['row.a', { text: '1' }],
    ['row.b', { text: 'two, three' }],
    ['url', { text: 'https://x.y/z#a' }],
    ['date', { text: '2025-12-13' }],
  ])
  expect(references).toEqual(['Project'])
  expect(account.unresolved).toBe(1)
})

test('NV6 what is not understood is told, and the rest is read', async () => {
  const { fields, account } = await page(`---
good: 1
deep:
  er:
    est: 1
anchor: &a x
- stray
maps:
  - a: 1
    b: 2
  - plain
open: [a, b
good: 2
last: "yes"
---
`)
  expect(fields.map((it) => [it.name, ...it.values.map((value) => value.text)])).toEqual([
    ['good', '1'],
    ['maps', 'plain'],
    ['last', 'yes'],
  ])
  expect(account.diagnostics.map((it) => [it.code, it.path, it.message])).toEqual(
    [
      'some values of `maps` cannot be parsed',
      'the line `- stray` cannot be parsed',
      'the value of `anchor` cannot be parsed',
      'the value of `deep.er` cannot be parsed',
      'the value of `open` cannot be parsed',
      'duplicate key `good`: the first one is used',
    ]
      .toSorted()
      .map((message) => ['unparsable', 'p.md', message]),
  )
})

test('NV6 front matter is read the way people write it, where YAML is stricter', async () => {
  const { fields, account } = await page(`---
subject: Part 2: the end # not this
both: [[Ann]] and [[Project]]
list:
  - [[Ann]] of ours
kept: 1
- stray
---
`)
  expect(fields.map((it) => [it.name, ...it.values.map((value) => value.text)])).toEqual([
    ['subject', 'Part 2: the end'],
    ['both', 'Ann and Project'],
    ['list', 'Ann of ours'],
    ['kept', '1'],
  ])
  expect(account.diagnostics.map((it) => it.message)).toEqual([
    'the line `- stray` cannot be parsed',
  ])
})

test('NV6 a value nested too deeply for the parser is reported', () => {
  const { fields, problems } = readFrontMatterFields(`deep: ${'['.repeat(100_000)}\nlast: 1`)
  expect(fields.map((it) => it.name)).toEqual(['last'])
  expect(problems).toEqual(['the value of `deep` cannot be parsed'])
})

test('NV6 front matter of TOML is told and kept out of the text', async () => {
  const { content, account } = await page('+++\ntitle = "x"\n+++\nbody')
  expect(content).toBe('body')
  expect(account.diagnostics).toMatchObject([{ code: 'unparsable', path: 'p.md' }])
})

test('NV6 a break with prose below it is no front matter', async () => {
  expect((await page('---\nprose\n\n---\nmore')).content).toContain('prose')
  expect((await page('---\nkey: never closed\n')).content).toContain('never closed')
})

test('NV6 any front matter is read without a throw, and what is not is told', () => {
  const line = fc.constantFrom(
    'a: 1',
    'a: [1, 2',
    ' - x',
    '- "y',
    'b: {c: d',
    'b: |',
    '  deep: 1',
    '\t tab: x',
    "q: 'open",
    '"k": "v\\u00e9"',
    ']',
    '}',
    ': x',
    '? y',
    '- - z',
    '#',
    '',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string()), { maxLength: 12 }), (lines) => {
      const { fields, problems } = readFrontMatterFields(lines.join('\n'))
      expect(new Set(fields.map((it) => it.name)).size).toBe(fields.length)
      for (const it of problems) expect(it).not.toBe('')
    }),
    runs(1000),
  )
})

test('NV6 lines `key:: value` are fields of the note that they stand in', async () => {
  const read = await vault(`
//- Ann.md
//- p.md
status:: **open**
A text.
## Part
- **Owner**:: [[Ann]]
- [ ] due:: 2025-12-13
- with [[Ann]], [[Nobody]] in:: the middle of it is no field
std::vector<int> is no field
status:: done
status:: [[Ann]], Ann
\`\`\`
code:: no
\`\`\`
`)
  expect(read.note('p').fields).toEqual([{ name: 'status', values: [{ text: '**open**' }] }])
  expect(read.note('p').content).toBe('A text.')
  expect(read.note('p#Part').fields).toEqual([
    { name: 'Owner', values: [{ text: 'Ann', target: 'Ann' }] },
    { name: 'due', values: [{ text: '2025-12-13' }] },
    { name: 'status', values: [{ text: 'done' }, { text: 'Ann, Ann', target: 'Ann' }] },
  ])
  expect(read.note('p#Part').references).toEqual(['Ann'])
  expect(read.note('p#Part').content).toBe(
    [
      '- **Owner**:: Ann',
      '- [ ] due:: 2025-12-13',
      '- with Ann, Nobody in:: the middle of it is no field',
      'std::vector<int> is no field',
      '```\ncode:: no\n```',
    ].join('\n'),
  )
})

describe('NV6 times are those of the front matter', () => {
  const utc = Date.UTC
  test.each([
    ['created: 2025-12-13', { created: utc(2025, 11, 13) }],
    ['date: 2025-12-13', { created: utc(2025, 11, 13) }],
    ['created: 2025-12-13T10:20', { created: utc(2025, 11, 13, 10, 20) }],
    ['created: 2025-12-13 10:20:30', { created: utc(2025, 11, 13, 10, 20, 30) }],
    ['created: "2025-12-13T10:20:30+02:00"', { created: utc(2025, 11, 13, 8, 20, 30) }],
    ['created: 1620000000000', { created: 1_620_000_000_000 }],
    ['modified: 2025-12-13', { modified: utc(2025, 11, 13) }],
    ['updated: 2025-12-13T01:02:03.5Z', { modified: utc(2025, 11, 13, 1, 2, 3, 500) }],
    ['created: "[[2025-12-13]]"', { created: utc(2025, 11, 13) }],
  ])('%s', async (line, times) => {
    expect(await page(`---\n${line}\n---\n`)).toMatchObject(times)
  })

  test('and else that of the file, for what is in the page as well', async () => {
    const folder = temporaryFolder()
    const own = await vaultOf([['p.md', '---\ncreated: some day\n---\n## Part\n']], folder)
    const { modified, created } = own.note('p')
    expect(created).toBeUndefined()
    expect(modified).toBe(Math.trunc(statSync(join(folder, 'p.md')).mtimeMs))
    const read = await vaultOf([['p.md', '---\nupdated: 2025-12-13\n---\n## Part\n']])
    expect(read.note('p#Part').modified).toBe(utc(2025, 11, 13))
  })
})
