/** CD — Context documents: texts of notes in their places. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fenceAfter, type OpenFence } from '../../src/format/fences.ts'
import { grouped, inline, shortened, titleOf, under } from '../../src/format/note-text.ts'
import { runs } from '../support/property.ts'

test('CD11 a cut text ends at a line, a sentence or a word, and says how much is left', () => {
  const text = 'One sentence here. Another one there. A third that is cut somewhere.'
  expect(shortened(text, 45)).toBe('One sentence here. Another one there. … (31 more characters)')
  expect(shortened('word '.repeat(400).trim(), 52)).toMatch(
    /^(word )+… \(1,9\d\d more characters\)$/,
  )
  expect(shortened('line one\nline two\nline three', 20)).toBe(
    'line one\nline two … (11 more characters)',
  )
  expect(shortened(text, 68)).toBe(text)
})

test('CD11 a fence that is cut is closed, and no character is split', () => {
  const fenced = 'Before.\n\n```ts\nconst a = 1\nconst b = 2\nconst c = 3\n```\n\nAfter.'
  expect(shortened(fenced, 42)).toBe(
    'Before.\n\n```ts\nconst a = 1\nconst b = 2\n```\n… (24 more characters)',
  )
  const piece = fc.constantFrom('```\n', '~~~\n', 'word ', '. ', '\u{1f600}', '\n', '> ```\n')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(120), (pieces, most) => {
      const text = shortened(pieces.join(''), most)
      expect(text.isWellFormed()).toBe(true)
      if (!text.includes('more characters')) return
      let open: OpenFence | undefined
      for (const line of text.split('\n').slice(0, -1)) open = fenceAfter(line, open)
      if (text.split('\n').at(-1)?.startsWith('…') === true) expect(open).toBeUndefined()
    }),
    runs(300),
  )
})

test('CD11 a fence that is cut after its first line is not begun, and nothing stands behind its last', () => {
  const text = 'Some words before it.\n\n```ts\nconst value = 1\n```\nAnd after.'
  expect(shortened(text, 33)).toBe('Some words before it. … (38 more characters)')
  expect(shortened(text, 50)).toBe(
    'Some words before it.\n\n```ts\nconst value = 1\n```\n… (11 more characters)',
  )
})

test('CD11 headings of a content stand below the heading of their note, fences stay as they are', () => {
  const content = '# Top\ntext\n## Sub\n```md\n# no heading\n```\nSetext\n===\nlast'
  expect(under(content, 3, 'Note')).toBe(
    '#### Top\ntext\n##### Sub\n```md\n# no heading\n```\n#### Setext\nlast',
  )
  expect(under('###### deep\n# high', 3, 'Note')).toBe('###### deep\n#### high')
  expect(under('#### low enough', 2, 'Note')).toBe('#### low enough')
  expect(under('```\nopen', 2, 'Note')).toBe('```\nopen\n```')
})

test('CD11 a first heading that only repeats the name is left out', () => {
  expect(under('# SOC  Defender\n\nA dashboard.', 2, 'SOC Defender')).toBe('A dashboard.')
  expect(under('# Other\n\nA dashboard.', 2, 'SOC Defender')).toBe('### Other\n\nA dashboard.')
})

test('CD11 a name begins no list, heading, quote or fence', () => {
  expect(inline('# one')).toBe('\\# one')
  expect(inline('- one')).toBe('\\- one')
  expect(inline('1. one')).toBe('1\\. one')
  expect(inline('```ts')).toBe('\\```ts')
  expect(inline('> one')).toBe('\\> one')
  expect(inline('---')).toBe('\\---')
  expect(inline('#tag and\n two  lines')).toBe('#tag and two lines')
  expect(inline('2026-01-15 - Thursday')).toBe('2026-01-15 - Thursday')
})

test('CD11 a title is the beginning of a long name, up to a word', () => {
  const name = 'word '.repeat(40).trim()
  expect(titleOf(name)).toBe(`${'word '.repeat(19).trim()}…`)
  expect(titleOf('x'.repeat(100))).toBe('x'.repeat(100))
  expect(titleOf('x'.repeat(101))).toBe(`${'x'.repeat(99)}…`)
  expect([1, 999, 1000, 1_234_567].map(grouped)).toEqual(['1', '999', '1,000', '1,234,567'])
})
