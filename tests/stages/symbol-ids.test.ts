/** Ids of symbols: J4 made of path and names, unique in a file, the same after edits elsewhere. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSymbol } from '../../src/model/scip-symbol.ts'
import { symbolIds } from '../../src/sources/code/symbol-ids.ts'
import { anyCode, cutFile, SAMPLES } from '../support/code-files.ts'
import { runs } from '../support/property.ts'

async function idsOf(path: string, text: string): Promise<readonly string[]> {
  const { facts } = await cutFile({ path, text })
  return symbolIds(facts, path).filter((it) => it !== undefined)
}

/** Without the part that is the same for all of a file. */
async function suffixes(path: string, text: string): Promise<readonly string[]> {
  const [file = '', ...ids] = await idsOf(path, text)
  return ids.map((id) => (id.startsWith(file) ? id.slice(file.length) : id))
}

describe('J4 what an id is made of', () => {
  test('J4 the file is its path', async () => {
    expect(await idsOf('src/a b/router.ts', '')).toEqual([
      'scip:dossier . . . src/`a b`/`router.ts`/',
    ])
    expect(await idsOf('a.ts', 'let x = 1')).toEqual([
      'scip:dossier . . . `a.ts`/',
      'scip:dossier . . . `a.ts`/x.',
    ])
  })

  test('J4 each kind has its mark, and owners stand before', async () => {
    const text = `import { z } from './z'
export class Router<T> {
  routes = 1
  add(path: string) { const local = { inside: 1 }; function inner() { class Deep {} } }
}
interface Shape { side: number; area(): number }
enum Color { Red }
type Name = { first: string }
namespace Space { export const deep = 1 }
const table = { key: 1, run() {} }
`
    expect(await suffixes('a.ts', text)).toEqual([
      'Router#',
      'Router#routes.',
      'Router#add().',
      'Router#add().inner().',
      'Router#add().inner().Deep#',
      'Shape#',
      'Shape#side.',
      'Shape#area().',
      'Color#',
      'Color#Red.',
      'Name#',
      'Name#first.',
      'Space/',
      'Space/deep.',
      'table.',
      'table.key.',
      'table.run().',
    ])
  })

  test('J4 equals are numbered in the order of the text', async () => {
    const text = `function f(a: string): void
function f(a: number): void
function f(a: unknown) {}
interface A { x: 1 }
interface A { y: 2 }
`
    expect(await suffixes('a.ts', text)).toEqual([
      'f().',
      'f(+1).',
      'f(+2).',
      'A#',
      'A#x.',
      'A+1#',
      'A+1#y.',
    ])
  })

  test('J4 a function without a name is passed over, and what is in it comes last', async () => {
    const text = 'on(() => {\n  function help() {}\n})\nfunction help() {}\n'
    expect(await suffixes('a.ts', text)).toEqual(['help(+1).', 'help().'])
    const objects = 'use([{ x: 1 }])\nconst x = 2\n'
    expect(await suffixes('a.ts', objects)).toEqual(['x+1.', 'x.'])
  })

  test('J4 a member that is given from outside belongs to what receives it', async () => {
    const text = 'function Router() {}\nRouter.prototype.add = function () {}\n'
    expect(await suffixes('a.js', text)).toEqual(['Router().', 'Router().add().'])
  })
})

describe('J4 ids last', () => {
  test('J4 unique in each file, and readable as symbols', async () => {
    for (const file of SAMPLES) {
      const ids = await idsOf(file.path, file.text)
      expect(new Set(ids).size).toBe(ids.length)
      for (const id of ids) {
        const symbol = parseSymbol(id.slice('scip:'.length))
        expect(symbol?.descriptors.length ?? 0).toBeGreaterThan(file.path.split('/').length - 1)
      }
    }
  })

  test('J4 unique in any file', async () => {
    await fc.assert(
      fc.asyncProperty(anyCode, async ({ path, text }) => {
        const ids = await idsOf(path, text)
        expect(new Set(ids).size).toBe(ids.length)
      }),
      runs(60),
    )
  })

  test('J4 moving code down, and edits inside a body, change none', async () => {
    const isScript = /\.[cm]?[jt]sx?$/
    for (const { path, text } of SAMPLES.filter((it) => isScript.test(it.path)).slice(0, 20)) {
      const before = await idsOf(path, text)
      expect(await idsOf(path, `\n\n// moved\n${text}`)).toEqual(before)
      const edited = text.replace(
        /^(export )?(async )?function \w+\(.*\{$/m,
        '$&\n  const edit = 1\n  void edit\n',
      )
      expect(await idsOf(path, edited)).toEqual(before)
    }
  })

  test('J4 a new function inside a nameless body changes none of those outside', async () => {
    const before = await suffixes('a.ts', 'on(() => {})\nfunction help() {}\nconst x = 1\n')
    const after = await suffixes(
      'a.ts',
      'on(() => { const x = 2; function help() {} })\nfunction help() {}\nconst x = 1\n',
    )
    expect(before).toEqual(['help().', 'x.'])
    expect(after).toEqual(['help(+1).', 'help().', 'x.'])
  })
})
