import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { extractPlainText } from '../../src/sources/notes/tana/plain-text.ts'
import { runs } from '../support/property.ts'

const NAMES: Readonly<Record<string, string>> = { abc: 'Mara', def: 'Jonas' }
const plain = (html: string): string => extractPlainText(html, (id) => NAMES[id])
const date = (text: string): string =>
  `<span data-inlineref-date="{&quot;dateTimeString&quot;:&quot;${text}&quot;,&quot;timezone&quot;:&quot;UTC&quot;}"></span>`

test('NI2 an inline reference is the name of whom it refers to', () => {
  expect(plain('Ask <span data-inlineref-node="abc"></span> today')).toBe('Ask Mara today')
  expect(
    plain('<span data-inlineref-node="abc"></span> & <span data-inlineref-node="def"></span>'),
  ).toBe('Mara & Jonas')
  expect(plain('to <span data-inlineref-node="gone"></span>')).toBe('to')
  expect(plain('to <span data-inlineref-node="gone">somebody</span>')).toBe('to somebody')
})

test('NI2 an inline date is a day, a week, a time or a range', () => {
  expect(plain(`on ${date('2025-12-13')}`)).toBe('on 2025-12-13')
  expect(plain(date('2025-W50'))).toBe('2025-W50')
  expect(plain(date('2025-12-13T09:30'))).toBe('2025-12-13 09:30')
  expect(plain(date('2025-12-13T09:30:00.000Z'))).toBe('2025-12-13 09:30')
  expect(plain(date('2025-12-13/2025-12-15'))).toBe('2025-12-13 – 2025-12-15')
  expect(plain(date('2025-12-13T09:00/2025-12-13T10:00'))).toBe(
    '2025-12-13 09:00 – 2025-12-13 10:00',
  )
  expect(plain('<span data-inlineref-date="nonsense">Friday</span>')).toBe('Friday')
})

test('NI2 marks of style go, links become Markdown, and what is no mark stays', () => {
  expect(plain('<b>bold</b> <i>slanted</i> <mark>marked</mark> <code>x()</code>')).toBe(
    'bold slanted marked x()',
  )
  expect(plain('see <a href="https://a.example/?x=1&amp;y=2">the page</a>')).toBe(
    'see [the page](https://a.example/?x=1&y=2)',
  )
  expect(plain('<a href="https://a.example">https://a.example</a>')).toBe('https://a.example')
  expect(plain('<a href="https://a.example"></a>')).toBe('https://a.example')
  expect(plain('Map<String> and 1 < 2 > 0')).toBe('Map<String> and 1 < 2 > 0')
  expect(plain('one<br>two\n three')).toBe('one two three')
})

test('NI2 entities are the characters that they stand for, once', () => {
  expect(plain('R&amp;D &lt;b&gt; &quot;q&quot; &#39;a&#39; &#x1F5D3; &unknown;')).toBe(
    'R&D <b> "q" \'a\' 🗓 &unknown;',
  )
  expect(plain('&amp;lt;')).toBe('&lt;')
  expect(plain('&#xD800;')).toBe('&#xD800;')
})

test('NI2 any text becomes one line, and text without marks stays as it is', () => {
  assert(
    property(string({ unit: 'grapheme' }), (text) => {
      expect(plain(text)).not.toMatch(/[\n\r\t]|^\s|\s$| {2}/)
      if (!/[<&\s]/.test(text)) expect(plain(text)).toBe(text)
    }),
    runs(300),
  )
})

test('NI2 a text full of brackets takes a walk, not a search from each of them', () => {
  const hostile = ['<'.repeat(300_000), `${'<'.repeat(300_000)}>`, '<span '.repeat(100_000)]
  const spans = '<span data-inlineref-node="abc">'.repeat(20_000)
  for (const text of [...hostile, spans]) {
    // A search from each bracket would exceed the time limit of the test.
    expect(plain(text).length).toBeLessThanOrEqual(text.length)
  }
})
