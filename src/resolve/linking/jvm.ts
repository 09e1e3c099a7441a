/** How Java, Kotlin and Scala find each other: by package, whatever folder a file lies in. */
import { type Definition, type Facts, TRAIT } from '../../model/facts.ts'
import type { Ask, Imported, Linking, Passer, Place, Wrapper } from '../linking.ts'
import { constructorsOf } from './constructors.ts'
import { nearest } from './folders.ts'
import { OVERLOADS } from './java-overloads.ts'

/** By the simple name; what the repository itself defines by that name comes first. */
const SAME = [
  'Optional',
  'Supplier',
  'Callable',
  'Future',
  'CompletableFuture',
  'CompletionStage',
  'AtomicReference',
  'ThreadLocal',
  'WeakReference',
  'SoftReference',
  'Provider',
  'Lazy',
  'Deferred',
  'State',
  'MutableState',
  'StateFlow',
  'MutableStateFlow',
  'Try',
  'IO',
  'Ref',
  'Option',
  'Some',
]
const ITEMS = [
  'List',
  'ArrayList',
  'LinkedList',
  'Set',
  'HashSet',
  'LinkedHashSet',
  'TreeSet',
  'SortedSet',
  'EnumSet',
  'Collection',
  'Iterable',
  'Iterator',
  'ListIterator',
  'Queue',
  'Deque',
  'ArrayDeque',
  'PriorityQueue',
  'BlockingQueue',
  'Stream',
  'CopyOnWriteArrayList',
  'ImmutableList',
  'ImmutableSet',
  'Class',
  'MutableList',
  'MutableSet',
  'MutableCollection',
  'MutableIterable',
  'Sequence',
  'Array',
  'Flow',
  'Channel',
  'Seq',
  'IndexedSeq',
  'Vector',
  'LazyList',
  'ListBuffer',
  'ArrayBuffer',
  'Buffer',
  'IterableOnce',
  'NonEmptyList',
]
const VALUES = [
  'Map',
  'HashMap',
  'LinkedHashMap',
  'TreeMap',
  'SortedMap',
  'EnumMap',
  'ConcurrentMap',
  'ConcurrentHashMap',
  'WeakHashMap',
  'ImmutableMap',
  'MutableMap',
]
const TAKES = [
  'Consumer',
  'BiConsumer',
  'Predicate',
  'BiPredicate',
  'UnaryOperator',
  'ToIntFunction',
  'ToLongFunction',
  'ToDoubleFunction',
]
const MAPS = ['Function', 'BiFunction']
const COMPARES = ['Comparator', 'BinaryOperator']
const WRAPPERS: Readonly<Record<string, Wrapper>> = Object.fromEntries([
  ...SAME.map((name) => [name, 'same'] as const),
  ...ITEMS.map((name) => [name, 'items'] as const),
  ...VALUES.map((name) => [name, 'values'] as const),
  ...TAKES.map((name) => [name, 'takes'] as const),
  ...MAPS.map((name) => [name, 'maps'] as const),
  ...COMPARES.map((name) => [name, 'compares'] as const),
  ['Entry', 'second'],
])

/** No name that anything is called. */
const MAKER = '<init>'

const PASSERS: Readonly<Record<string, Passer>> = {
  'Arrays.stream': 'list',
  'Arrays.copyOf': 'list',
  'Arrays.copyOfRange': 'list',
  'Collections.unmodifiableList': 'list',
  'Collections.unmodifiableSet': 'list',
  'Collections.unmodifiableMap': 'list',
  'Collections.unmodifiableCollection': 'list',
  'Collections.max': 'item',
  'Collections.min': 'item',
  'List.copyOf': 'list',
  'Set.copyOf': 'list',
  'Map.copyOf': 'list',
  'Objects.requireNonNull': 'same',
}

/** What the languages of the family have in common. */
const jvm: Omit<Linking, 'languages'> = {
  bareMembers: 'always',
  callMakes: true,
  exportsAll: true,
  modules: () => [],
  imported: ({ specifier, name }, from, ask) => inPackage(specifier, name, { from, ask }),
  beyond: visible,
  members(name, of, ask) {
    if (name === MAKER) return constructorsOf(of, ask)
    return name === '()' ? onlyAbstract(of, ask) : []
  },
  wrappers: WRAPPERS,
  passers: PASSERS,
  maker: MAKER,
}

export const java: Linking = {
  ...jvm,
  languages: ['java'],
  scopesInOrder: true,
  overloads: OVERLOADS,
}

export const kotlin: Linking = {
  ...jvm,
  languages: ['kotlin'],
  scopesInOrder: true,
  modules: packageFiles,
  imported: inPackageOrObject,
  members(name, of, ask) {
    if (name === MAKER) return constructorsOf(of, ask)
    const type = ask.facts(of.path)?.definitions[of.definition]
    if (type === undefined) return []
    return ask
      .provided(`java:${type.name}+${name}`)
      .filter((it) => means(type.name, of, { from: it.path, ask }))
  },
}

export const scala: Linking = {
  ...kotlin,
  languages: ['scala'],
  scopesInOrder: true,
  callMakes: false,
  calls: 'apply',
  beyond(name, from, ask) {
    const own = visible(name, from, ask)
    return own.length > 0 ? own : packageNamed(name, from, ask)
  },
  submodule(name, of, ask) {
    const facts = ask.facts(of[0] ?? '')
    if (facts === undefined) return []
    return filesOf(`${packagesOf(facts)[0] ?? ''}.${name}`, ask).map((it) => it.path)
  },
  /** A path can begin at the top or in a package around the file. */
  imported(wanted, from, ask) {
    const direct = inPackageOrObject(wanted, from, ask)
    if (direct.length > 0) return direct
    const facts = ask.facts(from)
    for (const space of facts === undefined ? [] : packagesOf(facts)) {
      const specifier = `${space}.${wanted.specifier}`
      const found = inPackageOrObject({ ...wanted, specifier }, from, ask)
      if (found.length > 0) return found
    }
    return []
  },
}

