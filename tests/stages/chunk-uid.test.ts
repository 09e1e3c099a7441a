/** Uids of chunks: J3 over path, kind, name and text; no edit outside a chunk changes its own. */
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadXxh64 } from '../../src/platform/hash.ts'
import { chunkUids } from '../../src/sources/code/chunk-uid.ts'
import type { Chunk } from '../../src/sources/code/chunks.ts'
import { type CodeFile, cutFile, SAMPLES } from '../support/code-files.ts'
import { anyForeign, NAMES, TEXTS } from '../support/foreign-text.ts'
import { runs } from '../support/property.ts'

let xxh64: (text: string) => string = (text) => text
beforeAll(async () => {
  xxh64 = await loadXxh64()
})

function block(start: number, end: number, rest: Partial<Chunk> = {}): Chunk {
  return { kind: 'block', name: '', title: '', start, end, definition: -1, ...rest }
}

async function uidsOf(path: string, text: string): Promise<readonly string[]> {
  return chunkUids(await cutFile({ path, text }), xxh64)
}

function uid(path: string, text: string, rest: Partial<Chunk> = {}): string {
  return chunkUids({ path, text, chunks: [block(0, text.length, rest)] }, xxh64)[0] ?? ''
}

describe('J3 chunkUid', () => {
  test('J3 the hash is xxh64, sixteen digits of it', () => {
    // Known answers of the algorithm, with seed 0.
    expect(xxh64('')).toBe('ef46db3751d8e999')
    expect(xxh64('a')).toBe('d24ec4f1a98c6e5b')
    for (let at = 0; at < 500; at += 1) expect(xxh64(`${at}`)).toMatch(/^[\da-f]{16}$/)
  })

  test('J3 path, kind, name and text each make a difference; the title makes none', () => {
    const all = [
      uid('a', 'text'),
      uid('b', 'text'),
      uid('a', 'text\r'),
      uid('a', 'text', { kind: 'imports' }),
      uid('a', 'text', { name: 'f' }),
    ]
    expect(new Set(all).size).toBe(all.length)
    for (const it of all) expect(it).toMatch(/^xxh64:[\da-f]{16}$/)
    expect(uid('a', 'text', { title: 'other', definition: 7 })).toBe(all[0])
  })

  test('J3 equals are told apart by their order alone', () => {
    const text = 'same same same'
    const chunks = [block(0, 4), block(5, 9), block(10, 14)]
    const uids = chunkUids({ path: 'a', text, chunks }, xxh64)
    expect(new Set(uids).size).toBe(3)
    expect(chunkUids({ path: 'a', text, chunks: chunks.slice(0, 2) }, xxh64)).toEqual(
      uids.slice(0, 2),
    )
  })

  test('J3 unique in every file of this project', async () => {
    for (const { path, text } of SAMPLES) {
      const uids = await uidsOf(path, text)
      expect(new Set(uids).size).toBe(uids.length)
    }
  })

  test('J3 text put before a file changes no uid of what follows', async () => {
    const body = `  return ${'value + '.repeat(60)}1\n`
    const first = `export function first() {\n${body}}\n`
    const second = `export function second() {\n${body}}\n`
    const before = await uidsOf('a.ts', `${first}\n${second}`)
    const after = await uidsOf('a.ts', `// ${'new '.repeat(80)}\n\n${first}\n${second}`)
    expect(before.length).toBe(2)
    expect(after.slice(1)).toEqual(before)
    const edited = await uidsOf('a.ts', `${first.replace('value', 'other')}\n${second}`)
    expect(edited[0]).not.toBe(before[0])
    expect(edited[1]).toBe(before[1])
  })

  test.each(NAMES)('J3 blank lines before any text change nothing: %s', async (path) => {
    for (const [at, text] of TEXTS.entries())
      await expectSame({ path, text }, BLANKS[at % BLANKS.length] ?? '')
  })

  test('J3 blank lines before lines of any texts, cut off anywhere, change nothing', async () => {
    await fc.assert(fc.asyncProperty(anyForeign, fc.constantFrom(...BLANKS), expectSame), runs(300))
  })

  test('J3 nor where a text is as long as is still parsed', async () => {
    const line = 'key: [value, value, value]\n'
    const text = line.repeat(Math.floor((64 * 1024) / line.length))
    await expectSame({ path: 'a.yaml', text }, '\n'.repeat(line.length))
    await expectSame({ path: 'a.yaml', text: text + line }, '\n')
  })
})

const BLANKS = ['\n\n\n', ' \t\r\n', '\r', '\n'.repeat(200)] as const

async function expectSame(file: CodeFile, blank: string): Promise<void> {
  const alone = await cutFile(file)
  const moved = await cutFile({ ...file, text: blank + file.text })
  const back = moved.chunks.map((it) => ({
    ...it,
    start: it.start - blank.length,
    end: it.end - blank.length,
  }))
  expect(back).toEqual(alone.chunks)
  expect(chunkUids(moved, xxh64)).toEqual(chunkUids(alone, xxh64))
}
