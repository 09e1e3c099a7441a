/** How Go finds packages: a folder is one, and go.mod or go.work says where its path begins. */

import { ascending, descending, inOrder } from '../../base/order.ts'
import { folderOf } from '../../base/paths.ts'
import type { Facts } from '../../model/facts.ts'
import type { Ask, Linking, Place } from '../linking.ts'
import { inFolder, nearest } from './folders.ts'
import { together } from './go-builds.ts'

export const go: Linking = {
  languages: ['go'],
  scopesInOrder: true,
  bareMembers: 'never',
  callMakes: true,
  exportsAll: true,
  wrappers: { Seq: 'values', Seq2: 'values' },
  passers: {
    'maps.Clone': 'list',
    'maps.Keys': 'keys',
    'maps.Values': 'each',
    'slices.All': 'list',
    'slices.Backward': 'list',
    'slices.Clone': 'list',
    'slices.Collect': 'list',
    'slices.Compact': 'list',
    'slices.Concat': 'list',
    'slices.Delete': 'list',
    'slices.Insert': 'list',
    'slices.Max': 'item',
    'slices.MaxFunc': 'item',
    'slices.Min': 'item',
    'slices.MinFunc': 'item',
    'slices.Sorted': 'list',
    'slices.SortedFunc': 'list',
    'slices.Values': 'each',
  },
  together,
  modules: packageFiles,
  exported: (name, of, ask) => (isExported(name) ? topLevel(name, of, ask) : []),
  beyond(name, from, ask) {
    const own = topLevel(name, from, ask)
    return own.length > 0 ? own : importedAs(name, from, ask)
  },
  members(name, of, ask) {
    const facts = ask.facts(of.path)
    const type = facts?.definitions[of.definition]
    if (facts === undefined || type === undefined || type.scope !== 0) return []
    return ask
      .provided(`go:${packageOf(facts)}.${type.name}.${name}`)
      .filter((it) => it.path !== of.path && folderOf(it.path) === folderOf(of.path))
  },
}

/** What the package of a file declares at the top of any of its files. */
function topLevel(name: string, path: string, ask: Ask): readonly Place[] {
  const facts = ask.facts(path)
  if (facts === undefined) return []
  const isTest = path.endsWith('_test.go')
  return ask
    .provided(`go:${packageOf(facts)}.${name}`)
    .filter(
      (it) => folderOf(it.path) === folderOf(path) && (isTest || !it.path.endsWith('_test.go')),
    )
}

/** Only names of this kind can be seen from other packages. */
function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name)
}

/** A package whose name is not the one that its path suggests is known by its name all the same. */
function importedAs(name: string, from: string, ask: Ask): readonly Place[] {
  for (const { specifier, guess } of unnamedImports(from, ask)) {
    if (guess === name) continue
    const [path = ''] = packageFile(specifier, from, ask)
    if (named(path, ask) === name) return [{ path, definition: 0 }]
  }
  return []
}

interface Guessed {
  readonly specifier: string
  /** What the import was taken to be called, by its path alone. */
  readonly guess: string
}

/** Those that go by their path. */
function unnamedImports(path: string, ask: Ask): readonly Guessed[] {
  const { imports } = knownTo(ask)
  const before = imports.get(path)
  if (before !== undefined) return before
  const facts = ask.facts(path)
  const found = (facts?.definitions ?? []).flatMap((it) => {
    const value = it.kind === 'import' ? facts?.expressions[it.value] : undefined
    if (value?.op !== 'module') return []
    // A name that stands in the path is no name of the importing file's own.
    const isGuessed = value.start <= it.start && it.end <= value.end
    return isGuessed ? [{ specifier: value.name, guess: it.name }] : []
  })
  imports.set(path, found)
  return found
}

function packageOf(facts: Facts): string {
  return facts.definitions.find((it) => it.kind === 'namespace')?.name ?? ''
}

/**
 * A test that stands beside a package, but outside of it, sees what the package's own tests add to
 * it as well: one of them goes along.
 */
function packageFiles(specifier: string, from: string, ask: Ask): readonly string[] {
  const found = packageFile(specifier, from, ask)
  const [path = ''] = found
  if (path === '' || !from.endsWith('_test.go') || folderOf(path) !== folderOf(from)) return found
  const tests = ask.provided(`go-test:${named(path, ask)}`)
  const beside = tests.find((it) => folderOf(it.path) === folderOf(from))
  return beside === undefined ? found : [path, beside.path]
}

/** One file of a package that is understood, if there is any: no test, no program beside it. */
function packageFile(specifier: string, from: string, ask: Ask): readonly string[] {
  const { packages } = knownTo(ask)
  const key = `${specifier} ${folderOf(from)}`
  const found = packages.get(key) ?? foundPackage(specifier, folderOf(from), ask)
  packages.set(key, found)
  return found
}

function foundPackage(specifier: string, from: string, ask: Ask): readonly string[] {
  const around = packageIn(foldersAround(specifier, from, ask), ask)
  return around.length > 0 ? around : packageIn(foldersElsewhere(specifier, from, ask), ask)
}

function packageIn(folders: readonly string[], ask: Ask): readonly string[] {
  for (const folder of folders) {
    const files = ask.folder(folder).filter((it) => it.endsWith('.go') && !it.endsWith('_test.go'))
    // Where there is one that only describes the package, it is the soonest read.
    const description = files.filter((it) => it.endsWith('/doc.go'))
    const library = [...description, ...files].find((it) => !['', 'main'].includes(named(it, ask)))
    const chosen = library ?? files.find((it) => named(it, ask) !== '')
    if (chosen !== undefined) return [chosen]
  }
  return []
}

