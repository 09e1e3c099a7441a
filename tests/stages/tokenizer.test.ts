/** Token counts are those of the real o200k vocabulary: what every budget is counted in. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import tokensByRank from 'gpt-tokenizer/bpeRanks/o200k_base'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'
import { describe, expect, test } from 'vitest'
import { pieceEnd, plainPieceEnd, UNDECIDED } from '../../src/base/token-pieces.ts'
import { ABSENT, type Token, tokenRecords, tokenTable } from '../../src/base/token-table.ts'
import { afterUnits, utf8Writer } from '../../src/base/utf8.ts'
import { runs } from '../support/property.ts'
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
  ['\ufeffusing', 1],
  ['a\ufeffb', 3],
]

interface EdgeString {
  readonly text: string
  readonly o200k_base: readonly number[]
}

const LONGEST_STRETCH = 512

/** What the rules of the pieces turn on, in ASCII and beyond: two of a kind meet often. */
const FRAGMENTS = [
  `a word Word WORD wordWord HTMLElement x I S ll LL Ve rE 1 12 123 1234567 0x1F
   _ $ . , ( ) {} => // /* / " ' 's 'S 't 're 'RE 'Ve 'm 'll 'lL 'd 'l 'v ’s
   é É ſ \u212a ß ǅ ʰ ª Ω я Я א ع 日本 テ 한 ก็ ² ½ ٣ Ⅷ 〇 。 — … € →
   \u0301 \u20dd \u093f \u200b \u200d \ufffd \u0085 \0 \x1f \x7f
   🎉 👩‍👩‍👧 🇪🇪 𝕌 𝕟 𝟙 𐐀 𐐨 \ud83c \udf89 <|endoftext|> <|im_start|>`.split(/[ \n]+/),
  [' ', '  ', '    ', '\t', '\t\t', '\n', '\n\n', '\r\n', '\r', '\v', '\f'],
  ['\u00a0', '\u2028', '\u3000'],
].flat()

/**
 * No text is so long that the counter may cut it, and none has a U+FEFF: the library loses the
 * tokens that begin with one.
 */
const TEXT = fc
  .oneof(
    fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 24 }).map((it) => it.join('')),
    fc.string({ maxLength: 60 }),
    fc.string({ maxLength: 60, unit: 'binary' }),
    fc
      .array(fc.integer({ min: 0, max: 127 }), { maxLength: 60 })
      .map((it) => String.fromCharCode(...it)),
  )
  .filter((it) => !it.includes('\ufeff'))

const ROOT = join(import.meta.dirname, '..', '..')
const OWN_FILES = ['src', 'tests', 'docs', 'bench'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|md)$/.test(name))
    .map((name) => join(ROOT, folder, name)),
)

function libraryCount(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set<string>() })
}

/** The pieces by the pattern, with which those by the bytes must agree wherever there are any. */
function piecesOf(text: string): readonly string[] {
  const { bytes } = writeUtf8(text)
  const isPlain = /^[\0-\x7f]*$/.test(text)
  const pieces: string[] = []
  for (let [from, byte] = [0, 0]; from < text.length; ) {
    const end = pieceEnd(text, from)
    if (end <= from) throw new Error(`no piece begins at ${from}: ${JSON.stringify(text)}`)
    const plainEnd = plainPieceEnd(bytes, byte)
    byte = afterUnits(bytes, byte, end - from)
    if (plainEnd !== byte && (isPlain || plainEnd !== UNDECIDED)) {
      throw new Error(`the bytes end at ${plainEnd}, not ${byte}: ${JSON.stringify(text)}`)
    }
    pieces.push(text.slice(from, end))
    from = end
  }
  return pieces
}

const writeUtf8 = utf8Writer(200)

