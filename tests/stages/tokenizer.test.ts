/** Token counts are those of the real o200k vocabulary: what every budget is counted in. */
import { describe, expect, test } from 'vitest'
import { hasShared, readShared } from '../support/shared-data.ts'
import { realTokens } from '../support/world.ts'

/** Counted once with OpenAI's own tokenizer. */
const KNOWN: readonly (readonly [string, number])[] = [
  ['', 0],
  ['a', 1],
  ['hello world', 2],
  ['  leading', 2],
  ['tab\tsep', 3],
  ['\n\n\n', 1],
  ['日本語のテキストです。', 8],
  ['Привет, мир!', 5],
  ['<|endoftext|>', 7],
  ['<|im_start|>user', 7],
  ['const x: Record<string, number> = {};', 10],
  ['def f(x):\n    return x ** 2\n', 11],
  ["I'll don't we've", 3],
  ['\r\n\r\nwindows', 2],
  ['https://example.com/a/b?c=d&e=f#g', 12],
  ['{"a":[1,2,3],"b":null}', 13],
  ['𝕌𝕟𝕚𝕔𝕠𝕕𝕖', 20],
]

interface EdgeString {
  readonly text: string
  readonly o200k_base: readonly number[]
}

const LONGEST_STRETCH = 512

describe('T4 tokens are real', () => {
  test.each(KNOWN)('T4 %j', async (text, expected) => {
    const count = await realTokens()
    expect(count(text)).toBe(expected)
  })

  // Left out where the data is missing: KNOWN holds the same kinds of strings.
  test.runIf(hasShared('tokenizer/edge-strings.jsonl'))('T4 every odd string', async () => {
    const count = await realTokens()
    const lines = readShared('tokenizer/edge-strings.jsonl').trim().split('\n')
    const strings = lines.map((line) => JSON.parse(line) as EdgeString)
    expect(strings.length).toBeGreaterThan(20)
    for (const { text, o200k_base } of strings) {
      // A stretch without a break is counted in pieces, each of which may cost a token or two; and
      // the vocabulary at hand joins U+FEFF differently from OpenAI's.
      const cuts = Math.floor(text.length / LONGEST_STRETCH)
      const slack = cuts * 2 + (text.includes('\ufeff') ? 1 : 0)
      const difference = Math.abs(count(text) - o200k_base.length)
      expect(difference, JSON.stringify(text.slice(0, 80))).toBeLessThanOrEqual(slack)
    }
  })

  test('T4 a very long line is counted nearly as its pieces are', async () => {
    const count = await realTokens()
    const word = 'unbroken'
    const few = count(word.repeat(64))
    // 64 words are one stretch, so a thousand times as many are about a thousand times as much.
    expect(count(word.repeat(64_000))).toBeGreaterThan(few * 990)
    expect(count(word.repeat(64_000))).toBeLessThan(few * 1010)
  })

  test('T4 no stretch is cut inside a character', async () => {
    const count = await realTokens()
    const single = count('🎉')
    expect(count(`x${'🎉'.repeat(3000)}`)).toBeLessThanOrEqual(single * 3000 + 20)
  })
})
