/** Which parts are meant, and what each command makes of their names. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  NO_FOCUS,
  planFocus,
  planFocusRestore,
  renameFocusPaths,
} from '../../src/evidence/focus.ts'
import { nextRank, orderKey, parsePartName, slugify } from '../../src/evidence/part-names.ts'
import {
  planRankChange,
  planRebase,
  planRemoval,
  planToggle,
  reverseMoves,
} from '../../src/evidence/plans.ts'
import { findTargetPart, findTargetParts } from '../../src/evidence/targets.ts'
import type { ContextPart, Move } from '../../src/model/evidence.ts'
import { runs } from '../support/property.ts'

function parts(...files: readonly string[]): readonly ContextPart[] {
  return files.map((name) => {
    const folder = name.includes('.evidence.') ? 'ctx/evidence' : 'ctx'
    const part = parsePartName(folder, name)
    if (part === undefined) throw new Error(name)
    return part
  })
}

/** The parts after the moves, in order. */
function after(before: readonly ContextPart[], moves: readonly Move[]): readonly ContextPart[] {
  const places = new Map(moves.map(({ from, to }) => [from, to]))
  return before
    .map((it) => {
      const path = places.get(it.path) ?? it.path
      const slash = path.lastIndexOf('/')
      const part = parsePartName(path.slice(0, slash), path.slice(slash + 1))
      if (part === undefined) throw new Error(path)
      return part
    })
    .toSorted((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1))
}

const SOME = parts(
  '000_policy.system.md',
  '010_request.user.md',
  '080_late.evidence.md',
  '100_flow_sh.evidence.md',
  '110_assembler_sh.evidence.md',
  '111_flow_test.evidence.md.skip',
  '300_example.evidence.link',
)

function names(found: readonly ContextPart[]): readonly string[] {
  return found.map((it) => it.name)
}

describe('EV1 names', () => {
  test('a part is told by its name alone', () => {
    expect(SOME.map((it) => [it.rank, it.kind, it.role, it.state])).toEqual([
      ['000', 'policy', 'system', 'active'],
      ['010', 'request', 'user', 'active'],
      ['080', 'late', 'evidence', 'active'],
      ['100', 'flow_sh', 'evidence', 'active'],
      ['110', 'assembler_sh', 'evidence', 'active'],
      ['111', 'flow_test', 'evidence', 'skipped'],
      ['300', 'example', 'evidence', 'linked'],
    ])
  })

  test.each([
    'notes.md',
    '10_x.evidence.md',
    '1000_x.evidence.md',
    '100_x.md',
    '100_.evidence.md',
    '100_x.other.md',
  ])('no part: %s', (name) => {
    expect(parsePartName('ctx/evidence', name)).toBeUndefined()
  })

  test('a new rank is after all others, skipped and linked ones too, and never a fourth digit', () => {
    expect(nextRank([])).toBe('100')
    expect(nextRank(SOME)).toBe('310')
    expect(nextRank(parts('080_a.evidence.md'))).toBe('100')
    expect(nextRank(parts('995_a.evidence.md'))).toBe('999')
    expect(nextRank(parts('999_a.evidence.md'))).toBe('999')
  })

  test('a kind has letters and digits of any script, and is never empty', () => {
    expect(slugify('Flow.Test.sh')).toBe('flow_test_sh')
    expect(slugify('naïve übung.md')).toBe('naïve_übung_md')
    expect(slugify('...')).toBe('evidence')
  })
})

describe('EV5 targets', () => {
  test('origin: `toggle 10` hits neither 100 nor 110, and `1` removes nothing', () => {
    expect(() => findTargetParts(SOME, '1')).toThrow(
      /matches 3 parts: 100_flow_sh, 110_assembler_sh, 111_flow_test/,
    )
    expect(() => findTargetParts(SOME, '10')).toThrow(/matches 2 parts: 010_request, 100_flow_sh/)
    expect(names(findTargetParts(SOME, '80'))).toEqual(['080_late'])
    const two = parts('100_a.evidence.md', '101_b.evidence.md')
    expect(() => findTargetParts(two, '10')).toThrow(/matches 2 parts/)
  })

  test('origin: rank 080 is text, not an octal number', () => {
    expect(names(findTargetParts(SOME, '080'))).toEqual(['080_late'])
    expect(names(findTargetParts(SOME, '080-099'))).toEqual(['080_late'])
    expect(names(findTargetParts(SOME, '0-99'))).toEqual(['000_policy', '010_request', '080_late'])
  })

  test.each([
    ['100', ['100_flow_sh']],
    ['100_flow_sh', ['100_flow_sh']],
    ['100_flow_sh.evidence.md', ['100_flow_sh']],
    ['flow_sh', ['100_flow_sh']],
    ['111_f', ['111_flow_test']],
    ['100-199', ['100_flow_sh', '110_assembler_sh', '111_flow_test']],
    ['/somewhere/ctx/evidence/100_flow_sh.evidence.md', ['100_flow_sh']],
  ])('%s', (target, found) => {
    expect(names(findTargetParts(SOME, target))).toEqual(found)
  })

  test.each(['', '7', '900-999', 'flow_', 'x', '.*'])('unknown: %j', (target) => {
    expect(() => findTargetParts(SOME, target)).toThrow()
  })

  test('the nearest name is offered', () => {
    expect(() => findTargetParts(SOME, '100_flw_sh')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('100_flow_sh') }),
    )
  })

  test('a rank that two parts share is one target for a range of commands, not for one', () => {
    const twins = parts('100_a.evidence.md', '100_b.evidence.md')
    expect(findTargetParts(twins, '100')).toHaveLength(2)
    expect(() => findTargetPart(twins, '100')).toThrow(/matches 2 parts/)
  })

  test('a range that ends before it begins is refused', () => {
    expect(() => findTargetParts(SOME, '399-300')).toThrow(/ends before it starts/)
  })
})

