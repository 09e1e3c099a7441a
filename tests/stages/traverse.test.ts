/** From seeds to their neighbourhood: shortest real paths, exact caps, one answer for one graph. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Neighbour } from '../../src/model/candidate.ts'
import { EDGE_KINDS, EVIDENCE_KINDS, type ResolvedFile } from '../../src/model/index-record.ts'
import { DIRECTIONS, STRICTNESSES } from '../../src/model/pack-request.ts'
import { collectSameFileChunks } from '../../src/traverse/same-file.ts'
import { WALK_CAPS, type Walk, type WalkRequest, walk } from '../../src/traverse/walk.ts'
import { callOf, graphOf, star, UNBOUNDED } from '../support/call-graphs.ts'
import { buildIndex, reading } from '../support/code-store.ts'
import {
  chunksIn,
  edgesIn,
  fileOf,
  type GeneratedGraph,
  graphs,
  memoryIndex,
  symbolsIn,
} from '../support/graph-index.ts'
import { withFolder } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { destination, isOut, referenceWalk, stepsOf } from '../support/reference-walk.ts'

/** A graph and a request to it. */
function cases(caps: fc.Arbitrary<WalkRequest['caps']>) {
  return fc
    .tuple(
      graphs,
      fc.array(fc.nat(99), { minLength: 1, maxLength: 3 }),
      fc.record({
        maxHops: fc.nat(4),
        kinds: fc.oneof(fc.constant(EDGE_KINDS), fc.subarray([...EDGE_KINDS])),
        direction: fc.constantFrom(...DIRECTIONS),
        evidenceKinds: fc.oneof(fc.constant([]), fc.subarray([...EVIDENCE_KINDS])),
        requireEvidence: fc.boolean(),
        strictness: fc.constantFrom(...STRICTNESSES),
        caps,
      }),
    )
    .map(([graph, numbers, rules]): readonly [GeneratedGraph, WalkRequest] => {
      const chunks = chunksIn(graph)
      const starts = numbers.flatMap((it) => chunks[it % chunks.length] ?? [])
      return [graph, { ...rules, starts }]
    })
}

const unbounded = cases(fc.constant(UNBOUNDED))
const bounded = cases(
  fc.record({
    fanout: fc.nat(4),
    users: fc.oneof(fc.nat(6), fc.constant(999)),
    nodes: fc.oneof(fc.nat(8), fc.constant(999)),
    edges: fc.oneof(fc.nat(30), fc.constant(999)),
    expanded: fc.oneof(fc.nat(4), fc.constant(999)),
  }),
)

describe('TR1 every neighbour hangs on its start by a shortest path of real edges', () => {
  test('TR1 each step leads from the chunk before it to the next', async () => {
    await fc.assert(
      fc.asyncProperty(bounded, async ([graph, request]) => {
        const real = new Set(edgesIn(graph).map((it) => JSON.stringify(it)))
        const { neighbours } = await walk(memoryIndex(graph), request)
        for (const { chunk, start, steps, symbol } of neighbours) {
          let at = request.starts[start]
          for (const { edge, isForward } of steps) {
            expect(real).toContain(JSON.stringify(edge))
            if (isForward && at !== undefined) expect(isOut(at, edge)).toBe(true)
            if (!isForward) expect(namesOf(graph, at?.uid ?? '')).toContain(edge.to)
            at = destination(graph, { edge, isForward })
          }
          expect(at).toEqual(chunk)
          const last = steps.at(-1)
          expect(symbol).toBe(last?.isForward ? last.edge.to : last?.edge.from)
        }
      }),
      runs(300),
    )
  })

  test('TR1 no other path is shorter, and nothing within reach is missing', async () => {
    await fc.assert(
      fc.asyncProperty(unbounded, async ([graph, request]) => {
        const { neighbours } = await walk(memoryIndex(graph), request)
        const hops = new Map(neighbours.map((it) => [it.chunk.uid, it.steps.length]))
        expect(hops.size).toBe(neighbours.length)
        expect(hops).toEqual(distances(graph, request))
      }),
      runs(300),
    )
  })

  test('TR1 evidence is the text at the place of its edge', async () => {
    await fc.assert(
      fc.asyncProperty(unbounded, async ([graph, request]) => {
        const index = memoryIndex(graph)
        for (const { steps } of (await walk(index, request)).neighbours) {
          const expected = await index.evidence(steps.map((it) => it.edge))
          expect(steps.map((it) => it.evidence)).toEqual(expected)
        }
      }),
      runs(50),
    )
  })
})

