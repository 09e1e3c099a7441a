/** The store of notes: what a text finds, in which order, and that it is always of now. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { realFiles } from '../../src/platform/files.ts'
import { openNotes } from '../../src/store/notes/reader.ts'
import { madeNotes } from '../support/note-records.ts'
import { found, importInto, note, notesPath } from '../support/note-store.ts'
import { temporaryFolder } from '../support/project.ts'
import { runs } from '../support/property.ts'

describe('NS3 search is of now', () => {
  test('NS3 a note that is renamed is found by its new name alone', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [note('a', { name: 'Gemini' }), note('b', { name: 'Mercury' })])
    await importInto(folder, [note('a', { name: 'Apollo' }), note('b', { name: 'Mercury' })])
    expect(await found(folder, 'gemini')).toEqual([])
    expect(await found(folder, 'apollo')).toEqual(['a'])
    expect(await found(folder, 'mercury')).toEqual(['b'])
  })

  test('NS3 new ones are found and removed ones are not', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [note('a', { name: 'shared one' })])
    await importInto(folder, [note('b', { name: 'shared two' })])
    expect(await found(folder, 'shared')).toEqual(['b'])
    expect(await found(folder, 'one')).toEqual([])
    await importInto(folder, [])
    expect(await found(folder, 'shared two')).toEqual([])
  })

  test('NS3 so are words of content, fields and tags, when they come and go', async () => {
    const folder = temporaryFolder()
    const fields = [{ name: 'Owner', values: [{ text: 'Katherine Johnson' }] }]
    await importInto(folder, [note('a', { content: 'trajectory', fields, tags: ['space flight'] })])
    for (const text of ['trajectories', 'owner', 'katherine', 'flights']) {
      expect(await found(folder, text)).toEqual(['a'])
    }
    await importInto(folder, [note('a')])
    for (const text of ['trajectory', 'owner', 'katherine', 'flight']) {
      expect(await found(folder, text)).toEqual([])
    }
  })

  test('NS3 a place of the program is never found, also when it has just become one', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [note('a', { name: 'Library' }), note('b', { name: '🏛' })])
    expect(await found(folder, 'library')).toEqual(['a'])
    expect(await found(folder, '🏛')).toEqual(['b'])
    await importInto(folder, [
      note('a', { name: 'Library', kind: 'system' }),
      note('b', { name: '🏛', kind: 'system' }),
    ])
    expect(await found(folder, 'library')).toEqual([])
    expect(await found(folder, '🏛')).toEqual([])
    await importInto(folder, [note('a', { name: 'Library' })])
    expect(await found(folder, 'library')).toEqual(['a'])
  })

  test('NS3 notes beyond one piece of a list are found, changed and removed', async () => {
    const folder = temporaryFolder()
    const many = Array.from({ length: 66_000 }, (_, at) => note(`n${at}`, { name: `w${at % 7}` }))
    const marked = [note('first', { name: 'rare bird' }), ...many, note('last', { name: 'rare' })]
    await importInto(folder, marked)
    expect(await found(folder, 'rare')).toEqual(['last', 'first'])
    const edited = marked.map((it) => (it.id === 'n65900' ? { ...it, name: 'rare fish' } : it))
    await importInto(folder, edited.slice(1))
    expect(await found(folder, 'rare')).toEqual(['last', 'n65900'])
    expect(await found(folder, `w${65_900 % 7} rare`, 1)).toEqual(['last'])
  })
})

describe('NS4 the order of what is found', () => {
  test('NS4 whole name, all words in the name, all words, some of them', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [
      note('some', { name: 'launch launch launch' }),
      note('all', { name: 'launch', content: 'the plan' }),
      note('name', { name: 'Plan of the next Moon Launch and what comes after it' }),
      note('whole', { name: 'LAUNCH  Plan' }),
      note('none', { name: 'landing' }),
    ])
    expect(await found(folder, 'launch plan')).toEqual(['whole', 'name', 'all', 'some'])
    expect(await found(folder, 'launch plan', 2)).toEqual(['whole', 'name'])
  })

  test('NS4 a name counts for more than tags, tags than fields, fields than content', async () => {
    const folder = temporaryFolder()
    const fields = [{ name: 'zebra', values: [] }]
    await importInto(folder, [
      note('content', { name: 'some words', content: 'zebra' }),
      note('fields', { name: 'some words', fields }),
      note('tags', { name: 'some words', tags: ['zebra'] }),
      note('name', { name: 'some zebra words' }),
    ])
    expect(await found(folder, 'zebra')).toEqual(['name', 'tags', 'fields', 'content'])
  })

  test('NS4 tagged notes stand before plain ones at equal match, then ids decide', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [
      note('c', { name: 'Apollo' }),
      note('a', { name: 'apollo' }),
      note('z', { name: 'APOLLO', tags: ['project'] }),
      note('f', { name: 'apollo rocket' }),
      note('e', { name: 'apollo rocket' }),
      note('y', { name: 'apollo rocket', tags: ['project'] }),
    ])
    expect(await found(folder, 'apollo')).toEqual(['z', 'a', 'c', 'y', 'e', 'f'])
    expect(await found(folder, 'apollo', 2)).toEqual(['z', 'a'])
    expect(await found(folder, 'apollo', 5)).toEqual(['z', 'a', 'c', 'y', 'e'])
  })

  test('NS4 a rare word tells more than a common one, and empty words nothing', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [
      ...Array.from({ length: 40 }, (_, at) => note(`m${at}`, { name: `meeting number${at}` })),
      note('rare', { name: 'about quasars' }),
    ])
    expect((await found(folder, 'the meeting of quasars', 3))[0]).toBe('rare')
    expect(await found(folder, 'about')).toEqual(['rare'])
    expect(await found(folder, 'the')).toEqual([])
  })

  test('NS4 case, accents, inflection, compounds and scripts make no difference', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [
      note('accents', { name: 'Café Zürich' }),
      note('stems', { name: 'Connecting the dots' }),
      note('compound', { name: 'about NoteRecord' }),
      note('han', { name: '会議の議事録' }),
      note('kana', { name: 'カタカナのノート' }),
      note('hebrew', { name: 'שלום עולם' }),
      note('emoji', { name: '🚀 lift-off' }),
      note('family', { name: '👨‍👩‍👧‍👦' }),
      note('marks', { name: '!?' }),
    ])
    const asked = {
      CAFE: 'accents',
      'zu\u0308rich': 'accents',
      connections: 'stems',
      record: 'compound',
      議事録: 'han',
      会議: 'han',
      ノート: 'kana',
      עולם: 'hebrew',
      '🚀': 'emoji',
      '👨‍👩‍👧‍👦': 'family',
      '!?': 'marks',
    }
    for (const [text, id] of Object.entries(asked))
      expect([text, await found(folder, text)]).toEqual([text, [id]])
  })
})

describe('NS5 any text is a question', () => {
  const HOSTILE = [
    '',
    ' \n\t ',
    '"',
    "'; DROP TABLE notes; --",
    'name:launch',
    'launch AND NOT (plan',
    'launch*',
    '^launch "plan',
    '-launch',
    '{name content} : launch',
    'NEAR(launch plan, 3)',
    '\u0000launch\u0000',
    '%_%',
    '\ud800',
    '👩‍💻'.repeat(2000),
    'launch '.repeat(100_000),
    'x'.repeat(1_000_000),
    '__proto__ constructor toString',
  ]

  test('NS5 nothing in it is a command, and words in it still find', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [note('a', { name: 'launch plan' }), note('b', { name: 'other' })])
    for (const text of HOSTILE) {
      const ids = await found(folder, text)
      expect([text.slice(0, 40), ids]).toEqual([
        text.slice(0, 40),
        text.includes('launch') ? ['a'] : [],
      ])
    }
    for (const limit of [0, -1]) expect(await found(folder, 'launch', limit)).toEqual([])
  })

  test('NS5 no text throws; hits are there, once each, best first', async () => {
    const folder = temporaryFolder()
    const records = madeNotes({ count: 200, words: 60 })
    await importInto(folder, records)
    const ids = new Set(records.map((it) => it.id))
    const reader = openNotes(realFiles, notesPath(folder))
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(...records.map((it) => it.name)),
      fc
        .array(fc.constantFrom('bao', 'kobao', 'OR', '"', '*', 'mio'), { maxLength: 8 })
        .map((it) => it.join(' ')),
    )
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 30 }), async (asked, limit) => {
        const hits = await reader.search({ text: asked, limit })
        expect(hits.length).toBeLessThanOrEqual(limit)
        expect(new Set(hits.map((it) => it.id)).size).toBe(hits.length)
        expect(hits.every((it) => ids.has(it.id))).toBe(true)
        const scores = hits.map((it) => it.score)
        expect(scores).toEqual(scores.toSorted((a, b) => b - a))
        const more = await reader.search({ text: asked, limit: limit + 5 })
        expect(more.slice(0, hits.length).map((it) => it.id)).toEqual(hits.map((it) => it.id))
      }),
      runs(100),
    )
    await reader.close()
  })
})
