/** The small tools that everything stands on, each against something simpler or published. */
import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compoundParts, unspacedPairs } from '../../src/base/identifiers.ts'
import { lineTable } from '../../src/base/line-table.ts'
import { nearest } from '../../src/base/nearest.ts'
import { ascending, descending, inOrder } from '../../src/base/order.ts'
import { folderOf, lastPart } from '../../src/base/paths.ts'
import { stem, stemStart } from '../../src/base/stem.ts'
import { codePointLength, collapseSpaces, counted, offsetAfter } from '../../src/base/text.ts'
import { folded, stems, words } from '../../src/base/words.ts'
import { naiveLines } from '../support/coverage.ts'
import { runs } from '../support/property.ts'

test('I5 a path is its folder and its last part', () => {
  expect(['a/b/c.ts', 'c.ts', ''].map(folderOf)).toEqual(['a/b', '', ''])
  expect(['a/b/c.ts', 'c.ts', ''].map(lastPart)).toEqual(['c.ts', 'c.ts', ''])
})

describe('B2 order', () => {
  test('by code unit, in no locale', () => {
    const list = ['ä', 'z', 'Z', 'a', '_', '10', '9', 'é']
    expect(list.toSorted(ascending((it) => it))).toEqual(['10', '9', 'Z', '_', 'a', 'z', 'ä', 'é'])
  })

  test('the first difference decides, and the order of arrival never does', () => {
    const rows = fc.uniqueArray(fc.record({ score: fc.nat(3), id: fc.string() }), {
      selector: (it) => it.id,
    })
    const best = inOrder<{ score: number; id: string }>(
      descending((it) => it.score),
      ascending((it) => it.id),
    )
    fc.assert(
      fc.property(rows, (list) => {
        const sorted = list.toSorted(best)
        expect(list.toReversed().toSorted(best)).toEqual(sorted)
        for (const [at, it] of sorted.slice(1).entries()) {
          const before = sorted[at]
          expect(before !== undefined && (before.score > it.score || before.id < it.id)).toBe(true)
        }
      }),
      runs(200),
    )
  })
})

describe('S5 nearest', () => {
  test('the likeliest first, the unlike left out', () => {
    const titles = ['Instance', 'Zebra', 'Installation', 'Logging']
    expect(nearest('instalation', titles, 5)).toEqual(['Installation', 'Instance'])
    expect(nearest('instalation', titles, 1)).toEqual(['Installation'])
    expect(nearest('qqq', titles, 5)).toEqual([])
    expect(nearest('x', [], 5)).toEqual([])
  })

  test('an equal one comes first, whatever its case, in any order of candidates', () => {
    const list = fc.uniqueArray(fc.string({ minLength: 3, unit: 'grapheme-ascii' }), {
      minLength: 1,
      selector: (it) => it.toLowerCase(),
    })
    fc.assert(
      fc.property(list, (candidates) => {
        const [wanted = ''] = candidates
        const found = nearest(wanted, candidates, 3)
        expect(nearest(wanted, candidates.toReversed(), 3)).toEqual(found)
        expect(found).toContain(wanted)
      }),
      runs(200),
    )
  })
})

describe('S4 identifiers', () => {
  test.each([
    ['normalizeTitlePath', ['normalize', 'Title', 'Path']],
    ['HTTPServer', ['HTTP', 'Server']],
    ['HTTPServer2', ['HTTP', 'Server', '2']],
    ['a1b', ['a', '1', 'b']],
    ['plain words here', []],
    ['ALLCAPS', []],
    ['one getURLPath two utf8', ['get', 'URL', 'Path', 'utf', '8']],
    ['snake_case_fooBar', ['foo', 'Bar']],
    ['überGroß', ['über', 'Groß']],
    ['', []],
  ])('the parts of %j', (text, parts) => {
    expect(compoundParts(text)).toEqual(parts)
  })

  test('the parts of a compound, joined, are the compound', () => {
    const part = fc.constantFrom('get', 'Title', 'HTTP', '42', 'x', 'Path', 'Url')
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (list) => {
        const word = list.join('')
        const parts = compoundParts(word)
        expect(parts.length === 0 ? word : parts.join('')).toBe(word)
      }),
      runs(300),
    )
  })

  test('scripts without spaces as overlapping pairs', () => {
    expect(unspacedPairs('数据库 and コード')).toEqual(['数据', '据库', 'コー', 'ード'])
    expect(unspacedPairs('数 x')).toEqual([])
    expect(unspacedPairs('plain')).toEqual([])
  })
})

/** From the examples of Porter's paper, and words whose stems are well known. */
const STEMS = `caresses caress|ponies poni|ties ti|caress caress|cats cat|feed feed|agreed agre
plastered plaster|bled bled|motoring motor|sing sing|conflated conflat|troubled troubl|sized size
hopping hop|tanned tan|falling fall|hissing hiss|fizzed fizz|failing fail|filing file|happy happi
sky sky|relational relat|conditional condit|rational ration|valenci valenc|hesitanci hesit
digitizer digit|conformabli conform|radicalli radic|differentli differ|vileli vile
analogousli analog|vietnamization vietnam|predication predic|operator oper|feudalism feudal
decisiveness decis|hopefulness hope|callousness callous|formaliti formal|sensitiviti sensit
sensibiliti sensibl|triplicate triplic|formative form|formalize formal|electriciti electr
electrical electr|hopeful hope|goodness good|revival reviv|allowance allow|inference infer
airliner airlin|gyroscopic gyroscop|adjustable adjust|defensible defens|irritant irrit
replacement replac|adjustment adjust|dependent depend|adoption adopt|homologou homolog
communism commun|activate activ|angulariti angular|homologous homolog|effective effect
bowdlerize bowdler|probate probat|rate rate|cease ceas|controll control|roll roll
searching search|searched search|searches search|a a|is is|yes ye|by by|toy toi|employees employe`

