import { join } from 'node:path'
import { defineConfig } from 'tsdown'
import { buildVocabulary } from './src/platform/tokenizer.ts'

const SHARED = {
  format: 'esm',
  platform: 'node',
  target: 'node24',
  tsconfig: 'tsconfig.build.json',
  fixedExtension: false,
  hash: false,
} as const

/**
 * An import of a builtin makes Node read all of its properties, and some load half of Node when they
 * are read: with `node:fs` and `node:crypto` that is a sixth of the time of loading.
 */
const plainBuiltins = {
  name: 'plain-builtins',
  renderChunk: (code: string) =>
    code.replaceAll(/^import (.+) from "(node:[^"]+)";$/gm, (_, clause: string, module: string) =>
      withoutImport(clause, module),
    ),
}

/** `fs, { join as j }` are two constants. */
function withoutImport(clause: string, module: string): string {
  const [, whole, names] = /^([\w$]+)?(?:, )?(?:\{(.*)\})?$/.exec(clause) ?? []
  const builtin = `globalThis.process.getBuiltinModule("${module}")`
  // Of commander, which loads it for commands that are programs of their own.
  const late = `new Proxy({}, { get: (_, name) => ${builtin}[name] })`
  const isLate = module === 'node:child_process'
  return [
    ...(whole === undefined ? [] : [`const ${whole} = ${isLate ? late : builtin};`]),
    ...(names === undefined ? [] : [`const {${names.replaceAll(' as ', ': ')}} = ${builtin};`]),
  ].join(' ')
}

/** A statement for V8, which reads its settings whenever it compiles something. */
const settingOfEngine = (it: string): string =>
  `globalThis.process.getBuiltinModule("node:v8").setFlagsFromString("${it}");\n`

/**
 * Node keeps of a module what was compiled when it was loaded, not what was compiled later, so all
 * of what a pack needs is compiled at once, when Node has kept nothing yet. What Node keeps is of
 * the setting that it was compiled with, so it has to be set each time. It ends with the first
 * statement: from there on modules of Node are loaded, which come compiled with its own settings.
 */
const compiledAtOnce = {
  name: 'compiled-at-once',
  renderChunk: (code: string, { name }: { readonly name: string }) => {
    if (name === 'packing') return settingOfEngine('--lazy') + code
    return name === 'main'
      ? code.replace(/^.*\bimport\("\.\/start\.js"\)/m, `${settingOfEngine('--no-lazy')}$&`)
      : null
  },
}

interface ChunkingContext {
  getModuleInfo(id: string): { readonly importers: readonly string[] } | null
}

/** Where `dossier pack` begins, and what it loads on its way. */
const PACKING = ['src/start.ts', 'src/surfaces/operations/context/pack.ts'].map((it) =>
  join(import.meta.dirname, it),
)

/** What the modules of a pack import and none of them calls. */
const UNUSED_BY_PACKING = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/

/** The command that is asked most often loads one file: forty take a fifth longer. */
function togetherIfPacking(id: string, context: ChunkingContext): string | null {
  if (UNUSED_BY_PACKING.test(id)) return null
  const seen = new Set([id])
  for (const it of seen) {
    if (PACKING.includes(it)) return 'packing'
    for (const importer of context.getModuleInfo(it)?.importers ?? []) seen.add(importer)
  }
  return null
}

export default defineConfig([
  {
    ...SHARED,
    entry: ['src/main.ts', 'src/worker.ts', 'src/extractor.ts'],
    outDir: 'dist/bin',
    dts: false,
    // What every start loads: bundled, without what is not used, it loads in half of the time.
    deps: {
      alwaysBundle: [/^zod\//, 'commander', 'picocolors', 'ignore', 'canonicalize', 'lru-cache'],
    },
    plugins: [plainBuiltins, compiledAtOnce],
    // Of a text in which some character is beyond ASCII, V8 keeps each in two bytes.
    outputOptions: {
      codeSplitting: { groups: [{ name: togetherIfPacking }] },
      charset: 'ascii',
      comments: { jsdoc: false },
    },
    // Both builds look for it in the folder above their own.
    onSuccess: () => buildVocabulary(join(import.meta.dirname, 'dist', 'o200k.bin')),
  },
  {
    ...SHARED,
    entry: ['src/index.ts', 'src/worker.ts', 'src/extractor.ts'],
    outDir: 'dist/library',
    // Of the parts that others import: with more, what they share takes the name of the entry.
    dts: { entry: 'src/index.ts' },
  },
])
