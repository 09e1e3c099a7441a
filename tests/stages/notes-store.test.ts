/** The store of notes: imports, and that later ones leave what one from scratch would. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NoteRecord } from '../../src/model/note.ts'
import { madeNote, madeNotes, noteId, wordNumber } from '../support/note-records.ts'
import { answersOf, found, importInto, note, reading, writerAt } from '../support/note-store.ts'
import { temporaryFolder } from '../support/project.ts'
import { runs } from '../support/property.ts'

describe('NS1 a later import', () => {
  const COUNT = 14
  const IDS = Array.from({ length: COUNT + 3 }, (_, at) => noteId(at))
  const TEXTS = [
    ...[1, 2, 3, 5, 8].map(wordNumber),
    `${wordNumber(1)} ${wordNumber(4)}`,
    'done meeting',
    'status',
  ]

  /** By note: 0 is absent, other numbers are editions. */
  const state = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: COUNT, maxLength: COUNT })

  function recordsOf(editions: readonly number[], isTurned: boolean): readonly NoteRecord[] {
    const records = editions.flatMap((edition, at) =>
      edition === 0 ? [] : [madeNote(at, { count: COUNT, edition, words: 12 })],
    )
    return isTurned ? records.toReversed() : records
  }

  test('NS1 answers everything as an import from scratch does, after any edits', async () => {
    const steps = fc.array(state, { minLength: 2, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (states, isTurned) => {
        const folder = temporaryFolder()
        for (const [at, editions] of states.entries()) {
          await importInto(folder, recordsOf(editions, isTurned === (at % 2 === 0)))
          const scratch = temporaryFolder()
          await importInto(scratch, recordsOf(editions, false))
          expect(await answersOf(folder, IDS, TEXTS)).toEqual(await answersOf(scratch, IDS, TEXTS))
        }
      }),
      runs(25),
    )
  })

  test('NS1 counts what is new, other, gone and the same', async () => {
    const folder = temporaryFolder()
    const first = await importInto(folder, [note('a'), note('b'), note('c')])
    expect(first).toEqual({ added: 3, changed: 0, removed: 0, unchanged: 0 })
    const second = await importInto(folder, [note('a'), note('b', { name: 'other' }), note('d')])
    expect(second).toEqual({ added: 1, changed: 1, removed: 1, unchanged: 1 })
    const third = await importInto(folder, [note('d'), note('b', { name: 'other' }), note('a')])
    expect(third).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 3 })
  })

  test('NS1 sees a change of any part of a note, and nothing else', async () => {
    const parts: Partial<NoteRecord>[] = [
      { name: 'x' },
      { kind: 'page' },
      { content: 'x' },
      { tags: ['x'] },
      { fields: [{ name: 'x', values: [{ text: 'y' }] }] },
      { fields: [{ name: 'x', values: [{ text: 'y', target: 'z' }] }] },
      { created: 1 },
      { modified: 1 },
      { parent: 'x' },
      { children: ['x'] },
      { references: ['x'] },
    ]
    const folder = temporaryFolder()
    const seen = new Set<string>()
    await importInto(folder, [note('a')])
    for (const part of parts) {
      expect(await importInto(folder, [note('a', part)])).toMatchObject({ changed: 1 })
      seen.add(await reading(folder, async (it) => (await it.status()).signature))
    }
    expect(seen.size).toBe(parts.length)
  })

  test('NS1 of an id that is given twice, the first counts', async () => {
    const folder = temporaryFolder()
    const counts = await importInto(folder, [note('a', { name: 'one' }), note('a')])
    expect(counts).toEqual({ added: 1, changed: 0, removed: 0, unchanged: 0 })
    expect(await found(folder, 'one')).toEqual(['a'])
  })

  test('NS1 numbers of removed notes are given to others, and nothing of the former is left', async () => {
    const folder = temporaryFolder()
    for (let round = 0; round < 6; round += 1) {
      const records = madeNotes({ count: 40, edition: round, words: 30 }).map((it) => ({
        ...it,
        id: `${it.id}-${round}`,
        children: [],
        references: [],
      }))
      await importInto(folder, records)
      const scratch = temporaryFolder()
      await importInto(scratch, records)
      const ids = records.map((it) => it.id)
      expect(await answersOf(folder, ids, ['bako'])).toEqual(
        await answersOf(scratch, ids, ['bako']),
      )
    }
  })
})

