/** What chunks hold: nothing lost, lines exact, no chunk too large, every part whole. K2–K5. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codePointLength } from '../../src/base/text.ts'
import { parseFrontMatter } from '../../src/sources/markdown/front-matter.ts'
import { chunkMarkdown } from '../../src/sources/markdown/read-document.ts'
import { cover } from '../support/coverage.ts'
import { anyDocument, fencedDocument } from '../support/documents.ts'
import { openFences } from '../support/markdown-truth.ts'
import { runs } from '../support/property.ts'

const smallLimit = fc.integer({ min: 100, max: 300 })

function chunked(text: string, max: number): ReturnType<typeof chunkMarkdown> {
  return chunkMarkdown(text, { max, size: codePointLength })
}

function bodyStart(text: string): number {
  return parseFrontMatter(text)?.end ?? 0
}

describe('K2 and K3 nothing is lost and lines are exact', () => {
  test('K2 K3 the chunks of any document, laid over it, cover it line by line', () => {
    fc.assert(
      fc.property(anyDocument, smallLimit, ({ text }, max) => {
        expect(cover(text, bodyStart(text), chunked(text, max)).problems).toEqual([])
      }),
      runs(1500),
    )
  })

  test('K2 K3 so do the chunks of a document that needs no cutting', () => {
    fc.assert(
      fc.property(anyDocument, ({ text }) => {
        expect(cover(text, bodyStart(text), chunked(text, 1_000_000)).problems).toEqual([])
      }),
      runs(500),
    )
  })

  test('K3 numbers are those of the file, front matter and blank lines counted', () => {
    const text = '---\r\ntitle: T\r\n---\r\n\r\n\r\n# A\r\n\r\nx\r\n\r\n\r\n## B\r\ny'
    expect(chunked(text, 6000).map((it) => [it.startLine, it.endLine, it.text])).toEqual([
      [6, 8, '# A\r\n\r\nx'],
      [11, 12, '## B\r\ny'],
    ])
  })

  test('K3 a part has its own range, whatever the line ends', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = ['# A', '', 'x'.repeat(90), '', 'y'.repeat(90), '', 'z'].join(end)
      expect(chunked(text, 100).map((it) => [it.part, it.startLine, it.endLine])).toEqual([
        [1, 1, 3],
        [2, 5, 7],
      ])
    }
  })

  test('K3 a part does not end in the line end of its last line', () => {
    const text = `- \`\`\`\r\n\r\n> ${'quoted '.repeat(20)}\r\n`
    expect(chunked(text, 100)[0]).toMatchObject({ text: '- ```', startLine: 1, endLine: 1 })
  })
})

describe('K4 no chunk is over the limit', () => {
  test('K4 any document at any small limit, and parts are numbered from 1', () => {
    fc.assert(
      fc.property(anyDocument, smallLimit, ({ text }, max) => {
        let before = 0
        for (const chunk of chunked(text, max)) {
          expect([...chunk.text].length).toBeLessThanOrEqual(max)
          if (chunk.part !== undefined && chunk.part !== 1) expect(chunk.part).toBe(before + 1)
          before = chunk.part ?? 0
        }
      }),
      runs(1000),
    )
  })

  test('K4 a section of one part is no part, and one that is cut has at least two', () => {
    fc.assert(
      fc.property(anyDocument, smallLimit, ({ text }, max) => {
        const chunks = chunked(text, max)
        for (const [at, chunk] of chunks.entries()) {
          if (chunk.part === 1) expect(chunks[at + 1]?.part).toBe(2)
        }
      }),
      runs(300),
    )
  })

  test('K4 exactly the limit is not over it', () => {
    const text = `# A\n\n${'x'.repeat(95)}`
    expect(chunked(text, 100)).toHaveLength(1)
    expect(chunked(text, 99).map((it) => it.part)).toEqual([1, 2])
  })

  test('K4 counts code points, and never cuts inside one', () => {
    const text = '🎉'.repeat(250)
    expect(chunked(text, 250)).toHaveLength(1)
    const parts = chunked(text, 100)
    expect(parts.map((it) => [...it.text].length)).toEqual([100, 100, 50])
    expect(parts.every((it) => it.text.isWellFormed())).toBe(true)
  })

  test('K4 cuts between blocks, then between lines, then at spaces', () => {
    const blocks = `# A\n\n${'a'.repeat(60)}\n\n${'b'.repeat(60)}\n`
    expect(chunked(blocks, 100).map((it) => it.text)).toEqual([
      `# A\n\n${'a'.repeat(60)}`,
      'b'.repeat(60),
    ])
    const lines = `${'a'.repeat(60)}\n${'b'.repeat(60)}\n`
    expect(chunked(lines, 100).map((it) => it.text)).toEqual(['a'.repeat(60), 'b'.repeat(60)])
    const spaces = `${'a'.repeat(60)} ${'b'.repeat(60)}`
    expect(chunked(spaces, 100).map((it) => it.text)).toEqual([
      `${'a'.repeat(60)} `,
      'b'.repeat(60),
    ])
  })

  test.each([
    ['a fence of very many backticks', '`'.repeat(150)],
    ['a fence far to the right, in quotes', `${'> '.repeat(80)}\`\`\``],
    ['a very long info string', `\`\`\`${'i'.repeat(300)}`],
  ])('K4 %s', (_, opening) => {
    const quotes = /^[> ]*/.exec(opening)?.[0] ?? ''
    const text = [opening, ...Array(20).fill(`${quotes}code line`)].join('\n')
    const sizes = chunked(text, 200).map((it) => it.text.length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200)
  })
})

