/** What a walk leaves out where there is too much of the same, and what a start is named by. */
import { describe, expect, test } from 'vitest'
import { EDGE_KINDS, type ResolvedFile } from '../../src/model/index-record.ts'
import { WALK_CAPS, type WalkRequest, walk } from '../../src/traverse/walk.ts'
import { callOf, graphOf, star, UNBOUNDED } from '../support/call-graphs.ts'
import { reading } from '../support/code-store.ts'
import { chunksIn, fileOf, type GeneratedGraph, memoryIndex } from '../support/graph-index.ts'
import { indexIn } from '../support/indexed-folder.ts'
import { onDisk } from '../support/project.ts'

const REQUEST = {
  maxHops: 1,
  kinds: EDGE_KINDS,
  direction: 'both',
  evidenceKinds: [],
  requireEvidence: false,
  strictness: 'warn',
} as const

interface Asked extends Partial<WalkRequest> {
  /** Number of the file whose first chunk is the start. */
  readonly from: number
}

async function walked(graph: GeneratedGraph, { from, ...changes }: Asked) {
  const starts = chunksIn(graph).filter((it) => it.path === `src/f${from}.ts`)
  const found = await walk(memoryIndex(graph), {
    ...REQUEST,
    starts: starts.slice(0, 1),
    caps: UNBOUNDED,
    ...changes,
  })
  return { ...found, paths: found.neighbours.map((it) => it.chunk.path) }
}

/** Three chunks in each of four files, and each of them calls the first file's function. */
function crowd(): GeneratedGraph {
  const files = [0, 1, 2, 3, 4].map((it) => fileOf(it, ['own', 'own', 'own']))
  const to = files[0]?.chunks[0]?.symbol ?? ''
  const resolved = files.slice(1).map(({ path, chunks }): ResolvedFile => {
    const edges = chunks.map(({ symbol, start }) => {
      const place = { evidence: 'callsite', start: start + 5, end: start + 8 } as const
      return { kind: 'call' as const, from: symbol, to, ...place, confidence: 1 }
    })
    return { path, edges, unresolved: [], asked: [] }
  })
  return { files, resolved }
}

/** 0 calls 1 … 4, the later the less surely, and each of these one of its own. */
function branches(): GeneratedGraph {
  return graphOf(
    [1, 2, 3, 4].flatMap((it) => [
      callOf({ from: 0, to: it, start: it, confidence: 1 - it / 10 }),
      callOf({ from: it, to: it + 4, start: 5 }),
    ]),
  )
}

describe('TR8 equally sure edges take turns by file', () => {
  test.each([
    [1, [1]],
    [3, [1, 2, 3]],
    [4, [1, 2, 3, 4]],
    [6, [1, 1, 2, 2, 3, 4]],
    [9, [1, 1, 1, 2, 2, 3, 3, 4, 4]],
    [12, [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]],
  ])('TR8 a fan-out of %i', async (fanout, files) => {
    const found = await walked(crowd(), { from: 0, caps: { ...UNBOUNDED, fanout } })
    expect(found.paths).toEqual(files.map((it) => `src/f${it}.ts`))
    expect(found.dropped.fanout).toBe(12 - fanout)
  })

  test('TR8 what is surer does not wait for its turn', async () => {
    const calls = [1, 1, 2].map((from, at) =>
      callOf({ from, to: 0, start: at, confidence: from === 1 ? 1 : 0.5 }),
    )
    const found = await walked(graphOf(calls), { from: 0, caps: { ...UNBOUNDED, fanout: 2 } })
    expect(found.paths).toEqual(['src/f1.ts'])
    expect(found.dropped.fanout).toBe(1)
  })
})