describe('S4 stem', () => {
  test.each(STEMS.split(/\||\n/).map((pair) => pair.split(' ')))('%s is %s', (word, expected) => {
    expect(stem(word ?? '')).toBe(expected)
  })

  test('S3 the same as SQLite’s, which the candidates are found by', () => {
    const roots =
      'connect relat gener archaeolog hop hopp fil fall agre yield sky controll oper formal'
    const ends =
      ' s es ed ing er ion ions ation ational tional ize izer ization ive iveness ful y ies'
    const more = ' fulness ous ousness al ality alism ment ement able ability ance ence ent logy ly'
    const list = roots
      .split(' ')
      .flatMap((root) => (ends + more).split(' ').map((end) => root + end))
    const unique = [...new Set(list)].filter((word) => word.length >= 3)
    const database = new DatabaseSync(':memory:')
    database.exec(`CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter unicode61');
      CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)`)
    const put = database.prepare('INSERT INTO t(rowid, x) VALUES (?, ?)')
    for (const [at, word] of unique.entries()) put.run(at, word)
    const rows = database.prepare('SELECT doc, term FROM v').all()
    const theirs = new Map(rows.map((row) => [unique[Number(row['doc'])], row['term']]))
    database.close()
    expect(unique.length).toBeGreaterThan(400)
    expect(unique.filter((word) => stem(word) !== theirs.get(word))).toEqual([])
  })

  test('a word begins with all of its stem but what may have been changed at its end', () => {
    const letters = fc.array(fc.constantFrom(...'aeiouybclnst'), { maxLength: 5 })
    const ends = 'ational tional enci izer logi bli alli ousli ization ator biliti iviti icate'
    const more = ' ative alize ical ful ness eed ed ing ies es s y bility ably ility ible able ll'
    const suffixes = fc.array(fc.constantFrom(...`${ends}${more}`.split(' ')), { maxLength: 3 })
    fc.assert(
      fc.property(letters, suffixes, (root, endings) => {
        const word = [...root, ...endings].join('')
        expect(word.startsWith(stemStart(stem(word))), word).toBe(true)
      }),
      runs(5000),
    )
    expect(['header', 'relat', 'happi', 'agre', 'sensibl'].map(stemStart)).toEqual([
      'header',
      'relat',
      'happ',
      'agr',
      'sensib',
    ])
  })

  test('words that are not plain letters stay as they are', () => {
    for (const word of ['café', 'utf8s', '数据', '', 'x']) expect(stem(word)).toBe(word)
  })
})

describe('S4 words', () => {
  test('folded: no case, no diacritics', () => {
    expect(['Café', 'ÜBER', 'plain', 'Ångström'].map(folded)).toEqual([
      'cafe',
      'uber',
      'plain',
      'angstrom',
    ])
  })

  test('stems: words in order, then the parts of compounds and pairs', () => {
    expect(words('a-b c_d, é1!')).toEqual(['a', 'b', 'c', 'd', 'é1'])
    expect(stems('Searching normalizeTitlePath 数据库')).toEqual([
      'search',
      'normalizetitlepath',
      '数据库',
      'normal',
      'titl',
      'path',
      '数据',
      '据库',
    ])
  })
})

describe('K3 line table', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\r\n', ' ', '🎉', '\u2028') })

  test('the lines of any text, as the simplest implementation finds them', () => {
    fc.assert(
      fc.property(text, (it) => {
        const table = lineTable(it)
        const expected = naiveLines(it)
        expect(table.count).toBe(expected.length)
        for (const [at, line] of expected.entries()) {
          expect([table.start(at + 1), table.end(at + 1)]).toEqual([line.start, line.end])
          expect(table.isBlank(at + 1)).toBe(it.slice(line.start, line.end).trim() === '')
        }
      }),
      runs(500),
    )
  })

  test('the line of any offset', () => {
    fc.assert(
      fc.property(text, fc.nat(200), (it, pick) => {
        fc.pre(it.length > 0)
        const offset = pick % it.length
        const expected = naiveLines(it).findLastIndex((line) => line.start <= offset) + 1
        expect(lineTable(it).lineAt(offset)).toBe(expected)
      }),
      runs(500),
    )
  })
})

describe('K4 text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '🎉', 'é', '\ud800', '\udc00', '数') })

  test('counted and cut by code points, as spreading does it', () => {
    fc.assert(
      fc.property(text, fc.nat(20), (it, count) => {
        expect(codePointLength(it)).toBe([...it].length)
        expect(offsetAfter(it, 0, count)).toBe([...it].slice(0, count).join('').length)
      }),
      runs(500),
    )
  })

  test('collapsed and counted in words', () => {
    expect(collapseSpaces(' a \t\r\n b ')).toBe('a b')
    expect([counted(1, 'file'), counted(2, 'file'), counted(0, 'entry', 'entries')]).toEqual([
      '1 file',
      '2 files',
      '0 entries',
    ])
  })
})