interface Known {
  /** By specifier and folder. */
  readonly packages: Map<string, readonly string[]>
  /** By the path of the file. */
  readonly imports: Map<string, readonly Guessed[]>
  /** By folder. */
  readonly modules: Map<string, readonly Module[]>
}

/** For as long as one file is resolved: every use of an imported name asks for the same. */
const known = new WeakMap<Ask, Known>()

function knownTo(ask: Ask): Known {
  const before = known.get(ask)
  if (before !== undefined) return before
  const made = { packages: new Map(), imports: new Map(), modules: new Map() }
  known.set(ask, made)
  return made
}

function named(path: string, ask: Ask): string {
  const facts = ask.facts(path)
  return facts === undefined ? '' : packageOf(facts)
}

/** In modules that stand elsewhere in the repository, without anything that says so. */
function foldersElsewhere(specifier: string, from: string, ask: Ask): readonly string[] {
  const parts = specifier.split('/')
  // Paths of Go's own library begin with no host.
  if (!(parts[0] ?? '').includes('.')) return []
  for (let count = parts.length; count > 1; count -= 1) {
    const path = parts.slice(0, count).join('/')
    const found = ask.provided(`go-module:${path}`)
    if (found.length > 0)
      return nearest(found, `${from}/`).map((it) =>
        inFolder(folderOf(it.path), specifier.slice(path.length)),
      )
  }
  return []
}

/** By the modules around the importing folder, the longest path first. */
function foldersAround(specifier: string, from: string, ask: Ask): readonly string[] {
  return modulesAround(from, ask)
    .filter(({ path }) => path === '' || specifier === path || specifier.startsWith(`${path}/`))
    .toSorted(
      inOrder(
        descending((it) => it.path.length),
        ascending((it) => it.folder),
      ),
    )
    .map(({ path, folder }) => inFolder(folder, specifier.slice(path.length)))
}

interface Module {
  /** Empty where packages go by their folders alone. */
  readonly path: string
  readonly folder: string
}

function modulesAround(folder: string, ask: Ask): readonly Module[] {
  const { modules } = knownTo(ask)
  const found = modules.get(folder) ?? modulesFrom(folder, ask)
  modules.set(folder, found)
  return found
}

/** Modules of a folder and those above, those that their go.work uses, and those in their place. */
function modulesFrom(folder: string, ask: Ask): readonly Module[] {
  const found: Module[] = []
  const own = moduleAt(folder, ask)
  if (own !== undefined) {
    found.push({ path: own.path === LIBRARY ? '' : own.path, folder })
    for (const it of own.replaced) found.push({ ...it, folder: inFolder(folder, it.folder) })
    if (ask.exists(inFolder(folder, 'vendor/modules.txt')))
      found.push({ path: '', folder: inFolder(folder, 'vendor') })
  }
  const work = ask.settings(inFolder(folder, 'go.work'))
  for (const it of work === undefined ? [] : settingsOf(work).used) {
    const used = moduleAt(inFolder(folder, it), ask)
    if (used !== undefined) found.push({ path: used.path, folder: inFolder(folder, it) })
  }
  return folder === '' ? found : [...found, ...modulesAround(folderOf(folder), ask)]
}

/** The module of Go's own library: its packages are imported without it. */
const LIBRARY = 'std'

function moduleAt(folder: string, ask: Ask): (Settings & { readonly path: string }) | undefined {
  const text = ask.settings(inFolder(folder, 'go.mod'))
  const settings = text === undefined ? undefined : settingsOf(text)
  return settings?.path === undefined ? undefined : { ...settings, path: settings.path }
}

interface Settings {
  readonly path: string | undefined
  /** Modules of the repository in the place of others, with folders relative to the file. */
  readonly replaced: readonly Module[]
  /** Folders of a go.work. */
  readonly used: readonly string[]
}

/** The same few texts are asked for by every file. */
const parsed = new Map<string, Settings>()
const MOST_PARSED = 1024

function settingsOf(text: string): Settings {
  const before = parsed.get(text)
  if (before !== undefined) return before
  const replaced = entries(text, 'replace').flatMap((it) => {
    const [, of, by] = /^(\S+).*=>\s*(\.\.?(?:\/\S*)?)/.exec(it) ?? []
    return of === undefined || by === undefined ? [] : [{ path: unquoted(of), folder: by }]
  })
  const settings = { path: entries(text, 'module')[0], replaced, used: entries(text, 'use') }
  if (parsed.size >= MOST_PARSED) parsed.clear()
  parsed.set(text, settings)
  return settings
}

/** What follows a keyword, on its own line or line by line in parentheses. */
function entries(text: string, keyword: string): readonly string[] {
  const found: string[] = []
  let isInside = false
  for (const raw of text.split('\n')) {
    const line = raw.replace(/\/\/.*/, '').trim()
    if (isInside && line.startsWith(')')) isInside = false
    else if (isInside && line !== '') found.push(unquoted(line))
    else if (line.startsWith(`${keyword} `) || line.startsWith(`${keyword}(`)) {
      const rest = line.slice(keyword.length).trim()
      if (rest.startsWith('(')) isInside = true
      else found.push(unquoted(rest))
    }
  }
  return found
}

function unquoted(text: string): string {
  return text.replace(/^["`](.*)["`]$/, '$1')
}
