/** CD — Context documents: from a query to a document, over the real store. */
import { expect, test } from 'vitest'
import type { ContextNode } from '../../src/model/context-document.ts'
import { findLens, LENSES } from '../../src/packs/notes/lenses.ts'
import { NOW, notesInMemory, recordsOf } from '../support/notes-in-memory.ts'
import { companyNotes, companyRecords, contextOf, storedNotes } from '../support/notes-workspace.ts'
import { COMPANY_PROJECT } from '../support/tana-company.ts'

const PROJECT = 'Atlas search engine'

test('CD12 a topic that names a note means that note, and an id means what it names', async () => {
  const reader = await companyNotes()
  const byTopic = await contextOf(reader, 'Atlas search engine project')
  const byId = await contextOf(reader, COMPANY_PROJECT)
  for (const { document } of [byTopic, byId]) {
    expect(document.nodes.filter((it) => it.distance === 0).map((it) => it.id)).toEqual([
      COMPANY_PROJECT,
    ])
  }
  expect(byTopic.document.meta.query).toBe('Atlas search engine project')
  expect(byId.document.nodes).toEqual(byTopic.document.nodes)
})

test('CD12 a topic finds a project and not the lines that speak of it', async () => {
  const lines = Array.from({ length: 20 }, (_, at) => [
    `line${at}`,
    { name: `Talk about the SOC Defender project with ${at}` },
  ])
  const reader = await storedNotes(
    recordsOf({
      soc: { name: 'SOC Defender', tags: ['project', 'security'] },
      ...Object.fromEntries(lines),
    }),
  )
  const { document } = await contextOf(reader, 'SOC Defender project')
  expect(document.nodes.map((it) => it.id)).toEqual(['soc'])
})

test('CD12 another name of a note means that note', async () => {
  const reader = await storedNotes(
    recordsOf({
      tower: { name: 'Lighthouse', fields: { alias: ['Leuchtturm', 'LH, Fyr tårn'] } },
      line: { name: 'Loves the Leuchtturm' },
    }),
  )
  for (const name of ['Leuchtturm', 'leuchtturm', 'LH', 'Fyr tarn']) {
    const { document } = await contextOf(reader, name)
    expect([name, document.nodes.map((it) => it.id)]).toEqual([name, ['tower']])
  }
})

test('CD12 what has tags or fields stands before a line that is nearer by its words', async () => {
  const reader = await storedNotes(
    recordsOf({
      a: { name: 'Alphonse Frankenstein' },
      book: { name: 'Frankenstein; or the modern Prometheus', tags: ['book'] },
    }),
  )
  const { document } = await contextOf(reader, 'Frankenstein')
  expect(document.nodes.map((it) => it.id)).toEqual(['book', 'a'])
})

test('CD12 a query that finds nothing gives a document that says what to try', async () => {
  const reader = await companyNotes()
  const { document, text } = await contextOf(reader, 'zeppelin')
  expect(document).toMatchObject({ nodes: [], overflow: [] })
  expect(document.meta.warnings?.[0]).toMatch(/^No notes match "zeppelin"\. Try /)
  expect(text).toContain('> No notes match "zeppelin".')
})

test('CD12 an empty workspace says that it is empty', async () => {
  const { document } = await contextOf(await storedNotes([]), 'anything', { format: 'json' })
  expect(document.nodes).toEqual([])
  expect(document.meta.warnings?.[0]).toContain('Workspace main has no notes')
})

test('CD12 a place of the program is no answer', async () => {
  const reader = await companyNotes()
  const { document } = await contextOf(reader, 'company_STASH')
  expect(document.nodes.some((it) => it.id.startsWith('company_'))).toBe(false)
})

test('CD13 the JSON has the keys of the contract in its order', async () => {
  const reader = await companyNotes()
  const { document, text } = await contextOf(reader, PROJECT, { format: 'json', maxTokens: 1500 })
  const parsed: unknown = JSON.parse(text)
  expect(parsed).toEqual(document)
  expect(Object.keys(document)).toEqual(['meta', 'nodes', 'overflow'])
  const { meta } = JSON.parse(text) as typeof document
  expect(Object.keys(meta).slice(0, 6)).toEqual([
    'query',
    'workspace',
    'lens',
    'tokens',
    'assembledAt',
    'backend',
  ])
  expect(meta).toMatchObject({ assembledAt: '2026-01-15T12:00:00Z', backend: 'sqlite' })
  const { nodes, overflow } = JSON.parse(text) as typeof document
  expect(Object.keys(nodes[0] ?? {})).toEqual([
    'id',
    'name',
    'content',
    'tags',
    'fields',
    'score',
    'distance',
    'path',
  ])
  expect(Object.keys(overflow[0] ?? {})).toEqual(['id', 'name', 'tags', 'score'])
  for (const it of nodes) expect(Math.round(it.score * 1e4) / 1e4).toBe(it.score)
})

test('CD14 the depth that a lens allows is what is walked, and the document says so', async () => {
  const reader = await companyNotes()
  for (const lens of LENSES) {
    const { document } = await contextOf(reader, PROJECT, { lens, depth: 5, maxTokens: 20_000 })
    const deepest = Math.max(...document.nodes.map((it) => it.distance))
    expect(deepest).toBeLessThanOrEqual(lens.maxDepth)
    expect(document.meta.warnings).toContain(
      `Depth 5 was requested; the ${lens.name} lens allows ${lens.maxDepth}.`,
    )
  }
  const { document } = await contextOf(reader, PROJECT, { depth: 3, maxTokens: 20_000 })
  expect(document.meta.warnings).toBeUndefined()
})