/** The method that a function can be written for: the only one that an interface leaves open. */
function onlyAbstract(of: Place, ask: Ask): readonly Place[] {
  const { definitions } = ask.facts(of.path) ?? { definitions: [] }
  if (definitions[of.definition]?.kind !== 'interface') return []
  const found = definitions.flatMap((it, definition) =>
    it.owner === of.definition && (it.traits & TRAIT.abstract) !== 0 && !EVERYWHERE.has(it.name)
      ? [{ path: of.path, definition }]
      : [],
  )
  return found.length === 1 ? found : []
}

/** What every object has need not be written. */
const EVERYWHERE: ReadonlySet<string> = new Set(['equals', 'hashCode', 'toString'])

/** `json.Value`: a package is a name like any other, seen from the packages around or the top. */
function packageNamed(name: string, from: string, ask: Ask): readonly Place[] {
  const facts = ask.facts(from)
  for (const space of facts === undefined ? [] : [...packagesOf(facts), '']) {
    const found = filesOf(space === '' ? name : `${space}.${name}`, ask)
    if (found.length > 0) return found
  }
  return []
}

function filesOf(space: string, ask: Ask): readonly Place[] {
  return ask.provided(`java:${space}.*`)
}

/** `package:com.acme` stands for all files of the package; other specifiers are no files. */
function packageFiles(specifier: string, _: string, ask: Ask): readonly string[] {
  if (!specifier.startsWith('package:')) return []
  return filesOf(specifier.slice('package:'.length), ask).map((it) => it.path)
}

/** `import com.acme.Colors.red`: a member of an object is imported like one of a package. */
function inPackageOrObject(wanted: Imported, from: string, ask: Ask): readonly Place[] {
  const { name } = wanted
  const specifier = wanted.specifier.replace(/\.Companion$/, '')
  const direct = inPackage(specifier, name, { from, ask })
  if (direct.length > 0) return direct
  const dot = specifier.lastIndexOf('.')
  const holders = inPackage(specifier.slice(0, Math.max(0, dot)), specifier.slice(dot + 1), {
    from,
    ask,
  })
  return holders.flatMap((holder) => {
    const facts = ask.facts(holder.path)
    const inner = facts?.definitions[holder.definition]?.inner ?? -1
    if (facts === undefined || inner < 0) return []
    return facts.definitions.flatMap((it, definition) =>
      it.scope === inner && it.name === name ? [{ path: holder.path, definition }] : [],
    )
  })
}

/** Whether a type's simple name means that very type in a file. */
function means(name: string, type: Place, { from, ask }: Asking): boolean {
  const facts = ask.facts(from)
  if (facts === undefined) return false
  const own = facts.definitions.findIndex((it) => it.scope === 0 && it.name === name)
  const found = own < 0 ? visible(name, from, ask) : named(facts, own, { from, ask })
  return found.some((it) => it.path === type.path && it.definition === type.definition)
}

function named(facts: Facts, definition: number, asking: Asking): readonly Place[] {
  const it = facts.definitions[definition]
  if (it?.kind !== 'import') return [{ path: asking.from, definition }]
  const value = facts.expressions[it.value]
  const module = facts.expressions[value?.of ?? 0]
  return value?.op === 'import' && module?.op === 'module'
    ? inPackage(module.name, value.name, asking)
    : []
}

interface Asking {
  readonly from: string
  readonly ask: Ask
}

/** The package of the file, and those that it is said to be in, then what it imports as a whole. */
function visible(name: string, from: string, ask: Ask): readonly Place[] {
  const facts = ask.facts(from)
  if (facts === undefined) return []
  for (const space of packagesOf(facts)) {
    const found = inPackage(space, name, { from, ask })
    if (found.length > 0) return found
  }
  for (const specifier of wholeImports(facts)) {
    const found = inPackageOrObject({ specifier, name }, from, ask)
    if (found.length > 0) return found
  }
  return []
}

/** `package com.acme` and then `package web` is in both; the inner one comes first. */
function packagesOf(facts: Facts): readonly string[] {
  const said = header(facts)
    .filter((it) => it.kind === 'namespace' && it.scope < 0)
    .map((it) => it.name)
  if (said.length === 0) return ['']
  return said.map((_, index) => said.slice(0, said.length - index).join('.'))
}

/** What stands before the first declaration; the file itself comes first of all. */
function header(facts: Facts): readonly Definition[] {
  const end = facts.definitions.findIndex(
    (it, at) => at > 0 && it.kind !== 'import' && it.kind !== 'namespace',
  )
  return facts.definitions.slice(1, end < 0 ? undefined : end)
}

function wholeImports(facts: Facts): readonly string[] {
  return header(facts).flatMap((it) => {
    if (it.kind !== 'import' || it.name !== '*') return []
    const said = facts.expressions[it.value]
    const value = said?.op === 'either' ? facts.expressions[said.list[0] ?? 0] : said
    const module = facts.expressions[value?.of ?? 0]
    return value?.name === '*' && module?.op === 'module' ? [module.name] : []
  })
}

function inPackage(specifier: string, name: string, { from, ask }: Asking): readonly Place[] {
  const found = ask.provided(specifier === '' ? `java:${name}` : `java:${specifier}.${name}`)
  // Variants of a library can hold the same class; a file means the one it is built with.
  return found.length <= 1 ? found : nearest(found, from)
}
