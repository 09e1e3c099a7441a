/** The scoring of the graph runner, on truths small enough to be checked by eye. */
import { describe, expect, test } from 'vitest'
import type {
  Answers,
  Definition,
  FileAnswers,
  Reference,
} from '../../bench/quality/graph/answers.ts'
import { compare, precisionTable } from '../../bench/quality/graph/compiled.ts'
import {
  type OurPlace,
  precisionRow,
  recallRow,
  type TruePlace,
} from '../../bench/quality/graph/definitions.ts'
import { edgeRow, fileEdges } from '../../bench/quality/graph/edges.ts'
import {
  calleePlaces,
  type Range,
  sourceOf,
  standsFor,
} from '../../bench/quality/graph/javascript-places.ts'
import { type JellyCase, scoreJelly } from '../../bench/quality/graph/jelly.ts'
import { type Place, referencesAt } from '../../bench/quality/graph/places.ts'
import { type PycgCase, scorePycg } from '../../bench/quality/graph/pycg.ts'
import { pythonScopes } from '../../bench/quality/graph/python-scopes.ts'
import {
  judgeReferences,
  type TrueReference,
  verdictRow,
} from '../../bench/quality/graph/references.ts'
import {
  judgeStackCase,
  type StackCase,
  sourcesOf,
} from '../../bench/quality/graph/stack-graphs.ts'
import { readSymbol } from '../../bench/quality/graph/symbols.ts'

describe('symbols', () => {
  test.each([
    ['src/`router.ts`/', 'module', 'router.ts', false],
    ['`httpx._api`/__init__:', 'module', '__init__', false],
    ['src/`router.ts`/Router#', 'type', 'Router', true],
    ['src/`router.ts`/Router#[T]', 'type parameter', 'T', true],
    ['src/`router.ts`/Router#name.', 'field', 'name', true],
    ['src/`router.ts`/Router#add().', 'method', 'add', true],
    ['src/`router.ts`/Router#`<constructor>`().', 'method', 'constructor', true],
    ['src/`context.ts`/Context#`<get>res`().', 'method', 'res', true],
    ['src/`router.ts`/Router#add(+1).(path)', 'parameter', 'path', true],
    ['src/utils/`url.ts`/splitPath.', 'variable', 'splitPath', true],
    ['`httpx._utils`/format().replacer().', 'function', 'replacer', true],
    ['lib/`validator.js`/`"type"12`:', 'literal property', 'type', false],
    ['src/`a.ts`/Options#typeLiteral11:strict.', 'field', 'strict', false],
    ['local 7', 'local', '', false],
  ])('R1 reads %s as a %s', (symbol, ...facts) => {
    const { kind, name, isComparable } = readSymbol(symbol)
    expect([kind, name, isComparable]).toEqual(facts)
  })
})

describe('references', () => {
  test('R1 tells right, wrong, unresolved and missing apart by the first target', () => {
    const answers = answersOf({
      'a.ts': {
        references: [
          reference({ line: 1, targets: [at('b.ts', 5), at('b.ts', 9)] }),
          reference({ line: 2, targets: [at('b.ts', 9), at('b.ts', 5)] }),
          reference({ line: 3, targets: [] }),
        ],
      },
    })
    const truth = [1, 2, 3, 4].map((line) => trueReference({ line }))
    const judged = judgeReferences(truth, referencesAt(answers))
    expect(judged.map((it) => it.verdict)).toEqual(['right', 'wrong', 'unresolved', 'missing'])
    expect(verdictRow('all', judged).cells).toEqual(['4', '0.250', '0.250', '0.250', '0.250'])
  })

  test('R1 takes any of several definitions, the file of a module, and a name behind its quote', () => {
    const answers = answersOf({
      'a.ts': {
        references: [
          reference({ line: 1, targets: [at('b.ts', 8)] }),
          reference({ line: 2, column: 1, targets: [at('b.ts', 3)] }),
          reference({ line: 3, column: 1, targets: [at('b.ts', 5)] }),
          reference({ line: 4, column: 1, targets: [at('b.ts', 5)] }),
        ],
      },
    })
    const getter = { path: 'b.ts', line: 5, symbol: 'get' }
    const truth = [
      trueReference({ line: 1, definitions: [getter, { path: 'b.ts', line: 8, symbol: 'set' }] }),
      trueReference({ line: 2, kind: 'module', text: "'./b'" }),
      trueReference({ line: 3, text: "'key'" }),
      trueReference({ line: 4, text: 'key' }),
    ]
    const judged = judgeReferences(truth, referencesAt(answers))
    expect(judged.map((it) => it.verdict)).toEqual(['right', 'right', 'right', 'missing'])
  })
})

