/** Remembered answers: the right ones whatever was dropped, and no more than the bound. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Memo } from '../../src/platform/memo.ts'
import { runs } from '../support/property.ts'

/** A memo of texts of so many characters, each costing its length, and what it had to look up. */
function textMemo(limit: number): {
  readonly memo: Memo<number, string>
  readonly found: number[]
} {
  const found: number[] = []
  const memo = new Memo(
    (length: number) => {
      found.push(length)
      return 'x'.repeat(length)
    },
    { limit, costOf: (text) => text.length },
  )
  return { memo, found }
}

test('ME1 an answer is the same whether it is remembered or not, within the bound', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 60 })
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 30 }), (asked, limit) => {
      const { memo } = textMemo(limit)
      for (const length of asked) expect(memo.get(length)).toBe('x'.repeat(length))
      const known = [...new Set(asked)].map((it) => memo.peek(it)?.length ?? 0)
      const total = known.reduce((sum, it) => sum + it, 0)
      expect(total <= limit || known.filter((it) => it > 0).length === 1).toBe(true)
    }),
    runs(200),
  )
})

test('ME2 the least recently used answer is dropped first', () => {
  const { memo, found } = textMemo(9)
  for (const length of [2, 3, 4, 2, 5, 2, 3]) memo.get(length)
  // 5 pushes out 3 and 4, and 2 stays because it was used after them.
  expect(found).toEqual([2, 3, 4, 5, 3])
})

test('ME3 an answer above the bound is remembered alone', () => {
  const { memo, found } = textMemo(4)
  for (const length of [1, 9, 9, 1]) memo.get(length)
  expect(found).toEqual([1, 9, 1])
})
