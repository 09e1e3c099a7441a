/** The tables of the vocabulary as a build leaves them: the same counts, or none of its numbers. */
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import tokensByRank from 'gpt-tokenizer/bpeRanks/o200k_base'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildVocabulary, loadTokenizer } from '../../src/platform/tokenizer.ts'
import { readVocabulary } from '../../src/platform/vocabulary-file.ts'
import { realTokens } from '../support/world.ts'

let folder = ''
let whole = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dossier-vocabulary-'))
  whole = join(folder, 'o200k.bin')
  buildVocabulary(whole)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('TX4 a vocabulary from a file', () => {
  test('TX4 counts as the tables that it was made of, and remembers as they do', async () => {
    const count = await loadTokenizer(pathToFileURL(whole))
    const expected = await realTokens()
    expect(await readVocabulary(whole)).toBeDefined()
    const texts = tokensByRank.filter((it) => typeof it === 'string')
    // Two tokens together are mostly no token, so they must be merged, and are then remembered.
    const pairs = texts.map((it, at) => `${it}${texts[texts.length - 1 - at]}`)
    for (const list of [texts, pairs, pairs]) {
      expect(list.filter((it) => count(it) !== expected(it))).toEqual([])
    }
    expect(count(`\ufeffusing System;\n${'/\n'.repeat(2000)}`)).toBe(
      expected(`\ufeffusing System;\n${'/\n'.repeat(2000)}`),
    )
  }, 20_000)

  test('TX4 is none when the file is of another format, or says that it is of another size', async () => {
    const bytes = readFileSync(whole)
    const damaged = join(folder, 'damaged.bin')
    for (const at of [0, 3, 4, 5, 7, 8, 9, 11]) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(at) ^ 0x10, at)
      writeFileSync(damaged, changed)
      expect(await readVocabulary(damaged), `byte ${at}`).toBeUndefined()
    }
  })

  test('TX4 is none when the file is cut, too long, empty or not there, and counts stay right', async () => {
    const cut = join(folder, 'cut.bin')
    writeFileSync(cut, readFileSync(whole))
    for (const length of [readFileSync(whole).length - 4, 4096, 12, 0]) {
      truncateSync(cut, length)
      expect(await readVocabulary(cut), `${length} bytes`).toBeUndefined()
    }
    writeFileSync(cut, Buffer.concat([readFileSync(whole), Buffer.alloc(4)]))
    expect(await readVocabulary(cut)).toBeUndefined()
    expect(await readVocabulary(join(folder, 'nowhere.bin'))).toBeUndefined()
    const count = await loadTokenizer(pathToFileURL(cut))
    expect(count('const x: Record<string, number> = {};')).toBe(10)
  })
})
