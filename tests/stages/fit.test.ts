/** What fits, and no more: CP1. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FitRequest, type Fitted, fit, type Offer } from '../../src/budget/fit.ts'
import { runs } from '../support/property.ts'

const SECTIONS = [
  { type: 'seeds', share: 0.6 },
  { type: 'callers', share: 0.4 },
  { type: 'docs', share: 0 },
]

const FRAME = { tokens: 3, chars: 12 }
const SAVED = { tokens: 4, chars: 4 }

/** Costs are near the estimates, as real ones are: at least half of them. */
interface Costed extends Offer {
  readonly costs: readonly { readonly tokens: number; readonly chars: number }[]
}

const step = fc.record({
  more: fc.integer({ min: 1, max: 60 }),
  worth: fc.integer({ min: 1, max: 1000 }),
  error: fc.double({ min: 0.6, max: 1.6, noNaN: true }),
})

const offer: fc.Arbitrary<Costed> = fc
  .record({
    section: fc.constantFrom('seeds', 'callers', 'docs'),
    overflow: fc.constantFrom(undefined, 'docs'),
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  })
  .map(({ section, overflow, steps }) => {
    let estimate = 4
    let worth = 0
    let tokens = 0
    const options = []
    const costs = []
    for (const it of steps) {
      estimate += it.more
      worth += it.worth
      tokens = Math.max(tokens + 1, Math.round(estimate * it.error))
      options.push({ estimate, worth })
      costs.push({ tokens, chars: tokens * 4 })
    }
    const sections = overflow === undefined ? [section] : [section, overflow]
    return { sections, pool: section, options, costs }
  })

const caps = fc.record({
  tokens: fc.integer({ min: 0, max: 600 }),
  chars: fc.integer({ min: 0, max: 2500 }),
  items: fc.integer({ min: 1, max: 12 }),
  itemsPerSection: fc.integer({ min: 1, max: 8 }),
})

function requestFor(offers: readonly Costed[], wanted: FitRequest['caps']): FitRequest {
  return {
    offers,
    sections: SECTIONS,
    caps: wanted,
    cost: (at, option) => offers[at]?.costs[option] ?? { tokens: Infinity, chars: Infinity },
    frame: () => FRAME,
  }
}

function used(offers: readonly Costed[], choices: Fitted['choices']) {
  const sections = Map.groupBy(choices, (it) => it.section)
  const frames = [...sections].length
  const sum = (of: 'tokens' | 'chars'): number =>
    choices.reduce((all, it) => all + (offers[it.offer]?.costs[it.option]?.[of] ?? 0), 0) +
    frames * FRAME[of]
  const inSections = [...sections.values()].map((it) => it.length)
  return { tokens: sum('tokens'), chars: sum('chars'), most: Math.max(0, ...inSections), sections }
}

/** At two levels. */
function inTurn(turn: number, worth: number): Costed {
  return {
    sections: ['seeds'],
    pool: 'seeds',
    turn,
    options: [
      { estimate: 10, worth },
      { estimate: 20, worth: 3 * worth },
    ],
    costs: [
      { tokens: 10, chars: 10 },
      { tokens: 20, chars: 20 },
    ],
  }
}