describe('TR2 one graph has one neighbourhood', () => {
  test('TR2 it is the one that a slow search over all edges finds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(bounded, unbounded), async ([graph, request]) => {
        expect(outline(await walk(memoryIndex(graph), request))).toEqual(
          outline(referenceWalk(graph, request)),
        )
      }),
      runs(500),
    )
  })

  test('TR2 whatever the order in which edges, chunks and definitions arrive', async () => {
    await fc.assert(
      fc.asyncProperty(bounded, fc.nat(), async ([graph, request], seed) => {
        const reversed = await walk(
          memoryIndex(graph, (items) => items.toReversed()),
          request,
        )
        const shuffled = await walk(
          memoryIndex(graph, (items) => shuffle(items, seed)),
          request,
        )
        expect(reversed).toEqual(await walk(memoryIndex(graph), request))
        expect(shuffled).toEqual(reversed)
      }),
      runs(200),
    )
  })

  test('TR2 and from SQLite as from memory', async () => {
    await fc.assert(
      fc.asyncProperty(bounded, async ([graph, request]) => {
        await withFolder(async (folder) => {
          await buildIndex(folder, graph.files, graph.resolved)
          await reading(folder, async (reader) => {
            expect(await walk(reader, request)).toEqual(await walk(memoryIndex(graph), request))
            const wide = { ...request, caps: UNBOUNDED }
            expect(await walk(reader, wide)).toEqual(await walk(memoryIndex(graph), wide))
            expect(await collectSameFileChunks(reader, request.starts, 2)).toEqual(
              await collectSameFileChunks(memoryIndex(graph), request.starts, 2),
            )
          })
        })
      }),
      runs(25),
    )
  })
})

