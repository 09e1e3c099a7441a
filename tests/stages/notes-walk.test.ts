/** CD — Context documents: what is reached, how, and how far. */
import { expect, test } from 'vitest'
import { RELATION_TYPES } from '../../src/model/note.ts'
import type { NotesReader } from '../../src/model/notes-index.ts'
import { NOTES_WALK_CAPS, type NotesWalkRequest, walkNotes } from '../../src/traverse/notes-walk.ts'
import { notesInMemory, recordsOf } from '../support/notes-in-memory.ts'

async function walked(
  reader: NotesReader,
  source: string,
  changes: Partial<NotesWalkRequest> = {},
) {
  return walkNotes(reader, {
    sources: await reader.notes([source]),
    types: RELATION_TYPES,
    depth: 2,
    words: [],
    caps: NOTES_WALK_CAPS,
    ...changes,
  })
}

const FAMILY = notesInMemory(
  recordsOf({
    root: { children: ['a', 'b'] },
    a: { children: ['a1'], references: ['far'] },
    b: { fields: { owner: '@a1' } },
    a1: {},
    far: { children: ['further'] },
    further: {},
    fan: { references: ['a'] },
  }),
)

test('CD4 each step of a path has its own type and direction, and leads from note to note', async () => {
  const { reached } = await walked(FAMILY, 'a1', { depth: 3 })
  const paths = Object.fromEntries(
    reached.map(({ note, path }) => [
      note.id,
      path.map((it) => `${it.from}-${it.type}-${it.direction}-${it.to}`),
    ]),
  )
  expect(paths).toEqual({
    a1: [],
    a: ['a1-parent-in-a'],
    b: ['a1-field-in-b'],
    root: ['a1-parent-in-a', 'a-parent-in-root'],
    far: ['a1-parent-in-a', 'a-reference-out-far'],
    fan: ['a1-parent-in-a', 'a-reference-in-fan'],
    further: ['a1-parent-in-a', 'a-reference-out-far', 'far-child-out-further'],
  })
})

test('CD4 the distance is the number of steps, and never more than the depth', async () => {
  for (const depth of [1, 2, 3, 4, 5]) {
    const { reached } = await walked(FAMILY, 'a1', { depth })
    for (const it of reached) expect(it.distance).toBe(it.path.length)
    expect(Math.max(...reached.map((it) => it.distance))).toBe(Math.min(depth, 3))
  }
})

test('CD4 only the links of the lens lead on, and of equally short ways the first type decides', async () => {
  const records = recordsOf({ top: { children: ['x'], references: ['x', 'y'] }, x: {}, y: {} })
  const reader = notesInMemory(records)
  const typesOf = async (types: NotesWalkRequest['types']) => {
    const { reached } = await walked(reader, 'top', { types })
    return reached.map(({ note, path }) => `${note.id} ${path.at(-1)?.type}`).slice(1)
  }
  expect(await typesOf(['child'])).toEqual(['x child'])
  expect(await typesOf(['child', 'reference'])).toEqual(['x child', 'y reference'])
  expect(await typesOf(['reference', 'child'])).toEqual(['x reference', 'y reference'])
  expect(await typesOf(['field'])).toEqual([])
})

test('CD5 a cycle, a note that is its own child, and an id of nothing end a walk like anything else', async () => {
  const reader = notesInMemory(
    recordsOf({
      a: { children: ['b', 'a', 'nothing'], references: ['a'] },
      b: { children: ['c'], fields: { self: '@b' } },
      c: { children: ['a'] },
    }),
  )
  const { reached, isCut } = await walked(reader, 'a', { depth: 5 })
  expect(reached.map((it) => it.note.id).toSorted()).toEqual(['a', 'b', 'c'])
  expect(isCut).toBe(false)
})

test('CD5 places of the program are not walked to, and definitions only where nothing else is', async () => {
  const reader = notesInMemory(
    recordsOf({
      library: { kind: 'system', children: ['a', 'alone', 'other'] },
      a: { references: ['tag'], children: ['b'] },
      b: {},
      alone: { references: ['tag'] },
      other: { references: ['tag'] },
      tag: { kind: 'tag' },
    }),
  )
  const from = async (id: string) =>
    (await walked(reader, id, { depth: 3 })).reached.map((it) => it.note.id)
  expect(await from('a')).toEqual(['a', 'b'])
  expect(await from('alone')).toEqual(['alone', 'tag', 'a', 'other', 'b'])
  expect(await from('tag')).toEqual(['tag', 'a', 'alone', 'other', 'b'])
})

const WIDE = notesInMemory(
  recordsOf({
    inbox: { children: Array.from({ length: 100 }, (_, at) => `c${at}`) },
    ...Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`c${at}`, { children: [`d${at}`] }]),
    ),
    ...Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`d${at}`, {}])),
  }),
)

test('CD6 of too many children some are looked at, and how many is said', async () => {
  const caps = { ...NOTES_WALK_CAPS, perSource: 70, perType: 40 }
  const near = await walked(WIDE, 'inbox', { depth: 1, caps })
  expect(near.reached).toHaveLength(1 + 70)
  const about = { note: { id: 'inbox' }, type: 'child', direction: 'out', total: 100 }
  expect(near.cuts).toMatchObject([{ ...about, given: 70 }])
  // From further away, fewer of them.
  const far = await walked(WIDE, 'c0', { depth: 2, caps })
  expect(far.reached).toHaveLength(1 + 2 + 39)
  expect(far.cuts).toMatchObject([{ ...about, given: 40 }])
})

test('CD6 a walk ends at the cap on notes, however they are asked for', async () => {
  const found: string[] = []
  for (const batch of [100, 7, 1]) {
    const caps = { perSource: 60, perType: 60, notes: 80, batch }
    const { reached, isCut } = await walked(WIDE, 'inbox', { depth: 3, caps })
    expect(isCut).toBe(true)
    expect(reached).toHaveLength(80)
    found.push(reached.map((it) => it.note.id).join(' '))
  }
  expect(new Set(found).size).toBe(1)
})
