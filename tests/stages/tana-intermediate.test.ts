import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openTanaIntermediate } from '../../src/sources/notes/tana/intermediate-source.ts'
import { type ReadNotes, readNotes } from '../support/notes-source.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'dossier-tif-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))

function written(value: unknown): string {
  const path = join(FOLDER, 'notes.tif.json')
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

function read(nodes: readonly unknown[], supertags: readonly unknown[] = []): Promise<ReadNotes> {
  const version = 'TanaIntermediateFile V0.1'
  const path = written({ version, summary: { brokenRefs: 0 }, nodes, supertags })
  return readNotes(openTanaIntermediate(path, { batchRecords: 3 }))
}

const NODES = [
  {
    uid: 'page',
    name: 'Reading list of [[ada]]',
    type: 'node',
    createdAt: 1000,
    editedAt: 2000,
    supertags: ['t-list'],
    refs: ['ada', 'lost'],
    children: [
      {
        uid: 'field-1',
        name: 'Author',
        type: 'field',
        children: [
          { uid: 'value-1', name: '[[ada]]', type: 'node' },
          { uid: 'value-2', name: 'Charles', type: 'node' },
        ],
      },
      {
        uid: 'field-2',
        name: 'Why',
        type: 'field',
        children: [
          {
            uid: 'value-3',
            name: 'Two reasons',
            type: 'node',
            children: [{ uid: 'reason', name: 'It is short', type: 'node' }],
          },
        ],
      },
      { uid: 'alias', name: 'see [her notes]([[ada]]) on [[date:2022-03-04]]', type: 'node' },
      { uid: 'todo', name: 'Buy it', type: 'node', todoState: 'todo' },
      { uid: 'done', name: 'Borrow it', type: 'node', todoState: 'done' },
    ],
  },
  { uid: 'ada', name: 'Ada Lovelace', type: 'node', description: 'Wrote  notes.' },
  { uid: 'day', name: '2022-03-04', type: 'date' },
  { uid: 'picture', name: 'Cover', type: 'image', mediaUrl: 'https://img.example/1.png' },
  { uid: 'code', name: 'let a = 1\nlet b = 2', type: 'codeblock', codeLanguage: 'ts' },
  { uid: 'broken', name: 'to [[nobody]]', type: 'node' },
]
const TAGS = [{ uid: 't-list', name: 'list' }]

test('NI11 names have the words of what they link to, aliases and dates', async () => {
  const { note, account } = await read(NODES, TAGS)
  expect(note('page')).toMatchObject({
    name: 'Reading list of Ada Lovelace',
    tags: ['list'],
    created: 1000,
    modified: 2000,
    children: ['value-3', 'alias', 'todo', 'done'],
    references: ['ada', 't-list'],
  })
  expect(note('alias').name).toBe('see her notes on 2022-03-04')
  expect(note('alias')).toMatchObject({ references: ['ada'], parent: 'page' })
  expect(note('ada').content).toBe('Wrote notes.')
  expect(note('t-list')).toMatchObject({ kind: 'tag', name: 'list' })
  expect(account).toMatchObject({ inlineReferences: 4, seen: 15, trashed: 0, correctedParents: 0 })
})

test('NI11 fields have values, and those with something below them are notes', async () => {
  const { note, records } = await read(NODES, TAGS)
  expect(note('page').fields).toEqual([
    { name: 'Author', values: [{ text: 'Ada Lovelace', target: 'ada' }, { text: 'Charles' }] },
    { name: 'Why', values: [{ text: 'Two reasons', target: 'value-3' }] },
  ])
  expect(note('value-3')).toMatchObject({ parent: 'page', children: ['reason'] })
  expect(records.has('value-2')).toBe(false)
  expect(records.has('field-1')).toBe(false)
  expect(note('todo').fields).toEqual([{ name: 'Done', values: [{ text: 'no' }] }])
  expect(note('done').fields).toEqual([{ name: 'Done', values: [{ text: 'yes' }] }])
})

test('NI11 days, pictures and code are of their kinds', async () => {
  const { note } = await read(NODES, TAGS)
  expect(note('day').kind).toBe('day')
  expect(note('picture')).toMatchObject({
    kind: 'media',
    content: '![Cover](https://img.example/1.png)',
  })
  expect(note('code')).toMatchObject({
    kind: 'code',
    name: 'let a = 1',
    content: '```ts\nlet a = 1\nlet b = 2\n```',
  })
})

test('NI11 broken links are counted, and the text stays readable', async () => {
  const { note, account } = await read(NODES, TAGS)
  expect(note('broken').name).toBe('to nobody')
  expect(account.unresolved).toBe(2)
  expect(account.diagnostics).toMatchObject([
    { code: 'unresolved', path: 'page' },
    { code: 'unresolved', path: 'broken' },
  ])
})

test('NI11 nodes that name each other, a uid that is there twice, and one that is missing', async () => {
  const { note, account, records } = await read([
    { uid: 'a', name: 'a [[b]]', children: [{ uid: 'a', name: 'again' }, { name: 'no uid' }] },
    { uid: 'b', name: 'b [[a]]' },
    7,
  ])
  expect(note('a').name).toBe('a b a …')
  expect(note('a').children).toEqual([])
  expect(records.size).toBe(2)
  expect(account.diagnostics.map((it) => it.path)).toEqual(['a', 'no uid'])
})

test('NI11 a tag that is a node as well is given once, as the node', async () => {
  const { note } = await read(
    [{ uid: 'both', name: 'Both', supertags: ['both'] }],
    [{ uid: 'both', name: 'tag' }],
  )
  expect(note('both')).toMatchObject({ kind: 'note', tags: ['tag'], references: [] })
})

test('NI11 a file that is cut off, too large, or something else is refused', async () => {
  await expect(refused('{"nodes":[')).rejects.toMatchObject({ code: 'POC_E_SOURCE_INVALID' })
  await expect(refused({ docs: [] })).rejects.toThrow('has no list of nodes')
  await expect(refused([])).rejects.toThrow('has no list of nodes')
  expect(() => openTanaIntermediate(written({ nodes: [] }), { maxBytes: 5 })).toThrow('12 bytes')
})

function refused(value: unknown): Promise<ReadNotes> {
  return readNotes(openTanaIntermediate(written(value)))
}