describe('definitions', () => {
  const truth: readonly TruePlace[] = [
    { path: 'a.ts', line: 1, column: 9, name: 'f', kind: 'function', isComparable: true },
    { path: 'a.ts', line: 2, column: 6, name: 'g', kind: 'function', isComparable: true },
    { path: 'a.ts', line: 3, column: 2, name: 'k', kind: 'literal property', isComparable: false },
  ]
  const comparable = truth.filter((it) => it.isComparable)

  test('R1 counts recall by name on the line, and by the very place', () => {
    const ours = [ourPlace({ name: 'f', line: 1, column: 9 }), ourPlace({ name: 'g', line: 2 })]
    expect(recallRow('', comparable, ours).cells).toEqual(['2', '1.000', '0.500'])
    expect(recallRow('', truth, ours).cells).toEqual(['3', '0.667', '0.333'])
    const elsewhere = [ourPlace({ name: 'x', line: 1 })]
    expect(recallRow('', comparable, elsewhere).cells).toEqual(['2', '0.000', '0.000'])
  })

  test('R1 leaves locals, imports and devices of the truth out of precision', () => {
    const ours = [
      ourPlace({ name: 'f', line: 1, column: 9 }),
      ourPlace({ name: 'k', line: 3, column: 2 }),
      ourPlace({ name: 'tmp', line: 4, kind: 'local' }),
      ourPlace({ name: 'dep', line: 5, kind: 'import' }),
      ourPlace({ name: 'invented', line: 6 }),
    ]
    expect(precisionRow('', ours, { all: truth, comparable }).cells).toEqual([
      '2',
      '0.500',
      '0.500',
    ])
    expect(precisionRow('', ours, { all: truth, comparable: truth }).cells).toEqual([
      '3',
      '0.667',
      '0.667',
    ])
  })
})

describe('definitions of one name', () => {
  test('R1 further declarations are neither right nor wrong, and everything counts them', () => {
    const definitions = [
      declared(1, 'size', 'C'),
      declared(2, 'size', 'C'),
      declared(3, 'value', 'size2'),
    ]
    const first = { path: 'a.ts', line: 1, column: 2 }
    const truth = {
      name: 'a',
      covered: new Set(['a.ts']),
      references: [],
      definitions: [{ ...first, name: 'size', kind: 'method' as const, isComparable: true }],
    }
    const compared = compare(truth, answersOf({ 'a.ts': { definitions, references: [] } }))
    expect(compared.ours.map(({ kind }) => kind)).toEqual([
      'method',
      'declared again',
      'declared again',
    ])
    const [comparable, everything] = precisionTable('', [compared]).rows
    expect(comparable?.cells).toEqual(['1', '1.000', '1.000'])
    expect(everything?.cells).toEqual(['3', '0.333', '0.333'])
  })
})

describe('edges', () => {
  test('R1 counts file edges once, between covered files, by the first target', () => {
    const answers = answersOf({
      'a.ts': {
        references: [
          reference({ line: 1, targets: [at('b.ts', 1), at('c.ts', 1)] }),
          reference({ line: 2, targets: [at('b.ts', 2)] }),
          reference({ line: 3, targets: [at('a.ts', 2)] }),
          reference({ line: 4, targets: [at('beyond.ts', 2)] }),
        ],
      },
    })
    const ours = fileEdges(answers, new Set(['a.ts', 'b.ts', 'c.ts']))
    expect([...ours]).toEqual(['a.ts → b.ts'])
    const truth = new Set(['a.ts → b.ts', 'a.ts → c.ts'])
    expect(edgeRow('', [{ truth, ours }]).cells).toEqual(['2', '1', '1.000', '0.500'])
  })
})