const someParts = fc
  .uniqueArray(
    fc.record({
      rank: fc.integer({ min: 0, max: 999 }).map((it) => String(it).padStart(3, '0')),
      kind: fc.stringMatching(/^[a-z][a-z0-9-]{0,4}$/),
      ending: fc.constantFrom('md', 'md.skip', 'link'),
    }),
    { selector: (it) => `${it.rank}_${it.kind}`, maxLength: 30 },
  )
  .map((all) => {
    const made = all.map((it) => `${it.rank}_${it.kind}.evidence.${it.ending}`)
    return parts(...made).toSorted((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1))
  })

describe('EV8 rebase', () => {
  test('fills gaps from 100 in steps of ten', () => {
    const moves = planRebase(SOME)
    expect(names(after(SOME, moves))).toEqual([
      '000_policy',
      '010_request',
      '100_late',
      '110_flow_sh',
      '120_assembler_sh',
      '130_flow_test',
      '140_example',
    ])
  })

  test('keeps order, kinds and states, and is the same the second time', () => {
    fc.assert(
      fc.property(someParts, (before) => {
        const now = after(before, planRebase(before))
        expect(now.map((it) => [it.kind, it.state])).toEqual(
          before.map((it) => [it.kind, it.state]),
        )
        expect(planRebase(now)).toEqual([])
      }),
      runs(200),
    )
  })

  test.each([91, 500, 900, 901, 2000])(
    'origin: %i parts keep three digits and their order',
    (count) => {
      const many = parts(
        ...Array.from(
          { length: count },
          (_, at) => `999_k${String(at).padStart(4, '0')}.evidence.md`,
        ),
      )
      const now = after(many, planRebase(many))
      expect(now.map((it) => it.kind)).toEqual(many.map((it) => it.kind))
      expect(now.every((it) => /^\d{3}$/.test(it.rank))).toBe(true)
    },
  )
})

describe('EV7 plans lose nothing', () => {
  test('moves are of different files to different places, and can be undone', () => {
    fc.assert(
      fc.property(someParts, fc.constantFrom('on', 'off', undefined), (before, wish) => {
        const plans = [planToggle(before, wish), planRebase(before), planRemoval(before, '000001')]
        for (const moves of plans) {
          expect(new Set(moves.map((it) => it.from)).size).toBe(moves.length)
          expect(new Set(moves.map((it) => it.to)).size).toBe(moves.length)
          expect(reverseMoves(reverseMoves(moves))).toEqual(moves)
        }
        expect(planToggle(before, 'on').every((it) => it.from.endsWith('.skip'))).toBe(true)
      }),
      runs(200),
    )
  })

  test('linked parts are always active', () => {
    expect(planToggle(parts('300_example.evidence.link'), 'off')).toEqual([])
  })

  test('a name that is taken is refused', () => {
    const twins = parts('100_a.evidence.md', '200_a.evidence.md')
    const [first] = twins
    if (first === undefined) throw new Error('there are two')
    expect(() => planRankChange(twins, first, '200')).toThrow(/a part named 200_a already exists/)
    expect(planRankChange(twins, first, '050')).toEqual([
      { from: 'ctx/evidence/100_a.evidence.md', to: 'ctx/evidence/050_a.evidence.md' },
    ])
  })
})

describe('EV9 focus', () => {
  test('what was active is active again, whatever was renamed meanwhile', () => {
    fc.assert(
      fc.property(someParts, fc.infiniteStream(fc.boolean()), (before, choices) => {
        const some = new Set(before.filter(() => choices.next().value).map((it) => it.path))
        const first = planFocus(before, some, { query: 'x', former: NO_FOCUS })
        const during = after(before, first.moves)
        const moves = planRebase(during)
        const renamed = after(during, moves)
        const memory = renameFocusPaths(first.focus, moves)
        const second = planFocus(renamed, new Set(), { query: 'y', former: memory })
        const later = after(renamed, second.moves)
        const back = after(later, planFocusRestore(later, second.focus).moves)
        expect(back.map((it) => [it.kind, it.state])).toEqual(
          before.map((it) => [it.kind, it.state]),
        )
      }),
      runs(200),
    )
  })
})
