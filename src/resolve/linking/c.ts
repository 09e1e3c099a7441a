/**
 * How C and C++ find things: files through includes, and what a header declares through the names
 * that the linker would use. A name counts only where an include leads to its declaration.
 */
import { folderOf } from '../../base/paths.ts'
import { type Facts, TRAIT } from '../../model/facts.ts'
import { withinEachOther } from '../../model/namespaces.ts'
import type { Ask, Included, Linking, Place, Places, Wrapper } from '../linking.ts'
import { inFolder, sharedParts } from './folders.ts'

export const c: Linking = {
  languages: ['c', 'cpp', 'objc'],
  bareMembers: 'always',
  callMakes: true,
  exportsAll: true,
  calls: 'operator()',
  modules: (specifier, from, ask) => ask.included(from).by(specifier),
  including: { specifiers: includesOf, files: filesOf },
  within,
  members,
  together: visible,
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
function filesOf(specifier: string, from: string, places: Places): readonly string[] {
  const isSystem = specifier.startsWith('<')
  const wanted = specifier.replaceAll(/[<>]/g, '')
  const near = isSystem ? [] : [inFolder(folderOf(from), wanted)]
  const found = [...near, ...rooted(wanted, from)].find((it) => places.exists(it))
  if (found !== undefined) return [found]
  const plain = wanted.split('/').filter((it) => it !== '.' && it !== '..')
  const fitting = places
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
function within(name: string, { path: from, definition }: Place, ask: Ask): readonly Place[] {
  const seen = ask.included(from)
  for (const prefix of prefixesOf(ask.facts(from), definition)) {
    const defined = ask.provided(`c:${prefix}${name}`)
    const near = seenFrom(from, seen, defined)
    const declared = seenFrom(from, seen, ask.provided(`c-decl:${prefix}${name}`))
    if (near.length > 0) return withDeclared(near, declared, ask)
    if (declared.length > 0)
      return withDeclared(behind(declared, defined) ?? declared.slice(0, 1), declared, ask)
    if (defined.length === 0) continue
    const promised = seenFrom(from, seen, ask.provided(`c-tag:${prefix}${name}`))
    if (promised.length > 0)
      return behind(promised, fewest(from, defined).filter(isType(ask))) ?? []
  }
  const macros = seenFrom(from, seen, ask.provided(`c-macro:${name}`))
  return macros.length > 0 || !HEADER.test(from) ? macros : beside(name, from, ask)
}

function seenFrom(from: string, seen: Included, places: readonly Place[]): readonly Place[] {
  const found = places.filter(({ path }) => seen.has(path))
  return fewest(from, found)
}

/** A name that more files have says little. */
const MOST_FILES = 24

/**
 * Of one name in very many files, those in the nearest: the variants of a header for each platform
 * all have the same names, and each file of a platform means those of its own.
 */
function fewest(from: string, places: readonly Place[]): readonly Place[] {
  if (places.length <= MOST_FILES) return places
  const paths = [...new Set(places.map(({ path }) => path))]
  if (paths.length <= MOST_FILES) return places
  const groups = Map.groupBy(paths, (path) => sharedParts(path, from))
  const chosen = new Set<string>()
  for (const shared of [...groups.keys()].toSorted((a, b) => b - a)) {
    const group = groups.get(shared) ?? []
    if (chosen.size > 0 && chosen.size + group.length > MOST_FILES) break
    for (const path of group.slice(0, MOST_FILES)) chosen.add(path)
  }
  return places.filter(({ path }) => chosen.has(path))
}

/** A header may lean on what is always included before it: on another header of its folder. */
function beside(name: string, from: string, ask: Ask): readonly Place[] {
  const folder = folderOf(from)
  const near = ask
    .provided(`c:${name}`)
    .filter(({ path }) => HEADER.test(path) && folderOf(path) === folder)
  return near.every(({ path }) => path === near[0]?.path) ? near : []
}

function isType(ask: Ask): (place: Place) => boolean {
  return ({ path, definition }) => TYPES.has(ask.facts(path)?.definitions[definition]?.kind ?? '')
}

const TYPES: ReadonlySet<string> = new Set(['class', 'enum'])

/** The definition of what is declared; several where one file has one for each of some conditions. */
function behind(
  declared: readonly Place[],
  defined: readonly Place[],
): readonly Place[] | undefined {
  const folders = new Set(declared.map(({ path }) => folderOf(path)))
  const stems = new Set(declared.map(({ path }) => path.replace(/\.\w+$/, '')))
  return [
    defined,
    defined.filter(({ path }) => stems.has(path.replace(/\.\w+$/, ''))),
    defined.filter(({ path }) => folders.has(folderOf(path))),
  ].find((it) => it.length > 0 && it.every(({ path }) => path === it[0]?.path))
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
  if (name === 'constructor') {
    const own = constructorsOf(facts, of.definition)
    if (own.length > 0) return own.map((definition) => ({ path: of.path, definition }))
  }
  if (isPrivate(facts, of.definition) && !HEADER.test(of.path)) return []
  const own = name === 'constructor' ? it.name : name
  const full = `${fullName(facts, of.definition)}::${own}`
  const isSpace = it.kind === 'namespace'
  const find = (key: string): readonly Place[] =>
    isSpace ? inOpened(`${key}:`, full, ask) : ask.provided(`${key}:${full}`)
  const defined = find('c')
  const declared = find('c-decl')
  return defined.length > 0 ? withDeclared(defined, declared, ask) : declared
}

/** Overloads that are nowhere defined count as well: where more are declared than defined. */
function withDeclared(
  defined: readonly Place[],
  declared: readonly Place[],
  ask: Ask,
): readonly Place[] {
  if (declared.length <= defined.length) return defined
  const known = new Set(defined.map((it) => signatureOf(it, ask)))
  const others = declared.filter((it) => {
    const signature = signatureOf(it, ask)
    if (signature === undefined || known.has(signature)) return false
    known.add(signature)
    return true
  })
  return known.has(undefined) ? defined : [...defined, ...others]
}

/** The names of the types of a function's parameters, as far as they have any. */
function signatureOf({ path, definition }: Place, ask: Ask): string | undefined {
  const facts = ask.facts(path)
  const it = facts?.definitions[definition]
  if (facts === undefined || it === undefined || !FUNCTIONS.has(it.kind)) return undefined
  return it.parameters
    .map((at) => {
      const type = facts.expressions[facts.definitions[at]?.type ?? 0]
      return type?.op === 'generic' ? facts.expressions[type.of]?.name : type?.name
    })
    .join()
}

const FUNCTIONS: ReadonlySet<string> = new Set(['function', 'method', 'constructor'])

/**
 * What a macro opens cannot be seen around the names in it, and so is no part of their names; but
 * the file that has them has the macro as well.
 */
function inOpened(key: string, full: string, ask: Ask): readonly Place[] {
  const own = ask.provided(key + full)
  const first = full.slice(0, Math.max(0, full.indexOf('::')))
  const openers = first === '' ? [] : ask.provided(`c-open:${first}`)
  if (openers.length === 0) return own
  const macros = openers.flatMap((it) => ask.facts(it.path)?.definitions[it.definition]?.name ?? [])
  const others = inOpened(key, full.slice(first.length + 2), ask)
  return [...own, ...others.filter(({ path }) => hasAny(ask.facts(path), macros))]
}

const topNames = new WeakMap<Facts, ReadonlySet<string>>()

function hasAny(facts: Facts | undefined, names: readonly string[]): boolean {
  if (facts === undefined) return false
  let known = topNames.get(facts)
  if (known === undefined) {
    const found = new Set<string>()
    for (const { op, scope, name } of facts.expressions)
      if (op === 'name' && scope === 0) found.add(name)
    known = found
    topNames.set(facts, known)
  }
  const own = known
  return names.some((name) => own.has(name))
}

/** By the class. Nothing but a constructor is asked for by its class alone. */
const constructors = new WeakMap<Facts, ReadonlyMap<number, readonly number[]>>()

/** Those that have a body in the file of the class. */
function constructorsOf(facts: Facts, owner: number): readonly number[] {
  let known = constructors.get(facts)
  if (known === undefined) {
    const found = new Map<number, number[]>()
    for (const [at, it] of facts.definitions.entries()) {
      if (it.kind !== 'constructor' || (it.traits & TRAIT.again) !== 0) continue
      const own = found.get(it.owner)
      if (own === undefined) found.set(it.owner, [at])
      else own.push(at)
    }
    known = found
    constructors.set(facts, known)
  }
  return known.get(owner) ?? []
}

const HEADER = /\.(h|hh|hpp|hxx|inl|ipp)$/

/** No other file has a part of it. */
function isPrivate(facts: Facts, definition: number): boolean {
  for (let at = definition; at > 0; at = facts.definitions[at]?.owner ?? 0)
    if (((facts.definitions[at]?.traits ?? 0) & TRAIT.private) !== 0) return true
  return false
}

/** `typedef struct node node;`: the members are with the struct, in the file that has it. */
function throughTag(tag: string, name: string, ask: Ask): readonly Place[] {
  const isStruct = ({ path, definition }: Place): boolean =>
    ask.facts(path)?.definitions[definition]?.kind === 'class'
  // A second one is enough to know nothing.
  const [only, other] = ask.provided(`c:${tag}`).values().filter(isStruct).take(2)
  if (only === undefined || other !== undefined) return []
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
const prefixes = new WeakMap<Facts, Map<number, readonly string[]>>()

function prefixesOf(facts: Facts | undefined, namespace: number): readonly string[] {
  if (facts === undefined || facts.language === 'c') return ['']
  const known = prefixes.get(facts) ?? new Map<number, readonly string[]>()
  prefixes.set(facts, known)
  const before = known.get(namespace)
  if (before !== undefined) return before
  const found = findPrefixes(facts, namespace)
  known.set(namespace, found)
  return found
}

/** The namespaces around, the nearest first; those that the file uses; and the one without a name. */
function findPrefixes(facts: Facts, namespace: number): readonly string[] {
  const found = new Set<string>()
  for (let at = namespace; at > 0; at = facts.definitions[at]?.owner ?? 0)
    found.add(`${fullName(facts, at)}::`)
  const around = [...found].at(-1) ?? ''
  const used = facts.definitions.flatMap((it) =>
    it.kind === 'import' && it.name === '*'
      ? pathOf(facts, facts.expressions[it.value]?.of ?? 0)
      : [],
  )
  for (const prefix of withinEachOther(used)) {
    if (around !== '') found.add(`${around}${prefix}`)
    found.add(prefix)
  }
  return [...found, '']
}

/** `a::b`; nothing for what is no path of names. */
function pathOf(facts: Facts, at: number): readonly string[] {
  const it = facts.expressions[at]
  if (it?.op === 'name') return [it.name]
  return it?.op === 'member' ? pathOf(facts, it.of).map((of) => `${of}::${it.name}`) : []
}

/** What stands in a header counts where the header is included. */
function visible(among: readonly Place[], from: string, ask: Ask): readonly Place[] {
  const seen = ask.included(from)
  const near = among.filter(({ path }) => seen.has(path) || !HEADER.test(path))
  return near.length > 0 ? near : among
}

function includesOf(facts: Facts): readonly string[] {
  return facts.definitions.flatMap((it) => {
    if (it.kind !== 'import' || it.name !== '*') return []
    const module = facts.expressions[facts.expressions[it.value]?.of ?? 0]
    return module?.op === 'module' ? [module.name] : []
  })
}