describe('pycg', () => {
  const text = [
    'class A:',
    '    def __init__(self):',
    '        pass',
    'class B(A):',
    '    pass',
    'f = lambda x: x',
    'def run():',
    '    B()',
    '    f(1)',
    'run()',
    'len([])',
  ].join('\n')
  const of: PycgCase = {
    case: 'made/up',
    files: { 'main.py': text },
    edges: [
      ['main', 'main.run'],
      ['main.run', 'main.A.__init__'],
      ['main.run', 'main.<lambda1>'],
      ['main', '<builtin>.len'],
    ],
  }
  const base = reference({ line: 4, column: 8, targets: [at('main.py', 1, 6)] })
  const calls = [
    reference({ line: 8, column: 4, call: true, from: 'run', targets: [at('main.py', 4, 6)] }),
    reference({ line: 9, column: 4, call: true, from: 'run', targets: [at('main.py', 6, 0)] }),
    reference({ line: 10, column: 0, call: true, targets: [at('main.py', 7, 4)] }),
  ]
  const definitions = [definition({ name: 'run', line: 7, column: 4, symbol: 'run' })]

  test('R1 names scopes as PyCG does, nested and by number', () => {
    const source = 'def f():\n    class C(m.D, E):\n        def g(self): pass\n    return lambda: 1'
    const scopes = pythonScopes('pkg/__init__.py', source)
    expect(scopes.map((it) => it.name)).toEqual([
      'pkg.f',
      'pkg.f.C',
      'pkg.f.C.g',
      'pkg.f.<lambda1>',
    ])
    expect(scopes[1]?.bases.map((it) => it.column)).toEqual([14, 17])
  })

  test('R1 maps positions to edges, a class to the __init__ that it inherits', () => {
    const external = reference({ line: 11, call: true, external: 'builtins.len' })
    const references = [base, ...calls, external]
    const { all, inside } = scorePycg(of, answersOf({ 'main.py': { definitions, references } }))
    expect(all.ours).toEqual(all.truth)
    expect(inside.truth.size).toBe(3)
    expect(inside.ours).toEqual(inside.truth)
  })

  test('R1 has no edge for what is not called, and none to a variable', () => {
    const references = [
      reference({ line: 10, targets: [at('main.py', 7, 4)] }),
      reference({ line: 9, call: true, targets: [at('main.py', 3, 0)] }),
    ]
    const { all } = scorePycg(of, answersOf({ 'main.py': { definitions, references } }))
    expect([...all.ours]).toEqual([])
  })
})

describe('jelly', () => {
  const text =
    'const o = { foo: () => 1, async bar() {} }\no.foo(")")\nnew K(1)\nclass K { constructor() {} }\n(0, o.bar).call(o)\no[x]()\n'
  const source = sourceOf('a.js', text)

  test('R1 finds the called name in the range of a call', () => {
    expect(calleePlaces(source, range(2, 1, 11))).toEqual([{ path: 'a.js', line: 2, column: 2 }])
    expect(calleePlaces(source, range(3, 1, 9))).toEqual([{ path: 'a.js', line: 3, column: 4 }])
    expect(calleePlaces(source, range(6, 1, 7))).toEqual([])
    expect(calleePlaces(sourceOf('a.js', '(function(){})()'), range(1, 2, 17))).toEqual([])
  })

  test('R1 knows a function by its start, its own name, a given name or its constructor', () => {
    const arrow = range(1, 18, 25)
    expect(standsFor(source, place(1, 17), arrow)).toBe(true)
    expect(standsFor(source, place(1, 12), arrow)).toBe(true)
    expect(standsFor(source, place(1, 6), arrow)).toBe(false)
    const method = range(1, 27, 41)
    expect(standsFor(source, place(1, 32), method)).toBe(true)
    expect(standsFor(source, place(1, 12), method)).toBe(false)
    const type = range(4, 1, 29)
    expect(standsFor(source, place(4, 6), type)).toBe(true)
    expect(standsFor(source, place(4, 10), type)).toBe(true)
  })

  test('R1 counts recorded calls that any target leads to, and leaves out absent sources', () => {
    const of: JellyCase = {
      case: 'tests/micro/made-up.json',
      files: ['a.js', 'absent.js'],
      functions: ['0:1:1:7:1', '0:1:18:1:25', '1:1:1:2:1'],
      calls: ['0:2:1:2:11', '0:6:1:6:7'],
      fun2fun: [
        [0, 1],
        [0, 2],
      ],
      call2fun: [
        [0, 1],
        [1, 1],
        [0, 2],
      ],
      sources: { 'a.js': text, 'absent.js': null },
    }
    const targets = [at('a.js', 1, 6), at('a.js', 1, 12)]
    const references = [reference({ line: 2, column: 2, call: true, targets })]
    const score = scoreJelly(of, answersOf({ 'a.js': { references } }))
    expect(score.calls.map((it) => [it.isRight, it.isNamed])).toEqual([
      [true, true],
      [false, false],
    ])
    expect(score.functions).toEqual([true])
  })
})

