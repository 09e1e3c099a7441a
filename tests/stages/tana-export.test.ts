import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openTanaExport } from '../../src/sources/notes/tana/export-source.ts'
import { type ReadNotes, readNotes } from '../support/notes-source.ts'
import { COMPANY } from '../support/tana-company.ts'
import {
  type NodeSpec,
  type TanaDoc,
  tagId,
  tanaWorkspace,
  type WorkspaceSpec,
  writeTanaWorkspace,
} from '../support/tana-workspace.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'dossier-tana-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))

function company(): Promise<ReadNotes> {
  return readNotes(openTanaExport(writeTanaWorkspace(FOLDER)))
}

const BARE: WorkspaceSpec = { ...COMPANY, id: 'bare', home: [], library: [], trash: [] }

function workspace(home: readonly NodeSpec[], docs: readonly TanaDoc[] = []): Promise<ReadNotes> {
  const made = tanaWorkspace({ ...BARE, home })
  return readDocs([...made.docs, ...docs])
}

function readDocs(docs: readonly unknown[]): Promise<ReadNotes> {
  const path = join(FOLDER, 'docs.json')
  writeFileSync(path, JSON.stringify({ formatVersion: 1, docs }))
  return readNotes(openTanaExport(path))
}

test('NI2 names, descriptions and values have the words of what they refer to', async () => {
  const { note, field } = await company()
  expect(note('atlas-weekly').name).toBe('Weekly on Atlas search engine')
  expect(note('atlas-weekly').references).toContain('atlas-search')
  expect(note('atlas-decision').content).toBe(
    'Decided for Atlas search engine after Architecture: one index per workspace was accepted.',
  )
  expect(note('atlas-decision').references).toEqual(
    expect.arrayContaining(['atlas-search', 'index-architecture']),
  )
  expect(note('ranking-plan').name).toBe(
    'Plan: see Spec: ranking of Atlas search engine, then test with real queries',
  )
  expect(field('atlas-search', 'Due')).toEqual(['2026-03-31'])
  expect(note('article-middle').name).toBe('Words first, meaning second, freshness last.')
})

test('NI2 a reference in the value of a field is one of the note', async () => {
  const { note, field } = await workspace([
    { id: 'other', name: 'Other <b>note</b>' },
    { id: 'one', name: 'One', fields: { Email: 'write to {{other}}' } },
  ])
  expect(field('one', 'Email')).toEqual(['write to Other note'])
  expect(note('one').references).toEqual(['other'])
})

test('NI2 names that refer to each other end', async () => {
  const { note, account } = await workspace([
    { id: 'ring-a', name: 'a {{ring-b}}' },
    { id: 'ring-b', name: 'b {{ring-a}}' },
    { id: 'self', name: 'me {{self}}' },
  ])
  expect(note('ring-a').name).toBe('a b …')
  expect(note('ring-b').name).toBe('b a …')
  expect(note('self').name).toBe('me …')
  expect(note('self').references).toEqual([])
  expect(account.inlineReferences).toBe(3)
})

test('NI3 tags are its own, then those that they extend, and the definition is a reference', async () => {
  const { note } = await company()
  expect(note('fix-ranking').tags).toEqual(['bug', 'task'])
  expect(note('index-architecture').tags).toEqual(['architecture', 'spec'])
  expect(note('fix-ranking').references).toContain(tagId('bug'))
  expect(note(tagId('bug'))).toMatchObject({
    kind: 'tag',
    tags: [],
    fields: [{ name: 'Extends', values: [{ text: 'task', target: tagId('task') }] }],
  })
})

test('NI3 tags of the same name are not mixed up, and rings of tags end', async () => {
  const { note } = await workspace(
    [],
    [
      ...tag('book-1', 'Book', ['work-1']),
      ...tag('book-2', 'Book', []),
      ...tag('work-1', 'work', ['book-1']),
      ...tagged('novel', ['book-1']),
      ...tagged('ledger', ['book-2']),
      ...tagged('both', ['book-2', 'book-1']),
    ],
  )
  expect(note('novel').tags).toEqual(['Book', 'work'])
  expect(note('ledger').tags).toEqual(['Book'])
  expect(note('both').tags).toEqual(['Book', 'work'])
  expect(note('novel').references).toEqual(['book-1'])
  expect(note('ledger').references).toEqual(['book-2'])
})

test('NI4 fields have typed values: words for boxes, targets for notes, several in their order', async () => {
  const { note, field, records } = await company()
  expect(field('atlas-search', 'Approved')).toEqual(['yes'])
  expect(note('atlas-weekly').fields.find((it) => it.name === 'Attendees')?.values).toEqual([
    { text: 'Mara Lindt', target: 'mara-lindt' },
    { text: 'Jonas Weber', target: 'jonas-weber' },
    { text: 'Noor Haddad', target: 'noor-haddad' },
  ])
  expect(field('atlas-search', 'Budget')).toEqual(['48000'])
  expect([...records.values()].filter((it) => it.name === '48000')).toEqual([])
  expect(field('field-due', 'Type')).toEqual(['date'])
  expect(field('write-guide', 'Done')).toEqual(['yes, 2026-01-11'])
})

