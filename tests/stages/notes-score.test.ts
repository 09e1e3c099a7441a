/** CD — Context documents: scores, computed by hand. */
import { expect, test } from 'vitest'
import type { Lens } from '../../src/model/lens.ts'
import type { ReachedNote } from '../../src/model/note-candidate.ts'
import { findLens, LENSES } from '../../src/packs/notes/lenses.ts'
import { cosine, type NotesScoring, recencyOf, scoreNotes } from '../../src/score/notes-score.ts'
import { NOW, type NoteSpec, recordsOf } from '../support/notes-in-memory.ts'

const DAY = 86_400_000
const PLAIN: NotesScoring = { lens: findLens('general'), now: NOW, hasVectors: false }

function reachedAt(distance: number, spec: NoteSpec = {}, id = 'x'): ReachedNote {
  const [note] = recordsOf({ [id]: spec })
  if (note === undefined) throw new Error('no record')
  return { note, distance, path: [], order: 0 }
}

function scoreOf(
  it: ReachedNote,
  changes: Partial<NotesScoring> = {},
  similarity?: number,
): number {
  const known = new Map(similarity === undefined ? [] : [[it.note.id, similarity]])
  const findings = [{ weight: 1, reached: [it], similarity: known }]
  return scoreNotes(findings, { ...PLAIN, ...changes })[0]?.score.total ?? Number.NaN
}

test('CD7 without vectors a score is 0.6 of nearness and 0.4 of recency', () => {
  expect(scoreOf(reachedAt(0, { daysAgo: 0 }))).toBeCloseTo(0.6 + 0.4, 12)
  expect(scoreOf(reachedAt(1, { daysAgo: 0 }))).toBeCloseTo(0.6 + 0.4, 12)
  expect(scoreOf(reachedAt(2, { daysAgo: 30 }))).toBeCloseTo(0.6 / 2 + 0.4 / 2, 12)
  expect(scoreOf(reachedAt(3, { daysAgo: 60 }))).toBeCloseTo(0.6 / 3 + 0.4 / 4, 12)
  expect(scoreOf(reachedAt(4, { daysAgo: 90 }))).toBeCloseTo(0.6 / 4 + 0.4 / 8, 12)
})

test('CD7 with vectors it is 0.4 of nearness, 0.35 of similarity and 0.25 of recency', () => {
  const at = reachedAt(2, { daysAgo: 30 })
  expect(scoreOf(at, { hasVectors: true }, 0.5)).toBeCloseTo(0.2 + 0.175 + 0.125, 12)
  expect(scoreOf(at, { hasVectors: true }, 1)).toBeCloseTo(0.2 + 0.35 + 0.125, 12)
  expect(scoreOf(at, { hasVectors: true }, -0.7)).toBeCloseTo(0.2 + 0.125, 12)
})

test('CD7 the workspace decides the weights: a note without a vector has similarity 0', () => {
  expect(scoreOf(reachedAt(1, { daysAgo: 0 }), { hasVectors: true })).toBeCloseTo(0.4 + 0.25, 12)
})

function recency(spec: NoteSpec): number {
  return recencyOf(reachedAt(0, spec).note, NOW)
}

test('CD7 recency halves in 30 days, is 1 in the future, and 0.5 where nobody knows', () => {
  expect(recency({ daysAgo: 0 })).toBe(1)
  expect(recency({ daysAgo: 30 })).toBe(0.5)
  expect(recency({ daysAgo: 15 })).toBeCloseTo(Math.SQRT1_2, 12)
  expect(recency({ daysAgo: -5 })).toBe(1)
  expect(recency({})).toBe(0.5)
  expect(recency({ created: NOW - 60 * DAY })).toBe(0.25)
  expect(recency({ created: NOW - 60 * DAY, daysAgo: 30 })).toBe(0.5)
})

test('CD7 similarity is the cosine', () => {
  expect(cosine(new Float32Array([1, 0]), new Float32Array([2, 0]))).toBe(1)
  expect(cosine(new Float32Array([3, 4]), new Float32Array([4, 3]))).toBeCloseTo(24 / 25, 12)
  expect(cosine(new Float32Array([1, 0]), new Float32Array([0, 1]))).toBe(0)
  expect(cosine(new Float32Array([1, 0]), new Float32Array([-1, 0]))).toBe(-1)
  expect(cosine(new Float32Array([0, 0]), new Float32Array([1, 0]))).toBe(0)
})

