/** The store of notes: what is next to a note, who owns it, and what lies near a vector. */
import { describe, expect, test } from 'vitest'
import type { VectorInfo } from '../../src/model/embedder.ts'
import type { NoteRecord } from '../../src/model/note.ts'
import type { AroundWish, Surroundings } from '../../src/model/notes-index.ts'
import { realFiles } from '../../src/platform/files.ts'
import { findNotesWithoutVectors, putVectors } from '../../src/store/notes/put-vectors.ts'
import { ALL_TYPES, importInto, note, notesPath, PATIENT, reading } from '../support/note-store.ts'
import { temporaryFolder } from '../support/project.ts'

const ALL: AroundWish = { types: ALL_TYPES, limit: 100, words: [] }

async function aroundOf(
  folder: string,
  id: string,
  wish: Partial<AroundWish> = {},
): Promise<Surroundings | undefined> {
  const [answer] = await reading(folder, (it) => it.around([id], { ...ALL, ...wish }))
  return answer
}

/** `child out b`, in the order of the answer. */
function told(answer: Surroundings | undefined): readonly string[] {
  return answer?.neighbours.map((it) => `${it.type} ${it.direction} ${it.id}`) ?? []
}

function valueOf(target: string): NoteRecord['fields'] {
  return [{ name: 'Field', values: [{ text: target, target }] }]
}

describe('NS6 what is next to a note', () => {
  test('NS6 children, parents, references and fields, both ways, as the source lists them', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [
      note('top', { children: ['z', 'hub', 'a'] }),
      note('hub', {
        parent: 'top',
        children: ['y', 'x'],
        references: ['z', 'a'],
        fields: [...valueOf('x'), ...valueOf('a'), ...valueOf('x')],
      }),
      note('x', { parent: 'hub', references: ['hub'] }),
      note('y', { parent: 'hub', fields: valueOf('hub') }),
      note('z', { parent: 'top', references: ['hub'] }),
      note('a', { parent: 'top', references: ['hub'] }),
    ])
    expect(told(await aroundOf(folder, 'hub'))).toEqual([
      'child out y',
      'child out x',
      'parent in top',
      'reference out z',
      'reference out a',
      'reference in a',
      'reference in x',
      'reference in z',
      'field out x',
      'field out a',
      'field in y',
    ])
    expect(told(await aroundOf(folder, 'hub', { types: ['parent', 'child', 'parent'] }))).toEqual([
      'child out y',
      'child out x',
      'parent in top',
    ])
    const several = await reading(folder, (it) => it.around(['z', 'nobody', 'top', 'z'], ALL))
    expect(several.map((it) => it.id)).toEqual(['z', 'nobody', 'top', 'z'])
    expect(told(several[1])).toEqual([])
    expect(told(several[3])).toEqual(['parent in top', 'reference out hub', 'reference in hub'])
  })

  test('NS6 what is not there is no neighbour until it comes, nor is a place of the program', async () => {
    const folder = temporaryFolder()
    const a = note('a', {
      parent: 'p',
      children: ['c'],
      references: ['r', 'system'],
      fields: valueOf('f'),
    })
    const system = note('system', { kind: 'system', references: ['a'] })
    await importInto(folder, [a, system])
    expect(await aroundOf(folder, 'a')).toEqual({ id: 'a', neighbours: [], cut: [] })
    const others = ['p', 'c', 'r', 'f'].map((it) => note(it))
    expect(await importInto(folder, [a, system, ...others])).toMatchObject({ unchanged: 2 })
    const all = ['child out c', 'parent in p', 'reference out r', 'field out f']
    expect(told(await aroundOf(folder, 'a'))).toEqual(all)
    expect(told(await aroundOf(folder, 'r'))).toEqual(['reference in a'])
    await importInto(folder, [a, system, ...others.slice(1)])
    expect(told(await aroundOf(folder, 'a'))).toEqual(all.filter((it) => !it.includes('parent')))
    expect(await importInto(folder, [system, ...others])).toMatchObject({ removed: 1 })
    expect(told(await aroundOf(folder, 'r'))).toEqual([])
  })

  test('NS6 a note that leads to itself is no neighbour of itself', async () => {
    const folder = temporaryFolder()
    const own = { parent: 'a', children: ['a', 'b', 'b'], references: ['a'], fields: valueOf('a') }
    await importInto(folder, [note('a', own), note('b', { parent: 'a' })])
    expect(told(await aroundOf(folder, 'a'))).toEqual(['child out b'])
    expect(await reading(folder, async (it) => (await it.status()).links)).toBe(1)
  })
})

