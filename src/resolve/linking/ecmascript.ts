/** How JavaScript and TypeScript find modules: relative paths, tsconfig, packages of the repository. */
import { folderOf } from '../../base/paths.ts'
import { GLOBAL } from '../../model/facts.ts'
import type { Ask, Linking, Place } from '../linking.ts'
import { joined } from './folders.ts'

const EXTENSIONS = [
  '.ts',
  '.tsx',
  '.d.ts',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.json',
  '.vue',
  '.svelte',
]
/** A specifier names the file that will be there after compilation. */
const COMPILED_FROM: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.jsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
}

export const ecmascript: Linking = {
  languages: ['javascript', 'jsx', 'vue', 'svelte'],
  bareMembers: 'never',
  callMakes: false,
  exportsAll: false,
  modules(specifier, from, ask) {
    const path = resolveModule(specifier, from, ask)
    if (path === undefined) return []
    return [TYPED.test(from) ? path : (implementationOf(path, ask) ?? path)]
  },
  declaredBeside: declarationsOf,
  beyond(name, from, ask) {
    // What a file exports, in its own words.
    if (name === 'exports') return [{ path: from, definition: 0 }]
    if (name === 'JSX.IntrinsicElements') return ask.provided(name)
    return STANDARD.has(name) ? [] : nearest(ask.provided(`${GLOBAL}${name}`), from)
  },
  passers: {
    'Object.values': 'list',
    'Object.entries': 'numbered',
    'Array.from': 'list',
    'Promise.all': 'list',
    'Object.create': 'same',
    'Object.assign': 'merged',
    'Object.freeze': 'same',
    'Object.seal': 'same',
  },
  variablesGrow: true,
  derives: new Set(['Object.create']),
  wrappers: {
    Promise: 'same',
    PromiseLike: 'same',
    Awaited: 'same',
    Readonly: 'same',
    Partial: 'same',
    Required: 'same',
    NonNullable: 'same',
    Omit: 'same',
    Pick: 'same',
    NoInfer: 'same',
    Extract: 'same',
    Exclude: 'same',
    Array: 'items',
    ReadonlyArray: 'items',
    Set: 'items',
    ReadonlySet: 'items',
    Iterable: 'items',
    AsyncIterable: 'items',
    Iterator: 'items',
    IterableIterator: 'items',
    Generator: 'items',
    AsyncGenerator: 'items',
    Map: 'values',
    ReadonlyMap: 'values',
    WeakMap: 'values',
    Record: 'values',
  },
}

/** Names that are there everywhere: asking for each in every file would be for nothing. */
const STANDARD: ReadonlySet<string> = new Set(
  (
    'Array Boolean Buffer Date Error Function Infinity JSON Map Math NaN Number Object Omit ' +
    'Partial Pick Promise Proxy Readonly Record Reflect RegExp Required Set String Symbol ' +
    'TypeError Uint8Array URL WeakMap arguments clearTimeout console document globalThis ' +
    'isNaN module parseInt process require setTimeout undefined window'
  ).split(' '),
)

/** Of several declarations, those in the folder that is nearest to the file. */
function nearest(places: readonly Place[], from: string): readonly Place[] {
  if (places.length < 2) return places
  const near = places.map(({ path }) => sharedFolders(path, from))
  const most = Math.max(...near)
  return places.filter((_, at) => near[at] === most)
}

function sharedFolders(path: string, from: string): number {
  const folders = path.split('/').slice(0, -1)
  const others = from.split('/').slice(0, -1)
  const end = folders.findIndex((it, at) => it !== others[at])
  return end < 0 ? folders.length : end
}

/** What has a type has the members of the type, whatever is assigned; functions may get more. */
export const typescript: Linking = {
  ...ecmascript,
  languages: ['typescript', 'tsx'],
  variablesGrow: false,
  extensible: new Set(['function', 'method', 'class', 'namespace']),
}

/** Files that import what is declared; all others import what runs. */
const TYPED = /\.(?:[cm]?tsx?|vue|svelte)$/
const DECLARATION = /\.d\.([cm]?)ts$/

/** `a.js` for `a.d.ts`, where both are there. */
function implementationOf(path: string, ask: Ask): string | undefined {
  if (!DECLARATION.test(path)) return undefined
  const stem = path.replace(DECLARATION, '')
  return ['.js', '.jsx', '.mjs', '.cjs'].map((it) => stem + it).find((it) => ask.exists(it))
}