const BOOSTS = LENSES.flatMap((lens) => lens.boostTags.map((tag) => [lens.name, tag] as const))

test.each(BOOSTS)('CD8 the %s lens gives a note with the tag %s 0.1 more', (name, tag) => {
  const boosted = { lens: findLens(name) }
  const plain = scoreOf(reachedAt(2, { daysAgo: 30 }))
  expect(scoreOf(reachedAt(2, { daysAgo: 30, tags: [tag] }))).toBe(plain)
  const upper = tag.toUpperCase()
  expect(scoreOf(reachedAt(2, { daysAgo: 30, tags: [tag] }), boosted)).toBeCloseTo(0.6, 12)
  expect(scoreOf(reachedAt(2, { daysAgo: 30, tags: ['x', upper] }), boosted)).toBeCloseTo(0.6, 12)
})

test('CD8 two tags that a lens wants are worth one, and no score is above 1', () => {
  const lens: Lens = { ...findLens('general'), boostTags: ['a', 'b'] }
  expect(scoreOf(reachedAt(2, { daysAgo: 30, tags: ['a', 'b'] }), { lens })).toBeCloseTo(0.6, 12)
  expect(scoreOf(reachedAt(1, { daysAgo: 0, tags: ['a'] }), { lens })).toBe(1)
})

test('CD9 several queries are blended by their weights, 0 where one has not come', () => {
  const both = reachedAt(1, { daysAgo: 30 }, 'both')
  const one = reachedAt(0, { daysAgo: 0 }, 'one')
  const scored = scoreNotes(
    [
      { weight: 3, reached: [one, { ...both, distance: 1 }], similarity: new Map() },
      { weight: 1, reached: [{ ...both, distance: 2 }], similarity: new Map() },
    ],
    PLAIN,
  )
  const totals = Object.fromEntries(scored.map((it) => [it.note.id, it.score.total]))
  expect(totals['one']).toBeCloseTo(3 / 4, 12)
  expect(totals['both']).toBeCloseTo((3 * 0.8 + 1 * 0.5) / 4, 12)
})

test('CD9 of two ways to a note the nearer one is told', () => {
  const near = { ...reachedAt(0), order: 7 }
  const far = { ...reachedAt(1), order: 3 }
  for (const [first, second] of [
    [near, far],
    [far, near],
  ] as const) {
    const [scored] = scoreNotes(
      [
        { weight: 5, reached: [first], similarity: new Map() },
        { weight: 1, reached: [second], similarity: new Map() },
      ],
      PLAIN,
    )
    expect(scored).toMatchObject({ distance: 0, order: 7 })
  }
})

test('CD10 of the same score, notes stand as their source lists them', () => {
  const chapters = [
    reachedAt(1, { daysAgo: 40 }, 'z'),
    // Seconds later, which no reader of the score can tell.
    reachedAt(1, { daysAgo: 40 - 1e-4 }, 'a'),
    reachedAt(1, { daysAgo: 40 }, 'm'),
    reachedAt(1, { daysAgo: 39 }, 'new'),
  ].map((it, order) => ({ ...it, order }))
  for (const reached of [chapters, chapters.toReversed()]) {
    const scored = scoreNotes([{ weight: 1, reached, similarity: new Map() }], PLAIN)
    expect(scored.map((it) => it.note.id)).toEqual(['new', 'z', 'a', 'm'])
  }
})

test('CD10 what was asked for stands first, then by score, distance and id', () => {
  const reached = [
    reachedAt(2, { daysAgo: 0 }, 'recent'),
    reachedAt(1, { daysAgo: 900 }, 'b'),
    reachedAt(1, { daysAgo: 900 }, 'a'),
    reachedAt(1, { daysAgo: 0 }, 'near'),
    reachedAt(0, { daysAgo: 900 }, 'source'),
  ]
  for (const list of [reached, reached.toReversed()]) {
    const scored = scoreNotes([{ weight: 1, reached: list, similarity: new Map() }], PLAIN)
    expect(scored.map((it) => it.note.id)).toEqual(['source', 'near', 'recent', 'a', 'b'])
  }
})
