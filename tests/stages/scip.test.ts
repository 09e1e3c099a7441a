/**
 * SCIP indexes: X1 reading, X2 the grammar of symbols. The indexer for TypeScript makes real
 * ones, and its own protobuf code says what is in them.
 */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EngineError } from '../../src/model/engine-error.ts'
import { type ScipDocument, type ScipOccurrence } from '../../src/model/scip-document.ts'
import {
  type Descriptor,
  formatSymbol,
  isLocal,
  type ParsedSymbol,
  parseSymbol,
} from '../../src/model/scip-symbol.ts'
import { choosePositionEncoding } from '../../src/sources/scip/offsets.ts'
import {
  readExternalSymbols,
  readScip,
  readScipMetadata,
} from '../../src/sources/scip/read-scip.ts'
import { runs } from '../support/property.ts'
import {
  type DocumentObject,
  expectedDocument,
  expectedSymbol,
  field,
  type IndexObject,
  indexOf,
  METADATA,
  type OccurrenceObject,
  type RelationshipObject,
  rangeOf,
  readWithBindings,
  realIndex,
  type SymbolObject,
  varint,
  writeIndex,
} from '../support/scip.ts'

function onlyOccurrence(...fields: readonly (readonly number[])[]): ScipOccurrence | undefined {
  const bytes = indexOf([...field(1, 'a.ts'), ...field(2, fields.flat())])
  return [...readScip(bytes)][0]?.occurrences[0]
}

function declaredAs(encoding: number): string | undefined {
  const document = [...field(1, 'a.go'), ...field(6, encoding)]
  return [...readScip(indexOf(document))][0]?.positionEncoding
}