describe('NS7 more than is wanted', () => {
  const names = Array.from({ length: 6 }, (_, at) => `c${at}`)

  for (const limit of [5, 6, 7]) {
    test(`NS7 of six, ${limit} are wanted: counted exactly`, async () => {
      const folder = temporaryFolder()
      await importInto(folder, [
        note('hub', { children: names, references: names }),
        ...names.map((id) => note(id, { parent: 'hub', fields: valueOf('hub') })),
      ])
      const answer = await aroundOf(folder, 'hub', { limit })
      const given = Math.min(limit, 6)
      expect(answer?.neighbours.length).toBe(3 * given)
      expect(answer?.cut).toEqual(
        limit >= 6
          ? []
          : [
              { type: 'child', direction: 'out', total: 6, given },
              { type: 'reference', direction: 'out', total: 6, given },
              { type: 'field', direction: 'in', total: 6, given },
            ],
      )
    })
  }

  test('NS7 those with the most words stay, then the latest, then the first', async () => {
    const folder = temporaryFolder()
    const children = ['old', 'both', 'late', 'tagged', 'unsaid', 'twin', 'content']
    await importInto(folder, [
      note('hub', { children }),
      note('old', { name: 'red thing', modified: 10 }),
      note('both', { name: 'Red BLUE', modified: 1 }),
      note('late', { name: 'thing', modified: 90 }),
      note('tagged', { name: 'thing', tags: ['blues'], modified: 5 }),
      note('unsaid', { name: 'thing' }),
      note('twin', { name: 'thing', created: 90 }),
      note('content', { name: 'thing', content: 'red blue', modified: 2 }),
    ])
    const given = async (limit: number): Promise<readonly string[]> => {
      const answer = await aroundOf(folder, 'hub', { limit, words: ['red', 'blue'] })
      return answer?.neighbours.map((it) => it.id) ?? []
    }
    expect(await given(1)).toEqual(['both'])
    expect(await given(2)).toEqual(['old', 'both'])
    expect(await given(3)).toEqual(['old', 'both', 'tagged'])
    expect(await given(4)).toEqual(['old', 'both', 'late', 'tagged'])
    expect(await given(5)).toEqual(['old', 'both', 'late', 'tagged', 'twin'])
    expect(await given(6)).toEqual(['old', 'both', 'late', 'tagged', 'twin', 'content'])
    expect(await given(0)).toEqual([])
  })

  test('NS7 a hub of 20,000 is answered as any other', async () => {
    const folder = temporaryFolder()
    const ids = Array.from({ length: 20_000 }, (_, at) => `n${at}`)
    const referrers = ids.map((id, at) =>
      note(id, { name: `w${at}`, references: ['hub'], modified: at }),
    )
    await importInto(folder, [note('hub', { children: ids }), ...referrers])
    const answer = await aroundOf(folder, 'hub', { limit: 3, words: ['w7'] })
    const expected = ['n7', 'n19998', 'n19999']
    expect(answer?.neighbours.map((it) => it.id)).toEqual([...expected, ...expected.toSorted()])
    expect(answer?.cut.map((it) => [it.total, it.given])).toEqual([
      [20_000, 3],
      [20_000, 3],
    ])
  })
})

describe('NS8 breadcrumbs', () => {
  test('NS8 name the owners from the top, places of the program left out; a circle ends', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [
      note('ws', { kind: 'system', name: 'Workspace' }),
      note('day', { name: 'Today', parent: 'ws' }),
      note('lib', { kind: 'system', name: 'Library', parent: 'day' }),
      note('deep', { name: 'Deep', parent: 'lib' }),
      note('leaf', { parent: 'deep' }),
      note('one', { name: 'One', parent: 'two' }),
      note('two', { name: 'Two', parent: 'one' }),
      note('self', { parent: 'self' }),
      note('orphan', { parent: 'nobody' }),
    ])
    const ids = ['leaf', 'day', 'one', 'two', 'self', 'orphan', 'nobody']
    expect([...(await reading(folder, (it) => it.breadcrumbs(ids)))]).toEqual([
      ['leaf', ['Today', 'Deep']],
      ['day', []],
      ['one', ['Two']],
      ['two', ['One']],
      ['self', []],
      ['orphan', []],
    ])
  })
})

