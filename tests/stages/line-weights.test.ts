/** What a line is worth to a question is what its words are worth, whether or not it is passed over. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeForms, eachToken } from '../../src/base/code-tokens.ts'
import { lineWeights } from '../../src/packs/context/line-weights.ts'
import { understood } from '../../src/retrieve/understand.ts'
import { runs } from '../support/property.ts'

const WORDS = [
  'auth',
  'Header',
  'config',
  'parse',
  'set',
  'possible',
  'relate',
  'happy',
  'id',
  'naïve',
]
const ENDS = [
  '',
  's',
  'ing',
  'ed',
  'er',
  'ation',
  'ational',
  'ility',
  'ies',
  'ly',
  'é',
  '2',
  '数据',
]
const GLUE = [' ', '_', '.', '', '(', '\\n', ' "', '-']
const NAME = fc
  .tuple(fc.constantFrom(...WORDS), fc.constantFrom(...ENDS), fc.constantFrom(...GLUE))
  .map((it) => it.join(''))
const LINE = fc.array(NAME, { maxLength: 6 }).map((it) => it.join(''))

test('Q6 a line is worth the most that each of its names is worth to the question', () => {
  fc.assert(
    fc.property(LINE, fc.array(LINE, { minLength: 1, maxLength: 5 }), (query, lines) => {
      const { words } = understood(query)
      const weigh = lineWeights(words)
      for (const line of lines) expect(weigh(line), line).toBe(worthOf(line))

      function worthOf(line: string): number {
        let sum = 0
        eachToken(line, { start: 0, end: line.length, isCode: true }, (start, end) => {
          const forms = codeForms(line.slice(start, end))
          sum += Math.max(
            0,
            ...words.filter((it) => forms.includes(it.word)).map((it) => it.weight),
          )
        })
        return sum
      }
    }),
    runs(500),
  )
})