describe('K5 a fence that is cut is closed and opened again', () => {
  test('K5 every part is opened and closed with the fence’s own lines', () => {
    const lines = Array.from({ length: 8 }, (_, at) => `  line_${at} = ${'x'.repeat(10)}`)
    const text = ['## A', '', '```python', ...lines, '```', '', 'after'].join('\n')
    const parts = chunked(text, 100)
    expect(parts.map((it) => it.text)).toMatchInlineSnapshot(`
      [
        "## A",
        "\`\`\`python
        line_0 = xxxxxxxxxx
        line_1 = xxxxxxxxxx
        line_2 = xxxxxxxxxx
      \`\`\`",
        "\`\`\`python
        line_3 = xxxxxxxxxx
        line_4 = xxxxxxxxxx
        line_5 = xxxxxxxxxx
      \`\`\`",
        "\`\`\`python
        line_6 = xxxxxxxxxx
        line_7 = xxxxxxxxxx
      \`\`\`",
        "after",
      ]
    `)
  })

  test('K5 no part leaves a fence open', () => {
    fc.assert(
      fc.property(fencedDocument, smallLimit, (text, max) => {
        fc.pre(openFences(text).length === 0)
        for (const chunk of chunked(text, max)) expect(openFences(chunk.text)).toEqual([])
      }),
      runs(1000),
    )
  })

  test('K5 a fence in a quote stays whole where one of its lines is cut', () => {
    const text = `> \`\`\`\n> ${'word '.repeat(60)}\n> \`\`\`\n`
    const parts = chunked(text, 100)
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.flatMap((it) => openFences(it.text))).toEqual([])
  })

  test('K5 a piece of a cut line does not close its fence', () => {
    const text = `\`\`\`\n${'`'.repeat(250)} x\n\`\`\`\n`
    expect(chunked(text, 100).flatMap((it) => openFences(it.text))).toEqual([])
  })

  test('K5 an unclosed fence of a list item does not reach into the next item', () => {
    const text = `- ~~~\n- ${'prose '.repeat(40)}\n`
    const parts = chunked(text, 100)
    // Prose between fence lines would be read as code.
    expect(parts.slice(1).some((it) => it.text.includes('~~~'))).toBe(false)
  })

  test('K5 fence lines are the only ones that are not in the source', () => {
    fc.assert(
      fc.property(fencedDocument, smallLimit, (text, max) => {
        const sourceLines = new Set(text.split('\n'))
        const laid = cover(text, 0, chunked(text, max)).laid
        for (const line of laid.flatMap((it) => it.framed)) {
          expect(sourceLines.has(line) || /^[>\s]*(?:`{3,}|~{3,})/.test(line)).toBe(true)
        }
      }),
      runs(300),
    )
  })
})