describe('X1 reading', () => {
  test('X1 a real index is read as its own code reads it, occurrence by occurrence', () => {
    const { bytes, texts } = realIndex()
    const expected = readWithBindings(bytes)
    const documents = [...readScip(bytes)]
    expect(documents).toEqual(expected.documents.map(expectedDocument))
    expect(documents.map((it) => it.path)).toEqual([...texts.keys()])
    expect(documents.flatMap((it) => it.occurrences).length).toBeGreaterThan(60)
    expect(documents.flatMap((it) => it.symbols.flatMap((s) => s.relationships))).not.toEqual([])
    expect(readScipMetadata(bytes)).toEqual({
      projectRoot: expect.stringMatching(/^file:\/\/.*dossier-test-/),
      toolName: 'scip-typescript',
      toolVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      textEncoding: 'utf-8',
    })
  })

  test('X1 any index, with everything in it that their code can write', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 })
    const number = fc.oneof(fc.nat(300), fc.integer())
    const range = fc.array(number, { minLength: 3, maxLength: 4 })
    const relationship: fc.Arbitrary<RelationshipObject> = fc.record({
      symbol: text,
      is_reference: fc.boolean(),
      is_implementation: fc.boolean(),
      is_type_definition: fc.boolean(),
      is_definition: fc.boolean(),
    })
    const symbol: fc.Arbitrary<SymbolObject> = fc.record({
      symbol: text,
      kind: fc.nat(90),
      display_name: text,
      documentation: fc.array(text, { maxLength: 3 }),
      relationships: fc.array(relationship, { maxLength: 3 }),
      enclosing_symbol: text,
    })
    const occurrence: fc.Arbitrary<OccurrenceObject> = fc.record({
      range,
      symbol: text,
      symbol_roles: fc.nat(127),
      enclosing_range: fc.oneof(fc.constant([]), range),
    })
    const document: fc.Arbitrary<DocumentObject> = fc.record({
      relative_path: text.map((it) => `src/${it}`),
      language: text,
      text,
      symbols: fc.array(symbol, { maxLength: 3 }),
      occurrences: fc.array(occurrence, { maxLength: 5 }),
    })
    const index: fc.Arbitrary<IndexObject> = fc.record({
      metadata: fc.constant({ project_root: 'file:///p' }),
      documents: fc.array(document, { maxLength: 3 }),
      external_symbols: fc.array(symbol, { maxLength: 3 }),
    })
    fc.assert(
      fc.property(index, (it) => {
        const bytes = writeIndex(it)
        expect([...readScip(bytes)]).toEqual(it.documents.map(expectedDocument))
        expect([...readExternalSymbols(bytes)]).toEqual(it.external_symbols.map(expectedSymbol))
      }),
      runs(300),
    )
  })

  test('X1 fields of later versions are passed over, whatever their type', () => {
    const later = [
      ...field(99, -1),
      ...field(98, 'text'),
      ...varint((97 << 3) | 1),
      ...Buffer.alloc(8, 7),
      ...varint((96 << 3) | 5),
      ...Buffer.alloc(4, 7),
    ]
    const occurrence = [...later, ...field(1, [1, 2, 3]), ...later, ...field(2, 'local 1')]
    const document = [...later, ...field(1, 'a.ts'), ...later, ...field(2, occurrence)]
    const bytes = Uint8Array.from([...later, ...indexOf(document), ...later])
    expect([...readScip(bytes)]).toEqual([...readScip(indexOf(document))])
    expect([...readScip(bytes)][0]?.occurrences).toEqual([
      { range: rangeOf([1, 2, 3]), symbol: 'local 1', roles: 0 },
    ])
  })

  test('X1 ranges in every form that the format has had', () => {
    const list = field(1, [1, 2, 3])
    const messageOfLine = [...field(1, 4), ...field(3, 6)]
    const messageOfLines = [...field(1, 1), ...field(2, 2), ...field(3, 300), ...field(4, 5)]
    const unpacked = [...field(1, 1), ...field(1, 2), ...field(1, 300), ...field(1, 4)]
    expect(onlyOccurrence(list)?.range).toEqual(rangeOf([1, 2, 3]))
    expect(onlyOccurrence(unpacked)?.range).toEqual(rangeOf([1, 2, 300, 4]))
    expect(onlyOccurrence(field(8, messageOfLine), list)?.range).toEqual(rangeOf([4, 0, 6]))
    expect(onlyOccurrence(list, field(9, messageOfLines))?.range).toEqual(rangeOf([1, 2, 300, 5]))
    const around = onlyOccurrence(list, field(7, [0, 0, 9]), field(11, messageOfLines))
    expect(around?.enclosingRange).toEqual(rangeOf([1, 2, 300, 5]))
    expect(onlyOccurrence(list, field(10, messageOfLine))?.enclosingRange).toEqual(
      rangeOf([4, 0, 6]),
    )
  })

  test('X1 what characters count is declared, or known by the tool', () => {
    expect([0, 1, 2, 3, 4].map(declaredAs)).toEqual([
      'utf-16',
      'utf-8',
      'utf-16',
      'utf-32',
      'utf-16',
    ])
    expect(choosePositionEncoding(0, 'scip-go')).toBe('utf-8')
    expect(choosePositionEncoding(0, 'scip-typescript')).toBe('utf-16')
    expect(choosePositionEncoding(2, 'scip-go')).toBe('utf-16')
  })

  test('X1 a text is given as it is, byte order mark and all', () => {
    const text = '\ufefflet a\r\n'
    const bytes = indexOf([...field(1, 'a.ts'), ...field(5, text)])
    expect([...readScip(bytes)][0]?.text).toBe(text)
  })

  test('X1 text that is not UTF-8 costs no more than itself', () => {
    const symbol = field(3, [0x61, 0xff, 0x62])
    const bytes = indexOf([...field(1, 'a.ts'), ...field(3, symbol)])
    expect([...readScip(bytes)][0]?.symbols[0]?.documentation).toEqual(['a\ufffdb'])
  })

  test('X1 paths have slashes, even from Windows', () => {
    const paths = [...readScip(indexOf(field(1, 'src\\deep\\a.ts'), field(1, 'src/a\\b.ts')))]
    expect(paths.map((it) => it.path)).toEqual(['src/deep/a.ts', 'src/a\\b.ts'])
  })

  test('X1 a document is decoded when it is asked for, not before', () => {
    const documents = readScip(indexOf(field(1, 'a.ts'), field(4, 'no path')))
    expect(documents.next().value).toMatchObject({ path: 'a.ts' })
    expect(() => documents.next()).toThrow(EngineError)
  })

  test('X1 an index that was cut off is an error, unless the cut is between two documents', () => {
    const { bytes } = realIndex()
    const whole = [...readScip(bytes)]
    const cuts = Array.from({ length: bytes.length }, (_, at) => at)
    const passed = cuts.flatMap((at) => {
      const documents = readOrRefuse(bytes.subarray(0, at))
      if (documents !== undefined) expect(documents).toEqual(whole.slice(0, documents.length))
      return documents === undefined ? [] : [documents.length]
    })
    expect(passed).toEqual([0, 1])
  })

  test.each([
    ['nothing', []],
    ['JSON', [...Buffer.from('{"documents":[]}')]],
    ['Markdown', [...Buffer.from('# Title\n\nText of some length.\n')]],
    ['gzip', [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]],
    ['a database', [...Buffer.from('SQLite format 3\0')]],
    ['no metadata', field(2, field(1, 'a.ts'))],
    ['metadata of another kind', field(1, 7)],
    ['a length beyond 32 bits', [...METADATA, 0x12, ...varint(2n ** 32n + 3n), ...field(1, 'a')]],
    ['a length that leads back', [...METADATA, 0x12, ...varint(2 ** 32 - 6)]],
    ['a number in place of a text', [...indexOf([...field(1, 'a'), ...field(4, 0)])]],
    ['a number without end', [...METADATA, 0x10, ...Array.from({ length: 11 }, () => 0xff)]],
    ['a field 0', [...METADATA, 0, 0]],
    ['a group', [...METADATA, 0x23, 0x24]],
    ['a range of two', [...indexOf([...field(1, 'a'), ...field(2, field(1, [1, 2]))])]],
    ['no range', [...indexOf([...field(1, 'a'), ...field(2, field(2, 'local 1'))])]],
    [
      'a list that ends in a number',
      [...indexOf([...field(1, 'a'), ...field(2, field(1, [1, 2, 0x82]).concat(0x18, 0x18, 1))])],
    ],
  ])('X1 %s is an error that says what to do', (_, bytes) => {
    const read = () => [...readScip(Uint8Array.from(bytes))]
    expect(read).toThrow(EngineError)
    expect(read).toThrow(expect.objectContaining({ hint: expect.stringContaining('again') }))
  })

  test('X1 garbage is read or refused, and never breaks the reader', () => {
    const garbage = fc.uint8Array({ maxLength: 60 })
    const behindMetadata = garbage.map((it) => Uint8Array.from([...METADATA, ...it]))
    const inDocument = garbage.map((it) => indexOf([...field(1, 'a'), ...it]))
    fc.assert(
      fc.property(fc.oneof(garbage, behindMetadata, inDocument), (bytes) => {
        readOrRefuse(bytes)
      }),
      runs(3000),
    )
  })

  test('X1 one wrong byte in a real index is read or refused', () => {
    const { bytes } = realIndex()
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
        readOrRefuse(bytes.with(at, byte))
      }),
      runs(300),
    )
  })
})