describe('TR9 how far a walk goes on', () => {
  test.each([0, 1, 3, 4, 5])('TR9 from %i chunks of a hop, the surest', async (expanded) => {
    const caps = { ...UNBOUNDED, expanded }
    const found = await walked(branches(), { from: 0, maxHops: 2, direction: 'out', caps })
    const second = [5, 6, 7, 8].slice(0, expanded).map((it) => `src/f${it}.ts`)
    expect(found.paths.slice(4)).toEqual(second)
    expect(found.dropped.expanded).toBe(Math.max(0, 4 - expanded))
  })

  test('TR9 the surest of all starts, not the first start alone', async () => {
    const graph = graphOf([
      callOf({ from: 0, to: 2, start: 5, confidence: 0.5 }),
      callOf({ from: 1, to: 3, start: 5, confidence: 0.9 }),
      callOf({ from: 2, to: 4, start: 5 }),
      callOf({ from: 3, to: 5, start: 5 }),
    ])
    const starts = chunksIn(graph).slice(0, 2)
    const caps = { ...UNBOUNDED, expanded: 1 }
    const found = await walked(graph, { from: 0, starts, maxHops: 2, direction: 'out', caps })
    expect(found.paths).toEqual(['src/f2.ts', 'src/f3.ts', 'src/f5.ts'])
  })

  test('TR9 nothing is left out where the walk ends anyway', async () => {
    const caps = { ...UNBOUNDED, expanded: 1 }
    const found = await walked(branches(), { from: 0, maxHops: 1, caps })
    expect(found.dropped.expanded).toBe(0)
  })

  test.each([8, 9, 10])('TR9 back from what %i use only where no more do', async (users) => {
    const caps = { ...UNBOUNDED, users }
    const found = await walked(star(9), { from: 1, maxHops: 2, caps })
    expect(found.paths.length).toBe(users < 9 ? 1 : 9)
    expect(found.dropped.hubs).toBe(users < 9 ? 1 : 0)
    expect((await walked(star(9), { from: 0, maxHops: 1, caps })).paths).toHaveLength(9)
  })
})

const SMALL_CLASS = `
//- src/box.ts
export class Box {
  open() { return 1 }
  close() { return 2 }
}
//- src/a.ts
import { Box } from './box'
export function opener(box: Box) { return box.open() }
//- src/b.ts
import { Box } from './box'
export function closer(it: unknown) { return new Box().close() }
`

test('TR10 a start is named by every symbol in it, its own first', async () => {
  const folder = onDisk(SMALL_CLASS)
  await indexIn(folder)
  await reading(folder, async (reader) => {
    const [start] = await reader.chunksInFiles(['src/box.ts'])
    expect(start?.text).toContain('close()')
    expect((await reader.symbolsInChunks([start?.uid ?? ''])).map((it) => it.name)).toEqual([
      'Box',
      'open',
      'close',
    ])
    const request = { ...REQUEST, starts: start === undefined ? [] : [start] }
    const kinds = ['call'] as const
    const callers = await walk(reader, { ...request, kinds, direction: 'in', caps: WALK_CAPS })
    expect(callers.neighbours.map((it) => it.chunk.path)).toEqual(['src/a.ts', 'src/b.ts'])
    const caps = { ...WALK_CAPS, fanout: 1 }
    const users = await walk(reader, { ...request, kinds: ['call'], direction: 'in', caps })
    expect(users.neighbours.flatMap((it) => it.steps.map((step) => step.edge.to))).toEqual([
      start?.symbol,
    ])
  })
})

/** Of two starts, each is called by twenty and calls six; the calls of it are the surer ones. */
function hubs(): GeneratedGraph {
  return graphOf(
    [0, 1].flatMap((hub) => [
      ...Array.from({ length: 20 }, (_, at) =>
        callOf({ from: 2 + hub * 20 + at, to: hub, start: 5 }),
      ),
      ...Array.from({ length: 6 }, (_, at) =>
        callOf({ from: hub, to: 50 + hub * 6 + at, start: at, confidence: 0.5 }),
      ),
    ]),
  )
}

describe('TR11 what has no room', () => {
  test.each([6, 12, 20, 40])('TR11 of %i, what is called before who calls', async (nodes) => {
    const graph = hubs()
    const starts = ['src/f0.ts', 'src/f1.ts'].map(
      (path) => chunksIn(graph).find((it) => it.path === path) ?? fail(path),
    )
    const caps = { ...UNBOUNDED, nodes }
    const found = await walk(memoryIndex(graph), { ...REQUEST, starts, caps })
    const callees = found.neighbours.filter((it) => it.steps[0]?.isForward === true)
    expect(found.neighbours).toHaveLength(nodes)
    expect(callees).toHaveLength(Math.min(nodes, 12))
    const callers = found.neighbours.filter((it) => it.steps[0]?.isForward === false)
    const ofFirst = callers.filter((it) => it.start === 0).length
    expect(ofFirst).toBe(Math.ceil(callers.length / 2))
  })
})

function fail(path: string): never {
  throw new Error(`there is no ${path}`)
}