function nearest(folder: string, vector: readonly number[], limit = 9): Promise<readonly string[]> {
  return reading(folder, async (it) =>
    (await it.nearest(Float32Array.from(vector), limit)).map(({ id }) => id),
  )
}

describe('NS9 vectors', () => {
  const INFO: VectorInfo = { name: 'endpoint', model: 'm', dimensions: 3, url: 'http://x/v1' }

  async function embed(
    folder: string,
    vectors: Readonly<Record<string, readonly number[]>>,
    info = INFO,
  ): Promise<number> {
    const place = { ...PATIENT, files: realFiles, path: notesPath(folder) }
    const entries = findNotesWithoutVectors(place, info).flatMap((it) => {
      const vector = vectors[it.id]
      return vector === undefined ? [] : [{ ...it, vector: Float32Array.from(vector) }]
    })
    return putVectors(place, info, entries)
  }

  const NOTES = ['a', 'b', 'c', 'd'].map((id) => note(id))
  const VECTORS = { a: [1, 0, 0], b: [0, 2, 0], c: [0.5, 0.5, 0], d: [5, 0, 0] }

  test('NS9 the nearest come first, equals by id; without vectors there are none', async () => {
    const folder = temporaryFolder()
    await importInto(folder, [...NOTES, note('s', { kind: 'system' })])
    expect(await nearest(folder, [1, 0, 0])).toEqual([])
    expect(await embed(folder, { ...VECTORS, s: [1, 0, 0] })).toBe(4)
    expect(await nearest(folder, [2, 0, 0])).toEqual(['a', 'd', 'c', 'b'])
    expect(await nearest(folder, [2, 0, 0], 1)).toEqual(['a'])
    expect(await nearest(folder, [0, 0, 0])).toEqual([])
    await expect(nearest(folder, [1, 0])).rejects.toMatchObject({ code: 'POC_E_REQUEST_INVALID' })
    const [status, vectors] = await reading(folder, async (it) => [
      await it.status(),
      await it.vectors(['c', 's', 'nobody']),
    ])
    expect(status).toMatchObject({ vectors: INFO })
    expect([...vectors]).toEqual([['c', Float32Array.of(1, 1, 0)]])
  })

  test('NS9 a note that changes or goes loses its vector, others keep theirs', async () => {
    const folder = temporaryFolder()
    await importInto(folder, NOTES)
    await embed(folder, VECTORS)
    await importInto(folder, [...NOTES.slice(0, 2), note('c', { name: 'other' })])
    expect(await nearest(folder, [1, 0, 0])).toEqual(['a', 'b'])
    const place = { ...PATIENT, files: realFiles, path: notesPath(folder) }
    expect(findNotesWithoutVectors(place, INFO).map((it) => it.id)).toEqual(['c'])
    expect(await embed(folder, VECTORS)).toBe(1)
    expect(await nearest(folder, [1, 0, 0])).toEqual(['a', 'c', 'b'])
  })

  test('NS9 a vector of a former edition is not taken, and another embedder starts anew', async () => {
    const folder = temporaryFolder()
    await importInto(folder, NOTES)
    const place = { ...PATIENT, files: realFiles, path: notesPath(folder) }
    const before = findNotesWithoutVectors(place, INFO)
    await importInto(folder, [note('a', { name: 'other' }), ...NOTES.slice(1)])
    const entries = before.map((it) => ({ ...it, vector: Float32Array.of(1, 0, 0) }))
    expect(await putVectors(place, INFO, entries)).toBe(3)
    expect(await nearest(folder, [1, 0, 0])).toEqual(['b', 'c', 'd'])
    const other = { ...INFO, model: 'n' }
    expect(findNotesWithoutVectors(place, other).length).toBe(4)
    expect(await embed(folder, { a: [0, 1, 0] }, other)).toBe(1)
    expect(await nearest(folder, [1, 0, 0])).toEqual(['a'])
  })
})
