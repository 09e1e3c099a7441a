/**
 * How Swift finds things: everything at the top of a module's files is known in all of them, and
 * in the files that import the module. Modules are folders, by the package's manifest or by habit.
 */
import type { Ask, Linking, Place } from '../linking.ts'

export const swift: Linking = {
  languages: ['swift'],
  bareMembers: 'always',
  callMakes: true,
  exportsAll: true,
  calls: 'callAsFunction',
  maker: 'init',
  modules: () => [],
  beyond(name, from, ask) {
    return seenFrom(ask.provided(`swift:${name}`), from, ask)
  },
  members(name, of, ask) {
    const type = ask.facts(of.path)?.definitions[of.definition]
    if (type === undefined || type.name === '') return []
    const found = ask.provided(`swift-member:${type.name}.${name}`)
    if (found.length === 0) return []
    // Two types of one name cannot be told apart by an extension's text.
    return ask.provided(`swift:${type.name}`).length > 1 ? [] : found
  },
  wrappers: {
    Optional: 'same',
    Result: 'same',
    Task: 'same',
    Published: 'same',
    Binding: 'same',
    Array: 'items',
    Set: 'items',
    ContiguousArray: 'items',
    Sequence: 'items',
    Collection: 'items',
    AsyncSequence: 'items',
    AsyncStream: 'items',
    Dictionary: 'values',
  },
}

function seenFrom(places: readonly Place[], from: string, ask: Ask): readonly Place[] {
  if (places.length === 0) return []
  const targets = targetsOf(ask)
  const own = moduleOf(from, targets)
  const near = places.filter(({ path }) => moduleOf(path, targets).folder === own.folder)
  if (near.length > 0) return near
  const imported = new Set(
    (ask.facts(from)?.definitions ?? []).filter((it) => it.kind === 'import').map((it) => it.name),
  )
  return places.filter(({ path }) => imported.has(moduleOf(path, targets).name))
}

interface Module {
  readonly name: string
  readonly folder: string
}

/** Targets that say where they lie: `.target(name: "App", path: "Source")`. */
function targetsOf(ask: Ask): readonly Module[] {
  const manifest = ask.settings('Package.swift') ?? ''
  if (manifest !== last.manifest) last = { manifest, targets: targetsIn(manifest) }
  return last.targets
}

/** Every name asks for them, and there is one manifest. */
let last: { readonly manifest: string; readonly targets: readonly Module[] } = {
  manifest: '',
  targets: [],
}

function targetsIn(manifest: string): readonly Module[] {
  return [...manifest.matchAll(/arget\(\s*name:\s*"([^"]+)"([\s\S]*?)(?=arget\(|$)/g)].flatMap(
    ([, name = '', rest = '']) => {
      const folder = /\bpath:\s*"([^"]+)"/.exec(rest)?.[1]
      return folder === undefined ? [] : [{ name, folder: folder.replace(/^\.\/|\/$/g, '') }]
    },
  )
}

/** By the manifest, by the layout `Sources/Name`, or the topmost folder. */
function moduleOf(path: string, targets: readonly Module[]): Module {
  const told = targets.find((it) => path.startsWith(`${it.folder}/`))
  if (told !== undefined) return told
  const usual = /^(.*?(?:^|\/)(?:Sources|Tests)\/([^/]+))\//.exec(path)
  if (usual !== null) return { folder: usual[1] ?? '', name: usual[2] ?? '' }
  const top = path.includes('/') ? path.slice(0, path.indexOf('/')) : ''
  return { folder: top, name: top }
}