function declarationsOf(path: string, ask: Ask): string | undefined {
  if (!path.endsWith('js') && !path.endsWith('jsx')) return undefined
  const declared = path.replace(/\.([cm]?)jsx?$/, '.d.$1ts')
  return declared !== path && ask.exists(declared) ? declared : undefined
}

function resolveModule(specifier: string, from: string, ask: Ask): string | undefined {
  if (specifier.startsWith('.')) return asFile(joined(folderOf(from), specifier), ask)
  if (specifier.startsWith('/')) return undefined
  return byConfig(specifier, from, ask) ?? byPackage(specifier, from, ask)
}

/** The file itself, with an extension, as what it is compiled from, or the index of a folder. */
function asFile(path: string | undefined, ask: Ask): string | undefined {
  if (path === undefined) return undefined
  if (path !== '' && ask.exists(path)) return path
  const dot = path.lastIndexOf('.')
  const end = dot > path.lastIndexOf('/') ? path.slice(dot) : ''
  for (const extension of COMPILED_FROM[end] ?? []) {
    const source = path.slice(0, dot) + extension
    if (ask.exists(source)) return source
  }
  if (path !== '') {
    for (const extension of EXTENSIONS) if (ask.exists(path + extension)) return path + extension
  }
  const folder = path === '' ? '' : `${path}/`
  const main = mainOf(folder, ask)
  if (main !== undefined) return main
  for (const extension of EXTENSIONS)
    if (ask.exists(`${folder}index${extension}`)) return `${folder}index${extension}`
  return undefined
}

function mainOf(folder: string, ask: Ask): string | undefined {
  const settings = parsed(ask.settings(`${folder}package.json`))
  for (const field of ['source', 'types', 'module', 'main']) {
    const main = settings?.[field]
    if (typeof main !== 'string') continue
    const path = joined(folder, main)
    if (path !== undefined && ask.exists(path)) return path
  }
  return undefined
}

/** `paths` and `baseUrl` of the nearest tsconfig.json or jsconfig.json, `extends` followed. */
function byConfig(specifier: string, from: string, ask: Ask): string | undefined {
  for (let folder = folderOf(from); ; folder = folderOf(folder)) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (!ask.exists(path)) continue
      const options = compilerOptions(path, ask, 0)
      const found = options === undefined ? undefined : throughPaths(specifier, options, ask)
      return found
    }
    if (folder === '') return undefined
  }
}

interface Options {
  /** Folder that `paths` are relative to. */
  readonly base: string
  readonly baseUrl: string | undefined
  readonly paths: Readonly<Record<string, unknown>>
}

const MOST_CONFIGS = 8

function compilerOptions(path: string, ask: Ask, depth: number): Options | undefined {
  const config = parsed(ask.settings(path))
  if (config === undefined || depth > MOST_CONFIGS) return undefined
  const folder = folderOf(path)
  const own = asRecord(config['compilerOptions'])
  const extended = [config['extends']]
    .flat()
    .filter((it) => typeof it === 'string')
    .flatMap((it) => {
      const target = it.startsWith('.') ? joined(folder, it) : undefined
      const file = target === undefined ? undefined : ask.exists(target) ? target : `${target}.json`
      const options = file === undefined ? undefined : compilerOptions(file, ask, depth + 1)
      return options === undefined ? [] : [options]
    })
    .at(-1)
  const baseUrl =
    typeof own?.['baseUrl'] === 'string' ? joined(folder, own['baseUrl']) : extended?.baseUrl
  const paths = asRecord(own?.['paths'])
  if (paths !== undefined) return { base: baseUrl ?? folder, baseUrl, paths }
  return { base: extended?.base ?? baseUrl ?? folder, baseUrl, paths: extended?.paths ?? {} }
}

function throughPaths(specifier: string, options: Options, ask: Ask): string | undefined {
  const patterns = Object.keys(options.paths).toSorted(
    (a, b) => b.length - a.length || (a < b ? -1 : 1),
  )
  for (const pattern of patterns) {
    const star = pattern.indexOf('*')
    const head = star < 0 ? pattern : pattern.slice(0, star)
    const tail = star < 0 ? '' : pattern.slice(star + 1)
    const isMatch =
      star < 0
        ? specifier === pattern
        : specifier.startsWith(head) &&
          specifier.endsWith(tail) &&
          specifier.length >= head.length + tail.length
    if (!isMatch) continue
    const middle = specifier.slice(head.length, specifier.length - tail.length)
    for (const target of [options.paths[pattern]].flat()) {
      if (typeof target !== 'string') continue
      const found = asFile(joined(options.base, target.replace('*', middle)), ask)
      if (found !== undefined) return found
    }
  }
  return options.baseUrl === undefined ? undefined : asFile(joined(options.baseUrl, specifier), ask)
}

