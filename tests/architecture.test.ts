/** ARCHITECTURE.md § Folders, as a test. A new arrow between folders is a change to this table. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { expect, test } from 'vitest'

const PURE = ['base', 'model']
const WORLD = [...PURE, 'platform']
const STAGES = ['sources', 'store', 'resolve', 'retrieve', 'traverse', 'score', 'budget', 'format']

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  model: ['base'],
  platform: [
    ...PURE,
    'node:child_process',
    'node:crypto',
    'node:fs',
    'node:module',
    'node:os',
    'node:path',
    'node:sqlite',
    'node:timers/promises',
    'node:v8',
    'node:worker_threads',
    '@parcel/watcher',
    'eventsource-parser',
    'gpt-tokenizer/GptEncoding',
    'gpt-tokenizer/bpeRanks/o200k_base',
    'lru-cache',
    'xxhash-wasm',
    'zod/mini',
    'zod/v4/locales/en.js',
  ],
  sources: [
    ...WORLD,
    'diff',
    'node:fs',
    'node:module',
    'node:path',
    'ignore',
    'satteri',
    'web-tree-sitter',
    'yaml',
  ],
  store: [...WORLD, 'node:path', 'node:sqlite', 'canonicalize', 'lmdb', 'sqlite-vec'],
  resolve: PURE,
  retrieve: PURE,
  traverse: PURE,
  score: PURE,
  budget: PURE,
  format: PURE,
  config: [...WORLD, 'node:path'],
  evidence: [...WORLD, 'node:path'],
  packs: [...WORLD, ...STAGES, 'config', 'evidence', 'node:path', 'canonicalize', 'diff'],
  'surfaces/operations': [...PURE, 'platform', 'evidence', 'packs', 'format', 'node:path'],
  'surfaces/cli': [...PURE, 'platform', 'surfaces/operations', 'commander'],
  'surfaces/mcp': [
    ...PURE,
    'platform',
    'surfaces/operations',
    '@modelcontextprotocol/server',
    '@modelcontextprotocol/server/stdio',
  ],
  'surfaces/shell': [
    'base',
    'node:child_process',
    'node:fs',
    'node:os',
    'node:path',
    'node:readline',
  ],
  compose: [...WORLD, 'package.json'],
  worker: ['platform', 'store'],
  extractor: ['platform', 'packs', 'sources'],
  start: [
    ...WORLD,
    'compose',
    'surfaces/operations',
    'surfaces/cli',
    'surfaces/mcp',
    'surfaces/shell',
    'node:path',
    'picocolors',
  ],
  main: ['start'],
  index: ['compose', 'model', 'packs', 'platform', 'sources', 'surfaces/operations'],
}

const SRC = join(import.meta.dirname, '..', 'src')
/** Static imports, re-exports, bare imports, dynamic imports; type-only ones count as well. */
const IMPORT =
  /^(?:import|export)\b[^'"]*?\bfrom\s+['"]([^'"\s]+)['"]|^import\s+['"]([^'"\s]+)['"]|(?<!@)\bimport\(\s*['"]([^'"\s]+)['"]/gm

/** The folder a file belongs to: two levels inside `surfaces/`, one elsewhere. */
function layerOf(file: string): string {
  const parts = relative(SRC, file).split(sep)
  if (parts[0] === '..') return parts.at(-1) ?? ''
  return (parts[0] === 'surfaces' ? parts.slice(0, 2).join('/') : (parts[0] ?? '')).replace(
    /\.ts$/,
    '',
  )
}

const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, path: join(SRC, name), text: readFileSync(join(SRC, name), 'utf8') }))

const ARROWS = FILES.flatMap((file) =>
  [...file.text.matchAll(IMPORT)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? ''
    const to = specifier.startsWith('.') ? layerOf(join(dirname(file.path), specifier)) : specifier
    return { file: file.name, from: layerOf(file.path), to }
  }),
)

test('A1 imports only point where the architecture says they may', () => {
  const strays = ARROWS.filter(
    (it) => it.from !== it.to && !(MAY_IMPORT[it.from] ?? []).includes(it.to),
  )
  expect(strays).toEqual([])
})

test('A1 the table allows nothing that nobody uses', () => {
  const used = new Set(ARROWS.map((it) => `${it.from} -> ${it.to}`))
  const pure = new Set(['base', 'model', 'platform'])
  const idle = Object.entries(MAY_IMPORT).flatMap(([from, targets]) =>
    targets
      .filter((to) => !pure.has(to) && !used.has(`${from} -> ${to}`))
      .map((to) => `${from} -> ${to}`),
  )
  expect(idle).toEqual([])
})

test('A2 the pure stages import no package and no module of Node', () => {
  const outside = ARROWS.filter(
    (it) =>
      ['base', 'model', 'resolve', 'retrieve', 'traverse', 'score', 'budget', 'format'].includes(
        it.from,
      ) && /^node:|^[a-z@]+[/-]|^zod$/.test(it.to),
  )
  expect(outside).toEqual([])
})

test('A1 nothing is exported wholesale', () => {
  expect(FILES.filter((it) => /^export \*/m.test(it.text)).map((it) => it.name)).toEqual([])
})

test('A1 the walk saw the code', () => {
  expect(ARROWS.length).toBeGreaterThan(100)
})
