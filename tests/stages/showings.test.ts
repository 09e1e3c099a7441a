/** F1 to F3: the ways to show a chunk, and the exactness of what is shown. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineTable } from '../../src/base/line-table.ts'
import { chunkHead } from '../../src/budget/chunk-head.ts'
import { chunkLines } from '../../src/budget/chunk-lines.ts'
import { showingsOf } from '../../src/budget/showings.ts'
import type { Showing } from '../../src/model/candidate.ts'
import type { StoredChunk } from '../../src/model/code-index.ts'
import { DETAIL_LEVELS } from '../../src/model/context-pack.ts'
import { cutMarkdown } from '../../src/sources/code/cut-markdown.ts'
import { anyCode, cutFile, SAMPLES } from '../support/code-files.ts'
import { runs } from '../support/property.ts'

type Cut = Pick<StoredChunk, 'kind' | 'name' | 'title' | 'start' | 'end'>

/** As an index keeps it: the lines are those of the file. */
function stored(path: string, text: string, cut: Cut): StoredChunk {
  const table = lineTable(text)
  return {
    path,
    uid: 'xxh64:0',
    tokens: 0,
    symbol: '',
    kind: cut.kind,
    name: cut.name,
    title: cut.title,
    start: cut.start,
    end: cut.end,
    startLine: table.lineAt(cut.start),
    endLine: table.lineAt(Math.max(cut.start, cut.end - 1)),
    text: text.slice(cut.start, cut.end),
  }
}

/** The chunk of the text that the title is found in. */
async function chunkOf(path: string, text: string, title: string): Promise<StoredChunk> {
  const { chunks } = await cutFile({ path, text })
  const cut = chunks.find((it) => it.title.includes(title))
  if (cut === undefined) throw new Error(`no chunk is called ${title}`)
  return stored(path, text, cut)
}

function matching(pattern: RegExp): (line: string) => number {
  return (line) => (pattern.test(line) ? 1 : 0)
}

const PLENTY = 64_000

function byLevel(chunk: StoredChunk, pattern = /NOTHING/, maxBytes = PLENTY): readonly Showing[] {
  return showingsOf(chunk, { matches: matching(pattern), maxBytes })
}

function textOf(showings: readonly Showing[], level: Showing['level']): string | undefined {
  return showings.find((it) => it.level === level)?.text
}

const LONG = `// 🎉 before
${'const padding = 1\n'.repeat(30)}
/**
 * Finds the way.
 *
 * It takes its time.
 */
export function findWay(
  from: string,
  to: string,
): string {
${Array.from({ length: 30 }, (_, at) => `  step(${at})`).join('\n')}
  const compass = north()
${Array.from({ length: 20 }, (_, at) => `  stride(${at})`).join('\n')}
  compass.close()
  return from + to
}
`

describe('F1 the levels of a chunk', () => {
  test('F1 whole, the lines that match in two sizes, signature with comment, title', async () => {
    const chunk = await chunkOf('a.ts', LONG, 'findWay')
    const showings = byLevel(chunk, /compass/)
    expect(showings.map((it) => it.level)).toEqual([
      'whole',
      'excerpt',
      'excerpt',
      'signature',
      'title',
    ])
    expect(showings[0]?.text).toBe(chunk.text)
    expect(showings[1]?.text.split('⋯').length).toBe(3)
    expect(showings[2]?.text).toMatchInlineSnapshot(`
      "export function findWay(
        from: string,
        to: string,
      ): string {
      ⋯
        step(27)
        step(28)
        step(29)
        const compass = north()
        stride(0)
        stride(1)
        stride(2)"
    `)
    expect(showings[3]?.text).toMatchInlineSnapshot(`
      "/**
       * Finds the way.
      ⋯
      export function findWay(
        from: string,
        to: string,
      ): string {"
    `)
    expect(showings[4]).toMatchObject({ text: '', parts: [] })
  })

  test('F1 a docstring is a comment, decorators are shown with it', async () => {
    const text = `@cache\ndef area(r: float) -> float:\n    """The area of a circle.\n\n    More.\n    """\n${'    r += 1\n'.repeat(4)}    return r\n`
    expect(textOf(byLevel(await chunkOf('a.py', text, 'def area')), 'signature')).toBe(
      'def area(r: float) -> float:\n    """The area of a circle.',
    )
    const rust = `/// Adds.\n#[inline]\npub fn add(a: u8) -> u8 {\n${'    a + 1;\n'.repeat(4)}    a\n}\n`
    expect(textOf(byLevel(await chunkOf('a.rs', rust, 'fn add')), 'signature')).toBe(
      '/// Adds.\n#[inline]\npub fn add(a: u8) -> u8 {',
    )
  })

  test('F1 a signature that says what the title says is not offered', async () => {
    const text = 'function plain(a) {\n  return a\n}\n'
    const showings = byLevel(await chunkOf('a.js', text, 'plain'))
    expect(showings.map((it) => it.level)).toEqual(['whole', 'title'])
  })

  test('F1 an excerpt of a section begins with its heading', () => {
    const text = `Before.\n\n## Sails\n\n${'A line about ropes.\n'.repeat(30)}The mast is here.\n${'More.\n'.repeat(9)}`
    const cut = cutMarkdown(text).find((it) => it.title.includes('Sails'))
    if (cut === undefined) throw new Error('no section')
    const showings = byLevel(stored('a.md', text, cut), /mast/)
    expect(textOf(showings, 'excerpt')?.startsWith('## Sails\n⋯\n')).toBe(true)
    expect(textOf(showings, 'signature')).toBeUndefined()
  })

  test('F1 no excerpt of a short chunk, nor of one without a match', async () => {
    const chunk = await chunkOf('a.ts', LONG, 'findWay')
    expect(textOf(byLevel(chunk, /NOTHING/), 'excerpt')).toBeUndefined()
    const short = await chunkOf('a.ts', 'export function one() {\n  two()\n}\n', 'one')
    expect(textOf(byLevel(short, /two/), 'excerpt')).toBeUndefined()
  })

  test('F1 the lines that match best are shown first', async () => {
    const chunk = await chunkOf('a.ts', LONG, 'findWay')
    const narrow = showingsOf(chunk, {
      matches: (line) => (line.includes('step(3)') ? 5 : line.includes('compass') ? 1 : 0),
      maxBytes: PLENTY,
    })[2]
    expect(narrow?.text).toContain('step(3)')
    expect(narrow?.text).not.toContain('compass')
  })
})

