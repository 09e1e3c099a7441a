/** X3: where the positions of a SCIP document are in a text, and whether it is still that text. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type PositionEncoding,
  SCIP_ROLE,
  type ScipDocument,
  type ScipOccurrence,
} from '../../src/model/scip-document.ts'
import { createScipOffsets } from '../../src/sources/scip/offsets.ts'
import { readScip } from '../../src/sources/scip/read-scip.ts'
import { isStale } from '../../src/sources/scip/staleness.ts'
import { runs } from '../support/property.ts'
import { rangeOf, realIndex } from '../support/scip.ts'

const ENCODINGS: readonly PositionEncoding[] = ['utf-8', 'utf-16', 'utf-32']

/** Counted by the platform, not by us. */
function lengthOf(text: string, encoding: PositionEncoding): number {
  if (encoding === 'utf-8') return Buffer.byteLength(text, 'utf8')
  return encoding === 'utf-16' ? text.length : Array.from(text).length
}

describe('X3 positions', () => {
  const character = fc.constantFrom('a', 'z', ' ', 'é', '動', '🎉', '\u0301')
  const line = fc.array(character, { maxLength: 12 }).map((it) => it.join(''))
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r')

  test.each(ENCODINGS)('X3 every character of a text is found in %s', (encoding) => {
    const lines = fc.array(line, { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(lines, lineEnd, fc.boolean(), (content, end, isBackwards) => {
        const offsets = createScipOffsets(content.join(end), encoding)
        const positions = content.flatMap((it, number) =>
          Array.from({ length: lengthOf(it, encoding) + 2 }, (_, at) => [number, at] as const),
        )
        for (const [number, at] of isBackwards ? positions.toReversed() : positions) {
          const characters = Array.from(content[number] ?? '')
          const prefixes = [0, ...characters.keys().map((it) => it + 1)].map((count) =>
            characters.slice(0, count).join(''),
          )
          const prefix = prefixes.find((it) => lengthOf(it, encoding) === at)
          const lineStart = content
            .slice(0, number)
            .reduce((sum, it) => sum + it.length + end.length, 0)
          // A position inside a character, or behind the end of the line, is none.
          expect(offsets.offset(number, at)).toBe(
            prefix === undefined ? undefined : lineStart + prefix.length,
          )
        }
      }),
      runs(300),
    )
  })

  test.each([
    ['utf-8', 15],
    ['utf-16', 10],
    ['utf-32', 9],
  ] as const)('X3 a name behind an emoji, in %s', (encoding, at) => {
    const text = 'x\r\n/* 🎉動é */name()'
    const range = createScipOffsets(text, encoding).range(rangeOf([1, at, at + 4]))
    expect(range && text.slice(range.start, range.end)).toBe('name')
  })

  test.each(ENCODINGS)('X3 what the text does not have is undefined, in %s', (encoding) => {
    const { offset, range } = createScipOffsets('é\nab\n', encoding)
    expect(offset(1, 2)).toBe(4)
    expect(offset(2, 0)).toBe(5)
    for (const [number, at] of [
      [1, 3],
      [2, 1],
      [3, 0],
      [-1, 0],
      [0, -1],
    ] as const) {
      expect(offset(number, at)).toBeUndefined()
    }
    expect(range(rangeOf([1, 2, 1]))).toBeUndefined()
    expect(range(rangeOf([1, 0, 2, 0]))).toEqual({ start: 2, end: 5 })
    expect(createScipOffsets('é', encoding).offset(1, 0)).toBeUndefined()
    expect(createScipOffsets('', encoding).offset(0, 0)).toBe(0)
  })

  test('X3 the inside of a pair is no position', () => {
    expect(createScipOffsets('🎉', 'utf-16').offset(0, 1)).toBeUndefined()
    expect(createScipOffsets('🎉', 'utf-16').offset(0, 2)).toBe(2)
    expect(createScipOffsets('é', 'utf-8').offset(0, 1)).toBeUndefined()
  })

  test('X3 a long line beyond ASCII is walked once, not once for each position', () => {
    const text = 'é'.repeat(200_000)
    const offsets = createScipOffsets(text, 'utf-8')
    let found = 0
    for (let at = 0; at < 200_000; at += 1) if (offsets.offset(0, 2 * at) === at) found += 1
    expect(found).toBe(200_000)
  })
})

function definition(numbers: readonly number[], name: string): ScipOccurrence {
  return { range: rangeOf(numbers), symbol: `s m p v ${name}`, roles: SCIP_ROLE.Definition }
}

function document(parts: Partial<ScipDocument>): ScipDocument {
  const empty = { path: 'a.ts', language: '', symbols: [], occurrences: [] }
  return { ...empty, positionEncoding: 'utf-16', ...parts }
}

/** Whether so many definitions of `name` make a document stale if the first few are at `abc`. */
function misnamed(count: number, wrong: number): boolean {
  const text = Array.from({ length: count }, (_, at) => (at < wrong ? 'abc' : 'name'))
  const occurrences = text.map((found, at) => definition([at, 0, found.length], 'name.'))
  return isStale(document({ occurrences }), text.join('\n'))
}

describe('X3 staleness', () => {
  test('X3 a real index is not stale for the texts that it was made from', () => {
    const { bytes, texts } = realIndex()
    for (const it of readScip(bytes)) expect(isStale(it, texts.get(it.path) ?? '')).toBe(false)
  })

  test('X3 a line more or less anywhere in them makes it stale', () => {
    const { bytes, texts } = realIndex()
    for (const it of readScip(bytes)) {
      const lines = (texts.get(it.path) ?? '').split('\n')
      for (const at of lines.keys()) {
        expect(isStale(it, lines.toSpliced(at, 0, '// more').join('\n'))).toBe(true)
        expect(isStale(it, lines.toSpliced(at, 1).join('\n'))).toBe(true)
      }
      expect(isStale(it, `${lines.join('\n')}export const more = 1\n`)).toBe(true)
      expect(isStale(it, lines.join('\n').replace('export', ' export'))).toBe(true)
      expect(isStale(it, '')).toBe(true)
    }
  })

  test('X3 line ends alone do not make it stale', () => {
    const { bytes, texts } = realIndex()
    for (const it of readScip(bytes)) {
      expect(isStale(it, (texts.get(it.path) ?? '').replaceAll('\n', '\r\n'))).toBe(false)
    }
  })

  test('X3 a text in the index decides alone', () => {
    const kept = document({ text: 'let a', occurrences: [definition([9, 9, 9], 'a.')] })
    expect(isStale(kept, 'let a')).toBe(false)
    expect(isStale(kept, 'let  a')).toBe(true)
  })

  test.each(ENCODINGS)(
    'X3 positions in %s fit a text beyond ASCII in no other encoding',
    (encoding) => {
      const text = "const a = '🎉é', name = 1\n"
      const at = lengthOf(text.slice(0, text.indexOf('name')), encoding)
      const occurrences = [definition([0, 6, 7], 'a.'), definition([0, at, at + 4], 'name.')]
      const fits = (positionEncoding: PositionEncoding) =>
        !isStale(document({ positionEncoding, occurrences }), text)
      expect(ENCODINGS.filter(fits)).toEqual([encoding])
    },
  )

  test.each([
    ["'with space'", '`with space`.'],
    ["'name'", 'name.'],
    ['#secret', 'secret.'],
    ['constructor', '`<constructor>`().'],
    ['size', '`<get>size`().'],
    ['banana', 'getBanana().'],
    ['default', '`default export`#'],
    ['{', 'typeLiteral0:'],
    ['key', 'key12:'],
    ['other', 'folder/'],
    ['enum', '$anonymous_type_0#'],
    ['größe', '`größe`.'],
  ])('X3 %s is a place for the definition of %s', (found, symbol) => {
    const text = Array.from({ length: 4 }, () => `${found}\n`).join('')
    const occurrences = [0, 1, 2, 3].map((at) => definition([at, 0, found.length], symbol))
    expect(isStale(document({ occurrences }), text)).toBe(false)
  })

  test('X3 names may be wrong once, or in one definition of fifty', () => {
    expect([misnamed(1, 0), misnamed(1, 1), misnamed(100, 2)]).toEqual([false, false, false])
    expect([misnamed(2, 2), misnamed(99, 2), misnamed(100, 3)]).toEqual([true, true, true])
  })

  test('X3 a symbol may be shown by another name than it has', () => {
    const symbols = ['aa#', 'bb#'].map((name) => ({
      symbol: `s m p v ${name}`,
      kind: 0,
      displayName: 'Xyz',
      documentation: [],
      relationships: [],
      enclosingSymbol: '',
    }))
    const occurrences = [definition([0, 0, 3], 'aa#'), definition([1, 0, 3], 'bb#')]
    expect(isStale(document({ occurrences, symbols }), 'Xyz\nXyz\n')).toBe(false)
    expect(isStale(document({ occurrences }), 'Xyz\nXyz\n')).toBe(true)
  })

  test.each([
    ['begins in a word', [0, 1, 4], true],
    ['ends in a word', [0, 0, 3], true],
    ['begins with a space', [0, 4, 7], true],
    ['ends with a space', [0, 5, 8], true],
    ['is a word', [0, 5, 7], false],
    ['is empty, in a word', [0, 2, 2], false],
    ['follows a number', [0, 10, 13], false],
    ['is outside', [0, 14, 15], true],
    ['is on a line that is not there', [3, 0, 1], true],
  ])('X3 a reference that %s', (_, numbers, stale) => {
    const occurrences = [{ range: rangeOf(numbers), symbol: 'local 1', roles: 0 }]
    expect(isStale(document({ occurrences }), 'name of 12_km')).toBe(stale)
  })

  test('X3 the extent of a definition must be there', () => {
    const occurrences = [{ ...definition([0, 0, 1], 'a.'), enclosingRange: rangeOf([0, 0, 2, 1]) }]
    expect(isStale(document({ occurrences }), 'a\n{\n}')).toBe(false)
    expect(isStale(document({ occurrences }), 'a\n{')).toBe(true)
  })
})