test('CD14 a lens follows its own links alone', async () => {
  const reader = await companyNotes()
  for (const lens of LENSES) {
    const { document } = await contextOf(reader, PROJECT, { lens, depth: 2, maxTokens: 20_000 })
    const types = new Set(document.nodes.flatMap((it) => it.path.map((step) => step.type)))
    expect(lens.priorityTypes).toEqual(expect.arrayContaining([...types]))
    expect(types.size).toBeGreaterThan(0)
  }
})

const FIELDS = recordsOf({
  task: {
    tags: ['task'],
    fields: {
      Estimate: '3 days',
      'Blocked by': ['legal', 'budget'],
      STATUS: 'open',
      Due: '2026-02-01',
      empty: '',
    },
  },
})

function fieldsOf(nodes: readonly ContextNode[]): readonly string[] {
  return Object.keys(nodes[0]?.fields ?? {})
}

test('CD15 the fields of a lens stand first and hide no other', async () => {
  const { document } = await contextOf(notesInMemory(FIELDS), 'task', { lens: 'planning' })
  expect(fieldsOf(document.nodes)).toEqual(['Due', 'STATUS', 'Blocked by', 'Estimate'])
  expect(document.nodes[0]?.fields).toMatchObject({
    STATUS: 'open',
    'Blocked by': ['legal', 'budget'],
  })
})

test('CD15 they are shown where fields are not asked for, whatever the spelling', async () => {
  const wish = { includeFields: false }
  const planning = await contextOf(notesInMemory(FIELDS), 'task', { ...wish, lens: 'planning' })
  expect(fieldsOf(planning.document.nodes)).toEqual(['Due', 'STATUS', 'Blocked by'])
  const coding = await contextOf(notesInMemory(FIELDS), 'task', { ...wish, lens: 'coding' })
  expect(fieldsOf(coding.document.nodes)).toEqual(['STATUS'])
  const general = await contextOf(notesInMemory(FIELDS), 'task', wish)
  expect(general.document.nodes[0]).not.toHaveProperty('fields')
  expect(general.text).not.toContain('open')
})

test('CD16 several queries are one document, with what both lead to above what one does', async () => {
  const reader = notesInMemory(
    recordsOf({
      x: { name: 'Project X', references: ['shared', 'mine'], daysAgo: 0 },
      y: { name: 'Person Y', references: ['shared'], daysAgo: 0 },
      shared: { daysAgo: 0 },
      mine: { daysAgo: 0 },
    }),
  )
  const queries = [
    { text: 'x', weight: 1 },
    { text: 'Person Y', weight: 1 },
  ]
  const { document } = await contextOf(reader, '', { queries, depth: 1, now: NOW })
  expect(document.meta.query).toBe('x + Person Y')
  expect(document.nodes.map((it) => [it.id, it.distance, it.score])).toEqual([
    ['x', 0, 0.5],
    ['y', 0, 0.5],
    ['shared', 1, 1],
    ['mine', 1, 0.5],
  ])
})

test('CD17 with vectors, the workspace says who made them, and likeness counts', async () => {
  const vectors = new Map([
    ['a', new Float32Array([1, 0])],
    ['like', new Float32Array([0.8, 0.6])],
    ['unlike', new Float32Array([0, 1])],
  ])
  const records = recordsOf({
    a: { name: 'Harbor', children: ['like', 'none', 'unlike'], daysAgo: 0 },
    like: { daysAgo: 0, tags: ['note'] },
    unlike: { daysAgo: 0, tags: ['note'] },
    none: { daysAgo: 0, tags: ['note'] },
  })
  const reader = notesInMemory(records, { vectors })
  const byId = await contextOf(reader, 'a', { depth: 1, now: NOW })
  expect(byId.document.meta.embedder).toBe('by-hand')
  expect(byId.document.nodes.map((it) => [it.id, it.score])).toEqual([
    ['a', 1],
    ['like', 0.93],
    ['none', 0.65],
    ['unlike', 0.65],
  ])
  const asked: string[] = []
  const semantic = {
    embedder: 'model of the test',
    embedText: async (text: string) => {
      asked.push(text)
      return new Float32Array([0, 1])
    },
  }
  const byTopic = await contextOf(reader, 'a topic in other words', { semantic, now: NOW })
  expect(asked).toEqual(['a topic in other words'])
  expect(byTopic.document.meta.embedder).toBe('model of the test')
  expect(byTopic.document.nodes[0]).toMatchObject({ id: 'unlike', distance: 0, score: 1 })
})

test('CD18 the same notes give the same bytes, in whatever order they came', async () => {
  const records = await companyRecords()
  const shuffled = records.toSorted((a, b) => (a.id < b.id ? 1 : -1))
  const readers = [await storedNotes(records), await storedNotes(shuffled), await companyNotes()]
  for (const lens of LENSES) {
    for (const format of ['markdown', 'json'] as const) {
      const texts = []
      for (const reader of readers) {
        const wish = { lens, format, depth: 3, maxTokens: 1200 }
        texts.push((await contextOf(reader, 'atlas ranking', wish)).text)
      }
      expect(new Set(texts).size).toBe(1)
    }
  }
})

test('CD19 an unknown lens is refused with the nearest and all', () => {
  expect(() => findLens('writting')).toThrow(
    expect.objectContaining({
      code: 'POC_E_REQUEST_INVALID',
      hint: 'did you mean "writing"? available lenses: general, writing, coding, planning, meeting-prep',
    }),
  )
  const own = { ...findLens('general'), name: 'review', maxDepth: 1 }
  expect(findLens('review', [own])).toBe(own)
  expect(findLens('general', [{ ...own, name: 'general' }]).maxDepth).toBe(1)
})
