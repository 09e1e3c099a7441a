/** How C# finds types: by the namespaces around a file's declarations and those that it uses. */
import type { Facts } from '../../model/facts.ts'
import type { Ask, Linking, Place, Wrapper } from '../linking.ts'
import { constructorsOf } from './constructors.ts'

const SAME = ['Task', 'ValueTask', 'Nullable', 'Lazy', 'WeakReference', 'AsyncLocal', 'ThreadLocal']
const ITEMS = [
  'List',
  'IList',
  'ICollection',
  'IEnumerable',
  'IEnumerator',
  'IQueryable',
  'IReadOnlyList',
  'IReadOnlyCollection',
  'IAsyncEnumerable',
  'HashSet',
  'ISet',
  'SortedSet',
  'Queue',
  'Stack',
  'LinkedList',
  'Collection',
  'ObservableCollection',
  'ConcurrentBag',
  'ConcurrentQueue',
  'ImmutableArray',
  'ImmutableList',
  'Span',
  'ReadOnlySpan',
  'Memory',
]
const VALUES = [
  'Dictionary',
  'IDictionary',
  'IReadOnlyDictionary',
  'ConcurrentDictionary',
  'SortedDictionary',
  'ImmutableDictionary',
]
const WRAPPERS: Readonly<Record<string, Wrapper>> = Object.fromEntries([
  ...SAME.map((name) => [name, 'same'] as const),
  ...ITEMS.map((name) => [name, 'items'] as const),
  ...VALUES.map((name) => [name, 'values'] as const),
])

export const csharp: Linking = {
  languages: ['csharp'],
  scopesInOrder: true,
  bareMembers: 'always',
  callMakes: false,
  exportsAll: true,
  modules: () => [],
  imported({ specifier, name }, from, ask) {
    return firstIn(spacesFrom(from, ask), (space) =>
      ask.provided(`csharp:${join(space, specifier)}.${name}`),
    )
  },
  beyond: visible,
  members(name, of, ask) {
    if (name === 'constructor') return constructorsOf(of, ask)
    const facts = ask.facts(of.path)
    const type = facts?.definitions[of.definition]
    if (facts === undefined || type === undefined || type.name === '') return []
    const parts = ask
      .provided(`csharp:${fullName(facts, of.definition)}`)
      .filter((it) => it.path !== of.path || it.definition !== of.definition)
      .flatMap((it) => membersOf(it, name, ask))
    if (parts.length > 0) return parts
    return ask
      .provided(`csharp:${type.name}+${name}`)
      .filter((it) => visible(type.name, it.path, ask).some((found) => isSame(found, of)))
  },
  wrappers: WRAPPERS,
}

/** The namespaces around what the file declares, from the inside out, then those it uses. */
function visible(name: string, from: string, ask: Ask): readonly Place[] {
  return firstIn(spacesFrom(from, ask), (space) => ask.provided(`csharp:${join(space, name)}`))
}

function spacesFrom(from: string, ask: Ask): readonly string[] {
  const facts = ask.facts(from)
  if (facts === undefined) return []
  const around = facts.definitions.flatMap((it, definition) =>
    it.kind === 'namespace' ? upwards(fullName(facts, definition)) : [],
  )
  const shared = ask.provided('csharp:global').flatMap((it) => {
    const home = ask.facts(it.path)
    return home === undefined ? [] : used(home, it.definition)
  })
  const own = facts.definitions.flatMap((_, definition) => used(facts, definition))
  return [...new Set([...around, '', ...own, ...shared])]
}

/** `A.B.C`, `A.B`, `A`. */
function upwards(space: string): readonly string[] {
  const parts = space.split('.')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'))
}

/** The namespace that a `using` makes known. */
function used(facts: Facts, definition: number): readonly string[] {
  const it = facts.definitions[definition]
  if (it?.kind !== 'import' || it.name !== '*') return []
  const value = facts.expressions[it.value]
  const module = facts.expressions[value?.of ?? 0]
  return value?.name === '*' && module?.op === 'module' ? [module.name] : []
}

function fullName(facts: Facts, definition: number): string {
  const it = facts.definitions[definition]
  if (it === undefined || definition === 0) return ''
  return join(fullName(facts, it.owner), it.name)
}

function membersOf(type: Place, name: string, ask: Ask): readonly Place[] {
  const facts = ask.facts(type.path)
  const inner = facts?.definitions[type.definition]?.inner ?? -1
  if (facts === undefined || inner < 0) return []
  return facts.definitions.flatMap((it, definition) =>
    it.scope === inner && it.name === name ? [{ path: type.path, definition }] : [],
  )
}

function join(space: string, name: string): string {
  return space === '' ? name : `${space}.${name}`
}

function firstIn<T>(
  spaces: readonly string[],
  find: (space: string) => readonly T[],
): readonly T[] {
  for (const space of spaces) {
    const found = find(space)
    if (found.length > 0) return found
  }
  return []
}

function isSame(a: Place, b: Place): boolean {
  return a.path === b.path && a.definition === b.definition
}
