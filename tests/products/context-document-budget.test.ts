/** CD — Context documents: the budget, on the text that is handed out. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { EngineError } from '../../src/model/engine-error.ts'
import { assembleContext, type ContextRequest } from '../../src/packs/notes/context-document.ts'
import { findLens, LENSES } from '../../src/packs/notes/lenses.ts'
import { generatedNotes } from '../support/notes-generated.ts'
import { NOW, notesInMemory, recordsOf } from '../support/notes-in-memory.ts'
import { runs } from '../support/property.ts'
import { quietWorld, realTokens } from '../support/world.ts'

const WORLD = quietWorld('.')

function asked(changes: Partial<ContextRequest>): ContextRequest {
  return {
    queries: [{ text: 'n0', weight: 1 }],
    workspace: 'main',
    lens: findLens('general'),
    depth: 2,
    maxTokens: 4000,
    includeFields: true,
    format: 'markdown',
    now: NOW,
    ...changes,
  }
}

const REQUEST = fc.record({
  query: fc.constantFrom('n0', 'n1', 'harbor plan', 'atlas'),
  lens: fc.constantFrom(...LENSES),
  depth: fc.integer({ min: 1, max: 5 }),
  maxTokens: fc.oneof(
    fc.integer({ min: 1, max: 700 }),
    fc.integer({ min: 1, max: 4000 }),
    fc.integer({ min: 1, max: 20_000 }),
  ),
  format: fc.constantFrom('markdown' as const, 'json' as const),
  includeFields: fc.boolean(),
})

test('CD1 the text keeps the budget and says its own length, for every note, lens, depth, budget and format', async () => {
  const count = await realTokens()
  await fc.assert(
    fc.asyncProperty(generatedNotes(), REQUEST, async (records, { query, ...rest }) => {
      const request = asked({ ...rest, queries: [{ text: query, weight: 1 }] })
      const reader = notesInMemory(records)
      const made = await assembleContext(WORLD, reader, request).catch((error: unknown) => error)
      if (made instanceof EngineError) {
        expect(made.code).toBe('POC_E_BUDGET_EXCEEDED')
        const least = Number(/at least (\d+) tokens/.exec(made.hint)?.[1])
        expect(least).toBeGreaterThan(request.maxTokens)
        const enough = await assembleContext(WORLD, reader, { ...request, maxTokens: least })
        expect(count(enough.text)).toBeLessThanOrEqual(least)
        return
      }
      const { document, text } = made as Awaited<ReturnType<typeof assembleContext>>
      const { tokens } = document.meta
      expect(tokens.used).toBe(count(text))
      expect(tokens.used).toBeLessThanOrEqual(request.maxTokens)
      expect(tokens.budget).toBe(request.maxTokens)
      expect(tokens.utilization).toBe(Math.round((tokens.used / tokens.budget) * 100) / 100)
      expect(tokens.nodesIncluded).toBe(document.nodes.length)
      expect(tokens.nodesSummarized).toBe(document.overflow.length)
      if (request.format === 'json') expect(JSON.parse(text)).toEqual(document)
      else expect(text).toContain(`${tokens.used} of ${tokens.budget} tokens`)
    }),
    runs(250),
  )
}, 120_000)

test('CD1 a budget that there is enough for is used, at least 85 of 100 tokens', async () => {
  const count = await realTokens()
  let filled = 0
  await fc.assert(
    fc.asyncProperty(generatedNotes(80), REQUEST, async (records, { query, ...rest }) => {
      const budget = Math.max(500, rest.maxTokens)
      const request = asked({ ...rest, maxTokens: budget, queries: [{ text: query, weight: 1 }] })
      const reader = notesInMemory(records)
      const all = await assembleContext(WORLD, reader, { ...request, maxTokens: 1_000_000 })
      const { document, text } = await assembleContext(WORLD, reader, request)
      if (count(all.text) < budget) {
        expect(document.nodes).toEqual(all.document.nodes)
        return
      }
      // Where nearly all is shown, what is left out may be one note that cannot be cut to fit.
      if (count(all.text) < 1.5 * budget) return
      filled += 1
      expect(count(text) / budget).toBeGreaterThanOrEqual(0.85)
    }),
    runs(150),
  )
  expect(filled).toBeGreaterThan(30)
}, 120_000)

const BIG = recordsOf({
  top: {
    name: 'Top',
    content: 'A sentence about harbors. '.repeat(900),
    tags: ['note'],
    children: Array.from({ length: 300 }, (_, at) => `c${at}`),
  },
  ...Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`c${at}`, { name: `Line ${at}`, daysAgo: at }]),
  ),
})

test.each([500, 501, 750, 1000, 4000, 20_000])(
  'CD1 a long note and many lines fill %i tokens of either format',
  async (maxTokens) => {
    for (const format of ['markdown', 'json'] as const) {
      const request = asked({ queries: [{ text: 'top', weight: 1 }], maxTokens, format })
      const { document } = await assembleContext(WORLD, notesInMemory(BIG), request)
      expect(document.meta.tokens.used).toBeLessThanOrEqual(maxTokens)
      if (maxTokens < 10_000) expect(document.meta.tokens.utilization).toBeGreaterThanOrEqual(0.9)
      if (maxTokens < 4000)
        expect(document.nodes[0]?.content).toMatch(/… \([\d,]+ more characters\)$/)
    }
  },
)

const MIXED = recordsOf({
  top: { name: 'Top', tags: ['note'], children: Array.from({ length: 90 }, (_, at) => `m${at}`) },
  ...Object.fromEntries(
    Array.from({ length: 90 }, (_, at) => [
      `m${at}`,
      {
        name: `Line ${at} about ${'harbors and ships '.repeat(at % 7)}`,
        daysAgo: at,
        tags: at % 3 === 0 ? ['task'] : [],
        content: at % 5 === 0 ? 'What ships bring is counted twice. '.repeat(at % 11) : '',
      },
    ]),
  ),
})

test('CD1 no budget is one that nothing fits into by a token', async () => {
  const reader = notesInMemory(MIXED)
  for (let maxTokens = 500; maxTokens < 800; maxTokens += 1) {
    const format = maxTokens % 2 === 0 ? 'json' : 'markdown'
    const request = asked({ queries: [{ text: 'top', weight: 1 }], maxTokens, format })
    const { document } = await assembleContext(WORLD, reader, request)
    expect(document.meta.tokens.utilization).toBeGreaterThanOrEqual(0.85)
  }
}, 30_000)

test('CD2 below 500 tokens there are names and no contents, and a warning says so', async () => {
  const reader = notesInMemory(BIG)
  for (const maxTokens of [100, 250, 499]) {
    const request = asked({ queries: [{ text: 'top', weight: 1 }], maxTokens })
    const { document, text } = await assembleContext(WORLD, reader, request)
    expect(document.nodes).toEqual([])
    expect(document.overflow[0]).toMatchObject({ id: 'top', name: 'Top', tags: ['note'] })
    expect(document.meta.warnings?.[0]).toContain('fewer than 500')
    expect(document.meta.tokens.utilization).toBeGreaterThanOrEqual(0.85)
    expect(text).not.toContain('A sentence about harbors')
  }
  const enough = asked({ queries: [{ text: 'top', weight: 1 }], maxTokens: 500 })
  const { document } = await assembleContext(WORLD, reader, enough)
  expect(document.nodes[0]?.id).toBe('top')
  expect(document.meta.warnings?.some((it) => it.includes('fewer than 500'))).toBe(false)
})

test('CD2 a budget that not even the head fits into is refused with the least that works', async () => {
  const reader = notesInMemory(BIG)
  const request = asked({ queries: [{ text: 'top', weight: 1 }], maxTokens: 5 })
  await expect(assembleContext(WORLD, reader, request)).rejects.toMatchObject({
    code: 'POC_E_BUDGET_EXCEEDED',
    hint: expect.stringMatching(/^give at least \d+ tokens$/),
  })
})

test('CD2 of a few small notes the least that is named works, and contents are shown as soon as they fit', async () => {
  const records = recordsOf({
    atlas: { name: 'Atlas', children: ['ship', 'crew'], content: 'A plan.' },
    ship: { name: 'Ship', content: 'It floats.' },
    crew: { name: 'Crew', content: 'Three people.' },
  })
  const reader = notesInMemory(records)
  for (const format of ['markdown', 'json'] as const) {
    const request = asked({ queries: [{ text: 'Atlas', weight: 1 }], format })
    const { document: all } = await assembleContext(WORLD, reader, request)
    expect(all.nodes).toHaveLength(3)
    let least = 0
    for (let maxTokens = 1; maxTokens < 500; maxTokens += 1) {
      const made = await assembleContext(WORLD, reader, { ...request, maxTokens }).catch(
        (error: unknown) => error,
      )
      if (made instanceof EngineError) {
        expect(made.code).toBe('POC_E_BUDGET_EXCEEDED')
        least = Number(/^give at least (\d+) tokens$/.exec(made.hint)?.[1])
        expect(least).toBeGreaterThan(maxTokens)
        continue
      }
      const { document } = made as Awaited<ReturnType<typeof assembleContext>>
      expect(maxTokens).toBeGreaterThanOrEqual(least)
      expect(document.nodes.length + document.overflow.length).toBeGreaterThan(0)
      // What the head says of the budget is some tokens longer or shorter.
      if (maxTokens > all.meta.tokens.used + 3) {
        expect(document.nodes).toEqual(all.nodes)
        expect(document.meta.warnings).toBeUndefined()
      }
    }
    expect(least).toBeGreaterThan(0)
  }
})

test('CD3 what is not shown is named, and what is not named is counted', async () => {
  // Lines without a tag would be the outline of the note that they are below.
  const tagged = BIG.map((it) => ({ ...it, tags: ['note'] }))
  const reader = notesInMemory(tagged)
  for (const format of ['markdown', 'json'] as const) {
    const request = asked({ queries: [{ text: 'top', weight: 1 }], maxTokens: 600, format })
    const { document, text } = await assembleContext(WORLD, reader, request)
    const { nodes, overflow, meta } = document
    const ids = [...nodes, ...overflow].map((it) => it.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(overflow.length).toBeGreaterThan(0)
    const rest = 201 - ids.length
    expect(meta.warnings).toContain(`${rest} of 201 notes are neither shown nor named.`)
    if (format === 'markdown') expect(text).toContain(`- and ${rest} more\n`)
  }
})

test('CD3 texts that are the same are shown once', async () => {
  const twin = { name: 'Weekly sync', content: 'Same words.' }
  const records = recordsOf({
    top: { children: ['a', 'b', 'c'] },
    a: twin,
    b: twin,
    c: { ...twin, content: 'Other words.' },
  })
  const request = asked({ queries: [{ text: 'top', weight: 1 }] })
  const { document, text } = await assembleContext(WORLD, notesInMemory(records), request)
  expect(document.nodes.map((it) => it.id)).toEqual(['top', 'a', 'c'])
  expect(text.split('Same words.')).toHaveLength(2)
})

test('CD3 what hangs on a note that says the same as another is shown with that one', async () => {
  const twin = { name: 'Gothic fiction', tags: ['category'] }
  const records = recordsOf({
    a: twin,
    b: { ...twin, children: ['line'] },
    line: { name: 'A line below the other' },
    book: { name: 'Frankenstein', content: 'A novel.', fields: { category: '@b' } },
  })
  for (const maxTokens of [500, 4000]) {
    const request = asked({ queries: [{ text: 'Gothic fiction', weight: 1 }], maxTokens })
    const { document, text } = await assembleContext(WORLD, notesInMemory(records), request)
    expect(document.nodes.map((it) => it.id)).toEqual(['b', 'book'])
    expect(text.split('## Gothic fiction #category')).toHaveLength(2)
    expect(text).toContain('\n- A line below the other\n')
    expect(text).toContain('### Frankenstein\n\n*has Gothic fiction as `category`')
    expect(text).toContain('A novel.')
  }
})

test('CD3 a note is shown where to count it would take more', async () => {
  for (const format of ['markdown', 'json'] as const) {
    const request = asked({ queries: [{ text: 'Idea', weight: 1 }], format })
    const records = recordsOf({ Idea: {} })
    const { document, text } = await assembleContext(WORLD, notesInMemory(records), request)
    expect(document.nodes.map((it) => it.id)).toEqual(['Idea'])
    expect(text).not.toContain('neither shown nor named')
    if (format === 'markdown') expect(text).toContain('## Idea\n')
  }
})