describe('TR3 a cap of N is N', () => {
  test('TR3 of neighbours', async () => {
    await fc.assert(
      fc.asyncProperty(unbounded, async ([graph, request]) => {
        const all = await walk(memoryIndex(graph), request)
        const total = all.neighbours.length
        expect(all.isCut).toBe(false)
        for (const nodes of [total - 1, total, total + 1].filter((it) => it >= 0)) {
          const cut = await walk(memoryIndex(graph), { ...request, caps: { ...UNBOUNDED, nodes } })
          expect(cut.neighbours).toHaveLength(Math.min(nodes, total))
          expect(cut.isCut).toBe(nodes < total)
          expect(cut.dropped.nodes).toBe(Math.max(0, total - nodes))
        }
      }),
      runs(150),
    )
  })

  test('TR3 of edges', async () => {
    await fc.assert(
      fc.asyncProperty(unbounded, async ([graph, request]) => {
        const all = await walk(memoryIndex(graph), request)
        const total = all.edgesWalked
        for (const edges of [0, total - 1, total, total + 1].filter((it) => it >= 0)) {
          const cut = await walk(memoryIndex(graph), { ...request, caps: { ...UNBOUNDED, edges } })
          expect(cut.edgesWalked).toBe(Math.min(edges, total))
          expect(cut.isCut).toBe(edges < total)
          if (!cut.isCut) expect(cut).toEqual(all)
        }
      }),
      runs(150),
    )
  })

  test('TR3 of edges per chunk, kind and direction, the surest first', async () => {
    const graph = star(9)
    const request = { ...REQUEST, starts: chunksIn(graph).slice(0, 1), direction: 'in' as const }
    for (const fanout of [8, 9, 10]) {
      const found = await walk(memoryIndex(graph), { ...request, caps: { ...UNBOUNDED, fanout } })
      expect(found.neighbours).toHaveLength(Math.min(fanout, 9))
      expect(found.dropped.fanout).toBe(Math.max(0, 9 - fanout))
      expect(found.isCut).toBe(false)
    }
    const few = await walk(memoryIndex(graph), { ...request, caps: { ...UNBOUNDED, fanout: 3 } })
    expect(few.neighbours.map((it) => it.chunk.path)).toEqual([
      'src/f7.ts',
      'src/f8.ts',
      'src/f9.ts',
    ])
  })

  test('TR3 who names the symbol comes before who names its file, however sure', async () => {
    const files = [fileOf(0, ['own']), fileOf(1, ['own']), fileOf(2, ['own'])]
    const top = files[0]?.symbols[0]?.id ?? ''
    const importOf = (at: number, to: string, confidence: number): ResolvedFile => {
      const from = files[at]?.symbols[0]?.id ?? ''
      const place = { evidence: 'importStmt', start: 5, end: 8 } as const
      const edges = [{ kind: 'import' as const, from, to, confidence, ...place }]
      return { path: `src/f${at}.ts`, edges, unresolved: [], asked: [] }
    }
    const resolved = [importOf(1, top, 1), importOf(2, `${top}c0().`, 0.5)]
    const graph = { files, resolved }
    const starts = chunksIn(graph).slice(0, 1)
    const caps = { ...UNBOUNDED, fanout: 1 }
    const found = await walk(memoryIndex(graph), { ...REQUEST, starts, caps })
    expect(found.neighbours.map((it) => it.chunk.path)).toEqual(['src/f2.ts'])
    expect(found.dropped.fanout).toBe(1)
  })

  test('TR3 what is named many times takes one place', async () => {
    const graph = graphOf([
      ...Array.from({ length: 5 }, (_, at) => callOf({ from: 0, to: 1, start: at })),
      callOf({ from: 0, to: 2, start: 9 }),
    ])
    const caps = { ...UNBOUNDED, fanout: 2 }
    const found = await walk(memoryIndex(graph), {
      ...REQUEST,
      starts: chunksIn(graph).slice(0, 1),
      caps,
    })
    expect(found.neighbours.map((it) => it.chunk.path)).toEqual(['src/f1.ts', 'src/f2.ts'])
    expect(found.dropped.fanout).toBe(0)
  })
})

describe('TR4 evidence', () => {
  test('TR4 strict walks what has the wanted evidence, and counts the rest one by one', async () => {
    await fc.assert(
      fc.asyncProperty(unbounded, async ([graph, request]) => {
        const { evidenceKinds } = request
        const strict = { ...request, strictness: 'strict' as const, requireEvidence: true }
        const { neighbours, dropped } = await walk(memoryIndex(graph), strict)
        const wanted = (it: { readonly evidence: string }): boolean =>
          evidenceKinds.length === 0 || evidenceKinds.some((kind) => kind === it.evidence)
        const only = {
          files: graph.files,
          resolved: graph.resolved.map((it) => ({ ...it, edges: it.edges.filter(wanted) })),
        }
        const loose = { ...strict, strictness: 'loose' as const }
        expect(neighbours).toEqual((await walk(memoryIndex(only), loose)).neighbours)
        const others = edgesIn(graph).filter((it) => !wanted(it))
        expect(dropped.noEvidence).toBeLessThanOrEqual(others.length)
        if (evidenceKinds.length === 0) expect(dropped.noEvidence).toBe(0)
      }),
      runs(200),
    )
  })

  test('TR4 warn walks all and says which steps lack it; loose does not say', async () => {
    await fc.assert(
      fc.asyncProperty(unbounded, async ([graph, request]) => {
        const { evidenceKinds } = request
        const warned = await walk(memoryIndex(graph), { ...request, strictness: 'warn' })
        const loose = await walk(memoryIndex(graph), { ...request, strictness: 'loose' })
        for (const { edge, isSupported } of warned.neighbours.flatMap((it) => it.steps)) {
          const isWanted = evidenceKinds.length === 0 || evidenceKinds.includes(edge.evidence)
          expect(isSupported).toBe(isWanted)
        }
        expect(loose.neighbours.flatMap((it) => it.steps).every((it) => it.isSupported)).toBe(true)
        expect(paths(loose.neighbours)).toEqual(paths(warned.neighbours))
        expect([warned.dropped.noEvidence, loose.dropped.noEvidence]).toEqual([0, 0])
      }),
      runs(100),
    )
  })
})