/** A package of the same repository, by name; or the package itself by `imports` (`#x`). */
function byPackage(specifier: string, from: string, ask: Ask): string | undefined {
  if (specifier.startsWith('#')) return byImports(specifier, from, ask)
  const parts = specifier.split('/')
  const count = specifier.startsWith('@') ? 2 : 1
  const name = parts.slice(0, count).join('/')
  const rest = parts.slice(count).join('/')
  for (const { path } of ask.provided(`npm:${name}`)) {
    const folder = folderOf(path)
    const settings = parsed(ask.settings(path))
    const wanted = rest === '' ? '.' : `./${rest}`
    const source = firstSource(folder, targetsIn(settings?.['exports'], wanted), ask)
    const found =
      source ??
      asFile(joined(folder, rest === '' ? '.' : rest), ask) ??
      asFile(joined(folder, `src/${rest}`), ask)
    if (found !== undefined) return found
  }
  return undefined
}

function byImports(specifier: string, from: string, ask: Ask): string | undefined {
  for (let folder = folderOf(from); ; folder = folderOf(folder)) {
    const path = folder === '' ? 'package.json' : `${folder}/package.json`
    const settings = ask.exists(path) ? parsed(ask.settings(path)) : undefined
    if (settings !== undefined) {
      return firstSource(folder, targetsIn(settings['imports'], specifier), ask)
    }
    if (folder === '') return undefined
  }
}

/** What `exports` or `imports` of a package.json say for a path, the wanted conditions first. */
function targetsIn(table: unknown, wanted: string): readonly string[] {
  if (typeof table === 'string' || Array.isArray(table)) return wanted === '.' ? pathsIn(table) : []
  const entries = asRecord(table)
  if (entries === undefined) return []
  const keys = Object.keys(entries)
  if (!keys.some((it) => it.startsWith('.') || it.startsWith('#')))
    return wanted === '.' ? pathsIn(entries) : []
  if (entries[wanted] !== undefined) return pathsIn(entries[wanted])
  for (const key of keys) {
    const star = key.indexOf('*')
    if (star < 0 || !wanted.startsWith(key.slice(0, star)) || !wanted.endsWith(key.slice(star + 1)))
      continue
    const middle = wanted.slice(star, wanted.length - (key.length - star - 1))
    return pathsIn(entries[key]).map((it) => it.replace('*', middle))
  }
  return []
}

const CONDITIONS = ['source', 'types', 'import', 'require', 'default', 'node']

function pathsIn(target: unknown): readonly string[] {
  if (typeof target === 'string') return [target]
  if (Array.isArray(target)) return target.flatMap(pathsIn)
  const conditions = asRecord(target)
  if (conditions === undefined) return []
  return [...new Set([...CONDITIONS, ...Object.keys(conditions)])].flatMap((it) =>
    pathsIn(conditions[it]),
  )
}

/** Some conditions lead to what is built, others to what it is built from: the first that is there. */
function firstSource(folder: string, targets: readonly string[], ask: Ask): string | undefined {
  for (const target of targets) {
    const found = sourceOf(joined(folder, target), ask)
    if (found !== undefined) return found
  }
  return undefined
}

const BUILT = /^(.*?\/)?(?:dist|lib|build|out|esm|cjs)(?:\/(?:esm|cjs|types|src|library))*\//

/** `dist/a.js` is not in a repository; what it is built from is. */
function sourceOf(path: string | undefined, ask: Ask): string | undefined {
  if (path === undefined) return undefined
  if (ask.exists(path)) return path
  const source = path.replace(/\.d\.ts$/, '.js').replace(BUILT, '$1src/')
  return asFile(source, ask)
}

const configs = new Map<string, Readonly<Record<string, unknown>> | undefined>()

/** JSON with comments and trailing commas, as these files are written. */
function parsed(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined
  if (!configs.has(text)) {
    if (configs.size > 256) configs.clear()
    configs.set(text, asRecord(parseLenient(text)))
  }
  return configs.get(text)
}

function parseLenient(text: string): unknown {
  const plain = text
    .replaceAll(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string) => string ?? '')
    .replaceAll(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_, string) => string ?? '')
  try {
    return JSON.parse(plain)
  } catch {
    return undefined
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}
