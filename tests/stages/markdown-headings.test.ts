/** Where sections begin, what they are called, and how they nest: K1, K6, K7. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codePointLength } from '../../src/base/text.ts'
import { chunkMarkdown } from '../../src/sources/markdown/read-document.ts'
import { anyDocument } from '../support/documents.ts'
import { chunkHeadings, trueHeadings } from '../support/markdown-truth.ts'
import { runs } from '../support/property.ts'
import { hasShared, readShared } from '../support/shared-data.ts'

const NO_LIMIT = { max: Number.MAX_SAFE_INTEGER, size: codePointLength }

/** `## Title @3` for each heading: depth, title and line. */
function outline(text: string): readonly string[] {
  return chunkHeadings(chunkMarkdown(text, NO_LIMIT)).map(
    (it) => `${'#'.repeat(it.depth)} ${it.title} @${it.line}`,
  )
}

function titlePaths(text: string): readonly (readonly string[])[] {
  return chunkMarkdown(text, NO_LIMIT).map((chunk) => chunk.titlePath)
}

/** A text and its headings, as CommonMark has them. */
const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'atx headings of all levels',
    '# a\n## b\n### c\n#### d\n##### e\n###### f\n####### g',
    ['# a @1', '## b @2', '### c @3', '#### d @4', '##### e @5', '###### f @6'],
  ],
  ['no space after the hashes', '#a\n#\tb\n#', ['# b @2', '#  @3']],
  ['up to three spaces before', ' # a\n  # b\n   # c\n\n    # d', ['# a @1', '# b @2', '# c @3']],
  [
    'closing hashes',
    '## a ##\n## b#\n## c \\##\n## d ## e\n# ###',
    ['## a @1', '## b# @2', '## c \\## @3', '## d ## e @4', '#  @5'],
  ],
  ['escaped and entity hashes', '\\# a\n&#35; b', []],
  ['setext of both kinds', 'a\n===\n\nb\n---\n', ['# a @1', '## b @4']],
  ['setext over two lines', 'a\nb\n=\n', ['# a b @1']],
  ['a break is no underline', 'a\n\n---\n\nb\n***\n', []],
  ['a fence of backticks', '# a\n```\n# b\n```\n# c', ['# a @1', '# c @5']],
  ['a fence of tildes', '~~~\n# b\n~~~\n# c', ['# c @4']],
  ['a longer fence around a shorter one', '````\n```\n# b\n```\n# c\n````\n# d', ['# d @7']],
  ['the other kind closes nothing', '```\n~~~\n# b\n```\n# c', ['# c @5']],
  ['an info string closes nothing', '```\n``` js\n# b\n```\n# c', ['# c @5']],
  ['an indented fence', '   ```\n   # b\n   ```\n# c', ['# c @4']],
  ['four spaces close nothing', '```\n    ```\n# b\n```\n# c', ['# c @5']],
  ['a fence that is never closed', '# a\n```\n# b\n', ['# a @1']],
  ['backticks in the info string open nothing', '``` a`b\n# c', ['# c @2']],
  ['a fence in a list item ends with it', '- ```\n  # b\n\n# c', ['# c @4']],
  ['a heading in a list item', '- # a\n\n  ## b\n\n# c', ['# c @5']],
  ['a heading in a quote', '> # a\n> ## b\n\n# c', ['# c @4']],
  ['a quote ends where its marks do', '> ```\n# a', ['# a @2']],
  ['an HTML block', '<div>\n# a\n</div>\n\n# b', ['# b @5']],
  ['a blank line ends an HTML block', '<div>\n\n# a\n\n</div>', ['# a @3']],
  ['a comment over blank lines', '<!--\n# a\n\n# b\n-->\n# c', ['# c @6']],
  ['pre, script and style', '<pre>\n\n# a\n</pre>\n<script>\n\n# b\n</script>\n# c', ['# c @9']],
  ['indented code', 'a\n\n    # b\n\n\t# c\n\n# d', ['# d @7']],
  ['a table', '| a |\n|---|\n| b |\n\n# c', ['# c @5']],
  ['CRLF', '# a\r\n\r\nb\r\n---\r\n', ['# a @1', '## b @3']],
  ['lone CR', '# a\r\rb\r---\r', ['# a @1', '## b @3']],
  ['mixed line ends', 'x\r\ny\rz\n# a', ['# a @4']],
  ['other separators end no line', 'a\u2028# b\u0085# c\v# d\f# e', []],
  ['beyond the first plane', '# 🎉 a\n\n## 数据\n', ['# 🎉 a @1', '## 数据 @3']],
]

describe('K1 headings are those of CommonMark', () => {
  test.each(CASES)('K1 %s', (_, text, expected) => {
    expect(outline(text)).toEqual(expected)
    // Once more by the outside parser: the table itself might be wrong.
    const truth = trueHeadings(text, { hasFrontMatter: false })
    expect(chunkHeadings(chunkMarkdown(text, NO_LIMIT))).toEqual(truth)
  })

  test('K1 a definition right above a setext heading is not its title', () => {
    const text = '[ref]: /url\nTitle\n===\n'
    expect(chunkHeadings(chunkMarkdown(text, NO_LIMIT)).map((it) => it.title)).toEqual(['Title'])
    expect(trueHeadings(text, { hasFrontMatter: false }).map((it) => it.title)).toEqual(['Title'])
  })

  test('K1 an empty list item after a definition and a break holds its heading', () => {
    const text = '[ref]: /url\n***\n-\n  # inside\n'
    expect(trueHeadings(text, { hasFrontMatter: false })).toEqual([])
    expect(chunkHeadings(chunkMarkdown(text, NO_LIMIT))).toEqual([])
  })

  test('K1 any document has the headings that the outside parser finds', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const found = chunkHeadings(chunkMarkdown(document.text, NO_LIMIT))
        expect(found).toEqual(trueHeadings(document.text, document))
      }),
      runs(1500),
    )
  })

  test('K1 cutting long sections moves no heading', () => {
    fc.assert(
      fc.property(anyDocument, ({ text }) => {
        const cut = chunkMarkdown(text, { max: 120, size: codePointLength })
        expect(chunkHeadings(cut)).toEqual(chunkHeadings(chunkMarkdown(text, NO_LIMIT)))
      }),
      runs(300),
    )
  })
})

