/** How Go finds packages: a folder is one, and go.mod or go.work says where its path begins. */

import { ascending, descending, inOrder } from '../../base/order.ts'
import type { Facts } from '../../model/facts.ts'
import type { Ask, Linking, Place } from '../linking.ts'
import { folderOf, inFolder } from './folders.ts'

export const go: Linking = {
  languages: ['go'],
  bareMembers: 'never',
  callMakes: true,
  exportsAll: true,
  modules: packageFiles,
  imported({ specifier, name }, from, ask) {
    return packageFiles(specifier, from, ask)
      .slice(0, 1)
      .flatMap((path) => topLevel(name, path, ask))
  },
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

/** A package whose name is not the last part of its path is known by its name all the same. */
function importedAs(name: string, from: string, ask: Ask): readonly Place[] {
  const facts = ask.facts(from)
  if (facts === undefined) return []
  for (const it of facts.definitions) {
    const value = facts.expressions[it.value]
    if (it.kind !== 'import' || value?.op !== 'module' || it.name === name) continue
    if (it.name !== lastPart(value.name)) continue
    const files = packageFiles(value.name, from, ask)
    const first = ask.facts(files[0] ?? '')
    if (first !== undefined && packageOf(first) === name)
      return files.map((path) => ({ path, definition: 0 }))
  }
  return []
}

function lastPart(specifier: string): string {
  return specifier.slice(specifier.lastIndexOf('/') + 1)
}

function packageOf(facts: Facts): string {
  return facts.definitions.find((it) => it.kind === 'namespace')?.name ?? ''
}

/** The files that make up a package for those who import it: no tests, no programs beside it. */
function packageFiles(specifier: string, from: string, ask: Ask): readonly string[] {
  for (const folder of foldersOf(specifier, from, ask)) {
    const files = ask
      .folder(folder)
      .filter((it) => it.endsWith('.go') && !it.endsWith('_test.go'))
      .map((path) => ({ path, name: named(path, ask) }))
    const library = files.filter((it) => it.name !== 'main')
    const chosen = library.length > 0 ? library : files
    if (chosen.length > 0) return chosen.map((it) => it.path)
  }
  return []
}

function named(path: string, ask: Ask): string {
  const facts = ask.facts(path)
  return facts === undefined ? '' : packageOf(facts)
}

/** By the modules around the importing file, the longest path first. */
function foldersOf(specifier: string, from: string, ask: Ask): readonly string[] {
  return modulesAround(from, ask)
    .filter(({ path }) => specifier === path || specifier.startsWith(`${path}/`))
    .toSorted(
      inOrder(
        descending((it) => it.path.length),
        ascending((it) => it.folder),
      ),
    )
    .map(({ path, folder }) => inFolder(folder, specifier.slice(path.length + 1)))
}

interface Module {
  readonly path: string
  readonly folder: string
}

/** Modules above the file, those that their go.work uses, and those put in another's place. */
function modulesAround(from: string, ask: Ask): readonly Module[] {
  const found: Module[] = []
  for (let folder = folderOf(from); ; folder = folderOf(folder)) {
    const own = moduleAt(folder, ask)
    if (own !== undefined) found.push(own.module, ...own.replaced)
    const work = ask.settings(inFolder(folder, 'go.work'))
    for (const it of work === undefined ? [] : entries(work, 'use')) {
      const used = moduleAt(inFolder(folder, it), ask)
      if (used !== undefined) found.push(used.module)
    }
    if (folder === '') return found
  }
}

function moduleAt(
  folder: string,
  ask: Ask,
): { readonly module: Module; readonly replaced: readonly Module[] } | undefined {
  const text = ask.settings(inFolder(folder, 'go.mod'))
  const path = text === undefined ? undefined : entries(text, 'module')[0]
  if (text === undefined || path === undefined) return undefined
  const replaced = entries(text, 'replace').flatMap((it) => {
    const [, of, by] = /^(\S+).*=>\s*(\.\.?(?:\/\S*)?)/.exec(it) ?? []
    return of === undefined || by === undefined
      ? []
      : [{ path: unquoted(of), folder: inFolder(folder, by) }]
  })
  return { module: { path, folder }, replaced }
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
