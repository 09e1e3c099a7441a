/** T16 — Context documents: text that lives in children, the order of notes, and what a lens leaves out. */
import { expect, test } from 'vitest'
import type { ContextNode } from '../../src/model/context-document.ts'
import { findLens } from '../../src/packs/notes/lenses.ts'
import { openLiveNotes } from '../../src/sources/notes/live/reader.ts'
import { liveOptions } from '../support/live-notes.ts'
import { NOW, recordsOf } from '../support/notes-in-memory.ts'
import { companyNotes, contextOf, exportedNotes, storedNotes } from '../support/notes-workspace.ts'
import { hasShared, readShared } from '../support/shared-data.ts'
import { COMPANY_PROJECT } from '../support/tana-company.ts'
import { startTanaServer } from '../support/tana-server.ts'

const BOOK = recordsOf({
  book: { name: 'The Lighthouse', tags: ['book'], children: ['one', 'two'], daysAgo: 0 },
  one: { name: 'Arrival', tags: ['chapter'], children: ['boat', 'storm'], daysAgo: 1 },
  boat: { name: 'The boat came late.', children: ['rope'] },
  rope: { name: 'Its rope was wet.', children: ['knot'] },
  knot: { name: 'Nobody untied the knot.' },
  storm: { name: 'Then came the storm.' },
  two: { name: 'Departure', tags: ['chapter'], content: 'A short one.', children: ['sail'] },
  sail: { name: 'They sailed at dawn.' },
  diary: { name: 'Diary', tags: ['note'], references: ['book'], children: ['entry'] },
  entry: { name: 'Read the first chapter.' },
})

function contents(nodes: readonly ContextNode[]): Readonly<Record<string, string>> {
  return Object.fromEntries(nodes.map((it) => [it.id, it.content]))
}

test('T16 the content of a note is its own text and the outline of its children', async () => {
  const { document } = await contextOf(await storedNotes(BOOK), 'book', { format: 'json' })
  expect(contents(document.nodes)).toEqual({
    book: '- Arrival #chapter\n- Departure #chapter',
    one: [
      '- The boat came late.',
      '  - Its rope was wet.',
      '    - Nobody untied the knot.',
      '- Then came the storm.',
    ].join('\n'),
    two: 'A short one.\n\n- They sailed at dawn.',
    diary: '- Read the first chapter.',
  })
})

test('T16 a lens that follows no children shows their text in the note that has them', async () => {
  const reader = await storedNotes(BOOK)
  const wish = { lens: 'coding', format: 'json' } as const
  const { document } = await contextOf(reader, 'book', wish)
  expect(document.nodes.map((it) => it.id)).toEqual(['book', 'diary'])
  expect(document.nodes[0]?.content).toBe(
    [
      '- Arrival #chapter',
      '  - The boat came late.',
      '    - Its rope was wet.',
      '      - Nobody untied the knot.',
      '  - Then came the storm.',
      '- Departure #chapter',
      '',
      '  A short one.',
      '',
      '  - They sailed at dawn.',
    ].join('\n'),
  )
})

test('T16 every line is shown once, in either format and with every lens', async () => {
  const reader = await storedNotes(BOOK)
  const lines = ['The boat came late.', 'Its rope was wet.', 'A short one.', 'They sailed at dawn.']
  for (const lens of ['general', 'writing', 'coding', 'planning', 'meeting-prep']) {
    for (const format of ['markdown', 'json'] as const) {
      for (const query of ['book', 'boat', 'two']) {
        const wish = { lens, format, depth: 3 }
        const { text, document } = await contextOf(reader, query, wish)
        // How a note was reached names the notes on the way, and a warning names the source.
        const body = text.replaceAll(/^(?:\*.* · \d\.\d\d\*|> .*)$/gm, '')
        const said = format === 'json' ? JSON.stringify(document.nodes) : body
        for (const line of lines) {
          const times = said.split(line).length - 1
          expect([lens, format, query, line, times <= 1]).toEqual([lens, format, query, line, true])
        }
      }
    }
  }
})

test('T16 an outline that is too long keeps the best lines in their order and says what is left', async () => {
  const children = Array.from({ length: 90 }, (_, at) => `line${at}`)
  const reader = await storedNotes(
    recordsOf({
      inbox: { name: 'Inbox', tags: ['list'], children, daysAgo: 0 },
      ...Object.fromEntries(
        children.map((id, at) => [
          id,
          { name: `Entry ${at} of the inbox, in a few words more`, daysAgo: 90 - at },
        ]),
      ),
    }),
  )
  const wish = { format: 'json', maxTokens: 700, now: NOW } as const
  const { document } = await contextOf(reader, 'inbox', wish)
  const [inbox] = document.nodes
  const shown = [...(inbox?.content ?? '').matchAll(/^- Entry (\d+) of/gm)].map((it) =>
    Number(it[1]),
  )
  expect(shown).toEqual(shown.toSorted((a, b) => a - b))
  expect(shown.at(-1)).toBe(89)
  expect(shown.length).toBeGreaterThan(20)
  expect(shown.length).toBeLessThan(90)
  expect(inbox?.content).toMatch(/\n- … \([\d,]+ more characters\)$/)
  expect(document.meta.tokens.utilization).toBeGreaterThanOrEqual(0.85)
})

