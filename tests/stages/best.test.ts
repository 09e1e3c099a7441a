/** The best of many: Q4. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestPlaces } from '../../src/base/best.ts'
import { runs } from '../support/property.ts'

test('Q4 the best so many, as a stable sort would give them; -Infinity is none', () => {
  const score = fc.oneof(fc.constantFrom(0, 1, 2, -1, -Infinity), fc.double({ noNaN: true }))
  fc.assert(
    fc.property(
      fc.array(score, { maxLength: 60 }),
      fc.integer({ min: -1, max: 70 }),
      (all, limit) => {
        const sorted = all
          .map((value, at) => ({ value, at }))
          .filter((it) => it.value !== -Infinity)
          .toSorted((a, b) => (a.value === b.value ? a.at - b.at : a.value > b.value ? -1 : 1))
          .map((it) => it.at)
        expect([...bestPlaces(Float64Array.from(all), limit)]).toEqual(
          sorted.slice(0, Math.max(0, limit)),
        )
      },
    ),
    runs(1000),
  )
})