/** Real lines, random ones, astral characters before them, any line ending. */
const anyChunk = anyCode.chain((file) =>
  fc
    .record({
      before: fc.constantFrom('', '// 🎉𝒳 漢字', '\n\n'),
      ending: fc.constantFrom('\n', '\r\n'),
      from: fc.nat(200),
      count: fc.integer({ min: 1, max: 130 }),
      kind: fc.constantFrom('function', 'block', 'section', 'class'),
      title: fc.nat(8),
    })
    .map(({ before, ending, from, count, kind, title }) => {
      const text = `${before}${ending}${file.text}${ending}x`
      const table = lineTable(text)
      const first = Math.min(table.count, from + 1)
      const last = Math.min(table.count, first + count)
      const start = table.start(first)
      const end = table.end(last)
      const lines = text.slice(start, end).split(/\r\n|\r|\n/)
      const name = lines[title]?.trim() ?? ''
      return { text, chunk: stored('a.ts', text, { kind, name, title: name, start, end }) }
    }),
)
const anyCap = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constantFrom(1000, 4096, PLENTY))
const anyWord = fc.constantFrom(/e/, /const|return/, /\bimport\b/, /the/i, /[{}]/)

/** What is not as F2 and F3 have it, in words. */
function problems(text: string, chunk: StoredChunk, showings: readonly Showing[]): string[] {
  const table = lineTable(text)
  const found: string[] = []
  for (const { level, text: shown, parts, isTruncated } of showings) {
    const pieces = parts.map(({ range }) => text.slice(range.start, range.end))
    if (pieces.join('\n⋯\n') !== shown) found.push(`${level}: not the text of its ranges`)
    let end = -1
    for (const { range, lines } of parts) {
      if (range.start < chunk.start || range.end > chunk.end) found.push(`${level}: outside`)
      if (range.start <= end) found.push(`${level}: parts that touch or are out of order`)
      if (table.start(lines.start) !== range.start) found.push(`${level}: not a line's beginning`)
      const isWhole = table.end(lines.end) === range.end
      if (!isWhole && !(isTruncated && parts.length === 1)) found.push(`${level}: half a line`)
      end = range.end
    }
    if (!shown.isWellFormed()) found.push(`${level}: half a character`)
    if (/[\r\n]$/.test(shown)) found.push(`${level}: ends with a line break`)
  }
  return found
}

describe('F2 what is shown', () => {
  test('F2 is the text of the file at its ranges and lines, whatever stands before it', () => {
    fc.assert(
      fc.property(anyChunk, anyWord, anyCap, ({ text, chunk }, word, maxBytes) => {
        fc.pre(chunk.text.isWellFormed())
        expect(problems(text, chunk, byLevel(chunk, word, maxBytes))).toEqual([])
      }),
      runs(400),
    )
  })

  test('F2 of chunks of this project, with a head wherever something is defined', async () => {
    let heads = 0
    let definitions = 0
    for (const { path, text } of SAMPLES.filter((it) => /\.(?:ts|py)$/.test(it.path))) {
      const { chunks } = await cutFile({ path, text })
      for (const cut of chunks) {
        const chunk = stored(path, text, cut)
        expect(problems(text, chunk, byLevel(chunk, /e/, 4096))).toEqual([])
        if (cut.definition < 0 || / \(part \d+\)$/.test(cut.title)) continue
        definitions += 1
        const lines = chunkLines(chunk)
        const head = chunkHead(lines)?.signatures.map(({ first }) => lines.line(first)) ?? []
        if (head.join(' ').includes(cut.name.split('.').at(-1) ?? '')) heads += 1
      }
    }
    expect(definitions).toBeGreaterThan(100)
    expect(heads).toBe(definitions)
  })
})