test('NI4 a value with something below it is a note of its own, and a child', async () => {
  const { note } = await workspace(
    [],
    [
      { id: 'host', props: { name: 'Host', _ownerId: 'bare_STASH' }, children: ['pair', 'kid'] },
      { id: 'pair', props: { _docType: 'tuple', _ownerId: 'host' }, children: ['label', 'value'] },
      { id: 'label', props: { name: 'Reasons', _ownerId: 'pair' } },
      { id: 'value', props: { name: 'Three of them', _ownerId: 'pair' }, children: ['first'] },
      { id: 'first', props: { name: 'It is cheap', _ownerId: 'value' } },
      { id: 'kid', props: { name: 'Kid', _ownerId: 'host' } },
    ],
  )
  expect(note('host').fields).toEqual([
    { name: 'Reasons', values: [{ text: 'Three of them', target: 'value' }] },
  ])
  expect(note('host').children).toEqual(['value', 'kid'])
  expect(note('value').parent).toBe('host')
})

test('NI4 what Tana calls its own fields is known, the rest of its own is passed over', async () => {
  const { note, account } = await workspace(
    [],
    [
      {
        id: 'host',
        props: { name: 'Host', _ownerId: 'bare_STASH', _done: false },
        children: ['p1', 'p2', 'p3', 'p4', 'p5'],
      },
      pair('p1', 'SYS_A61', 'due'),
      pair('p2', 'SYS_A98', 'due'),
      pair('p3', 'SYS_A142', 'gone'),
      pair('p4', 'SYS_A90'),
      pair('p5', 'SYS_A61', 'SYS_V04', 'empty'),
      { id: 'due', props: { name: 'tomorrow', _ownerId: 'p1' } },
      { id: 'empty', props: { _ownerId: 'p5' } },
    ],
  )
  expect(note('host').fields).toEqual([
    { name: 'Done', values: [{ text: 'no' }] },
    { name: 'Due date', values: [{ text: 'tomorrow' }, { text: 'no' }] },
  ])
  expect(account.unresolved).toBe(1)
})

test('NI4 the lines of a briefing are fields, and many values are many values', async () => {
  const lines = ['  - Calendar:', '    - 09:00 Standup', '    - 10:00 {{other}}', '  - Mood: good']
  const fill = Array.from({ length: 60 }, (_, at) => `    - remark ${at}`)
  const all = [...lines, '  - Remarks:', ...fill].map((name, at) => ({ id: `line-${at}`, name }))
  const many = Array.from({ length: 70 }, (_, at) => ({ id: `many-${at}`, name: `value ${at}` }))
  const { note, field } = await workspace(
    [{ id: 'other', name: 'Board meeting' }],
    [
      { id: 'host', props: { name: 'Day', _ownerId: 'bare_STASH' }, children: ['mega', 'wide'] },
      {
        id: 'mega',
        props: { _docType: 'tuple', _ownerId: 'host' },
        children: all.map((it) => it.id),
      },
      {
        id: 'wide',
        props: { _docType: 'tuple', _ownerId: 'host' },
        children: ['field-email', ...many.map((it) => it.id)],
      },
      ...values('mega', all),
      ...values('wide', many),
    ],
  )
  expect(note('host').fields.map((it) => it.name)).toEqual(['Calendar', 'Mood', 'Remarks', 'Email'])
  expect(field('host', 'Calendar')).toEqual(['09:00 Standup', '10:00 Board meeting'])
  expect(field('host', 'Mood')).toEqual(['good'])
  expect(field('host', 'Remarks')).toHaveLength(60)
  expect(field('host', 'Email')).toEqual(many.map((it) => it.name))
  expect(note('host').references).toEqual(['other'])
})

test('NI5 the parent is the owner, whoever lists the node, and lists of others are references', async () => {
  const { note, account } = await company()
  expect(note('fix-ranking').parent).toBe('atlas-search')
  expect(note('day-2026-01-14').children).toEqual(['day-thought'])
  expect(note('day-2026-01-14').references).toEqual(['fix-ranking'])
  expect(note('open-tasks')).toMatchObject({
    kind: 'search',
    children: [],
    references: ['invite-testers', 'book-venue', 'fix-ranking', 'send-numbers'],
  })
  expect(account.correctedParents).toBeGreaterThan(5)
  expect(note('company').kind).toBe('system')
  expect(note('company_STASH').kind).toBe('system')
})

test('NI5 a node that its owner does not list is a child all the same, behind the others', async () => {
  const { note } = await workspace(
    [{ id: 'host', name: 'Host', children: [{ id: 'listed', name: 'Listed' }] }],
    [{ id: 'unlisted', props: { name: 'Unlisted', _ownerId: 'host' } }],
  )
  expect(note('host').children).toEqual(['listed', 'unlisted'])
})

