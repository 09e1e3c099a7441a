/** Text by id and the prompt block: TX1–TX6, counted with the real tokenizer. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DocsIndex } from '../../src/model/docs-index.ts'
import type { CountTokens } from '../../src/model/tokens.ts'
import { type DetailMode, type GetResult, getDocs } from '../../src/packs/docs/docs-get.ts'
import { buildDocsPrompt, type DocsPrompt } from '../../src/packs/docs/docs-prompt.ts'
import { HANDBOOK } from '../support/handbook.ts'
import { ask, build, readPack } from '../support/pack.ts'
import { onDisk } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { quietWorld, realTokens } from '../support/world.ts'

const LONG = `
//- long.md
# Long

${'A sentence of some length about nothing. '.repeat(60)}

\`\`\`python
${Array.from({ length: 60 }, (_, at) => `    value_${at} = compute(${at})`).join('\n')}
\`\`\`

数据库数据库数据库 🎉🎉🎉
`

async function withPack<T>(
  text: string,
  action: (index: DocsIndex, count: CountTokens) => Promise<T>,
): Promise<T> {
  const folder = onDisk(text)
  await build(quietWorld(folder))
  const count = await realTokens()
  return ask(folder, (index) => action(index, count))
}

describe('TX1 raw', () => {
  test('TX1 is the exact text of the chunk, in the order asked for, each once', async () => {
    const folder = onDisk(HANDBOOK + LONG)
    await build(quietWorld(folder))
    const pack = readPack(folder)
    const ids = pack.chunks.map((it) => it.id).toReversed()
    const count = await realTokens()
    const request = { ids: [...ids, ...ids], mode: 'raw', budget: 100_000 } as const
    const answer = await ask(folder, (index) => getDocs(index, request, count))
    expect(answer.items.map((it) => it.chunk.id)).toEqual(ids)
    for (const item of answer.items) {
      const text = pack.chunks.find((it) => it.id === item.chunk.id)?.text ?? 'none'
      expect(item).toMatchObject({ text, isCut: false })
      expect(answer.text).toContain(text)
    }
    expect(answer.tokens).toBe(count(answer.text))
  })
})

const budgets = fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 3000 }))
const mode = fc.constantFrom<DetailMode>('raw', 'excerpt', 'skeleton')

type Got = GetResult | { readonly code: string }

async function got(asked: Promise<GetResult>): Promise<Got> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { code: String(error.code) }
    throw error
  }
}

describe('TX4 the budget', () => {
  test('TX4 no answer is over it, and what was left out is named', async () => {
    await withPack(HANDBOOK + LONG, async (index, count) => {
      const all = (await index.index()).map((it) => it.id)
      const some = fc.shuffledSubarray(all, { minLength: 1, maxLength: 8 })
      await fc.assert(
        fc.asyncProperty(some, budgets, mode, async (ids, budget, how) => {
          const answer = await got(getDocs(index, { ids, mode: how, budget }, count))
          if ('code' in answer) {
            expect(answer.code).toBe('POC_E_BUDGET_EXCEEDED')
            return
          }
          expect(count(answer.text)).toBeLessThanOrEqual(budget)
          expect(answer.tokens).toBe(count(answer.text))
          const named = [
            ...answer.items.map((it) => it.chunk.id),
            ...answer.leftOut.map((it) => it.id),
          ]
          expect(named.toSorted()).toEqual(ids.toSorted())
          for (const { id } of answer.leftOut) expect(answer.text).toContain(id)
        }),
        runs(250),
      )
    })
  })

  test('TX4 enough for everything leaves nothing out', async () => {
    await withPack(HANDBOOK, async (index, count) => {
      const ids = (await index.index()).map((it) => it.id)
      const whole = await getDocs(index, { ids, mode: 'raw', budget: 100_000 }, count)
      const exact = await getDocs(index, { ids, mode: 'raw', budget: whole.tokens }, count)
      expect(exact).toEqual(whole)
      const less = await getDocs(index, { ids, mode: 'raw', budget: whole.tokens - 1 }, count)
      expect(less.leftOut.length).toBeGreaterThan(0)
    })
  })

  test('TX4 one that does not fit is passed over, not a stop', async () => {
    await withPack(HANDBOOK + LONG, async (index, count) => {
      const entries = await index.index()
      const idOf = (title: string): string =>
        entries.find((it) => it.title_path.at(-1) === title)?.id ?? ''
      const ids = [idOf('Rate limits'), idOf('Long'), idOf('Errors')]
      const answer = await getDocs(index, { ids, mode: 'raw', budget: 250 }, count)
      expect(answer.items.map((it) => it.chunk.id)).toEqual([ids[0], ids[2]])
      expect(answer.leftOut.map((it) => it.id)).toEqual([ids[1]])
    })
  })

  test('TX4 where not even the first fits, as many of its lines as do', async () => {
    await withPack(LONG, async (index, count) => {
      const ids = (await index.index()).map((it) => it.id)
      const answer = await getDocs(index, { ids, mode: 'raw', budget: 400 }, count)
      expect(answer.items).toMatchObject([{ isCut: true }])
      expect(answer.text).toContain('shortened')
      const more = await getDocs(index, { ids, mode: 'raw', budget: 500 }, count)
      expect(more.tokens).toBeGreaterThan(answer.tokens)
    })
  })

  test('TX4 the error says how much would be enough, and that much is', async () => {
    await withPack(LONG, async (index, count) => {
      const ids = (await index.index()).map((it) => it.id)
      const hint = await getDocs(index, { ids, mode: 'raw', budget: 3 }, count).then(
        () => '',
        (error: { readonly hint?: string }) => error.hint ?? '',
      )
      const smallest = Number(/takes (\d+)/.exec(hint)?.[1])
      const answer = await getDocs(index, { ids, mode: 'raw', budget: smallest }, count)
      expect(answer.tokens).toBeLessThanOrEqual(smallest)
      expect(answer.items).toHaveLength(1)
      const less = await got(getDocs(index, { ids, mode: 'raw', budget: smallest - 1 }, count))
      expect(less).toEqual({ code: 'POC_E_BUDGET_EXCEEDED' })
    })
  })
})

describe('TX5 unknown ids', () => {
  test('TX5 are named with the nearest, and the known ones are given', async () => {
    await withPack(HANDBOOK, async (index, count) => {
      const [first = ''] = (await index.index()).map((it) => it.id)
      const wrong = `${first.slice(0, -1)}~`
      const request = { ids: [wrong, first], mode: 'raw', budget: 5000 } as const
      const answer = await getDocs(index, request, count)
      expect(answer.items.map((it) => it.chunk.id)).toEqual([first])
      expect(answer.unknown.map((it) => it.id)).toEqual([wrong])
      expect(answer.unknown[0]?.nearest[0]).toBe(first)
    })
  })
})

type Prompted = DocsPrompt | { readonly code: string }

async function prompted(asked: Promise<DocsPrompt>): Promise<Prompted> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { code: String(error.code) }
    throw error
  }
}

const HOW = 'Call get_context with an id.'

describe('TX6 the prompt block', () => {
  test('TX6 is never over the cap, and says how much it left out', async () => {
    await withPack(HANDBOOK + LONG, async (index, count) => {
      const all = (await index.index()).length
      await fc.assert(
        fc.asyncProperty(budgets, async (maxTokens) => {
          const block = await prompted(
            buildDocsPrompt(index, { maxTokens, howToFetch: HOW }, count),
          )
          if ('code' in block) {
            expect(block.code).toBe('POC_E_BUDGET_EXCEEDED')
            return
          }
          expect(count(block.text)).toBeLessThanOrEqual(maxTokens)
          expect(block.tokens).toBe(count(block.text))
          expect(block.sections + block.sectionsLeftOut).toBe(all)
          expect(block.text.match(/^- \[/gm)?.length ?? 0).toBe(block.sections)
          expect(block.text).toContain(HOW)
          if (block.sectionsLeftOut > 0)
            expect(block.text).toContain(`${block.sectionsLeftOut} more`)
        }),
        runs(150),
      )
    })
  })

  test('TX6 loses its deepest headings first', async () => {
    await withPack(HANDBOOK, async (index, count) => {
      const levels = new Map((await index.index()).map((it) => [it.id, it.heading_level]))
      for (let maxTokens = 100; maxTokens < 1200; maxTokens += 50) {
        const block = await prompted(buildDocsPrompt(index, { maxTokens, howToFetch: HOW }, count))
        if ('code' in block) continue
        const shown = [...block.text.matchAll(/^- \[(.+?)\]/gm)].map((it) => it[1] ?? '')
        const depth = (id: string): number => levels.get(id) || 4
        const deepestShown = Math.max(0, ...shown.map(depth))
        const left = [...levels.keys()].filter((id) => !shown.includes(id))
        expect(Math.min(9, ...left.map(depth))).toBeGreaterThanOrEqual(deepestShown)
      }
    })
  })

  test('TX6 more room never gives less', async () => {
    await withPack(HANDBOOK + LONG, async (index, count) => {
      let before = 0
      for (let maxTokens = 60; maxTokens < 2000; maxTokens += 40) {
        const block = await prompted(buildDocsPrompt(index, { maxTokens, howToFetch: HOW }, count))
        const sections = 'code' in block ? 0 : block.sections
        expect(sections).toBeGreaterThanOrEqual(before)
        before = sections
      }
      expect(before).toBe((await index.index()).length)
    })
  })

  test('TX6 is an outline that can be read', async () => {
    const text = await withPack(HANDBOOK, async (index, count) => {
      const block = await buildDocsPrompt(index, { maxTokens: 4000, howToFetch: HOW }, count)
      return block.text.replace(/^# Documentation: .*$/m, '# Documentation: handbook')
    })
    await expect(text).toMatchFileSnapshot('../golden/docs-prompt.md')
  })
})
