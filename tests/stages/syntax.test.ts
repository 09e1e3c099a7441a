/**
 * Trees read from the parser's memory: L3 node by node what the parser's own cursor says. L5 they
 * depend on the text alone.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Language, Parser, type Tree } from 'web-tree-sitter'
import { type Grammar, loadGrammar, parse } from '../../src/sources/code/grammar.ts'
import { LANGUAGES, languageOf } from '../../src/sources/code/languages.ts'
import {
  byCursor,
  flatten,
  fromMemory,
  isReadFromMemory,
  kept,
  type Syntax,
} from '../../src/sources/code/syntax.ts'
import { parserMemory } from '../../src/sources/code/tree-memory.ts'
import { SAMPLES } from '../support/code-files.ts'
import { TEXTS } from '../support/foreign-text.ts'
import { runs } from '../support/property.ts'

const GRAMMARS = [...new Set(LANGUAGES.flatMap((it) => it.grammar ?? []))].toSorted()
const LISTS = ['kinds', 'starts', 'ends', 'fields', 'parents', 'nexts'] as const
const OFFSET = 7

interface BothWays {
  readonly walked: Syntax
  readonly read: Syntax | undefined
}

function bothWays(text: string, grammar: Grammar): BothWays {
  return withTree(text, grammar, (tree) => {
    const it = { text, grammar, offset: OFFSET }
    const walked = kept(byCursor(tree, it))
    const read = fromMemory(tree, it)
    return { walked, read: read && kept(read) }
  })
}

function withTree<T>(text: string, grammar: Grammar, use: (tree: Tree) => T): T {
  const parser = new Parser()
  parser.setLanguage(grammar.language)
  const tree = parser.parse(text)
  if (tree === null) throw new Error('This text is not parsed.')
  try {
    return use(tree)
  } finally {
    tree.delete()
    parser.delete()
  }
}

/** A grammar of which nothing is known yet. */
async function freshGrammar(): Promise<Grammar> {
  const grammar = await loadGrammar('javascript')
  const require = createRequire(import.meta.url)
  const file = require.resolve('tree-sitter-wasm/javascript/tree-sitter-javascript.wasm')
  return { ...grammar, language: await Language.load(readFileSync(file)) }
}

type View = (memory: Int32Array) => Int32Array | undefined

const same: View = (it) => it

/** Said in words, because a list of thousands of numbers says nothing. */
function difference(one: Syntax, other: Syntax | undefined): string {
  if (other === undefined) return 'not read'
  if (one.count !== other.count) return `${one.count} nodes, not ${other.count}`
  for (const list of LISTS) {
    const at = one[list].findIndex((value, node) => value !== other[list][node])
    if (at >= 0) return `${list}[${at}] is ${one[list][at]}, not ${other[list][at]}`
  }
  return 'none'
}

describe('L3 every grammar', () => {
  test.each(GRAMMARS)('L3 %s: its own sources, and those of others', async (name) => {
    const grammar = await loadGrammar(name)
    for (const { path, text } of SAMPLES) {
      const isOwn = languageOf(path, text)?.grammar === name
      const { walked, read } = bothWays(isOwn ? text : text.slice(0, 200), grammar)
      expect(`${path}: ${difference(walked, read)}`).toBe(`${path}: none`)
    }
  })

  test('L3 any grammar, any text, damaged anywhere', async () => {
    const damaged = fc.record({
      file: fc.constantFrom(...SAMPLES),
      other: fc.option(fc.constantFrom(...GRAMMARS), { freq: 4 }),
      cuts: fc.array(fc.tuple(fc.nat(8000), fc.nat(40)), { maxLength: 6 }),
      put: fc.constantFrom('', '(', '}', '"', ' 🎉', '\r\n', '\0', '/*', '\t<a>', 'é', ' if '),
      end: fc.nat(8000),
    })
    let nodes = 0
    await fc.assert(
      fc.asyncProperty(damaged, async ({ file, other, cuts, put, end }) => {
        const grammar = await loadGrammar(other ?? languageOf(file.path, '')?.grammar ?? '')
        let text = file.text.slice(0, 40 + end)
        for (const [at, length] of cuts) {
          const from = at % (text.length + 1)
          text = text.slice(0, from) + put + text.slice(from + length)
        }
        const { walked, read } = bothWays(text, grammar)
        nodes += walked.count
        expect(difference(walked, read)).toBe('none')
      }),
      runs(400),
    )
    expect(nodes).toBeGreaterThan(10_000)
  })

  test.each([
    ['MISSING', 'int a = 1', 'c'],
    ['MISSING', 'int f(int a) { g(a; }', 'c'],
    ['ERROR', 'int f(int a) { return a; }\n@@ ) += int', 'c'],
    ['ERROR', 'def f(a):\n  return (\n\nclass : x', 'python'],
  ])('L3 what is %s: %j', async (what, text, name) => {
    const grammar = await loadGrammar(name)
    expect(withTree(text, grammar, (tree) => tree.rootNode.toString())).toContain(what)
    const { walked, read } = bothWays(text, grammar)
    expect(difference(walked, read)).toBe('none')
  })

  test.each(['', ' ', '\n\n', 'x', '\u{feff}{}'])('L3 next to nothing: %j', async (text) => {
    for (const name of ['json', 'python', 'html', 'yaml', 'c']) {
      const { walked, read } = bothWays(text, await loadGrammar(name))
      expect(difference(walked, read)).toBe('none')
    }
  })
})

