/**
 * How C and C++ find things: files through includes, and what a header declares through the names
 * that the linker would use. A name counts only where an include leads to its declaration.
 */
import { folderOf } from '../../base/paths.ts'
import type { Facts } from '../../model/facts.ts'
import type { Ask, Linking, Place, Wrapper } from '../linking.ts'
import { inFolder } from './folders.ts'

export const c: Linking = {
  languages: ['c', 'cpp', 'objc'],
  bareMembers: 'always',
  callMakes: true,
  exportsAll: true,
  calls: 'operator()',
  modules,
  beyond,
  members,
  wrappers: {
    ...wrapping('same', [
      'unique_ptr',
      'shared_ptr',
      'weak_ptr',
      'scoped_refptr',
      'optional',
      'atomic',
      'reference_wrapper',
      'future',
    ]),
    ...wrapping('items', [
      'vector',
      'list',
      'deque',
      'set',
      'unordered_set',
      'array',
      'span',
      'queue',
      'stack',
      'priority_queue',
      'initializer_list',
    ]),
    ...wrapping('values', ['map', 'unordered_map', 'multimap']),
  },
}

function wrapping(how: Wrapper, names: readonly string[]): Record<string, Wrapper> {
  return Object.fromEntries(names.map((it) => [it, how]))
}

/** Beside the file, under a usual root of includes, or by the end of its path if one alone fits. */
function modules(specifier: string, from: string, ask: Ask): readonly string[] {
  const isSystem = specifier.startsWith('<')
  const wanted = specifier.replaceAll(/[<>]/g, '')
  const near = isSystem ? [] : [inFolder(folderOf(from), wanted)]
  const found = [...near, ...rooted(wanted, from)].find((it) => ask.exists(it))
  if (found !== undefined) return [found]
  const plain = wanted.split('/').filter((it) => it !== '.' && it !== '..')
  const fitting = ask
    .provided(`c-file:${plain.at(-1) ?? ''}`)
    .filter(({ path }) => `/${path}`.endsWith(`/${plain.join('/')}`))
  // A bare name is not enough to tell a header of the system from one of ours.
  const isTelling = !isSystem || plain.length > 1
  return fitting.length === 1 && isTelling ? fitting.map(({ path }) => path) : []
}

function rooted(wanted: string, from: string): readonly string[] {
  const found: string[] = []
  for (let folder = folderOf(from); ; folder = folderOf(folder)) {
    for (const root of ['', 'include', 'src', 'lib', 'inc'])
      found.push(inFolder(inFolder(folder, root), wanted))
    if (folder === '') return found
  }
}

/**
 * What the includes declare and another file defines. The nearest namespace of the file comes
 * first; which of several definitions is meant, the folder of the declaration may say.
 */
function beyond(name: string, from: string, ask: Ask): readonly Place[] {
  const seen = includedFrom(from, ask)
  for (const prefix of namespacesOf(ask.facts(from))) {
    const defined = ask.provided(`c:${prefix}${name}`)
    const near = defined.filter(({ path }) => seen.has(path))
    if (near.length > 0) return near
    const declared = ask.provided(`c-decl:${prefix}${name}`).filter(({ path }) => seen.has(path))
    if (declared.length > 0) return behind(declared, defined)
  }
  return []
}

/** The definition of what is declared, or the declaration where that cannot be told. */
function behind(declared: readonly Place[], defined: readonly Place[]): readonly Place[] {
  if (defined.length === 1) return defined
  const folders = new Set(declared.map(({ path }) => folderOf(path)))
  const stems = new Set(declared.map(({ path }) => path.replace(/\.\w+$/, '')))
  const close = [
    defined.filter(({ path }) => stems.has(path.replace(/\.\w+$/, ''))),
    defined.filter(({ path }) => folders.has(folderOf(path))),
  ].find((it) => it.length === 1)
  return close ?? declared.slice(0, 1)
}

/** `void A::f() { … }` for the class A, and the other parts of a namespace. */
function members(name: string, of: Place, ask: Ask): readonly Place[] {
  const facts = ask.facts(of.path)
  const it = facts?.definitions[of.definition]
  if (facts === undefined || it === undefined || it.name === '') return []
  if (it.kind === 'type') return it.type === 0 ? throughTag(it.name, name, ask) : []
  if (it.kind !== 'class' && it.kind !== 'namespace') return []
  // Inside a class, its name means the class; its constructors are asked for as such.
  if (it.kind === 'class' && name === it.name) return []
  const own = name === 'constructor' ? it.name : name
  const full = `${fullName(facts, of.definition)}::${own}`
  const defined = ask.provided(`c:${full}`)
  return defined.length > 0 ? defined : ask.provided(`c-decl:${full}`)
}

/** `typedef struct node node;`: the members are with the struct, in the file that has it. */
function throughTag(tag: string, name: string, ask: Ask): readonly Place[] {
  const structs = ask
    .provided(`c:${tag}`)
    .filter(({ path, definition }) => ask.facts(path)?.definitions[definition]?.kind === 'class')
  const [only] = structs
  if (only === undefined || structs.length > 1) return []
  const facts = ask.facts(only.path)
  const inner = facts?.definitions[only.definition]?.inner
  const found = facts?.definitions.findIndex((it) => it.scope === inner && it.name === name) ?? -1
  return found < 0 ? [] : [{ path: only.path, definition: found }]
}

function fullName(facts: Facts, definition: number): string {
  const names: string[] = []
  for (let at = definition; at > 0; at = facts.definitions[at]?.owner ?? 0)
    names.unshift(facts.definitions[at]?.name ?? '')
  return names.join('::')
}

/** By the facts of a file, from which alone they are known: every name of the file asks for them. */
const namespaces = new WeakMap<Facts, readonly string[]>()

function namespacesOf(facts: Facts | undefined): readonly string[] {
  if (facts === undefined || facts.language === 'c') return ['']
  const known = namespaces.get(facts)
  if (known !== undefined) return known
  const found = findNamespaces(facts)
  namespaces.set(facts, found)
  return found
}

/** Those that the file is in or uses, the longest first, and the one without a name at the end. */
function findNamespaces(facts: Facts): readonly string[] {
  const found = new Set<string>()
  for (const [at, it] of facts.definitions.entries()) {
    if (it.kind === 'namespace') found.add(`${fullName(facts, at)}::`)
    else if (it.kind === 'import' && it.name === '*') {
      const used = facts.expressions[facts.expressions[it.value]?.of ?? 0]
      if (used?.op === 'name') found.add(`${used.name}::`)
    }
  }
  return [...[...found].toSorted().toReversed(), '']
}

/** All files that including leads to, this one among them. Kept for as long as the questions are. */
const included = new WeakMap<Ask, Map<string, ReadonlySet<string>>>()

function includedFrom(from: string, ask: Ask): ReadonlySet<string> {
  const known = included.get(ask) ?? new Map<string, ReadonlySet<string>>()
  included.set(ask, known)
  const before = known.get(from)
  if (before !== undefined) return before
  const seen = new Set([from])
  const waiting = [from]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const specifier of includesOf(ask.facts(path))) {
      for (const next of modules(specifier, path, ask)) {
        if (seen.has(next)) continue
        seen.add(next)
        waiting.push(next)
      }
    }
  }
  known.set(from, seen)
  return seen
}

function includesOf(facts: Facts | undefined): readonly string[] {
  if (facts === undefined) return []
  return facts.definitions.flatMap((it) => {
    if (it.kind !== 'import' || it.name !== '*') return []
    const module = facts.expressions[facts.expressions[it.value]?.of ?? 0]
    return module?.op === 'module' ? [module.name] : []
  })
}
