/** Depth of any kind, and circles: the rest is indexed, and nothing hangs: H3. */
import { describe, expect, test } from 'vitest'
import { expectFine, FINE } from '../support/fine-file.ts'
import { indexIn } from '../support/indexed-folder.ts'
import { onDisk, writeFile } from '../support/project.ts'

function nested(open: string, close: string): string {
  return `${`${open}\n`.repeat(2000)}1${`\n${close}`.repeat(2000)}\n`
}

function twelve(line: string): string {
  return `${line}\n`.repeat(12)
}

describe('H3 depth', () => {
  test('H3 two hundred folders in one another', async () => {
    const folder = onDisk(FINE)
    const deep = 'd/'.repeat(200)
    writeFile(folder, `${deep}deep.ts`, "import { fine } from './other'\nfine()\n")
    writeFile(folder, `${deep}other.ts`, 'export const fine = () => 1\n')
    expect(await indexIn(folder)).toMatchObject({ files: 3, skipped: [] })
    expect(await expectFine(folder)).toMatch(/edge \["d\/d\/.*deep\.ts",.*"call",.*`other\.ts`/)
  })

  const DEEP: readonly (readonly [string, string])[] = [
    ['brackets.ts', `export const a = ${nested('(', ')')}`],
    ['blocks.ts', `export function f() ${nested('{', '}')}`],
    ['calls.ts', `export const a = ${nested('f(', ')')}`],
    ['objects.js', `export const a = ${nested('{ a:', '}')}`],
    ['functions.js', nested('function f() {', '}')],
    ['classes.ts', nested('class A { m() {', '} }')],
    ['types.ts', `export type A = ${nested('Array<', '>')}`],
    ['markup.tsx', `export const a = ${nested('<a>', '</a>')}`],
    ['members.ts', `export const a = b${'\n.c()'.repeat(2000)}\n`],
    ['arrays.json', nested('[', ']')],
    ['objects.json', nested('{ "a":', '}')],
    ['calls.py', `a = ${nested('f(', ')')}`],
    ['defs.py', Array.from({ length: 99 }, (_, at) => `${' '.repeat(at)}def f():\n`).join('')],
    ['deep.go', `package a\nfunc f() int { return ${nested('g(', ')')} }\n`],
    ['Deep.java', `class Deep { int f() { return ${nested('g(', ')')}; } }\n`],
    ['deep.html', nested('<div>', '</div>')],
    ['deep.css', nested('a {', '}')],
    [
      'bases.ts',
      Array.from({ length: 2000 }, (_, at) => `class C${at} extends C${at + 1} {}\n`).join(''),
    ],
  ]

  test.each(DEEP)('H3 %s', async (path, text) => {
    const folder = onDisk(FINE)
    writeFile(folder, path, text)
    expect(await indexIn(folder)).toMatchObject({ files: 2, skipped: [] })
    expect(await expectFine(folder)).toContain(`file ["${path}"`)
  })

  test('H3 quotes and lists in one another, in Markdown', async () => {
    const folder = onDisk(FINE)
    writeFile(folder, 'quotes.md', `${'> '.repeat(2000)}quoted\n`)
    const items = Array.from({ length: 700 }, (_, at) => `${'  '.repeat(at)}- item\n`)
    writeFile(folder, 'lists.md', items.join(''))
    expect(await indexIn(folder)).toMatchObject({ files: 3, skipped: [] })
    await expectFine(folder)
  })

  test('H3 circles of modules, classes and values', async () => {
    const folder = onDisk(`${FINE}
//- a.ts
export { x, x as default } from './b'
export * from './b'
import { x } from './a'
export class A extends A {}
x()
//- b.ts
export { x, y as x } from './a'
export * from './a'
export const y = z, z = y
y()
//- c.py
from .c import *
from .c import f
class C(C):
    pass
f()
`)
    expect(await indexIn(folder)).toMatchObject({ files: 4 })
    await expectFine(folder)
  })

  // Each of them may come through each of the others: there are more ways than can be tried.
  test('H3 one name imported twelve times, from itself and in a circle', async () => {
    const folder = onDisk(`${FINE}
//- Cargo.toml
[package]
name = "circles"
//- src/lib.rs
mod a;
mod b;
${twelve('use itself;')}pub fn f() { itself::g(); }
//- src/a.rs
${twelve('pub use crate::b::x;')}pub fn g() { x(); }
//- src/b.rs
${twelve('pub use crate::a::x;')}pub fn h() { x(); }
//- d.py
${twelve('from d import d')}d()
`)
    expect(await indexIn(folder)).toMatchObject({ files: 6 })
    await expectFine(folder)
  })
})