describe('TR6 the cost of a walk', () => {
  test('TR6 eight questions per hop, however many chunks there are', async () => {
    for (const callers of [4, 2_000]) {
      const graph = star(callers)
      let questions = 0
      const index = memoryIndex(graph)
      const counted = new Proxy(index, {
        get(target, name, receiver) {
          questions += 1
          return Reflect.get(target, name, receiver)
        },
      })
      const starts = chunksIn(graph).slice(0, 3)
      const found = await walk(counted, { ...REQUEST, starts, maxHops: 2, caps: WALK_CAPS })
      expect(found.neighbours.length).toBeGreaterThan(0)
      // Two hops, and the evidence at the end.
      expect(questions).toBeLessThanOrEqual(2 * 8 + 1)
    }
  })
})

const REQUEST = {
  maxHops: 1,
  kinds: EDGE_KINDS,
  direction: 'both',
  evidenceKinds: [],
  requireEvidence: false,
  strictness: 'warn',
  caps: UNBOUNDED,
} as const satisfies Omit<WalkRequest, 'starts'>

/** The symbols by which others may name a chunk. */
function namesOf(graph: GeneratedGraph, uid: string): readonly (string | undefined)[] {
  const chunk = chunksIn(graph).find((it) => it.uid === uid)
  const inFile = symbolsIn(graph).filter((it) => it.path === chunk?.path)
  const inner = inFile.filter(
    ({ start }) => (chunk?.start ?? 0) <= start && start < (chunk?.end ?? 0),
  )
  const file = inFile.find((it) => it.definition === 0)
  return [chunk?.symbol, file?.id, ...inner.map((it) => it.id)]
}

/** By adding one hop to all that is known until nothing changes. */
function distances(graph: GeneratedGraph, request: WalkRequest): ReadonlyMap<string, number> {
  const starts = new Set(request.starts.map((it) => it.uid))
  const known = new Map([...starts].map((uid) => [uid, 0]))
  for (let hop = 1; hop <= request.maxHops; hop += 1) {
    for (const chunk of chunksIn(graph)) {
      if (known.get(chunk.uid) !== hop - 1) continue
      for (const next of stepsOf(graph, chunk, { request, isStart: hop === 1 })) {
        if (!known.has(next.uid)) known.set(next.uid, hop)
      }
    }
  }
  return new Map([...known].filter(([uid]) => !starts.has(uid)))
}

interface Outlined extends Omit<Walk, 'neighbours'> {
  readonly neighbours: readonly (Pick<Neighbour, 'chunk' | 'start'> & {
    readonly steps: readonly Pick<Neighbour['steps'][number], 'edge' | 'isForward'>[]
  })[]
}

function outline(found: Outlined) {
  return { ...found, neighbours: paths(found.neighbours) }
}

function paths(neighbours: Outlined['neighbours']) {
  return neighbours.map(({ chunk, start, steps }) => ({
    uid: chunk.uid,
    start,
    steps: steps.map(({ edge, isForward }) => ({ edge, isForward })),
  }))
}

function shuffle<T>(items: readonly T[], seed: number): readonly T[] {
  const left = [...items]
  const shuffled: T[] = []
  for (let state = seed >>> 0; left.length > 0; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    shuffled.push(...left.splice(state % left.length, 1))
  }
  return shuffled
}
