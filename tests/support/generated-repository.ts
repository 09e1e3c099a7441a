/**
 * Repositories that nobody would write, and edits of them. Names, folders and specifiers come from
 * small pools, so that everything meets everything: imports resolve, stop to, and resolve again.
 * Knows nothing of the index.
 */
import * as fc from 'fast-check'

/** Path and statements of each file; a statement is a text of its own. */
export type Statements = readonly string[]
export type GeneratedFiles = readonly (readonly [path: string, statements: Statements])[]

export type Edit =
  | { readonly kind: 'write'; readonly file: string; readonly statements: Statements }
  | { readonly kind: 'add-statement'; readonly at: number; readonly seed: number }
  | { readonly kind: 'drop-statement'; readonly at: number; readonly which: number }
  | { readonly kind: 'body'; readonly at: number; readonly value: number }
  | { readonly kind: 'signature'; readonly at: number; readonly name: string }
  | { readonly kind: 'break'; readonly at: number; readonly where: number }
  | At<'delete'>
  | At<'delete-folder'>
  | At<'touch'>
  | At<'binary'>
  | At<'link'>
  | At<'empty'>
  | { readonly kind: 'rename'; readonly at: number; readonly to: string }
  | { readonly kind: 'rename-folder'; readonly at: number; readonly to: string }
  | { readonly kind: 'swap'; readonly at: number; readonly with: number }

interface At<Kind extends string> {
  readonly kind: Kind
  readonly at: number
}

const NAMES = ['alpha', 'beta', 'gamma', 'make', 'run'] as const
const CLASSES = ['Delta', 'Epsilon', 'Zeta'] as const
const FOLDERS = ['', 'src/', 'src/lib/', 'core/', 'core/src/', 'tests/', 'docs/'] as const
const STEMS = ['a', 'b', 'c', 'index', 'a.test'] as const
const SCRIPTS = ['ts', 'tsx', 'js', 'mjs', 'd.ts'] as const
const SPECIFIERS = [
  './a',
  './b',
  './a.js',
  './c.ts',
  '.',
  '..',
  './lib/a',
  './lib',
  '../a',
  '../lib/b',
  '../core/src/a',
  '../src/a',
  '@/a',
  '@/lib',
  '@lib/b',
  'core',
  'core/a',
  '#own',
  'outside',
] as const
const MODULES = ['.a', '.', '..a', 'src.a', 'src.lib', 'core', 'core.b', 'outside'] as const

const name = fc.constantFrom(...NAMES)
const type = fc.constantFrom(...CLASSES)
const number = fc.nat(99)
const specifier = fc.constantFrom(...SPECIFIERS)
const pythonModule = fc.constantFrom(...MODULES)

type Template = (it: Blanks) => string

interface Blanks {
  readonly n: string
  readonly m: string
  readonly C: string
  readonly D: string
  readonly s: string
  readonly p: string
  readonly k: number
}

const blanks: fc.Arbitrary<Blanks> = fc.record({
  n: name,
  m: name,
  C: type,
  D: type,
  s: specifier,
  p: pythonModule,
  k: number,
})