describe('stack-graphs', () => {
  const of: StackCase = {
    lang: 'typescript',
    case: 'modules/made-up.ts',
    source:
      '/*--- path: A.ts ---*/\nexport let x = 1\n/*--- path: B.ts ---*/\nimport { x } from "./A"\nx\ny',
    virtual_files: [
      { path: 'A.ts', from_line: 2 },
      { path: 'B.ts', from_line: 4 },
    ],
    assertions: [
      { line: 5, col: 0, defined_lines: [4, 2] },
      { line: 6, col: 0, defined_lines: [] },
      { line: 2, col: 11, defined_lines: [2] },
    ],
  }
  const verdicts = (references: readonly Reference[]): readonly string[] => {
    const definitions = [definition({ name: 'x', line: 1, column: 11 })]
    const answers = answersOf({ 'A.ts': { definitions }, 'B.ts': { references } })
    return judgeStackCase(of, answers).map((it) => it.verdict)
  }

  test('R1 takes one source apart into its files', () => {
    expect([...sourcesOf(of)]).toEqual([
      ['A.ts', 'export let x = 1'],
      ['B.ts', 'import { x } from "./A"\nx\ny'],
    ])
  })

  test('R1 compares the set of lines, over files, and lets a definition stand for itself', () => {
    const both = reference({ line: 2, targets: [at('B.ts', 1, 9), at('A.ts', 1, 11)] })
    const one = reference({ line: 2, targets: [at('A.ts', 1, 11)] })
    const other = reference({ line: 2, targets: [at('B.ts', 3)] })
    const forbidden = reference({ line: 3, targets: [at('A.ts', 1, 11)] })
    expect(verdicts([both])).toEqual(['equal', 'equal', 'equal'])
    expect(verdicts([one, forbidden])).toEqual(['part', 'wrong', 'equal'])
    expect(verdicts([other])).toEqual(['wrong', 'equal', 'equal'])
    expect(verdicts([])).toEqual(['none', 'equal', 'equal'])
  })
})

function range(startLine: number, startColumn: number, endColumn: number): Range {
  return { path: 'a.js', startLine, startColumn, endLine: startLine, endColumn }
}

function place(line: number, column: number): Place {
  return { path: 'a.js', line, column }
}

function declared(line: number, name: string, owner: string): Definition {
  const kind = name === 'value' ? 'parameter' : 'method'
  return { name, kind, line, column: 2, symbol: `${name}${line}`, owner }
}

function answersOf(files: Readonly<Record<string, Partial<FileAnswers>>>): Answers {
  return {
    files: new Map(
      Object.entries(files).map(([path, file]) => [
        path,
        { definitions: [], references: [], ...file },
      ]),
    ),
  }
}

function reference(some: Partial<Reference>): Reference {
  return { name: 'n', line: 1, column: 0, call: false, targets: [], from: 'module', ...some }
}

function definition(some: Partial<Definition>): Definition {
  return { name: 'n', kind: 'function', line: 1, column: 0, symbol: 's', ...some }
}

function ourPlace(some: Partial<OurPlace>): OurPlace {
  return { ...definition(some), path: 'a.ts' }
}

function at(path: string, line: number, column = 0): Reference['targets'][number] {
  return { path, line, column, symbol: `${path}:${line}`, confidence: 1 }
}

function trueReference(some: Partial<TrueReference>): TrueReference {
  return {
    path: 'a.ts',
    line: 1,
    column: 0,
    text: 'n',
    kind: 'function',
    call: true,
    definitions: [{ path: 'b.ts', line: 5, symbol: 'n' }],
    ...some,
  }
}
