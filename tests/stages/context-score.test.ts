/** Scores of what a pack may hold, and their order: CP2. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pathRole } from '../../src/base/path-roles.ts'
import type { Candidate, Neighbour, Seed, Step } from '../../src/model/candidate.ts'
import type { StoredChunk } from '../../src/model/code-index.ts'
import type { EdgeKind } from '../../src/model/index-record.ts'
import { ORDERINGS, type PackRequest, TIE_BREAKERS } from '../../src/model/pack-request.ts'
import { candidateOrder, neighbourCandidate, seedCandidate } from '../../src/score/context-score.ts'
import { runs } from '../support/property.ts'

function chunk(changes: Partial<StoredChunk> = {}): StoredChunk {
  const text = 'const a = 1'
  return {
    uid: 'xxh64:1',
    path: 'src/a.ts',
    kind: 'function',
    name: 'a',
    title: 'a',
    symbol: '',
    start: 0,
    end: text.length,
    startLine: 1,
    endLine: 1,
    tokens: 5,
    text,
    ...changes,
  } as StoredChunk
}

function seed(score: number, changes: Partial<StoredChunk> = {}): Candidate {
  const found: Seed = { chunk: chunk(changes), score, vector: {}, terms: [], reasons: [] }
  return seedCandidate(found, 'seed')
}

function hop(kind: EdgeKind, isForward: boolean, confidence = 1): Step {
  const edge = { kind, from: 'a', to: 'b', path: 'src/a.ts', start: 0, end: 1, confidence }
  const evidence = { id: 'ev:1', kind: 'callsite', path: 'src/a.ts', text: 'a', startLine: 1 }
  return { edge, evidence, isForward, isSupported: true } as unknown as Step
}

function neighbour(steps: readonly Step[], changes: Partial<StoredChunk> = {}): Candidate {
  const found: Neighbour = {
    chunk: chunk(changes),
    symbol: changes.symbol ?? '',
    start: 0,
    via: '',
    steps,
  }
  return neighbourCandidate(found, pathRole(found.chunk.path))
}

const share = fc.double({ min: 0, max: 1, noNaN: true })
const confidences = fc.array(share, { minLength: 1, maxLength: 4 })

describe('CP2 scores', () => {
  test('CP2 the formula: 0.7 of the seed, 0.2 of the distance, 0.1 of the evidence', () => {
    expect(seed(0.5).scores).toEqual({
      seedScore: 0.5,
      graphDistance: 0,
      evidenceScore: 1,
      hybridScore: 0.65,
    })
    const { scores } = neighbour([hop('call', true, 0.5), hop('call', true, 0.8)])
    expect(scores).toEqual({
      seedScore: 0,
      graphDistance: 2,
      evidenceScore: 0.4,
      hybridScore: 0.106667,
    })
  })

  test('CP2 what only the graph has found never outranks a seed, and all stay within 0 and 1', () => {
    fc.assert(
      fc.property(share, confidences, (score, list) => {
        const found = seed(score).scores.hybridScore
        const hung = neighbour(list.map((it) => hop('call', true, it))).scores.hybridScore
        expect(hung).toBeLessThan(found)
        for (const it of [found, hung]) {
          expect(it).toBeGreaterThanOrEqual(0)
          expect(it).toBeLessThanOrEqual(1)
        }
      }),
      runs(300),
    )
  })

  test('CP2 one hop more never scores higher', () => {
    fc.assert(
      fc.property(confidences, share, (list, last) => {
        const steps = list.map((it) => hop('call', true, it))
        const near = neighbour(steps).scores.hybridScore
        expect(neighbour([...steps, hop('call', true, last)]).scores.hybridScore).toBeLessThan(near)
      }),
      runs(300),
    )
  })

  test('CP2 where no edge leads there is no evidence', () => {
    expect(neighbour([]).scores.evidenceScore).toBe(0)
    expect(neighbour([]).scores.graphDistance).toBe(1)
  })

  test.each([
    ['call', true, 'callees by call-neighbor'],
    ['call', false, 'callers by call-neighbor'],
    ['import', true, 'imports by import-neighbor'],
    ['import', false, 'usages by import-neighbor'],
    ['export', true, 'exports by export-neighbor'],
    ['usage', true, 'usages by usage-neighbor'],
    ['usage', false, 'usages by usage-neighbor'],
    ['inherit', false, 'usages by usage-neighbor'],
    ['dataflow', true, 'dataflow by dataflow-neighbor'],
    ['test', false, 'tests by test-neighbor'],
    ['mention', false, 'related by related'],
  ] as const)('CP2 %s, forward %s: %s', (kind, isForward, standing) => {
    const { section, rule } = neighbour([hop('usage', true), hop(kind, isForward)])
    expect(`${section} by ${rule}`).toBe(standing)
  })

  test('CP2 tests and documents stand with their kind, whatever leads to them', () => {
    const calls = [hop('call', false)]
    expect(neighbour(calls, { path: 'test/a.test.ts' })).toMatchObject({ section: 'tests' })
    expect(neighbour(calls, { path: 'docs/a.md' })).toMatchObject({ section: 'docs' })
    expect(neighbour([], { path: 'src/a.ts' })).toMatchObject({ section: 'related' })
  })
})

const candidate: fc.Arbitrary<Candidate> = fc
  .record({
    score: fc.constantFrom(0, 0.5, 1),
    list: fc.array(fc.constantFrom(0.5, 1), { maxLength: 3 }),
    isSeed: fc.boolean(),
    path: fc.constantFrom('a.ts', 'b.ts', 'Z.ts', 'é.ts'),
    startLine: fc.constantFrom(1, 2, 10),
    uid: fc.constantFrom('xxh64:a', 'xxh64:b'),
    symbol: fc.constantFrom('', 'scip:a', 'scip:b'),
  })
  .map(({ score, list, isSeed, ...place }) =>
    isSeed
      ? seed(score, place)
      : neighbour(
          list.map((it) => hop('call', true, it)),
          place,
        ),
  )

/** No chunk is a candidate twice. */
const candidates = fc.uniqueArray(candidate, {
  maxLength: 12,
  selector: (it) => JSON.stringify(keyed(it)),
})

