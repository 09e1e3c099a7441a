/** Ids that last: I1–I4, with the known answers of the program that the formula comes from. */
import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createChunkIdGenerator, generateChunkId } from '../../src/sources/markdown/chunk-id.ts'
import { documentIds } from '../../src/sources/markdown/documents.ts'
import { normalizeMarkdown, normalizeTitlePath } from '../../src/sources/markdown/normalize.ts'
import { readDocument } from '../../src/sources/markdown/read-document.ts'
import { anyDocument } from '../support/documents.ts'
import { runs } from '../support/property.ts'

function ids(text: string, max = 6000): readonly string[] {
  return readDocument('doc', text, max).chunks.map((chunk) => chunk.id)
}

describe('I1 the formula', () => {
  test.each([
    ['skill:0ddea7b1cb', ['Core Rules'], 'Test content'],
    ['agent:83875fa1ac', ['Core Rules'], 'Test content'],
    ['skill:ce9fbe683d', ['Core Rules'], 'Different content'],
    ['skill:39d33d3f85', [], 'Preamble'],
    ['prime_ñ:44822c9b44', ['Título  Ünï'], 'héllo 🎉'],
  ])('I1 known answer %s: %j %j', (id, titlePath, text) => {
    const [doc = ''] = id.split(':')
    expect(generateChunkId(doc, titlePath, text)).toBe(id)
  })

  test('I1 it is what the words say', () => {
    const text = createHash('sha256').update('body\n').digest('hex')
    const seed = createHash('sha1').update(`d\na\x1fb c\n${text}`).digest('hex')
    expect(generateChunkId('d', ['A', ' B  c '], 'body\n')).toBe(`d:${seed.slice(0, 10)}`)
  })

  test('I1 a chunk of a document is hashed by its body', () => {
    const expected = generateChunkId('doc', ['Core Rules'], 'Test content')
    expect(ids('# Core Rules\n\nTest content\n')).toEqual([expected])
  })
})

describe('I2 what changes no id', () => {
  test.each([
    ['Line 1\r\nLine 2\n\n\n\nLine 3   ', 'Line 1\nLine 2\n\nLine 3\n'],
    ['a\rb\n \n \n\nc', 'a\rb\n \n \n\nc\n'],
    ['', ''],
    [' \n\n ', ''],
  ])('I2 normalizeMarkdown(%j)', (text, expected) => {
    expect(normalizeMarkdown(text)).toBe(expected)
  })

  test('I2 normalizeMarkdown has nothing left to do on its own result', () => {
    fc.assert(
      fc.property(anyDocument, ({ text }) => {
        const once = normalizeMarkdown(text)
        expect(normalizeMarkdown(once)).toBe(once)
      }),
      runs(200),
    )
  })

  test('I2 titles are compared without case and white space', () => {
    expect(normalizeTitlePath(['Core Rules', '  Sync \t First'])).toBe('core rules\x1fsync first')
  })

  test('I2 case and white space of a heading', () => {
    const [id] = ids('# Core Rules\n\ntext\n')
    for (const heading of ['# core rules', '#   CORE \t Rules', '  # Core Rules ##']) {
      expect(ids(`${heading}\n\ntext\n`)).toEqual([id])
    }
    expect(ids('Core Rules\n==========\n\ntext\n')).toEqual([id])
    expect(ids('# Core Rule\n\ntext\n')).not.toEqual([id])
  })

  test('I2 line ends and extra blank lines', () => {
    const text = '# A\n\none\n\ntwo\n\n## B\n\n- three\n'
    const before = ids(text)
    expect(before).toHaveLength(2)
    expect(ids(text.replaceAll('\n', '\r\n'))).toEqual(before)
    expect(ids(text.replaceAll('\n\n', '\n\n\n\n'))).toEqual(before)
    expect(ids(`\n\n${text}\n\n`)).toEqual(before)
  })

  // With no limit: CRLF is two characters, so a section near the limit may be cut with it alone.
  test('I2 CRLF and CR in any document', () => {
    const lineFeeds = anyDocument.map(({ text }) => text.replace(/\r\n?/g, '\n'))
    fc.assert(
      fc.property(lineFeeds, fc.constantFrom('\r\n', '\r'), (text, lineEnd) => {
        expect(ids(text.replaceAll('\n', lineEnd), 1_000_000)).toEqual(ids(text, 1_000_000))
      }),
      runs(500),
    )
  })

  test('I2 front matter', () => {
    expect(ids('---\ndate: 2025-01-01\n---\n# A\n\ntext\n')).toEqual(ids('# A\n\ntext\n'))
  })
})

