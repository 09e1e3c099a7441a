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

/** Beside the file, or under a folder that is on the load path by habit. */
function modules(specifier: string, from: string, ask: Ask): readonly string[] {
  const name = specifier.endsWith('.rb') ? specifier : `${specifier}.rb`
  const candidates = specifier.startsWith('.')
    ? [inFolder(folderOf(from), name)]
    : loadPaths(from).map((it) => inFolder(it, name))
  const found = candidates.find((it) => ask.exists(it))
  return found === undefined ? [] : [found]
}

function loadPaths(from: string): readonly string[] {
  const found: string[] = []
  for (let folder = folderOf(from); ; folder = folderOf(folder)) {
    for (const root of ['lib', 'test', 'spec', 'app', '']) found.push(inFolder(folder, root))
    if (folder === '') return found
  }
}

/** A constant of a module that the file is in, the innermost first, or of the top. */
function beyond(name: string, from: string, ask: Ask): readonly Place[] {
  if (!/^\p{Lu}/u.test(name)) return []
  for (const prefix of nestings(ask.facts(from))) {
    const found = ask.provided(`ruby:${prefix}${name}`)
    if (found.length > 0) return mainFirst(found, ask)
  }
  return []
}

/** Of a class that is opened in several files, the one that says most comes first. */
function mainFirst(places: readonly Place[], ask: Ask): readonly Place[] {
  if (places.length === 1) return places
  const based = places.filter(
    (it) => (ask.facts(it.path)?.definitions[it.definition]?.bases.length ?? 0) > 0,
  )
  return [...based, ...places.filter((it) => !based.includes(it))].slice(0, 1)
}

/** Full paths of the modules that the file opens, and of those around them, the longest first. */
function nestings(facts: Facts | undefined): readonly string[] {
  const found = new Set<string>()
  for (const it of facts?.provides ?? []) {
    const kind = facts?.definitions[it.definition]?.kind
    if (kind !== 'class' && kind !== 'interface' && kind !== 'namespace') continue
    const parts = it.name.slice('ruby:'.length).split('::')
    for (let count = parts.length; count > 0; count -= 1)
      found.add(`${parts.slice(0, count).join('::')}::`)
  }
  return [...[...found].toSorted().toReversed(), '']
}

/** What other files add to the same class or module. */
function members(name: string, of: Place, ask: Ask): readonly Place[] {
  const facts = ask.facts(of.path)
  const full = facts?.provides.find((it) => it.definition === of.definition)?.name
  if (full === undefined) return []
  const constant = /^\p{Lu}/u.test(name) ? ask.provided(`${full}::${name}`) : []
  if (constant.length > 0) return mainFirst(constant, ask)
  return ask.provided(full).flatMap((place) => {
    if (place.path === of.path && place.definition === of.definition) return []
    const other = ask.facts(place.path)
    const inner = other?.definitions[place.definition]?.inner ?? -1
    if (other === undefined || inner < 0) return []
    const definition = other.definitions.findIndex((it) => it.scope === inner && it.name === name)
    return definition < 0 ? [] : [{ path: place.path, definition }]
  })
}