interface SpecExample {
  readonly markdown: string
}

const SPECS = ['commonmark-spec', 'commonmark-spec-head', 'gfm-spec']

describe('K1 the examples of the specifications', () => {
  // Left out where the data is missing: it is too large to commit, and CASES stands in for it.
  test.runIf(hasShared('markdown/')).each(SPECS)(
    'K1 every example of %s (needs shared data)',
    (name) => {
      const examples = JSON.parse(readShared(`markdown/${name}.json`)) as readonly SpecExample[]
      expect(examples.length).toBeGreaterThan(600)
      for (const { markdown } of examples) {
        const truth = trueHeadings(markdown, { hasFrontMatter: false })
        expect(chunkHeadings(chunkMarkdown(markdown, NO_LIMIT)), markdown).toEqual(truth)
      }
    },
  )
})

describe('K6 front matter is metadata', () => {
  test.each([
    ['YAML', '---\ntitle: T\ntags: [a]\n---\n\n# A\n\ntext\n', ['# A @6']],
    ['TOML', '+++\ntitle = "T"\n\n[extra]\nx = 1\n+++\n# A\n', ['# A @7']],
    ['CRLF', '---\r\ntitle: T\r\n---\r\n# A\r\n', ['# A @4']],
    ['lone CR', '---\rtitle: T\r---\r# A\r', ['# A @4']],
    ['spaces after the marks', '---  \ntitle: T\n--- \t\n# A\n', ['# A @4']],
    ['nested values, comments and lists', '---\na:\n  b: c\n# note\nd:\n- e\n---\n# A', ['# A @8']],
    ['empty', '---\n---\n# A\n', ['# A @3']],
    ['nothing after it', '---\ntitle: T\n---', []],
  ])('K6 %s', (_, text, expected) => {
    expect(outline(text)).toEqual(expected)
    const chunks = chunkMarkdown(text, NO_LIMIT)
    expect(chunks.some((chunk) => /title|---|\+\+\+/.test(chunk.text))).toBe(false)
  })

  test.each([
    ['prose between two breaks', '---\nSome prose here.\n\n---\n# A\n', 'Some prose here.'],
    ['a break that is never matched', '---\nkey: value\n\n# A\n', 'key: value'],
    ['a slide: a heading between two breaks', '---\n\n# Slide\n\n---\n\n# A\n', '# Slide'],
    ['a list between two breaks', '---\n\n- one\n- two\n\n---\n\n# A\n', '- one'],
    ['a line before it', '\n---\ntitle: T\n---\n# A\n', 'title: T'],
    ['four hyphens', '----\ntitle: T\n----\n# A\n', 'title: T'],
  ])('K6 %s is no front matter', (_, text, kept) => {
    const whole = chunkMarkdown(text, NO_LIMIT)
    expect(whole.map((chunk) => chunk.text).join('\n')).toContain(kept)
    expect(outline(text).at(-1)).toMatch(/^# A @/)
  })

  test('K6 the title is the root where the text has no level-1 heading', () => {
    expect(titlePaths('---\ntitle: "Root"\n---\nintro\n\n## A\n\n### B\n\n## C\n')).toEqual([
      ['Root'],
      ['Root', 'A'],
      ['Root', 'A', 'B'],
      ['Root', 'C'],
    ])
  })

  test('K6 a level-1 heading stands before the title', () => {
    expect(titlePaths("---\ntitle: 'Root'\n---\n## A\n\n# B\n")).toEqual([['A'], ['B']])
  })
})

describe('K7 headings nest by level', () => {
  test.each([
    ['siblings', '# a\n## b\n## c', [['a'], ['a', 'b'], ['a', 'c']]],
    ['a skipped level', '# a\n### b\n### c', [['a'], ['a', 'b'], ['a', 'c']]],
    ['no parent at all', '### a\n### b\n## c', [['a'], ['b'], ['c']]],
    ['back up', '# a\n#### b\n## c\n# d', [['a'], ['a', 'b'], ['a', 'c'], ['d']]],
    ['before the first heading', 'intro\n\n# a', [[], ['a']]],
    ['an empty title', '# a\n##\n### c', [['a'], ['a', ''], ['a', '', 'c']]],
  ])('K7 %s', (_, text, expected) => {
    expect(titlePaths(text)).toEqual(expected)
  })

  test('K7 the path of any heading is its nearest shallower headings', () => {
    const levels = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(levels, (list) => {
        const text = list.map((level, at) => `${'#'.repeat(level)} t${at}\n`).join('\n')
        const expected = list.map((_, at) => ancestors(list, at).map((it) => `t${it}`))
        expect(titlePaths(text)).toEqual(expected)
      }),
      runs(200),
    )
  })
})

/** Looking backwards, every heading shallower than all seen since. */
function ancestors(levels: readonly number[], at: number): readonly number[] {
  const found = [at]
  let shallowest = levels[at] ?? 0
  for (let before = at - 1; before >= 0; before -= 1) {
    const level = levels[before] ?? 0
    if (level < shallowest) {
      found.unshift(before)
      shallowest = level
    }
  }
  return found
}
