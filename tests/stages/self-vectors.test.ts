/** Vectors learned from a text alone: AN1, AN2. */
import { describe, expect, test } from 'vitest'
import { computeCosine, scaleToBytes } from '../../src/base/byte-vectors.ts'
import type { WordPostings } from '../../src/model/code-index.ts'
import { wordMatrix } from '../../src/packs/index/word-matrix.ts'
import { sha256 } from '../../src/platform/hash.ts'
import { learnVectors, SELF_DIMENSIONS } from '../../src/retrieve/self-vectors.ts'

const TOPICS = 25
const WORDS_PER_TOPIC = 24
const CHUNKS = 750
const WORDS_PER_CHUNK = 9

/** Chunks about topics in turn, each with some of its topic's words and one of another's. */
function writtenChunks(): readonly (readonly string[])[] {
  let state = 7
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
  return Array.from({ length: CHUNKS }, (_before, chunk) =>
    Array.from({ length: WORDS_PER_CHUNK + 1 }, (_, at) => {
      const topic = at < WORDS_PER_CHUNK ? chunk % TOPICS : next(TOPICS)
      return `t${topic}w${next(WORDS_PER_TOPIC)}`
    }),
  )
}

function postingsOf(
  chunks: readonly (readonly string[])[],
  handleOf: (chunk: number) => number = (chunk) => chunk,
): readonly WordPostings[] {
  const words = [...new Set(chunks.flat())].toSorted()
  return words.map((word) => {
    const places = chunks
      .map((own, chunk) => ({
        handle: handleOf(chunk),
        count: own.filter((it) => it === word).length,
      }))
      .filter((it) => it.count > 0)
      .toSorted((a, b) => a.handle - b.handle)
    return {
      word,
      handles: Uint32Array.from(places, (it) => it.handle),
      fields: new Uint8Array(places.length).fill(4),
      counts: Uint32Array.from(places, (it) => it.count),
      frequency: places.length,
    }
  })
}

const handles = (count: number): Uint32Array => Uint32Array.from({ length: count }, (_, at) => at)

function row(rows: Int8Array, at: number): Int8Array {
  return rows.subarray(at * SELF_DIMENSIONS, (at + 1) * SELF_DIMENSIONS)
}

describe('AN2 what stands together is alike', () => {
  test('AN2 most chunks of a topic that lack a word lie nearer to it than nineteen in twenty others', () => {
    const chunks = writtenChunks()
    const matrix = wordMatrix(handles(CHUNKS), postingsOf(chunks))
    const learned = learnVectors(matrix)
    let wins = 0
    let pairs = 0
    for (const [at, word] of matrix.words.entries()) {
      const topic = Number(/\d+/.exec(word)?.[0])
      const scores = chunks.map((own, chunk) => ({
        isOwn: chunk % TOPICS === topic,
        isWithout: !own.includes(word),
        score: computeCosine(row(learned.words, at), row(learned.chunks, chunk)),
      }))
      const lacking = scores.filter((it) => it.isWithout)
      const others = lacking.filter((it) => !it.isOwn).map((it) => it.score)
      const bar = others.toSorted((a, b) => b - a)[Math.floor(others.length / 20)] ?? 1
      const own = lacking.filter((it) => it.isOwn)
      wins += own.filter((it) => it.score > bar).length
      pairs += own.length
    }
    expect(pairs).toBeGreaterThan(5000)
    expect(wins / pairs).toBeGreaterThan(0.75)
  })

  test('AN2 what a question adds of a word grows with its rarity', () => {
    const chunks = Array.from({ length: 40 }, (_, at) =>
      at < 3 ? ['rare', 'common', `x${at % 2}`] : ['common', `y${at % 5}`, `z${at % 7}`],
    )
    const matrix = wordMatrix(handles(40), postingsOf(chunks.map((it) => it.slice(0, 3))))
    const { worths, words } = learnVectors(matrix)
    const lengthOf = (word: string): number => {
      const at = matrix.words.indexOf(word)
      return (worths[at] ?? 0) * Math.hypot(...row(words, at))
    }
    expect(matrix.words).not.toContain('common')
    expect(lengthOf('rare')).toBeGreaterThan(lengthOf('y1'))
  })
})

