/** Words of code: J5 names whole and taken apart, prose by stems, counted by chunk and field. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeWords, wordForms } from '../../src/base/code-words.ts'
import { WORD_FIELDS, type WordField, type WordTable } from '../../src/model/index-record.ts'
import { cutMarkdown } from '../../src/sources/code/cut-markdown.ts'
import { wordTable } from '../../src/sources/code/words.ts'
import { anyCode, cutFile } from '../support/code-files.ts'
import { runs } from '../support/property.ts'

/** The words of one chunk and field, each as often as it was counted. */
function wordsIn(table: WordTable, chunk: number, field: WordField): readonly string[] {
  const found: string[] = []
  for (let at = 0; at < table.counts.length; at += 4) {
    const [word = 0, own, number = 0, count = 0] = table.counts.slice(at, at + 4)
    if (own !== chunk || WORD_FIELDS[number] !== field) continue
    for (let time = 0; time < count; time += 1) found.push(table.words[word] ?? '')
  }
  return found.toSorted()
}

describe('J5 names', () => {
  test.each([
    ['parseUrls', ['parseurls', 'pars', 'url']],
    ['HTTPServer2', ['httpserver2', 'http', 'server']],
    ['snake_case_names', ['snake_case_names', 'snake', 'case', 'name']],
    ['__init__', ['__init__', 'init']],
    ['kebab-case', ['kebab', 'case']],
    ['requests', ['requests', 'request']],
    ['request', ['request']],
    ['sha256', ['sha256', 'sha', '256']],
    ['MAX_SIZE', ['max_size', 'max', 'size']],
    ['größe', ['große']],
    ['Café', ['cafe']],
    ['$user->name', ['user', 'name']],
  ])('J5 %s', (text, expected) => {
    expect(codeWords(text)).toEqual(expected)
  })

  test.each([
    ['single characters', 'a b 1 x = y'],
    ['punctuation', '(){}[] __ ___ ->;'],
    ['long numbers', '12345678 1234567'],
    ['a digest', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    [
      'Base64',
      'iVBORw0KGgoAAAANSUhEUgAAAAUA+AAAFCAYAAACNbyblAAAAHElEQVQI12P4/8w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
    ],
  ])('J5 left out: %s', (_, text) => {
    expect(codeWords(text)).toEqual([])
  })

  test('J5 long names are names all the same', () => {
    const name = 'shouldReturnNotFoundWhenTheUserDoesNotExistInTheDatabase'
    expect(codeWords(name)).toContain(name.toLowerCase())
    expect(codeWords(name)).toContain('databas')
    const snake = 'test_that_a_very_long_name_of_a_test_is_still_found_by_its_words'
    expect(codeWords(snake)).toContain('found')
    expect(codeWords('src/sources/code/languages/typescript/something')).toContain('typescript')
  })

  test('J5 scripts without spaces become pairs, and a name beside them stays one', () => {
    expect(codeWords('検索結果')).toEqual(['検索', '索結', '結果'])
    expect(codeWords('Dossierは速い')).toEqual(['dossier', 'は速', '速い'])
    expect(codeWords('𠀋𠀋𠮷')).toEqual(['𠀋𠀋', '𠀋𠮷'])
  })

  test('J5 an escape in a string is no letter', () => {
    expect(codeWords(String.raw`'red\ntop\tleft'`)).toEqual(['red', 'top', 'left'])
  })
})

describe('J5 fields', () => {
  test('J5 path, name, signature, comment and body', async () => {
    const text = `/** Parses the urls of requests. */
export function parseUrls(input: string): string[] {
  // Splitting is enough.
  const inner = input.split(',')
  return inner
}
`
    const file = await cutFile({ path: 'src/url-tools.ts', text })
    const table = wordTable(file)
    expect(file.chunks.length).toBe(1)
    expect(wordsIn(table, 0, 'path')).toEqual(['src', 'tool', 'tools', 'ts', 'url'])
    expect(wordsIn(table, 0, 'name')).toEqual(['pars', 'parseurls', 'url'])
    expect(wordsIn(table, 0, 'signature')).toEqual(
      codeWords('export function parseUrls(input: string): string[]').toSorted(),
    )
    expect(wordsIn(table, 0, 'comment')).toEqual(
      ['pars', 'the', 'url', 'of', 'request', 'split', 'is', 'enough'].toSorted(),
    )
    const code = text.replace(/\/\*\*.*\*\//, '').replace(/\/\/.*/, '')
    expect(wordsIn(table, 0, 'body')).toEqual(codeWords(code).toSorted())
  })

  test('J5 definitions inside a chunk are among its names, local values are not', async () => {
    const text = 'class A {\n  field = 1\n  go(parameter) { const local = 1; return local }\n}\n'
    const table = wordTable(await cutFile({ path: 'a.ts', text }))
    expect(wordsIn(table, 0, 'name')).toEqual(['field', 'go'])
  })

  test('J5 Markdown is prose', () => {
    const text = '# Searching\n\nWords of `parseUrls` are searched.\n'
    const table = wordTable({ path: 'a.md', text, chunks: cutMarkdown(text) })
    expect(wordsIn(table, 0, 'body')).toEqual(
      ['search', 'word', 'of', 'parseurls', 'pars', 'url', 'ar', 'search'].toSorted(),
    )
  })

  test('J5 entries are in order, and lengths are their sums', async () => {
    const memory = wordForms()
    await fc.assert(
      fc.asyncProperty(anyCode, async (it) => {
        const file = await cutFile(it)
        const table = wordTable(file, memory)
        const sums = new Uint32Array(file.chunks.length * WORD_FIELDS.length)
        let before = -1
        for (let at = 0; at < table.counts.length; at += 4) {
          const [word = 0, chunk = 0, field = 0, count = 0] = table.counts.slice(at, at + 4)
          const place = (word * file.chunks.length + chunk) * WORD_FIELDS.length + field
          expect(place).toBeGreaterThan(before)
          expect(count).toBeGreaterThan(0)
          before = place
          const sum = chunk * WORD_FIELDS.length + field
          sums[sum] = (sums[sum] ?? 0) + count
        }
        expect(table.lengths).toEqual(sums)
        expect(new Set(table.words).size).toBe(table.words.length)
        // What is remembered from other files makes no difference.
        expect(table).toEqual(wordTable(file))
      }),
      runs(60),
    )
  })
})