describe('L3 a layout that is not the expected one', () => {
  const TEXT = `${'const a = f(b, [1, 2]) // c\n'.repeat(60)}class D { e = 1 }\n`

  /** How the tree differs from the true one when the reader, not the parser, sees other memory. */
  function seenThrough(view: View, grammar: Grammar): string {
    return withTree(TEXT, grammar, (tree) => {
      const it = { text: TEXT, grammar, offset: OFFSET }
      const walked = kept(byCursor(tree, it))
      const honest = parserMemory.HEAP32
      if (honest === undefined) throw new Error('The parser has not shown its memory.')
      Object.assign(parserMemory, { HEAP32: view(honest) })
      try {
        return difference(walked, kept(flatten(tree, it)))
      } finally {
        Object.assign(parserMemory, { HEAP32: honest })
      }
    })
  }

  test('L3 the expected layout is used', async () => {
    const grammar = await freshGrammar()
    expect(isReadFromMemory(grammar)).toBe(false)
    for (let time = 0; time < 5; time += 1) {
      expect(seenThrough(same, grammar)).toBe('none')
      expect(isReadFromMemory(grammar)).toBe(true)
    }
  })

  test.each<[string, View]>([
    ['no memory', () => undefined],
    ['nothing but zeros', (it) => new Int32Array(it.length)],
    ['nothing but ones', (it) => new Int32Array(it.length).fill(-1)],
    ['a memory that is cut off', (it) => it.subarray(0, 1000)],
    ['all moved by a word', (it) => it.subarray(1)],
    ['all flags turned', (it) => it.map((word) => word ^ 2)],
    ['all sizes wrong', (it) => it.map((word) => ((word & 1) === 0 ? word : word ^ (1 << 25)))],
    ['all pointers one word off', (it) => it.map((word) => ((word & 3) === 0 ? word + 4 : word))],
  ])('L3 %s: the cursor is asked, from then on', async (_, view) => {
    // Before the trial, during it, and after it.
    for (const before of [0, 1, 5]) {
      const grammar = await freshGrammar()
      for (let time = 0; time < before; time += 1) seenThrough(same, grammar)
      expect(isReadFromMemory(grammar)).toBe(before > 0)
      expect(seenThrough(view, grammar)).toBe('none')
      expect(isReadFromMemory(grammar)).toBe(false)
      expect(seenThrough(same, grammar)).toBe('none')
      expect(isReadFromMemory(grammar)).toBe(false)
    }
  })

  test('L3 one kind taken for another is noticed during the trial', async () => {
    const grammar = await freshGrammar()
    expect(seenThrough(same, grammar)).toBe('none')
    const name = grammar.kind('identifier')
    // The inline form of a visible, named leaf: flags, then the symbol.
    const isName = (word: number) => (word & 0xff_ff) === ((name << 8) | 0b111)
    let changed = 0
    const view: View = (it) => {
      const copy = it.slice()
      changed = copy.findIndex(isName)
      copy.forEach((word, at) => {
        if (isName(word)) copy[at] = word ^ 0x01_00
      })
      return copy
    }
    expect(seenThrough(view, grammar)).toBe('none')
    expect(changed).toBeGreaterThan(0)
    expect(isReadFromMemory(grammar)).toBe(false)
  })
})

/** The tree, read after other texts were parsed. */
async function after(others: readonly string[], text: string, name: string): Promise<Syntax> {
  const grammar = await loadGrammar(name)
  for (const other of others) await parse(other, await loadGrammar('bash'), { start: 0 })
  const syntax = await parse(text, grammar, { start: 0 })
  if (syntax === undefined) throw new Error('This text is not parsed.')
  return kept(syntax)
}

describe('L5 the text alone', () => {
  test.each(GRAMMARS)('L5 %s: what was parsed before makes no difference', async (name) => {
    for (const text of TEXTS) {
      const first = await after([], text, name)
      for (const other of TEXTS.slice(0, 3)) {
        const again = await after([other.slice(0, 1000)], text, name)
        expect(difference(first, again)).toBe('none')
      }
    }
  })

  test.each([
    '#if DEBUG\nfunc f() { g() }\n#else\nfunc f() {}\n#endif\n',
    'let a = #"raw"#, b = ##"\\##(a) #"##\n',
    'if #available(iOS 13, *) { x(#selector(a.b)) }\n',
  ])('L5 swift: signs that its scanner counts, %j', async (text) => {
    for (const before of TEXTS) {
      const { kinds, grammar } = await after([before], text, 'swift')
      expect([...kinds].map((it) => grammar.kindNames[it] ?? 'ERROR')).not.toContain('ERROR')
    }
  })
})

test('L3 very deep', async () => {
  const { walked, read } = bothWays('['.repeat(5000) + ']'.repeat(5000), await loadGrammar('json'))
  expect(walked.count).toBeGreaterThan(15_000)
  expect(difference(walked, read)).toBe('none')
})

test('L3 the memory grows', async () => {
  const grammar = await loadGrammar('json')
  const parser = new Parser()
  parser.setLanguage(grammar.language)
  const text = `[${'[[1], 2],\n'.repeat(10_000)}3]`
  const before = parserMemory.HEAP32
  const trees: (Tree | null)[] = []
  while (parserMemory.HEAP32 === before) trees.push(parser.parse(text))
  const { walked, read } = bothWays(text, grammar)
  expect(walked.count).toBeGreaterThan(80_000)
  expect(difference(walked, read)).toBe('none')
  for (const tree of trees) tree?.delete()
  parser.delete()
})