function keyed(it: Candidate) {
  return {
    symbolId: it.symbol,
    chunkUid: it.chunk.uid,
    fileRelPath: it.chunk.path,
    startLine: it.chunk.startLine,
  }
}

describe('CP2 order', () => {
  test('CP2 by the chosen score first, then hybrid, distance and the tie-breakers; never by arrival', () => {
    const ordering: fc.Arbitrary<PackRequest['ordering']> = fc.record({
      primary: fc.constantFrom(...ORDERINGS),
      stableTieBreakers: fc.shuffledSubarray([...TIE_BREAKERS]),
    })
    fc.assert(
      fc.property(candidates, ordering, (list, wanted) => {
        const sorted = list.toSorted(candidateOrder(wanted))
        expect(list.toReversed().toSorted(candidateOrder(wanted))).toEqual(sorted)
        for (const [at, after] of sorted.entries()) {
          const before = sorted[at - 1]
          if (before === undefined) continue
          const falling = (it: Candidate): readonly number[] => {
            const { seedScore, graphDistance, evidenceScore, hybridScore } = it.scores
            const first = {
              seedScore,
              graphDistance: -graphDistance,
              graphEvidence: evidenceScore,
              hybridScore,
            }[wanted.primary]
            return [first, hybridScore, -graphDistance]
          }
          const [a, b] = [falling(before), falling(after)]
          const differs = a.findIndex((value, place) => value !== b[place])
          if (differs >= 0) {
            expect(a[differs] ?? 0).toBeGreaterThan(b[differs] ?? 0)
            continue
          }
          const tie = wanted.stableTieBreakers.find((it) => keyed(before)[it] !== keyed(after)[it])
          if (tie !== undefined) expect(keyed(before)[tie] < keyed(after)[tie]).toBe(true)
        }
      }),
      runs(300),
    )
  })
})