/** Undefined if it was refused as it should be; any other error fails the test. */
function readOrRefuse(bytes: Uint8Array): readonly ScipDocument[] | undefined {
  try {
    return [...readScip(bytes)]
  } catch (error) {
    expect(error).toBeInstanceOf(EngineError)
    return undefined
  }
}

describe('X2 the grammar of symbols', () => {
  const npm = { scheme: 'scip-typescript', manager: 'npm', package: 'zoo', version: '1.2.3' }
  const known: readonly (readonly [string, ParsedSymbol])[] = [
    [
      'scip-typescript npm zoo 1.2.3 src/`animals.ts`/Dog#sound().',
      {
        ...npm,
        descriptors: [
          { name: 'src', kind: 'namespace' },
          { name: 'animals.ts', kind: 'namespace' },
          { name: 'Dog', kind: 'type' },
          { name: 'sound', kind: 'method' },
        ],
      },
    ],
    [
      'scip-java maven . . a#b(+1).(p)[T]c.d:e!',
      {
        scheme: 'scip-java',
        manager: 'maven',
        package: '',
        version: '',
        descriptors: [
          { name: 'a', kind: 'type' },
          { name: 'b', kind: 'method', disambiguator: '+1' },
          { name: 'p', kind: 'parameter' },
          { name: 'T', kind: 'type-parameter' },
          { name: 'c', kind: 'term' },
          { name: 'd', kind: 'meta' },
          { name: 'e', kind: 'macro' },
        ],
      },
    ],
    [
      'my  tool . my  package 1  b a#',
      {
        scheme: 'my tool',
        manager: '',
        package: 'my package',
        version: '1 b',
        descriptors: [{ name: 'a', kind: 'type' }],
      },
    ],
    ['scip-typescript npm zoo 1.2.3 ', { ...npm, descriptors: [] }],
    [
      'scip-typescript npm zoo 1.2.3 `a``b c`#`größe`.$x_+-9/',
      {
        ...npm,
        descriptors: [
          { name: 'a`b c', kind: 'type' },
          { name: 'größe', kind: 'term' },
          { name: '$x_+-9', kind: 'namespace' },
        ],
      },
    ],
  ]

  test.each(known)('X2 %s', (text, symbol) => {
    expect(parseSymbol(text)).toEqual(symbol)
    expect(formatSymbol(symbol)).toBe(text)
  })

  const name = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', '`', ' ', '.', '#', '(', ')', '/', '[', '\ud800') }),
  )
  const part = name.filter((it) => it !== '.' && !it.startsWith(' '))
  const descriptor: fc.Arbitrary<Descriptor> = fc.oneof(
    fc.record({
      name,
      kind: fc.constantFrom(
        'namespace',
        'type',
        'term',
        'method',
        'type-parameter',
        'parameter',
        'meta',
        'macro',
      ),
    }),
    fc.record({
      name,
      kind: fc.constant('method'),
      disambiguator: name.filter((it) => it !== ''),
    }),
  )
  const symbols: fc.Arbitrary<ParsedSymbol> = fc.record({
    scheme: name.filter((it) => it !== '.' && !it.startsWith('local')),
    manager: part,
    package: part,
    version: part,
    descriptors: fc.array(descriptor),
  })

  test('X2 what is formatted is parsed again as it was', () => {
    fc.assert(
      fc.property(symbols, (symbol) => {
        expect(parseSymbol(formatSymbol(symbol))).toEqual(symbol)
      }),
      runs(3000),
    )
  })

  test('X2 any text is a symbol or is not, and what is one keeps its meaning', () => {
    const pieces = fc.constantFrom(
      'a',
      'b ',
      ' ',
      '.',
      '`',
      '#',
      '/',
      '(',
      ').',
      '[',
      ']',
      ':',
      '!',
    )
    const near = fc.array(pieces).map((it) => `s m p v ${it.join('')}`)
    const text = fc.oneof(
      name,
      near,
      fc.array(pieces).map((it) => it.join('')),
    )
    fc.assert(
      fc.property(text, (it) => {
        const symbol = parseSymbol(it)
        if (symbol !== undefined) expect(parseSymbol(formatSymbol(symbol))).toEqual(symbol)
      }),
      runs(5000),
    )
  })

  test.each([
    '',
    'a',
    's m p v',
    's m p  v a#',
    ' m p v a#',
    's m p v a',
    's m p v a?',
    's m p v #',
    's m p v `a#',
    's m p v a(b)',
    's m p v a(`` ).',
    's m p v (a',
    's m p v [a)',
    's m p v a# b#',
  ])('X2 %j is no symbol', (text) => {
    expect(parseSymbol(text)).toBeUndefined()
  })

  test('X2 local symbols have no parts', () => {
    expect(isLocal('local 12')).toBe(true)
    expect(parseSymbol('local 12')).toBeUndefined()
    expect(isLocal('localhost npm a 1 b#')).toBe(false)
    expect(parseSymbol('localhost npm a 1 b#')).toBeDefined()
  })

  test('X2 every symbol of a real index is local or has parts, and formats to itself', () => {
    const all = [...readScip(realIndex().bytes)].flatMap((it) => it.occurrences)
    const global = all.map((it) => it.symbol).filter((it) => !isLocal(it))
    expect(global.length).toBeLessThan(all.length)
    for (const text of global) {
      const symbol = parseSymbol(text)
      expect(symbol && formatSymbol(symbol)).toBe(text)
    }
  })
})