test('NI6 the trash is left out with all that is below it, and so is what the program keeps', async () => {
  const { records, account, note } = await company()
  for (const id of ['old-plan', 'old-plan-detail', 'atlas-search-meta', 'atlas-search-types']) {
    expect(records.has(id), id).toBe(false)
  }
  // The two notes, and the metanode and the tuple of the one with a tag.
  expect(account.trashed).toBe(4)
  expect(note('company_TRASH').children).toEqual([])
  const inner = await workspace(
    [{ id: 'host', name: 'Host', children: ['gone'] }],
    [
      { id: 'gone', props: { name: 'Gone', _ownerId: 'bare_TRASH' }, children: ['below'] },
      { id: 'below', props: { name: 'Below', _ownerId: 'gone' } },
      { id: 'view', props: { name: 'Default', _docType: 'viewDef', _ownerId: 'host' } },
      {
        id: 'talk',
        props: { name: 'Talk', _docType: 'chat', _ownerId: 'view' },
        children: ['said'],
      },
      { id: 'said', props: { name: 'Said', _ownerId: 'talk' } },
      { id: 'loose', props: { name: 'What nobody owns or lists' } },
      { id: 'blank', props: { _ownerId: 'host' } },
    ],
  )
  expect([...inner.records.keys()].filter((id) => !id.startsWith('bare'))).not.toContain('gone')
  expect(inner.note('host')).toMatchObject({ children: ['talk'], references: [] })
  expect(inner.note('said').parent).toBe('talk')
  expect(inner.records.has('view')).toBe(false)
  expect(inner.records.has('loose')).toBe(false)
  expect(inner.records.has('blank')).toBe(false)
})

test('NI7 kinds, code, times', async () => {
  const { note } = await company()
  expect(note('spec-code')).toMatchObject({
    kind: 'code',
    name: 'const score = words + 0.4 * links + 0.2 * freshness',
    content: '```\nconst score = words + 0.4 * links + 0.2 * freshness\n```',
  })
  expect(note('atlas-paper').kind).toBe('link')
  expect(note('day-2026-01-13').kind).toBe('day')
  expect(note('field-due').kind).toBe('field')
  expect(note('atlas-search').modified).toBe(COMPANY.now - 2 * 86_400_000)
  const timed = await readDocs([
    { id: 'text', props: { name: 'a', created: 5 }, modifiedTs: '[1,0,9,3]' },
    { id: 'list', props: { name: 'b' }, modifiedTs: [0, 7, 2] },
    { id: 'none', props: { name: 'c', created: 'soon' }, modifiedTs: [0] },
    { id: 'code', props: { name: '\na ```b\n&lt;c&gt;', _docType: 'codeblock' } },
    { id: 'newer', props: { name: 'd', _docType: 'hologram' } },
  ])
  expect(timed.note('text')).toMatchObject({ created: 5, modified: 9 })
  expect(timed.note('list').modified).toBe(7)
  expect(timed.note('none')).not.toHaveProperty('modified')
  expect(timed.note('none')).not.toHaveProperty('created')
  expect(timed.note('code')).toMatchObject({ name: 'a ```b', content: '````\n\na ```b\n<c>\n````' })
  expect(timed.note('newer').kind).toBe('note')
})

test('NI10 wrapped or bare, in any order of keys, in blocks and batches of any size: the same notes', async () => {
  const made = tanaWorkspace()
  const expected = await company()
  const path = join(FOLDER, 'wrapped.json')
  writeFileSync(
    path,
    `\ufeff${JSON.stringify({ storeData: { z: [{ docs: [1] }], ...made } }, undefined, 1)}`,
  )
  for (const [blockBytes, batchRecords] of [
    [64, 1],
    [1000, 7],
    [1 << 20, 5000],
  ] as const) {
    const found = await readNotes(openTanaExport(path, { blockBytes, batchRecords }))
    expect([...found.records]).toEqual([...expected.records])
    expect(found.account).toEqual(expected.account)
    expect(found.batches).toBeGreaterThan(expected.records.size / batchRecords)
  }
})

function tag(id: string, name: string, up: readonly string[]): readonly TanaDoc[] {
  const props = { name, _docType: 'tagDef', _ownerId: 'bare_SCHEMA', _metaNodeId: `${id}-m` }
  return [{ id, props }, ...types(id, ['SYS_T01', ...up])]
}

/** The node does not name its metanode; the metanode names the node. */
function tagged(id: string, tags: readonly string[]): readonly TanaDoc[] {
  return [{ id, props: { name: id, _ownerId: 'bare_STASH' } }, ...types(id, tags)]
}

function types(id: string, tags: readonly string[]): readonly TanaDoc[] {
  const children = ['SYS_A13', ...tags]
  return [
    { id: `${id}-m`, props: { _docType: 'metanode', _ownerId: id }, children: [`${id}-t`] },
    { id: `${id}-t`, props: { _docType: 'tuple', _ownerId: `${id}-m` }, children },
  ]
}

function pair(id: string, ...children: readonly string[]): TanaDoc {
  return { id, props: { _docType: 'tuple', _ownerId: 'host' }, children: [...children] }
}

function values(owner: string, list: readonly { id: string; name: string }[]): readonly TanaDoc[] {
  return list.map(({ id, name }) => ({
    id,
    props: {
      name: name.replace('{{other}}', '<span data-inlineref-node="other"></span>'),
      _ownerId: owner,
    },
  }))
}