describe('AN1 the same text, the same vectors', () => {
  test('AN1 they are these bytes on every machine', () => {
    const { words, chunks } = learnVectors(wordMatrix(handles(CHUNKS), postingsOf(writtenChunks())))
    expect(sha256(new Uint8Array(words.buffer))).toMatchInlineSnapshot(
      `"d81bde2f0c162f495dc99168d8a485d1a67ca26e309e77f041391f1280787101"`,
    )
    expect(sha256(new Uint8Array(chunks.buffer))).toMatchInlineSnapshot(
      `"5e38ec6d522065dabfcbaa17e8a2bdd6f09abfc609f13c0d01db5e247fae6a5f"`,
    )
  })

  test('AN1 numbers that a store gives to chunks change nothing', () => {
    const texts = writtenChunks()
    const usual = learnVectors(wordMatrix(handles(CHUNKS), postingsOf(texts)))
    const shuffled = Uint32Array.from({ length: CHUNKS }, (_, at) => ((at * 367) % CHUNKS) + 11)
    const lists = postingsOf(texts, (chunk) => shuffled[chunk] ?? 0)
    expect(learnVectors(wordMatrix(shuffled, lists))).toEqual(usual)
  })

  test('AN1 nothing, one chunk and chunks without a shared word give vectors without direction', () => {
    for (const texts of [[], [['a']], [['a'], ['b'], ['c']]]) {
      const matrix = wordMatrix(handles(texts.length), postingsOf(texts))
      const { words, chunks } = learnVectors(matrix)
      expect(words).toHaveLength(0)
      expect(chunks).toHaveLength(texts.length * SELF_DIMENSIONS)
      expect(chunks.every((it) => it === 0)).toBe(true)
    }
  })
})

describe('AN1 bounded', () => {
  test('AN1 of more entries than allowed, those of the most frequent words go', () => {
    const lists = postingsOf(writtenChunks())
    const whole = wordMatrix(handles(CHUNKS), lists)
    const most = Math.floor(whole.places.length / 2)
    const less = wordMatrix(handles(CHUNKS), lists, most)
    expect(less.places.length).toBeLessThanOrEqual(most)
    expect(less.places.length).toBeGreaterThan(0)
    const frequency = new Map(lists.map((it) => [it.word, it.frequency]))
    const kept = Math.max(...less.words.map((it) => frequency.get(it) ?? 0))
    const gone = whole.words.filter((it) => !less.words.includes(it))
    expect(Math.min(...gone.map((it) => frequency.get(it) ?? 0))).toBeGreaterThan(kept)
    for (const [at, word] of less.words.entries()) {
      const there = whole.words.indexOf(word)
      const entries = (it: typeof whole, n: number) => [
        ...it.places.subarray(it.starts[n], it.starts[n + 1]),
        ...it.amounts.subarray(it.starts[n], it.starts[n + 1]),
      ]
      expect(entries(less, at)).toEqual(entries(whole, there))
    }
  })
})

describe('AN5 bytes in place of numbers', () => {
  test('AN5 directions survive, and the scale gives back what was', () => {
    const rows = [3, -4, 0, 0, 0, 0, 1e-9, 2e-9, 0]
    const { bytes, scales } = scaleToBytes(rows, 3)
    expect([...bytes]).toEqual([95, -127, 0, 0, 0, 0, 64, 127, 0])
    expect(scales[1]).toBe(0)
    expect((bytes[0] ?? 0) * (scales[0] ?? 0)).toBeCloseTo(3, 1)
    expect(computeCosine(bytes.subarray(0, 3), bytes.subarray(0, 3))).toBe(1)
    expect(computeCosine(bytes.subarray(0, 3), bytes.subarray(3, 6))).toBe(0)
  })
})