test('T16 a running Tana and the copy give the same contents', async () => {
  const server = await startTanaServer()
  const live = openLiveNotes(liveOptions(server.url))
  const wish = { format: 'json', depth: 1, maxTokens: 20_000 } as const
  const copied = await contextOf(await companyNotes(), COMPANY_PROJECT, wish)
  const asked = await contextOf(live, COMPANY_PROJECT, wish)
  const meeting = 'Weekly on Atlas search engine'
  for (const { document } of [copied, asked]) {
    const found = document.nodes.find((it) => it.name === meeting)
    expect(found?.content).toMatch(/^- Jonas shows the numbers for /m)
  }
})

const SAMPLE = '../tana/sample-workspace.json'

test.runIf(hasShared(SAMPLE))(
  'T16 of a real book no note whose text lives in children is empty (needs shared data)',
  async () => {
    const reader = await exportedNotes(readShared(SAMPLE))
    for (const [lens, depth] of [
      ['general', 2],
      ['general', 1],
      ['coding', 2],
      ['planning', 3],
    ] as const) {
      const wish = { lens, depth, format: 'json', maxTokens: 100_000 } as const
      const { document } = await contextOf(reader, 'Frankenstein', wish)
      const ids = document.nodes.map((it) => it.id)
      const around = await reader.around(ids, { types: ['child'], limit: 1, words: [] })
      const parents = new Set(around.flatMap((it) => (it.neighbours.length > 0 ? [it.id] : [])))
      const empty = document.nodes.filter((it) => parents.has(it.id) && it.content === '')
      expect([lens, depth, empty.map((it) => it.name)]).toEqual([lens, depth, []])
      const book = document.nodes.find((it) => it.tags.includes('book'))
      expect(book?.content).toMatch(/^- Letter 1 #chapter\n/)
    }
  },
  60_000,
)

test('T16 sources stand first, then all other notes by score', async () => {
  const reader = await storedNotes(
    recordsOf({
      first: { name: 'First', tags: ['project'], references: ['old', 'new'], daysAgo: 0 },
      second: { name: 'Second', tags: ['project'], references: ['middle'], daysAgo: 0 },
      old: { name: 'Old note', content: 'Old.', daysAgo: 200 },
      new: { name: 'New note', content: 'New.', daysAgo: 1 },
      middle: { name: 'Middle note', content: 'Middle.', daysAgo: 30 },
    }),
  )
  const queries = [
    { text: 'first', weight: 1 },
    { text: 'second', weight: 1 },
  ]
  const { text, document } = await contextOf(reader, '', { queries, depth: 1, now: NOW })
  const order = ['first', 'second', 'new', 'middle', 'old']
  expect(document.nodes.map((it) => it.id)).toEqual(order)
  expect([...text.matchAll(/^#{2,3} (\w+)(?: note| #project)$/gm)].map((it) => it[1])).toEqual([
    'First',
    'Second',
    'New',
    'Middle',
    'Old',
  ])
  expect(text).toContain('\n## Related\n')
})

test('T16 a tag that the lens wants decides even between two scores of 1', async () => {
  const lens = { ...findLens('general'), name: 'own', boostTags: ['decision'] }
  const reader = await storedNotes(
    recordsOf({
      top: { name: 'Top', references: ['a', 'z'], daysAgo: 0 },
      a: { name: 'Other', tags: ['idea'], daysAgo: 0 },
      z: { name: 'Wanted', tags: ['decision'], daysAgo: 0 },
    }),
  )
  const { document } = await contextOf(reader, 'top', { lens, depth: 1, now: NOW })
  expect(document.nodes.map((it) => [it.id, it.score])).toEqual([
    ['top', 1],
    ['z', 1],
    ['a', 1],
  ])
})

test('T16 a lens that leaves only the source says which links it follows and which there are', async () => {
  const reader = await storedNotes(
    recordsOf({
      area: { name: 'Area', children: ['page'] },
      page: { name: 'Page', tags: ['spec'], children: ['x', 'y', 'z'] },
      x: { name: 'Line x' },
      y: { name: 'Line y' },
      z: { name: 'Line z' },
      alone: { name: 'Alone' },
    }),
  )
  const said =
    'The coding lens follows reference and field links, and "Page" has none. It has 3 child links and 1 parent link, which this lens does not follow.'
  for (const format of ['markdown', 'json'] as const) {
    const { document, text } = await contextOf(reader, 'page', { lens: 'coding', format })
    expect(document.nodes.map((it) => it.id)).toEqual(['page'])
    expect(document.meta.warnings).toEqual([said])
    expect(text).toContain(format === 'json' ? JSON.stringify(said) : `> ${said}\n`)
  }
  const general = await contextOf(reader, 'page')
  expect(general.document.meta.warnings).toBeUndefined()
  const alone = await contextOf(reader, 'alone', { lens: 'coding' })
  expect(alone.document.meta.warnings).toBeUndefined()
})