const SCRIPT: readonly Template[] = [
  ({ n, s }) => `import { ${n} } from '${s}'`,
  ({ n, m, s }) => `import { ${n} as ${m} } from '${s}'`,
  ({ C, s }) => `import ${C} from '${s}'`,
  ({ s }) => `import * as space from '${s}'`,
  ({ C, s }) => `import type { ${C} } from '${s}'`,
  ({ n, s }) => `export { ${n} } from '${s}'`,
  ({ n, C, s }) => `export { ${n} as default, ${C} } from '${s}'`,
  ({ s }) => `export * from '${s}'`,
  ({ s }) => `export * as space from '${s}'`,
  ({ n, m, C, k }) =>
    `export function ${n}(it: ${C}) {\n  const local = ${k}\n  return ${m}(it.method(local))\n}`,
  ({ n, m, k }) => `function ${n}() {\n  return ${m}() + ${k}\n}`,
  ({ n, m }) => `export default function ${n}() {\n  return ${m}()\n}`,
  ({ C, D, n, k }) =>
    `export class ${C} extends ${D} {\n  kept = new ${D}()\n  method() {\n    return this.${n}(${k})\n  }\n  ${n}() {\n    return this.kept.method()\n  }\n}`,
  ({ C, D }) => `export default class ${C} extends ${D} {\n  static of() { return new ${C}() }\n}`,
  ({ C, n, D }) => `export interface ${C} {\n  ${n}(): ${D}\n  method(): ${D}\n}`,
  ({ n, m }) => `export const ${n} = () => ${m}().method()`,
  ({ n, C, m }) => `export const ${n}: ${C} = ${m}()\n${n}.method()`,
  ({ n, C }) => `export const ${n} = new ${C}()\n${n}.${n}()`,
  ({ n, m, k }) =>
    `export function ${n}() {\n  if (${k} > 50) { function inner() {} }\n  function inner() { return ${m}() }\n  return inner\n}`,
  ({ n }) => `${n}()()`,
  ({ n }) => `space.${n}()`,
  ({ C }) => `space.${C}.of().method()`,
  ({ n, C }) => `/** See {@link ${n}} and \`${C}.method\` in src/a.ts. */\nexport let said = 0`,
  ({ n, s }) => `const { ${n} } = require('${s}')\n${n}()`,
  ({ n, m }) => `module.exports = { ${n}, ${m} }`,
  ({ n, k }) => `exports.${n} = ${k}`,
  ({ s, n }) => `import('${s}').then((it) => it.${n}())`,
]

const PYTHON: readonly Template[] = [
  ({ n, p }) => `from ${p} import ${n}`,
  ({ C, D, p }) => `from ${p} import ${C} as ${D}`,
  ({ p }) => `from ${p} import *`,
  ({ p }) => (p.startsWith('.') ? 'from . import b' : `import ${p} as space`),
  ({ n, m, k }) => `def ${n}(it):\n    local = ${k}\n    return ${m}(it)`,
  ({ C, D, n, m }) =>
    `class ${C}(${D}):\n    def method(self):\n        return self.${n}()\n    def ${n}(self):\n        return ${m}()`,
  ({ n, C }) => `${n} = ${C}()\n${n}.method()`,
  ({ n }) => `space.${n}()`,
  ({ n }) => `__all__ = ['${n}']`,
]

const GO: readonly Template[] = [
  ({ n, m }) => `func ${n}() int { return ${m}() }`,
  ({ C, D }) => `type ${C} struct { ${D} }`,
  ({ C, n, m }) => `func (it *${C}) ${n}() int { return it.${m}() }`,
]

const JAVA: readonly Template[] = [
  ({ C, D, n, m }) => `class ${C} extends ${D} { int ${n}() { return ${m}(); } }`,
  ({ C, n, D }) => `interface ${C} { ${D} ${n}(); }`,
]

const DOCUMENT: readonly Template[] = [
  ({ n, C }) => `# ${n}\n\nSee \`${n}\` and \`${C}.method()\`.\n`,
  ({ n, s }) => `## ${n} in ${s}\n\nIn \`src/a.ts\`, [there](../src/lib/b.ts).\n`,
  ({ C, k }) => `${C} is used ${k} times.\n`,
]

const templates: readonly (readonly [RegExp, readonly Template[]])[] = [
  [/\.(?:tsx?|m?js)$/, SCRIPT],
  [/\.py$/, PYTHON],
  [/\.go$/, GO],
  [/\.java$/, JAVA],
  [/\.md$/, DOCUMENT],
]

const path = fc.oneof(
  { weight: 8, arbitrary: pathOf(STEMS, SCRIPTS) },
  { weight: 3, arbitrary: pathOf(['a', 'b', '__init__'], ['py']) },
  { weight: 1, arbitrary: pathOf(['a', 'b'], ['go', 'java']) },
  { weight: 1, arbitrary: pathOf(['a', 'README'], ['md']) },
)

function pathOf(stems: readonly string[], endings: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...stems), fc.constantFrom(...endings))
    .map(([folder, stem, ending]) => `${folder}${stem}.${ending}`)
}

