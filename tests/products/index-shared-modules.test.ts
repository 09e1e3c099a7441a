/** A module that very many files open, or share, is not read as a whole by each of them: P4. */
import { describe, expect, test } from 'vitest'
import { indexIn } from '../support/indexed-folder.ts'
import { temporaryFolder, writeFile } from '../support/project.ts'

const FILES = 40

interface Shared {
  readonly language: string
  readonly path: (at: number) => string
  readonly text: (at: number, more: string) => string
  /** One more member or name, which nobody has asked for. */
  readonly more: string
}

/** Each file has something of its own and calls what another has. */
const SHARED: readonly Shared[] = [
  {
    language: 'Ruby, methods of one module',
    path: (at) => `lib/store/part${at}.rb`,
    text: (at, more) =>
      `module Store\n  def self.m${at}\n    m${next(at)}\n    Store.m${next(at)}\n    Part${next(at)}.new.go\n    unknown${at}\n  end\n  class Part${at} < Base\n    def go\n      step${at}\n    end\n  end\n${more}end\n`,
    more: '  def self.fresh\n    1\n  end\n',
  },
  {
    language: 'Ruby, one class',
    path: (at) => `lib/part${at}.rb`,
    text: (at, more) =>
      `class Store\n  def m${at}\n    m${next(at)}\n    unknown${at}\n  end\n${more}end\n`,
    more: '  def fresh\n    1\n  end\n',
  },
  {
    language: 'Go, one package',
    path: (at) => `store/part${at}.go`,
    text: (at, more) =>
      `package store\n\ntype T${at} struct{}\n\nfunc (t T${at}) M${at}() { F${next(at)}(); T${next(at)}{}.M${next(at)}() }\n\nfunc F${at}() {}\n${more}`,
    more: '\nfunc Fresh() {}\n',
  },
  {
    language: 'Java, one package',
    path: (at) => `src/store/Part${at}.java`,
    text: (at, more) =>
      `package store;\n\nclass Part${at} {\n  static void m${at}() { Part${next(at)}.m${next(at)}(); unknown(); }\n}\n${more}`,
    more: 'class Fresh {}\n',
  },
  {
    language: 'Kotlin, functions of one package',
    path: (at) => `src/store/Part${at}.kt`,
    text: (at, more) =>
      `package store\n\nfun m${at}() { m${next(at)}(); Part${next(at)}().go(); unknown() }\n\nclass Part${at} { fun go() {} }\n${more}`,
    more: 'fun fresh() {}\n',
  },
  {
    language: 'C#, one namespace',
    path: (at) => `src/Part${at}.cs`,
    text: (at, more) =>
      `namespace Store\n{\n    class Part${at}\n    {\n        public static void M${at}() { Part${next(at)}.M${next(at)}(); Unknown(); }\n    }\n${more}}\n`,
    more: '    class Fresh {}\n',
  },
  {
    language: 'C++, one namespace',
    path: (at) => `src/part${at}.cc`,
    text: (at, more) =>
      `namespace store {\nvoid m${at}() { m${next(at)}(); unknown${at}(); }\n${more}}\n`,
    more: 'void fresh() {}\n',
  },
  {
    language: 'PHP, one namespace',
    path: (at) => `src/Part${at}.php`,
    text: (at, more) =>
      `<?php\nnamespace Store;\n\nclass Part${at}\n{\n    public static function m${at}() { Part${next(at)}::m${next(at)}(); unknown(); }\n}\n${more}`,
    more: 'class Fresh {}\n',
  },
  {
    language: 'Swift, one module and one extended type',
    path: (at) => `Sources/Store/Part${at}.swift`,
    text: (at, more) =>
      `extension Store {\n  func m${at}() { m${next(at)}(); unknown() }\n}\nstruct Part${at} {\n  func go() { Part${next(at)}().go() }\n}\n${more}`,
    more: 'struct Fresh {}\n',
  },
  {
    language: 'Rust, one type',
    path: (at) => `src/part${at}.rs`,
    text: (at, more) =>
      `use crate::Store;\n\nimpl Store {\n    pub fn m${at}(&self) { self.m${next(at)}(); self.unknown(); }\n}\n${more}`,
    more: 'fn fresh() {}\n',
  },
  {
    language: 'Scala, one package',
    path: (at) => `src/store/Part${at}.scala`,
    text: (at, more) =>
      `package store\n\nobject Part${at} {\n  def m${at}(): Unit = { Part${next(at)}.m${next(at)}(); unknown() }\n}\n${more}`,
    more: 'object Fresh\n',
  },
  {
    language: 'TypeScript, global scripts',
    path: (at) => `scripts/part${at}.ts`,
    text: (at, more) =>
      `namespace Store {\n  export function m${at}() { m${next(at)}(); Store.m${next(at)}(); unknown() }\n}\n${more}`,
    more: 'function fresh() {}\n',
  },
  {
    language: 'Python, modules of one package',
    path: (at) => `store/part${at}.py`,
    text: (at, more) =>
      `from .part${next(at)} import m${next(at)}\nfrom store import part${next(at)}\n\n\ndef m${at}():\n    m${next(at)}()\n    part${next(at)}.unknown()\n${more}`,
    more: '\n\ndef fresh():\n    pass\n',
  },
  {
    language: 'Elixir, modules of one prefix',
    path: (at) => `lib/store/part${at}.ex`,
    text: (at, more) =>
      `defmodule Store.Part${at} do\n  def m${at}, do: Store.Part${next(at)}.m${next(at)}()\nend\n${more}`,
    more: 'defmodule Store.Fresh do\nend\n',
  },
  {
    language: 'C, one header',
    path: (at) => (at === 0 ? 'store.h' : `part${at}.c`),
    text: (at, more) =>
      at === 0
        ? `#ifndef STORE_H\n#define STORE_H\n${declarations()}#endif\n`
        : `#include "store.h"\n\nvoid m${at}(void) { m${next(at)}(); unknown${at}(); }\n${more}`,
    more: 'static void fresh(void) {}\n',
  },
]

function next(at: number): number {
  return (at % (FILES - 1)) + 1
}

function declarations(): string {
  return Array.from({ length: FILES }, (_, at) => `void m${at}(void);\n`).join('')
}

/** The file itself, and at most who asks it for something: the one before it, and what leads there. */
const FEW = 4

describe('P4 what many files share', () => {
  test.each(SHARED)('P4 $language: one more name resolves few of them', async (shared) => {
    const folder = temporaryFolder()
    const write = (at: number, more: string) =>
      writeFile(folder, shared.path(at), shared.text(at, more))
    for (let at = 0; at < FILES; at += 1) write(at, '')
    const first = await indexIn(folder)
    expect(first).toMatchObject({ files: FILES, read: FILES })
    write(7, shared.more)
    const { read, resolved } = await indexIn(folder)
    expect(read).toBe(1)
    expect(resolved).toBeLessThanOrEqual(FEW)
  })
})
