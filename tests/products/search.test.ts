/** Searching: S1–S5. */
import { rmSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StoredChunk } from '../../src/model/docs-index.ts'
import { type DocsSearchResult, searchDocs } from '../../src/packs/docs/docs-search.ts'
import { realFiles } from '../../src/platform/files.ts'
import { queryTerms } from '../../src/retrieve/query-terms.ts'
import { openDocsIndex } from '../../src/store/docs/open-index.ts'
import { HANDBOOK } from '../support/handbook.ts'
import { ask, build, databasePath, packPath } from '../support/pack.ts'
import { onDisk } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { quietWorld } from '../support/world.ts'

function placeOf({ source_path, start_line }: StoredChunk): string {
  return `${source_path}:${String(start_line).padStart(6, '0')}`
}

/** The handbook as a pack; without its database when that is asked for. */
async function handbook(kind: 'database' | 'json'): Promise<string> {
  const folder = onDisk(HANDBOOK)
  await build(quietWorld(folder))
  if (kind === 'json') rmSync(databasePath(folder))
  return folder
}

async function find(query: string, limit = 5): Promise<DocsSearchResult> {
  return ask(await handbook('database'), (index) => searchDocs(index, query, limit))
}

async function titles(query: string): Promise<readonly string[]> {
  return (await find(query)).hits.map((it) => it.chunk.title_path.at(-1) ?? '')
}

const ODD = [
  '',
  ' ',
  '"',
  '""',
  "'",
  '*',
  '(',
  ')',
  'a AND',
  'NOT',
  'OR OR',
  'NEAR(a b)',
  'a:b',
  '^a',
  'title_path:x',
  '-a',
  'a*',
  '{a b}',
  '\0',
  '\0a\0b',
  '\ud800',
  '🎉',
  '%',
  ';--',
  "'; DROP",
  'SELECT',
  '\\',
  '‮',
  '﻿',
  'ﬁ',
  'ß',
  'İ',
  '数',
  '数据库',
  'ไทย',
  '١٢٣',
  'a'.repeat(1e4),
  'word '.repeat(2e3),
  '"'.repeat(1e4),
  'é'.normalize('NFD'),
  '_',
  '__init__',
  '--force',
]

describe('S1 any text is a valid query', () => {
  test('S1 odd ones, over the database and over the file', async () => {
    for (const kind of ['database', 'json'] as const) {
      await ask(await handbook(kind), async (index) => {
        expect(index.backing.kind).toBe(kind)
        for (const query of ODD) {
          const found = await searchDocs(index, query, 5)
          expect(found.hits.length).toBeLessThanOrEqual(5)
          expect(found.hits.every((it) => it.score > 0)).toBe(true)
        }
      })
    }
  })

  test('S1 any string at all', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.string({
        unit: fc.constantFrom('"', '*', 'a', ' ', '(', ')', ':', '-', '^', 'OR ', '\0'),
      }),
    )
    await ask(await handbook('database'), async (index) => {
      await fc.assert(
        fc.asyncProperty(text, async (query) => {
          const { hits } = await searchDocs(index, query, 3)
          expect(hits.length).toBeLessThanOrEqual(3)
        }),
        runs(300),
      )
    })
  })

  test('S1 a very long query is cut to a bounded number of terms', () => {
    const many = Array.from({ length: 5000 }, (_, at) => `word${at}`).join(' ')
    expect(queryTerms(many).length).toBeLessThanOrEqual(48)
  })

  test('S1 a query of nothing but common words still asks something', async () => {
    expect(queryTerms('how do I').map((it) => it.word)).toEqual(['how', 'do', 'i'])
    expect(queryTerms('how do I login').map((it) => it.word)).toEqual(['login'])
    expect((await find('what is the')).hits.length).toBeGreaterThan(0)
  })
})

describe('S2 a score is the sum of its terms', () => {
  test('S2 for every hit, and hits are in order of score, then place', async () => {
    for (const query of ['rate limits', 'log level debug', 'harbor', 'token header', '数据库']) {
      const { hits } = await find(query, 20)
      expect(hits.length).toBeGreaterThan(0)
      for (const [at, hit] of hits.entries()) {
        expect(hit.terms.length).toBeGreaterThan(0)
        expect(hit.score).toBe(hit.terms.reduce((sum, term) => sum + term.value, 0))
        expect(hit.terms.every((term) => Number.isFinite(term.value))).toBe(true)
        const before = hits[at - 1]
        if (before === undefined) continue
        expect(before.score).toBeGreaterThan(hit.score - 0.001)
        if (before.score.toFixed(3) !== hit.score.toFixed(3)) continue
        expect(placeOf(before.chunk) < placeOf(hit.chunk)).toBe(true)
      }
    }
  })

  test('S2 the terms are the words of the query, and what they are together', async () => {
    const { hits } = await find('rate limits')
    expect(hits[0]?.chunk.title_path).toEqual(['API', 'Rate limits'])
    const names = hits[0]?.terms.map((term) => term.name)
    expect(names).toEqual(expect.arrayContaining(['rate', 'limits', 'coverage', '“rate limits”']))
  })

  test('S2 a smaller limit gives the beginning of a larger one', async () => {
    const many = await find('server', 10)
    const few = await find('server', 2)
    expect(few.hits).toEqual(many.hits.slice(0, 2))
  })
})

