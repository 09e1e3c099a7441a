/** Tokens that are counted around a part of a text are those of the text as a whole. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokensAround } from '../../src/budget/known-tokens.ts'
import { runs } from '../support/property.ts'
import { realTokens } from '../support/world.ts'

/** What ends and begins lines in all the ways that pieces end and begin. */
const SPACES = ['\n', '\r\n', '\r', ' ', '    ', '\t', '\u00a0', '\u2028', '\ufeff']
const MARKS = ['.', '});', '{', '/', '//', '/*', ' */', '```', '#', '😀', '…', '\ud800', '\udc00']
const WORDS = ['a', 'Word', "don't", '12', '12345', 'é', '日本']
const LONG = [' '.repeat(600), '\n'.repeat(600), 'x'.repeat(600)]
const BIT = fc.oneof(...[SPACES, MARKS, WORDS, LONG].map((it) => fc.constantFrom(...it)))
const TEXT = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom('\n', 'a', ';') }, BIT), {
  maxLength: 30,
})

describe('TX4 tokens around a part', () => {
  test('TX4 are as many as the whole text has', async () => {
    const count = await realTokens()
    fc.assert(
      fc.property(TEXT, TEXT, TEXT, (before, inside, after) => {
        const text = inside.join('')
        const whole = `${before.join('')}${text}${after.join('')}`
        expect(tokensAround(count, whole, [{ text, tokens: count(text) }])).toBe(count(whole))
      }),
      runs(3000),
    )
  })

  test('TX4 are as many with several parts, one after the other', async () => {
    const count = await realTokens()
    fc.assert(
      fc.property(fc.array(fc.tuple(TEXT, TEXT), { maxLength: 4 }), TEXT, (pairs, after) => {
        const whole = [...pairs.flat(), after].map((it) => it.join('')).join('')
        const parts = pairs.map(([, inside]) => inside.join(''))
        const known = parts.map((text) => ({ text, tokens: count(text) }))
        expect(tokensAround(count, whole, known)).toBe(count(whole))
      }),
      runs(2000),
    )
  })

  test('TX4 are counted without the part where it is cut out, and with it where it cannot be', async () => {
    const count = await realTokens()
    const counted: string[] = []
    const spy = (text: string): number => {
      counted.push(text)
      return count(text)
    }
    const text = 'one {\n  two()\n  three()\n}'
    const whole = `head\n\`\`\`c\n${text}\n\`\`\`\n`
    expect(tokensAround(spy, whole, [{ text, tokens: count(text) }])).toBe(count(whole))
    expect(counted.join('')).not.toContain('two')
    expect(tokensAround(spy, 'something else', [{ text, tokens: count(text) }])).toBe(2)
    expect(tokensAround(spy, 'a\nb', [{ text: 'a\nb', tokens: 3 }])).toBe(3)
  })
})
