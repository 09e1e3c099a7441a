/** What says the same as something better: Q6. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { duplicatesIn } from '../../src/budget/duplicates.ts'
import { runs } from '../support/property.ts'

const lines = (count: number, word = 'line'): string[] =>
  Array.from({ length: count }, (_, at) => `${word} number ${at}`)

const TEXT = lines(20).join('\n')

test('Q6 a copy repeats the first of them, however its white space differs', () => {
  const indented = TEXT.split('\n').map((line) => `\t${line.replaceAll(' ', '   ')}  \r`)
  expect(duplicatesIn([TEXT, TEXT, indented.join('\n')])).toEqual([undefined, 0, 0])
})

test('Q6 so does what differs in a line or two of twenty; what differs in half is another text', () => {
  const nearly = TEXT.replace('number 3', 'number three')
  const half = [...lines(10), ...lines(10, 'other')].join('\n')
  expect(duplicatesIn([TEXT, nearly, half])).toEqual([undefined, 0, undefined])
})

test('Q6 a part of something long is not a repetition of it, nor is the long one of the part', () => {
  const part = lines(10).join('\n')
  expect(duplicatesIn([TEXT, part])).toEqual([undefined, undefined])
  expect(duplicatesIn([part, TEXT])).toEqual([undefined, undefined])
})

test('Q6 very short texts are alike by chance', () => {
  expect(duplicatesIn(['a = 1\nb = 2\n', 'a = 1\nb = 2\n', '', ''])).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('Q6 a duplicate names an earlier text that is itself none', () => {
  const text = fc
    .array(fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'), { maxLength: 8 })
    .map((words) => words.join('\n'))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
      const found = duplicatesIn(texts)
      expect(found).toHaveLength(texts.length)
      for (const [at, of] of found.entries()) {
        if (of === undefined) continue
        expect(of).toBeLessThan(at)
        expect(found[of]).toBeUndefined()
      }
    }),
    runs(300),
  )
})