describe('TX4 tokens are real', () => {
  test.each(KNOWN)('TX4 %j', async (text, expected) => {
    const count = await realTokens()
    expect(count(text)).toBe(expected)
  })

  // Left out where the data is missing: KNOWN holds the same kinds of strings.
  test.runIf(hasShared('tokenizer/edge-strings.jsonl'))(
    'TX4 every odd string (needs shared data)',
    async () => {
      const count = await realTokens()
      const lines = readShared('tokenizer/edge-strings.jsonl').trim().split('\n')
      const strings = lines.map((line) => JSON.parse(line) as EdgeString)
      expect(strings.length).toBeGreaterThan(20)
      for (const { text, o200k_base } of strings) {
        // A stretch without a break is counted in pieces, each of which may cost a token or two.
        const slack = Math.floor(text.length / LONGEST_STRETCH) * 2
        const difference = Math.abs(count(text) - o200k_base.length)
        expect(difference, JSON.stringify(text.slice(0, 80))).toBeLessThanOrEqual(slack)
      }
    },
  )

  test('TX4 a very long line is counted nearly as its pieces are', async () => {
    const count = await realTokens()
    const word = 'unbroken'
    const few = count(word.repeat(64))
    // 64 words are one stretch, so a thousand times as many are about a thousand times as much.
    expect(count(word.repeat(64_000))).toBeGreaterThan(few * 990)
    expect(count(word.repeat(64_000))).toBeLessThan(few * 1010)
    const prose = 'Some words, then a long one: '.repeat(77)
    expect(count(`${prose}${word.repeat(64_000)}`)).toBeLessThan(few * 1010 + count(prose))
  })

  test('TX4 what alternates within one piece takes no longer than other texts', async () => {
    const count = await realTokens()
    // A byte-pair merge of all of it takes more than twice the time that the test is given.
    for (const pair of ['/\n', ' \u00a0']) {
      const few = count(pair.repeat(512))
      expect(count(pair.repeat(51_200))).toBeGreaterThan(few * 90)
      expect(count(pair.repeat(51_200))).toBeLessThan(few * 110)
    }
  }, 10_000)

  test('TX4 no stretch is cut inside a character', async () => {
    const count = await realTokens()
    const single = count('🎉')
    expect(count(`x${'🎉'.repeat(3000)}`)).toBeLessThanOrEqual(single * 3000 + 20)
  })

  test('TX4 the pieces of any text are those of the vocabulary', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        expect(piecesOf(text)).toEqual(text.match(O200K_TOKEN_SPLIT_REGEX) ?? [])
      }),
      runs(4000),
    )
  })

  test('TX4 any two characters of ASCII between any others are parted rightly', () => {
    const ascii = Array.from({ length: 128 }, (_, unit) => String.fromCharCode(unit))
    for (const [before, after] of [
      ['', ''],
      ['a', 'b'],
      [' ', 'é'],
      ["x'", '\n'],
      ['é', ' '],
    ]) {
      for (const first of ascii) {
        const texts = ascii.map((second) => `${before}${first}${second}${after}`)
        const expected = texts.map((text) => text.match(O200K_TOKEN_SPLIT_REGEX))
        expect(texts.map((text) => piecesOf(text))).toEqual(expected)
      }
    }
  })

  test('TX4 any character beyond ASCII is parted rightly from any kind of others', () => {
    const neighbours = ['', 'a', '1', ' ', '\n', '.', 'é', ' ⋯']
    const codes = [0x80, 0x1f300].flatMap((first) =>
      Array.from({ length: first === 0x80 ? 0x3000 - first : 0x900 }, (_, at) => first + at),
    )
    for (const code of codes) {
      const character = String.fromCodePoint(code)
      const texts = neighbours.flatMap((before) =>
        neighbours.map((after) => `${before}${character}${after}x`),
      )
      const expected = texts.map((text) => text.match(O200K_TOKEN_SPLIT_REGEX))
      expect(texts.map((text) => piecesOf(text))).toEqual(expected)
    }
  }, 60_000)

  test('TX4 the marks of our own text are parted without the pattern', () => {
    const { bytes, length } = writeUtf8('a · b ⋯ 1–2 “c” → d… 👉\n')
    for (let at = 0; at < length; ) {
      const end = plainPieceEnd(bytes, at)
      expect(end).toBeGreaterThan(at)
      at = end
    }
  })

  test('TX4 any text counts as the library counts it, at first and when it is known', async () => {
    const count = await realTokens()
    fc.assert(
      fc.property(TEXT, (text) => {
        const expected = libraryCount(text)
        expect(count(text)).toBe(expected)
        expect(count(text)).toBe(expected)
      }),
      runs(2000),
    )
  })

  test('TX4 every token of the vocabulary counts as the library counts it', async () => {
    const count = await realTokens()
    const texts = tokensByRank.filter((token) => typeof token === 'string')
    expect(texts.length).toBeGreaterThan(190_000)
    const wrong = texts.filter((text) => count(text) !== libraryCount(text))
    expect(wrong).toEqual([])
  }, 20_000)

  test('TX4 words of the same letters are told apart', async () => {
    const count = await realTokens()
    const words = permutations('stenora')
    const counts = words.map((word) => count(word))
    expect(new Set(counts).size).toBeGreaterThan(2)
    expect(counts).toEqual(words.map((word) => libraryCount(word)))
    expect(words.map((word) => count(word))).toEqual(counts)
  })

  test('TX4 a text too long for the usual bytes counts as the library counts it', async () => {
    const count = await realTokens()
    const text = FRAGMENTS.join(' ').repeat(60)
    expect(text.length).toBeGreaterThan(16_384)
    expect(count(text)).toBe(libraryCount(text))
    expect(count('left over?')).toBe(libraryCount('left over?'))
  })

  test('TX4 files count as the library counts them', async () => {
    const count = await realTokens()
    expect(OWN_FILES.length).toBeGreaterThan(100)
    for (const path of OWN_FILES) {
      // Longer lines may hold a stretch that is counted in parts.
      const lines = readFileSync(path, 'utf8').split('\n')
      const text = lines
        .filter((line) => line.length <= LONGEST_STRETCH && !line.includes('\ufeff'))
        .join('\n')
      expect(count(text), path).toBe(libraryCount(text))
    }
  })

  test('TX4 forgetting what was counted changes no count', async () => {
    const count = await realTokens()
    const names = Array.from({ length: 150_000 }, (_, at) => ` name${letters(at)}`)
    const sample = names.filter((_, at) => at % 1000 === 0)
    const atFirst = sample.map((name) => count(name))
    for (let from = 0; from < names.length; from += 1000) {
      count(names.slice(from, from + 1000).join(''))
    }
    expect(sample.map((name) => count(name))).toEqual(atFirst)
    expect(atFirst).toEqual(sample.map((name) => libraryCount(name)))
  })
})

