/** What a selector says, what a range cuts out, and how a piece is written down. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatFileUri,
  parseEvidence,
  parseFileUri,
  readEvidenceTitle,
  renderEvidence,
} from '../../src/evidence/evidence-text.ts'
import { parseSelector } from '../../src/evidence/selector.ts'
import { cutExcerpt, formatSpan, parseSpan, spanToRange } from '../../src/evidence/span.ts'
import { EngineError } from '../../src/model/engine-error.ts'
import { runs } from '../support/property.ts'

const noFile = () => false

function selector(text: string, files: readonly string[] = []) {
  return parseSelector(text, (path) => files.includes(path))
}

describe('EV2 selectors', () => {
  test.each([
    ['core/flow.sh', { name: 'core/flow.sh', range: undefined, tags: [] }],
    [
      'core/flow.sh::100,200',
      { name: 'core/flow.sh', range: { unit: 'lines', start: 100, end: 200 }, tags: [] },
    ],
    ['core/flow.sh::100', { name: 'core/flow.sh', range: { unit: 'lines', start: 100 }, tags: [] }],
    [
      'core/flow.sh::100,',
      { name: 'core/flow.sh', range: { unit: 'lines', start: 100 }, tags: [] },
    ],
    [
      'core/flow.sh::100c,500c',
      { name: 'core/flow.sh', range: { unit: 'bytes', start: 100, end: 500 }, tags: [] },
    ],
    [
      'core/flow.sh::100c',
      { name: 'core/flow.sh', range: { unit: 'bytes', start: 100 }, tags: [] },
    ],
    [
      'core/flow.sh#flow,manager',
      { name: 'core/flow.sh', range: undefined, tags: ['flow', 'manager'] },
    ],
    [
      'core/flow.sh::100,200#bug',
      { name: 'core/flow.sh', range: { unit: 'lines', start: 100, end: 200 }, tags: ['bug'] },
    ],
    [
      '"a #1::b.md"::5,9#draft',
      { name: 'a #1::b.md', range: { unit: 'lines', start: 5, end: 9 }, tags: ['draft'] },
    ],
    ['"say \\"hi\\".md"', { name: 'say "hi".md', range: undefined, tags: [] }],
    ['C:/x.ts::3', { name: 'C:/x.ts', range: { unit: 'lines', start: 3 }, tags: [] }],
    ['naïve übung.md#größe', { name: 'naïve übung.md', range: undefined, tags: ['größe'] }],
  ])('%s', (text, said) => {
    expect(selector(text)).toEqual({ scheme: 'file', ...said })
  })

  test.each([
    ['symbol:scip:dossier . . . `a.ts`/Pier#length.', 'scip:dossier . . . `a.ts`/Pier#length.', []],
    ['symbol:scip:dossier . . . `a.ts`/Pier#', 'scip:dossier . . . `a.ts`/Pier#', []],
    ['symbol:scip:dossier . . . `a.ts`/Pier##bug', 'scip:dossier . . . `a.ts`/Pier#', ['bug']],
    ['symbol:Pier#bug', 'Pier', ['bug']],
    ['symbol:Pier.#length', 'Pier.#length', []],
    ['symbol:#length', '#length', []],
    ['symbol:Pier.#length#bug', 'Pier.#length', ['bug']],
  ])('the # of an id begins no tags: %s', (text, name, tags) => {
    expect(selector(text)).toEqual({ scheme: 'symbol', name, range: undefined, tags })
  })

  test('a text that is the path of a file is that file', () => {
    expect(selector('notes#1', ['notes#1'])).toMatchObject({ name: 'notes#1', tags: [] })
    expect(selector('a::5', ['a::5'])).toMatchObject({ name: 'a::5', range: undefined })
  })

  test.each(['symbol:login', 'chunk:xxh64:0123', 'doc:guide:0123456789', 'note:abc_1-2'])(
    'names in an index: %s',
    (text) => {
      const [scheme = '', ...rest] = text.split(':')
      expect(selector(`${text}#t`)).toEqual({
        scheme,
        name: rest.join(':'),
        range: undefined,
        tags: ['t'],
      })
    },
  )

  test.each([
    '',
    '#tag',
    '::1,2',
    'a::',
    'a::x',
    'a::1,2,3',
    'a::1c,2',
    'a::1,2c',
    '"a"b',
    'symbol:',
  ])('refused with a hint: %j', (text) => {
    expect(() => selector(text)).toThrow(EngineError)
  })

  test('any path in quotes comes back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (path) => {
        const quoted = `"${path.replace(/["\\]/g, '\\$&')}"::1,2#x`
        expect(parseSelector(quoted, noFile)).toMatchObject({ name: path, tags: ['x'] })
      }),
      runs(200),
    )
  })
})

function textOf(text: string, range: string): string {
  const wish = parseSelector(`f::${range}`, noFile).range
  return cutExcerpt({ path: 'f', bytes: Buffer.from(text) }, wish).text
}

describe('EV3 ranges', () => {
  const five = 'one\ntwo\nthree\nfour\nfive'

  test('lines are inclusive and keep their ends', () => {
    expect(textOf(five, '2,3')).toBe('two\nthree\n')
    expect(textOf(five, '4')).toBe('four\nfive')
    expect(textOf(five, '5,5')).toBe('five')
    expect(textOf('a\r\nb\r\n', '2,2')).toBe('b\r\n')
  })

  test('bytes begin at 0, leave the end out, and are widened to whole characters', () => {
    expect(textOf('hello', '1c,3c')).toBe('el')
    const bytes = Buffer.from('héllo')
    const inside = cutExcerpt({ path: 'f', bytes }, { unit: 'bytes', start: 2, end: 3 })
    expect(inside).toEqual({
      text: 'é',
      span: { unit: 'bytes', start: 1, end: 3 },
      isWidened: true,
    })
  })

  test.each(['0,2', '3,2', '6', '1,6', '0', '9c', '3c,2c', '2c,2c', '0c,99c'])(
    'refused with the real size: %s',
    (range) => {
      expect(() => textOf(five.slice(0, 8), range)).toThrow(/f has (2 lines|8 bytes)/)
    },
  )

  test('an empty file has no lines to choose from', () => {
    expect(() => textOf('', '1')).toThrow(/has 0 lines/)
  })

  test('what is no text is refused', () => {
    for (const bytes of [Uint8Array.of(0, 1), Uint8Array.of(0xff, 0xfe)]) {
      expect(() => cutExcerpt({ path: 'f', bytes }, undefined)).toThrow(/not UTF-8 text/)
    }
  })

  test('all lines, one range after the other, are the file', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: 'grapheme' }).map((it) => it.replace(/[\0\n]/g, '')),
          { minLength: 1 },
        ),
        fc.nat(),
        (lines, at) => {
          const text = `${lines.join('\n')}\n`
          const count = lines.length
          const middle = 1 + (at % count)
          const parts = [
            textOf(text, `1,${middle}`),
            ...(middle < count ? [textOf(text, `${middle + 1}`)] : []),
          ]
          expect(parts.join('')).toBe(text)
        },
      ),
      runs(200),
    )
  })

  test('a span that is written down is read again', () => {
    for (const text of ['full', 'lines=100:200', 'lines=100:EOF', 'bytes=100:500']) {
      const span = parseSpan(text)
      expect(span === undefined ? '' : formatSpan(span)).toBe(text)
    }
    expect(spanToRange({ unit: 'lines', start: 3, end: 'EOF' })).toEqual({
      unit: 'lines',
      start: 3,
    })
    expect(parseSpan('lines=1')).toBeUndefined()
  })
})

describe('EV4 the text of a piece', () => {
  const provenance = {
    sourceUri: formatFileUri('core/flow.sh'),
    cid: 'sha256:abc',
    span: { unit: 'lines', start: 100, end: 200 },
    tags: ['flow', 'manager'],
  } as const

  test('as the contract shows it', () => {
    expect(renderEvidence({ title: 'core/flow.sh', provenance, body: 'x\n', language: 'sh' })).toBe(
      '## Evidence: core/flow.sh\n' +
        '<!-- source_uri=file://core/flow.sh; cid=sha256:abc; span=lines=100:200; tags=flow,manager -->\n' +
        '\n```sh\nx\n```\n',
    )
  })

  test('the fence is longer than any inside', () => {
    const text = renderEvidence({ title: 'a.md', provenance, body: '````\n```\n', language: 'md' })
    expect(text).toContain('\n`````md\n````\n```\n`````\n')
  })

  test('whatever is in it, it is read again', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.array(fc.constantFrom('```', '````', '-->', '## Evidence: x', 'plain', ''), {
          maxLength: 6,
        }),
        (path, part, lines) => {
          const body = lines.map((it) => `${it}\n`).join('')
          const sourceUri = formatFileUri(path, `symbol=${part}`)
          const text = renderEvidence({
            title: path,
            provenance: { ...provenance, sourceUri },
            body,
            language: 'ts',
          })
          const read = parseEvidence(text)
          expect(read.provenance).toEqual({ ...provenance, sourceUri })
          expect(read.body).toBe(body)
          expect(parseFileUri(sourceUri)).toEqual({ path, part: `symbol=${part}` })
        },
      ),
      runs(200),
    )
  })

  test('what a person wrote has no source', () => {
    expect(parseEvidence('Just a note.\n')).toEqual({
      title: undefined,
      provenance: undefined,
      rest: 'Just a note.\n',
      body: undefined,
    })
  })
})

describe('EV1 what editors make of a file', () => {
  test('heading, comment and fence are known with carriage returns', () => {
    const provenance = {
      sourceUri: formatFileUri('a.ts'),
      cid: 'sha256:0',
      span: { unit: 'lines', start: 1, end: 2 },
      tags: ['x'],
    } as const
    const text = renderEvidence({ title: 'a.ts', provenance, body: 'one\ntwo\n', language: 'ts' })
    const edited = text.replaceAll('\n', '\r\n')
    expect(parseEvidence(edited)).toMatchObject({
      title: 'a.ts',
      provenance,
      body: 'one\r\ntwo\r\n',
    })
    expect(readEvidenceTitle(edited)).toBe('a.ts')
  })
})
