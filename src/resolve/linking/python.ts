/** How Python finds modules: absolute and relative, packages, and layouts with a `src` folder. */
import { folderOf } from '../../base/paths.ts'
import type { Ask, Linking } from '../linking.ts'

export const python: Linking = {
  languages: ['python'],
  bareMembers: 'directly',
  callMakes: true,
  exportsAll: true,
  passesOnWildcards: 'all',
  calls: '__call__',
  maker: '__init__',
  subscripts: '__getitem__',
  iterates: '__iter__',
  receiverIsParameter: true,
  modules(specifier, from, ask) {
    const path = specifier.startsWith('.')
      ? relative(specifier, from, ask)
      : absolute(specifier, from, ask)
    return path === undefined ? [] : [path]
  },
  submodule(name, of, ask) {
    const path = of[0] ?? ''
    if (!/(^|\/)__init__\.pyi?$|\/$/.test(path)) return []
    const found = asModule(`${folderOf(path)}/${name}`, ask)
    return found === undefined ? [] : [found]
  },
  passers: {
    list: 'list',
    tuple: 'list',
    set: 'list',
    frozenset: 'list',
    sorted: 'list',
    reversed: 'list',
    iter: 'list',
    next: 'item',
    min: 'item',
    max: 'item',
    enumerate: 'numbered',
    zip: 'tuples',
  },
  wrappers: {
    Optional: 'same',
    Union: 'same',
    Type: 'same',
    type: 'same',
    Annotated: 'same',
    Final: 'same',
    ClassVar: 'same',
    Awaitable: 'same',
    Coroutine: 'same',
    ContextManager: 'same',
    AsyncContextManager: 'same',
    List: 'items',
    list: 'items',
    Set: 'items',
    set: 'items',
    FrozenSet: 'items',
    Tuple: 'tuple',
    tuple: 'tuple',
    Sequence: 'items',
    MutableSequence: 'items',
    Iterable: 'items',
    Iterator: 'items',
    AsyncIterable: 'items',
    AsyncIterator: 'items',
    Generator: 'items',
    AsyncGenerator: 'items',
    Collection: 'items',
    Deque: 'items',
    Dict: 'values',
    dict: 'values',
    Mapping: 'values',
    MutableMapping: 'values',
    DefaultDict: 'values',
    OrderedDict: 'values',
    Callable: 'callable',
  },
}

function relative(specifier: string, from: string, ask: Ask): string | undefined {
  const dots = /^\.+/.exec(specifier)?.[0].length ?? 1
  let folder = folderOf(from)
  for (let up = 1; up < dots; up += 1) {
    if (folder === '') return undefined
    folder = folderOf(folder)
  }
  const rest = specifier.slice(dots).replaceAll('.', '/')
  const path = [folder, rest].filter((it) => it !== '').join('/')
  return rest === '' ? initOf(path, ask) : asModule(path, ask)
}

/** From the top, from `src`, or from any folder above the importing file. */
function absolute(specifier: string, from: string, ask: Ask): string | undefined {
  const path = specifier.replaceAll('.', '/')
  const roots = ['', 'src', 'lib', 'python']
  for (let folder = folderOf(from); folder !== ''; folder = folderOf(folder)) roots.push(folder)
  for (const root of roots) {
    const found = asModule(root === '' ? path : `${root}/${path}`, ask)
    if (found !== undefined && found !== from) return found
  }
  return undefined
}

/** A package, a file, or a folder of modules without an `__init__`: that is named with a final `/`. */
function asModule(path: string, ask: Ask): string | undefined {
  return (
    initOf(path, ask) ??
    [`${path}.py`, `${path}.pyi`].find((it) => ask.exists(it)) ??
    (ask.folder(path).some((it) => it.endsWith('.py')) ? `${path}/` : undefined)
  )
}

function initOf(folder: string, ask: Ask): string | undefined {
  const before = folder === '' ? '' : `${folder}/`
  return [`${before}__init__.py`, `${before}__init__.pyi`].find((it) => ask.exists(it))
}
