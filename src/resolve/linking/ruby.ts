/** How Ruby finds things: constants by their full path from anywhere, the rest through `require`. */
import { folderOf } from '../../base/paths.ts'
import type { Facts } from '../../model/facts.ts'
import type { Ask, Linking, Place } from '../linking.ts'
import { inFolder } from './folders.ts'

export const ruby: Linking = {
  languages: ['ruby'],
  bareMembers: 'always',
  callMakes: false,
  exportsAll: true,
  calls: 'call',
  maker: 'initialize',
  modules,
  beyond,
  members,
}

/** Under these, beside a file and in every folder above it, lies what `require` finds by habit. */
const ROOTS = ['lib', 'test', 'spec', 'app', '']

function modules(specifier: string, from: string, ask: Ask): readonly string[] {
  const name = specifier.endsWith('.rb') ? specifier : `${specifier}.rb`
  const beside = inFolder(folderOf(from), name)
  if (specifier.startsWith('.')) return ask.exists(beside) ? [beside] : []
  for (let folder = folderOf(from); ; folder = folderOf(folder)) {
    for (const root of ROOTS) {
      const path = inFolder(inFolder(folder, root), name)
      if (ask.exists(path)) return [path]
    }
    if (folder === '') return []
  }
}

/** A constant of a module that the file is in, the innermost first, or of the top. */
function beyond(name: string, from: string, ask: Ask): readonly Place[] {
  if (!/^\p{Lu}/u.test(name)) return []
  for (const prefix of nestings(ask.facts(from))) {
    const found = opened(`${prefix}${name}`, ask)
    if (found.length > 0) return found
  }
  return []
}

/** Of a class that is opened in several files, the one that says what it inherits comes first. */
function opened(full: string, ask: Ask): readonly Place[] {
  const found = ask.provided(`${CONSTANT}${full}`)
  const [main = found[0]] = found.length > 1 ? ask.provided(`ruby-based:${full}`) : []
  return main === undefined ? [] : [main]
}

/** By the facts of a file, from which alone they are known: every constant of it asks for them. */
const known = new WeakMap<Facts, readonly string[]>()

/** Full paths of the modules that the file opens, and of those around them, the longest first. */
function nestings(facts: Facts | undefined): readonly string[] {
  if (facts === undefined) return ['']
  const before = known.get(facts)
  if (before !== undefined) return before
  const found = new Set<string>()
  for (const it of facts.provides) {
    if (!it.name.startsWith(CONSTANT) || !opens(facts, it.definition)) continue
    const parts = it.name.slice(CONSTANT.length).split('::')
    for (let count = parts.length; count > 0; count -= 1)
      found.add(`${parts.slice(0, count).join('::')}::`)
  }
  const all = [...[...found].toSorted().toReversed(), '']
  known.set(facts, all)
  return all
}

const CONSTANT = 'ruby:'

function opens({ definitions }: Facts, definition: number): boolean {
  const kind = definitions[definition]?.kind
  return kind === 'class' || kind === 'interface' || kind === 'namespace'
}

/** What other files add to the same class or module. */
function members(name: string, of: Place, ask: Ask): readonly Place[] {
  const facts = ask.facts(of.path)
  const provided = facts?.provides.find((it) => it.definition === of.definition)?.name
  if (provided === undefined) return []
  const full = provided.slice(CONSTANT.length)
  const constant = /^\p{Lu}/u.test(name) ? opened(`${full}::${name}`, ask) : []
  return constant.length > 0 ? constant : ask.provided(`ruby-member:${full}.${name}`)
}