describe('NS2 what is stored', () => {
  test('NS2 comes back as it was given', async () => {
    const folder = temporaryFolder()
    const full: NoteRecord = note('full', {
      name: 'A "quoted" name — with \\ and \u0000 and 漢字 and 👩‍💻 and שלום',
      kind: 'day',
      content: 'line\n\n- two\ttabs',
      tags: ['a', 'b c'],
      fields: [
        { name: 'Empty', values: [] },
        { name: 'Two', values: [{ text: 'x', target: 'bare' }, { text: '' }] },
      ],
      created: 0,
      modified: 1_700_000_000_123,
      parent: 'nobody',
    })
    await importInto(folder, [full, note('bare')])
    const { children: _, references: __, ...expected } = full
    const [back, bare] = await reading(folder, (it) => it.notes(['full', 'none', 'bare', 'none']))
    expect(back).toEqual(expected)
    expect(bare).toEqual({
      id: 'bare',
      name: 'bare',
      kind: 'note',
      content: '',
      tags: [],
      fields: [],
    })
  })

  test('NS2 the status tells notes, tags, links and when; an empty workspace is one', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [])
    const empty = await reading(folder, (it) => it.status())
    expect(empty).toMatchObject({ notes: 0, tagged: 0, links: 0, source: 'tana-export' })
    expect(await found(folder, 'anything')).toEqual([])
    await importInto(folder, [
      note('a', { children: ['b', 'gone'], references: ['b', 's'], tags: ['x'] }),
      note('b', { parent: 'a', fields: [{ name: 'f', values: [{ text: 'A', target: 'a' }] }] }),
      note('s', { kind: 'system', tags: ['x'] }),
    ])
    const status = await reading(folder, (it) => it.status())
    expect(status).toMatchObject({ notes: 2, tagged: 1, links: 4, importedAt: 1_700_000_000_000 })
    expect(status.signature).not.toBe(empty.signature)
    expect(status).not.toHaveProperty('vectors')
  })

  test('NS2 an empty id is an id', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [note('', { name: 'empty' }), note('b', { references: [''] })])
    await importInto(folder, [note('', { name: 'empty' }), note('b'), note('c')])
    expect(await reading(folder, async (it) => (await it.notes(['', 'b', 'c'])).length)).toBe(3)
  })

  test('NS2 half a character is no trouble', async () => {
    const folder = temporaryFolder()
    const records = [note('a\ud800', { name: 'x\udfff' }), note('b', { references: ['a\ud800'] })]
    await importInto(folder, records)
    expect(await importInto(folder, records)).toMatchObject({ unchanged: 2 })
    const [around] = await reading(folder, (it) =>
      it.around(['b'], { types: ['reference'], limit: 9, words: [] }),
    )
    expect(around?.neighbours).toEqual([{ id: 'a\ufffd', type: 'reference', direction: 'out' }])
  })

  test('NS2 an open reader sees what is committed, when it is, and not before', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [note('a', { name: 'early bird' })])
    await reading(folder, async (reader) => {
      const ask = async (text: string): Promise<readonly string[]> =>
        (await reader.search({ text, limit: 5 })).map((it) => it.id)
      expect(await ask('bird')).toEqual(['a'])
      const writer = writerAt(folder)
      await writer.begin()
      await writer.put([note('a', { name: 'late worm' }), note('b', { name: 'bird' })])
      expect([await ask('bird'), await ask('worm')]).toEqual([['a'], []])
      await writer.commit({ source: 'vault', importedAt: 5 })
      expect([await ask('bird'), await ask('worm')]).toEqual([['b'], ['a']])
      expect(await reader.status()).toMatchObject({ source: 'vault', importedAt: 5 })
      await writer.begin()
      await writer.put([note('c', { name: 'bird' })])
      await writer.close()
      expect(await ask('bird')).toEqual(['b'])
    })
  })
})