describe('S3 with the database and without it', () => {
  test('S3 the same hits, scores and reasons', async () => {
    const folders = [await handbook('database'), await handbook('json')]
    const words = HANDBOOK.match(/[\p{L}]+/gu) ?? []
    const query = fc
      .array(fc.constantFrom(...words, 'missing', 'serching'), { minLength: 1, maxLength: 5 })
      .map((list) => list.join(' '))
    const [database, json] = folders.map((folder) =>
      openDocsIndex(realFiles, { pack: packPath(folder), database: databasePath(folder) }),
    )
    expect([database?.backing.kind, json?.backing.kind]).toEqual(['database', 'json'])
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        if (database === undefined || json === undefined) throw new Error('both are open')
        expect(await searchDocs(json, text, 10)).toEqual(await searchDocs(database, text, 10))
      }),
      runs(200),
    )
    await Promise.all([database?.close(), json?.close()])
  })

  test('S3 a database of another build is not believed, and the caller is told', async () => {
    const folder = await handbook('database')
    const other = await handbook('json')
    const index = openDocsIndex(realFiles, {
      pack: packPath(other),
      database: databasePath(folder),
    })
    expect(index.backing.kind).toBe('json')
    expect(index.backing.note).toContain('dossier ctx sync')
    await index.close()
  })
})

describe('S4 how words are found', () => {
  test.each([
    ['a part of a compound', 'title path', 'Title paths'],
    ['the compound itself', 'normalizeTitlePath', 'Title paths'],
    ['another compound of the same parts', 'titlePath', 'Title paths'],
    ['a stem', 'searched', 'Searching'],
    ['another form', 'authenticate', 'Authentication'],
    ['no diacritics', 'cafe', 'Searching'],
    ['diacritics that are not in the text', 'càfé', 'Searching'],
    ['any case', 'TLS CERTIFICATE', 'TLS certificates'],
    ['a two-character word of Chinese', '数据', '数据库'],
    ['the last two of three characters', '据库', '数据库'],
    ['a Japanese word inside a longer one', 'データ', 'データベース'],
    ['a Japanese word with a long vowel', 'サーバー', 'データベース'],
    ['a setting with its dot', 'log.level', 'Logging'],
    ['a variable', 'HARBOR_PORT', 'Environment variables'],
    ['a word of the path alone', 'reference internals storage', 'Storage'],
    ['the title of the front matter', 'configuration toml', ''],
  ])('S4 %s: %s', async (_, query, expected) => {
    const found = await titles(query)
    expect(found[0]).toBe(expected === '' ? 'Configuration' : expected)
  })
})

const ALPHABETS = `
//- words.md
# 한국어

텍스트 검색

# Русский

йод, чайник и ёлка

# Ελληνικά

καλημέρα κόσμε

# Українська

їжак

# 日本語

ガイドを読む

# Tiếng Việt

đường phố

# Décomposé

nai\u0308ve cafe\u0301
`

describe('S4 alphabets', () => {
  test.each([
    ['텍스트', '한국어'],
    ['йод', 'Русский'],
    ['ёлка', 'Русский'],
    ['елка', 'Русский'],
    ['καλημέρα', 'Ελληνικά'],
    ['καλημερα', 'Ελληνικά'],
    ['їжак', 'Українська'],
    ['ガイド', '日本語'],
    ['đường', 'Tiếng Việt'],
    ['naïve', 'Décomposé'],
    ['nai\u0308ve', 'Décomposé'],
    ['naive', 'Décomposé'],
  ])('S4 %s is found', async (query, expected) => {
    const folder = onDisk(ALPHABETS)
    await build(quietWorld(folder))
    const { hits } = await ask(folder, (index) => searchDocs(index, query, 3))
    expect(hits.map((it) => it.chunk.title_path.at(-1))).toEqual([expected])
  })
})

describe('S5 when nothing is found', () => {
  test('S5 the nearest titles are offered', async () => {
    const found = await find('athentication')
    expect(found.hits).toEqual([])
    expect(found.nearestTitles[0]).toBe('Authentication')
    expect((await find('paginnation')).nearestTitles[0]).toBe('Pagination')
  })

  test('S5 none are where something was found, or where nothing is near', async () => {
    expect((await find('pagination')).nearestTitles).toEqual([])
    expect(await find('qqqq')).toEqual({ hits: [], nearestTitles: [] })
  })
})