describe('I3 ids are unique', () => {
  test('I3 sections that are the same in all but place', () => {
    const same = '## Example\n\nsame text\n'
    const three = ids([same, same, same].join('\n'))
    expect(new Set(three).size).toBe(3)
    // The first keeps the id that it would have alone, so that a copy below changes nothing.
    expect(ids(same)).toEqual(three.slice(0, 1))
  })

  test('I3 parts that are the same', () => {
    const text = `# A\n\n${`${'x'.repeat(150)}\n\n`.repeat(6)}`
    const all = ids(text, 200)
    expect(all.length).toBeGreaterThan(5)
    expect(new Set(all).size).toBe(all.length)
  })

  test('I3 any document at any limit', () => {
    const few = fc.constantFrom('# a', '## b', 'x', '', '```', 'long '.repeat(60))
    const repetitive = fc.array(few, { maxLength: 40 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(repetitive, fc.integer({ min: 100, max: 400 }), (text, max) => {
        const all = ids(text, max)
        expect(new Set(all).size).toBe(all.length)
      }),
      runs(500),
    )
  })

  test('I3 an id that an ordinal would give is not given twice', () => {
    const idOf = createChunkIdGenerator('d')
    const given = Array.from({ length: 50 }, (_, at) => idOf(['t'], at % 3 === 0 ? 'a' : 'b'))
    expect(new Set(given).size).toBe(50)
  })
})

describe('I4 a change stays where it is', () => {
  const section = fc
    .tuple(fc.constantFrom('# ', '## ', '### '), fc.nat(99), fc.lorem({ maxCount: 8 }))
    .map(([marks, number, text]) => `${marks}Title ${number}\n\n${text}\n`)

  test('I4 editing the text of one section changes the id of no other', () => {
    const documents = fc.uniqueArray(section, { minLength: 2, maxLength: 8 })
    fc.assert(
      fc.property(documents, fc.nat(), (sections, pick) => {
        const at = pick % sections.length
        const edited = sections.with(at, `${sections[at]}\nOne more line.\n`)
        const before = ids(sections.join('\n'))
        const after = ids(edited.join('\n'))
        expect(after.toSpliced(at, 1)).toEqual(before.toSpliced(at, 1))
        expect(after[at]).not.toBe(before[at])
      }),
      runs(200),
    )
  })

  test('I4 a section put in before the others moves their lines, not their ids', () => {
    const text = '## A\n\none\n\n## B\n\ntwo\n'
    expect(ids(`## New\n\nzero\n\n${text}`).slice(1)).toEqual(ids(text))
  })
})

describe('I5 what a document is called', () => {
  test.each([
    [
      ['a.md', 'docs/b.markdown', 'c.MD'],
      ['a', 'b', 'c'],
    ],
    [
      ['agent.md', '_ctx/agent.md', 'x.md'],
      ['agent', '_ctx/agent', 'x'],
    ],
    [
      ['a/x.md', 'b/x.md', 'y.md'],
      ['a/x', 'b/x', 'y'],
    ],
    [
      ['x.md', 'x.markdown'],
      ['x.md', 'x.markdown'],
    ],
    [
      ['a/x.md', 'a/x.markdown', 'x.md'],
      ['a/x.md', 'a/x.markdown', 'x'],
    ],
    [
      ['x.y.md', 'x.md'],
      ['x.y', 'x'],
    ],
    [
      ['.md', 'a.md'],
      ['', 'a'],
    ],
  ])('I5 %j', (paths, expected) => {
    const called = documentIds(paths)
    expect(paths.map((path) => called.get(path))).toEqual(expected)
  })

  test('I5 no two documents are called the same, in any order of files', () => {
    const name = fc.constantFrom('x', 'y', 'a', 'b', 'x.md')
    const path = fc
      .tuple(fc.array(name, { maxLength: 3 }), name, fc.constantFrom('.md', '.markdown', '.MD'))
      .map(([folders, stem, extension]) => [...folders, stem].join('/') + extension)
    const paths = fc.uniqueArray(path, { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(paths, (list) => {
        const called = documentIds(list)
        expect(new Set(called.values()).size).toBe(list.length)
        const other = documentIds(list.toReversed())
        expect(list.map((it) => other.get(it))).toEqual(list.map((it) => called.get(it)))
      }),
      runs(500),
    )
  })
})