describe('F3 the cap on bytes', () => {
  test('F3 holds at every level, and each level is smaller than the one before', () => {
    fc.assert(
      fc.property(anyChunk, anyWord, anyCap, ({ chunk }, word, maxBytes) => {
        const showings = byLevel(chunk, word, maxBytes)
        const sizes = showings.map((it) => Buffer.byteLength(it.text))
        expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBytes)
        for (const [at, size] of sizes.entries()) {
          if (at > 0) expect(size).toBeLessThan(sizes[at - 1] ?? 0)
        }
        const levels = showings.map((it) => DETAIL_LEVELS.indexOf(it.level))
        expect(levels.toSorted((a, b) => a - b)).toEqual(levels)
        expect(showings.at(-1)?.level).toBe('title')
      }),
      runs(400),
    )
  })

  test('F3 is exact: all of it fits in its own size, and one byte less cuts a line', () => {
    fc.assert(
      fc.property(anyChunk, ({ chunk }) => {
        const all = chunk.text.trimEnd()
        fc.pre(all !== '' && /\S$/.test(chunk.text))
        const size = Buffer.byteLength(all)
        expect(byLevel(chunk, /e/, size)[0]).toMatchObject({ text: all, isTruncated: false })
        const [less] = byLevel(chunk, /e/, size - 1)
        if (less === undefined || less.level === 'title') return
        expect(less.isTruncated).toBe(true)
        expect(all.startsWith(less.text)).toBe(true)
      }),
      runs(300),
    )
  })

  test('F3 as many whole lines as fit, or as many characters of the first', () => {
    const text = 'añb\r\ncde\r\n𝒳𝒳\r\n'
    const chunk = stored('a.txt', text, { kind: 'block', name: '', title: '', start: 0, end: 15 })
    const shown = (maxBytes: number): string => byLevel(chunk, /e/, maxBytes)[0]?.text ?? ''
    expect(shown(9)).toBe('añb\r\ncde')
    expect(shown(8)).toBe('añb')
    expect(shown(4)).toBe('añb')
    expect(shown(3)).toBe('añ')
    expect(shown(2)).toBe('a')
    const wide = stored('a.txt', '𝒳𝒳', { kind: 'block', name: '', title: '', start: 0, end: 4 })
    expect(byLevel(wide, /e/, 7)[0]).toMatchObject({ text: '𝒳', isTruncated: true })
    expect(byLevel(wide, /e/, 3).map((it) => it.level)).toEqual(['title'])
  })
})

describe('F7 secrets in what is shown', () => {
  const key = Array.from({ length: 30 }, (_, at) => `${'Ab1+/xYz'.repeat(7)}${1000 + at}`)
  const text = `a = 1\n-----BEGIN RSA PRIVATE KEY-----\n${key.join('\n')}\n-----END RSA PRIVATE KEY-----\nneedle\n`
  const chunk = stored('a.txt', text, {
    kind: 'block',
    name: '',
    title: 'a = 1',
    start: 0,
    end: text.length - 1,
  })

  test('F7 are blanked at every level, even where only a piece of one is shown', () => {
    const showings = byLevel(chunk, /needle|1015/)
    expect(showings.map((it) => it.level)).toEqual(['whole', 'excerpt', 'excerpt', 'title'])
    for (const showing of showings.slice(0, -1)) {
      expect(showing.text).not.toContain('Ab1+/xYz')
      expect(showing.redacted).toBeGreaterThan(0)
    }
    expect(showings[0]?.redacted).toBe(1)
  })

  test('F7 blanking keeps the cap', () => {
    for (const maxBytes of [40, 60, 100, 300]) {
      for (const { text: shown } of byLevel(chunk, /needle/, maxBytes)) {
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(maxBytes)
      }
    }
  })

  test('F7 a secret that the cap cuts in two is blanked all the same', () => {
    const line = `x = "${'ghp'}_q7Zt3VbN8xKf2LwR9mYc4HsD6jGp1TaE5uBo"`
    const cut = { kind: 'block', name: '', title: 'x', start: 0, end: line.length }
    const texts = [9, 12, 30].map((cap) => byLevel(stored('a.txt', line, cut), /x/, cap)[0]?.text)
    expect(texts).toEqual(['x = "****', 'x = "*******', 'x = "[redacted]'])
  })
})