describe('CP1 choosing', () => {
  test('CP1 no cap is exceeded, and every offer is taken at most once', () => {
    fc.assert(
      fc.property(fc.array(offer, { maxLength: 20 }), caps, (offers, wanted) => {
        const { choices, cost } = fit(requestFor(offers, wanted))
        const { tokens, chars, most } = used(offers, choices)
        expect(tokens).toBeLessThanOrEqual(wanted.tokens)
        expect(chars).toBeLessThanOrEqual(wanted.chars)
        expect(choices.length).toBeLessThanOrEqual(wanted.items)
        expect(most).toBeLessThanOrEqual(wanted.itemsPerSection)
        expect(new Set(choices.map((it) => it.offer)).size).toBe(choices.length)
        expect(cost).toEqual({ tokens, chars })
        expect(fit(requestFor(offers, wanted)).choices).toEqual(choices)
      }),
      runs(500),
    )
  })

  test('CP1 nothing is left out that would still fit, and nothing is shown shorter than it could', () => {
    fc.assert(
      fc.property(fc.array(offer, { maxLength: 20 }), caps, (offers, wanted) => {
        const { choices } = fit(requestFor(offers, wanted))
        const now = used(offers, choices)
        const taken = new Map(choices.map((it) => [it.offer, it.option]))
        const standing = (section: string): number => now.sections.get(section)?.length ?? 0
        for (const [at, { sections, pool, costs }] of offers.entries()) {
          const before = taken.get(at)
          const place = sections.find((it) => standing(it) < wanted.itemsPerSection)
          if (before === undefined && (choices.length >= wanted.items || place === undefined)) {
            continue
          }
          const old = before === undefined ? undefined : costs[before]
          const isFirst = before === undefined && standing(place ?? pool) === 0
          const frame = isFirst ? FRAME : { tokens: 0, chars: 0 }
          for (const [option, cost] of costs.entries()) {
            if (before !== undefined && option <= before) continue
            const tokens = now.tokens + cost.tokens - (old?.tokens ?? 0) + frame.tokens
            const chars = now.chars + cost.chars - (old?.chars ?? 0) + frame.chars
            expect(tokens > wanted.tokens || chars > wanted.chars).toBe(true)
          }
        }
      }),
      runs(500),
    )
  })

  test('CP1 nothing is taken without what it hangs on', () => {
    const hung = fc.array(fc.tuple(offer, fc.nat(30), fc.integer({ min: 1, max: 3 })), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(hung, caps, (given, wanted) => {
        const offers = given.map(([it, after, turn], at) => ({
          ...it,
          turn,
          ...(after < at ? { after } : {}),
        }))
        const { choices } = fit(requestFor(offers, wanted))
        const taken = new Set(choices.map((it) => it.offer))
        for (const at of taken) {
          const { after } = offers[at] ?? {}
          expect(after === undefined || taken.has(after)).toBe(true)
        }
        expect(used(offers, choices).tokens).toBeLessThanOrEqual(wanted.tokens)
      }),
      runs(500),
    )
  })

  test('CP1 whose turn it is has something before those after it, though they are worth more', () => {
    const offers = [inTurn(1, 1), inTurn(2, 100)]
    const taken = (tokens: number) =>
      fit(requestFor(offers, { tokens, chars: 1000, items: 9, itemsPerSection: 9 })).choices.map(
        ({ offer: at, option }) => [at, option],
      )
    expect(taken(3 + 10)).toEqual([[0, 0]])
    expect(taken(3 + 40)).toEqual([
      [0, 1],
      [1, 1],
    ])
  })

  test('CP1 exactly what fits is taken, and one token less takes it away', () => {
    const one: Costed = {
      sections: ['seeds'],
      pool: 'seeds',
      options: [{ estimate: 10, worth: 1 }],
      costs: [{ tokens: 10, chars: 40 }],
    }
    const offers = [one, one, one]
    const wanted = { tokens: 33, chars: 132, items: 3, itemsPerSection: 3 }
    const count = (changes: Partial<typeof wanted>): number =>
      fit(requestFor(offers, { ...wanted, ...changes })).choices.length
    expect(count({})).toBe(3)
    expect(count({ tokens: 32 })).toBe(2)
    expect(count({ chars: 131 })).toBe(2)
    expect(count({ items: 2 })).toBe(2)
    expect(count({ itemsPerSection: 2 })).toBe(2)
    expect(count({ tokens: 12 })).toBe(0)
    expect(count({ tokens: 13 })).toBe(1)
  })

  test('CP1 what its section has no place for stands where it may overflow to, and nowhere else', () => {
    const one: Costed = {
      sections: ['seeds', 'docs'],
      pool: 'seeds',
      options: [{ estimate: 10, worth: 1 }],
      costs: [{ tokens: 10, chars: 40 }],
    }
    const offers = [one, { ...one, sections: ['seeds'] }, one, one, one]
    const wanted = { tokens: 600, chars: 2500, items: 12, itemsPerSection: 2 }
    const { choices: chosen } = fit(requestFor(offers, wanted))
    expect(chosen.map((it) => [it.offer, it.section])).toEqual([
      [0, 'seeds'],
      [1, 'seeds'],
      [2, 'docs'],
      [3, 'docs'],
    ])
  })

  test('CP1 what continues another costs less beside it, at most detail', () => {
    const one: Costed = {
      sections: ['seeds'],
      pool: 'seeds',
      options: [
        { estimate: 5, worth: 1 },
        { estimate: 10, worth: 4 },
      ],
      costs: [
        { tokens: 5, chars: 5 },
        { tokens: 10, chars: 10 },
      ],
    }
    const offers = [one, { ...one, follows: 2 }, { ...one, follows: 0 }]
    const cost = (given: readonly Costed[], tokens: number): number => {
      const wanted = { tokens, chars: 999, items: 9, itemsPerSection: 9 }
      return fit({ ...requestFor(given, wanted), saved: () => SAVED }).cost.tokens
    }
    expect(cost(offers, 999)).toBe(FRAME.tokens + 30 - 8)
    expect(cost(offers, FRAME.tokens + 22)).toBe(FRAME.tokens + 22)
    expect(cost(offers, FRAME.tokens + 21)).toBe(FRAME.tokens + 20)
    // What is shown with less detail saves nothing.
    expect(cost(offers.slice(0, 2), FRAME.tokens + 15)).toBe(FRAME.tokens + 15)
    const apart = offers.map((it, at) =>
      at === 2 ? { ...it, sections: ['docs'], pool: 'docs' } : it,
    )
    // Wherever each would be alone, what touches is shown together.
    expect(cost(apart, 999)).toBe(2 * FRAME.tokens + 30 - 8)
  })

  test('CP1 a section has its share before the others take what it leaves', () => {
    const dear: Costed = {
      sections: ['seeds'],
      pool: 'seeds',
      options: [{ estimate: 10, worth: 1000 }],
      costs: [{ tokens: 10, chars: 10 }],
    }
    const cheap: Costed = {
      ...dear,
      sections: ['callers'],
      pool: 'callers',
      options: [{ estimate: 10, worth: 1 }],
    }
    const offers = [...Array.from({ length: 20 }, () => dear), cheap, cheap]
    const wide = { tokens: 106, chars: 10_000, items: 50, itemsPerSection: 50 }
    const { choices: taken } = fit(requestFor(offers, wide))
    expect(taken.filter((it) => it.offer >= 20)).toHaveLength(2)
    expect(taken).toHaveLength(10)
  })
})