const SETTINGS: readonly (readonly [string, readonly string[]])[] = [
  [
    'tsconfig.json',
    [
      '{ "compilerOptions": { "paths": { "@/*": ["./src/*"], "@lib/*": ["./src/lib/*"] } } }',
      '{ "compilerOptions": { "paths": { "@/*": ["./core/src/*"] } } } // moved',
      '{ "extends": "./src/tsconfig.json" }',
      '{ "compilerOptions": { "baseUrl": "src" } }',
      '{ not json',
    ],
  ],
  ['src/tsconfig.json', ['{ "compilerOptions": { "paths": { "@/*": ["./lib/*"] } } }', '{}']],
  [
    'package.json',
    [
      '{ "name": "top", "imports": { "#own": "./src/a.ts" }, "workspaces": ["core"] }',
      '{ "name": "top", "imports": { "#own": "./src/b.js" } }',
      '{}',
    ],
  ],
  [
    'core/package.json',
    [
      '{ "name": "core", "exports": { ".": "./src/index.ts", "./a": "./src/a.ts" } }',
      '{ "name": "core", "main": "./a.js" }',
      '{ "name": "other" }',
    ],
  ],
  ['go.mod', ['module example.com/top\n', 'module example.com/other\n']],
  ['.gitignore', ['lib/\n', '*.py\n', 'a.*\n!a.ts\n', '/core\n', '\n']],
  ['src/.dossierignore', ['a.ts\n', '!lib/\n', 'index.*\n']],
]

const settingsFile = fc
  .constantFrom(...SETTINGS)
  .chain(([file, texts]) => fc.constantFrom(...texts).map((text) => [file, [text]] as const))

const sourceFile = path.chain((file) => {
  const [, known] = templates.find(([ending]) => ending.test(file)) ?? [/./, DOCUMENT]
  return fc
    .array(statementOf(known), { minLength: 1, maxLength: 6 })
    .map((statements) => [file, statements] as const)
})

function statementOf(known: readonly Template[]): fc.Arbitrary<string> {
  return fc.tuple(fc.constantFrom(...known), blanks).map(([template, it]) => template(it))
}

const anyFile = fc.oneof(
  { weight: 6, arbitrary: sourceFile },
  { weight: 1, arbitrary: settingsFile },
)

export const repositories: fc.Arbitrary<GeneratedFiles> = fc.uniqueArray(anyFile, {
  minLength: 5,
  maxLength: 25,
  selector: ([file]) => file,
})

const at = fc.nat(1000)

const SIMPLE_EDITS = ['delete', 'delete', 'touch', 'binary', 'link', 'empty'] as const

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 6,
    arbitrary: anyFile.map(([file, statements]) => ({ kind: 'write' as const, file, statements })),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('add-statement' as const), at, seed: at }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('drop-statement' as const), at, which: at }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('body' as const), at, value: number }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('signature' as const), at, name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('break' as const), at, where: at }) },
  {
    weight: 6,
    arbitrary: fc
      .record({ kind: fc.constantFrom(...SIMPLE_EDITS), at })
      .map((it): Edit => it as Edit),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rename' as const), at, to: path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete-folder' as const), at }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rename-folder' as const),
      at,
      to: fc.constantFrom('src', 'src/lib', 'core', 'moved'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('swap' as const), at, with: at }) },
)

export function bursts(most: number): fc.Arbitrary<readonly (readonly Edit[])[]> {
  return fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: most })
}

/** One more statement for a file of this name: the same for the same number. */
export function furtherStatement(file: string, seed: number): string {
  const [, known = DOCUMENT] = templates.find(([ending]) => ending.test(file)) ?? []
  return pick(
    known,
    seed,
  )({
    n: pick(NAMES, seed >> 2),
    m: pick(NAMES, seed >> 3),
    C: pick(CLASSES, seed >> 4),
    D: pick(CLASSES, seed >> 5),
    s: pick(SPECIFIERS, seed >> 1),
    p: pick(MODULES, seed >> 1),
    k: seed % 100,
  })
}

function pick<T>(from: readonly T[], by: number): T {
  return from[by % from.length] as T
}