describe('TX4 a table of tokens', () => {
  /** Few letters and lengths, zeros among them, so that strings are often nearly the same. */
  const KEY = fc.array(fc.constantFrom(0, 1, 97, 98, 255), { minLength: 1, maxLength: 9 })
  const KEYS = fc.uniqueArray(KEY, { minLength: 2, maxLength: 80, selector: (it) => it.join() })

  test('TX4 it finds tokens by their rank, and other pieces once they were added', () => {
    fc.assert(
      fc.property(KEYS, fc.nat(), (keys, cut) => {
        const tokens = keys.slice(0, 1 + (cut % keys.length))
        const others = keys.slice(tokens.length)
        const table = tokenTable(tokenRecords(tokens))
        const find = (key: readonly number[]): number => {
          const { view, span } = bytesOf(key)
          return table.find(view, span.from, span.length)
        }
        others.forEach((key, at) => {
          expect(find(key)).toBe(ABSENT)
          const { view, span } = bytesOf(key)
          table.add(view, span, 2 + at)
        })
        const places = tokens.map(find)
        expect(places.every((it) => table.isToken(it))).toBe(true)
        expect(places.map((it) => table.countAt(it))).toEqual(tokens.map(() => 1))
        expect(places.toSorted((a, b) => a - b)).toEqual(places)
        expect(others.some((it) => table.isToken(find(it)))).toBe(false)
        expect(others.map((it) => table.countAt(find(it)))).toEqual(others.map((_, at) => 2 + at))
      }),
      runs(200),
    )
  })

  test('TX4 what is forgotten leaves its place, and tokens stay', () => {
    const tokens = Array.from({ length: 100_000 }, (_, at) => letters(at))
    const table = tokenTable(tokenRecords(tokens))
    const pieces = Array.from({ length: 200_000 }, (_, at) => ` ${letters(at)}`)
    const find = (text: string): number => {
      const { view, span } = bytesOf([...Buffer.from(text)])
      return table.find(view, span.from, span.length)
    }
    for (const piece of pieces) {
      const { view, span } = bytesOf([...Buffer.from(piece)])
      table.add(view, span, 3)
    }
    const known = pieces.filter((it) => find(it) !== ABSENT)
    expect(known).toEqual(pieces.slice(pieces.length - known.length))
    expect(known.length).toBeGreaterThan(0)
    expect(known.length).toBeLessThan(pieces.length)
    expect(tokens.filter((it) => !table.isToken(find(it)))).toEqual([])
  })

  test('TX4 it mistakes none of so many strings that some have the same hash', () => {
    const many = 300_000
    const bytes = new Uint8Array(8 * many + 4)
    const view = new DataView(bytes.buffer)
    const tokens: Token[] = []
    for (let at = 0; at < many; at += 1) {
      view.setUint32(8 * at, Math.imul(at, 0x2545f491))
      view.setUint32(8 * at + 4, Math.imul(at, 0x5851f42d) >>> 7)
      tokens.push([...bytes.subarray(8 * at, 8 * at + 8)])
    }
    const table = tokenTable(tokenRecords(tokens))
    let last = 0
    let mistaken = 0
    for (let at = 0; at < many; at += 1) {
      const place = table.find(view, 8 * at, 8)
      if (place <= last || !table.isToken(place)) mistaken += 1
      last = place
    }
    expect(mistaken).toBe(0)
  })
})

test('TX4 as many bytes are passed over as the units of a text take', () => {
  fc.assert(
    fc.property(TEXT, TEXT, (before, after) => {
      const { bytes, length } = utf8Writer(8)(before + after)
      fc.pre(Buffer.byteLength(before) + Buffer.byteLength(after) === length)
      expect(afterUnits(bytes, 0, before.length)).toBe(Buffer.byteLength(before))
      expect(afterUnits(bytes, Buffer.byteLength(before), after.length)).toBe(length)
    }),
    runs(1000),
  )
})

/** The bytes of a key between others, which must have no say. */
function bytesOf(key: readonly number[]) {
  const bytes = Uint8Array.of(7, ...key, key.length, 9, 9)
  return { view: new DataView(bytes.buffer), span: { from: 1, length: key.length } }
}

function permutations(word: string): readonly string[] {
  if (word.length < 2) return [word]
  return Array.from(word).flatMap((letter, at) =>
    permutations(word.slice(0, at) + word.slice(at + 1)).map((rest) => letter + rest),
  )
}

/** A number written in letters, since digits would be pieces of their own. */
function letters(value: number): string {
  return String(value).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))
}
