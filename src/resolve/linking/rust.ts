/**
 * How Rust's files find each other: modules by their place under the crate's root, crates through
 * the manifests. Knows the layout that Cargo expects, and reads no more of a manifest than names
 * and paths.
 */
import { folderOf, lastPart } from '../../base/paths.ts'
import type { Ask, Linking, Method, Place, Wrapper } from '../linking.ts'
import { inFolder } from './folders.ts'

const METHODS: Readonly<Record<string, Method>> = {
  ...named(
    'same',
    'as_deref as_mut as_ref as_slice borrow borrow_mut by_ref chain clone cloned collect context copied expect get_ref get_unchecked_mut into into_inner into_iter iter iter_mut lock map_err ok ok_or ok_or_else or_else peekable project project_ref read rev skip take to_owned try_lock unwrap unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked with_context write',
  ),
  ...named(
    'item',
    'first first_mut last last_mut next next_back nth peek peek_mut pop pop_back pop_front remove swap_remove',
  ),
  ...named('held', 'get get_mut get_or_init'),
  ...named('made', 'default'),
  ...named('numbered', 'enumerate'),
  ...named(
    'mapped',
    'and_then filter_map find_map map map_or map_or_else map_while with with_borrow with_borrow_mut',
  ),
  ...named('flattened', 'flat_map'),
  ...named(
    'sifted',
    'all any filter for_each inspect is_ok_and is_some_and position retain skip_while sort_by sort_by_key sort_unstable_by sort_unstable_by_key take_while',
  ),
  ...named('found', 'find max_by max_by_key min_by min_by_key'),
}

export const rust: Linking = {
  languages: ['rust'],
  bareMembers: 'never',
  callMakes: true,
  exportsAll: true,
  passesOnWildcards: 'exported',
  modules,
  beyond,
  members,
  isDisputed,
  advances: 'next',
  subscripts: 'index',
  methods: METHODS,
  wrappers: {
    ...wrapping('same', [
      'Option',
      'Box',
      'Rc',
      'Arc',
      'Weak',
      'Cell',
      'RefCell',
      'Ref',
      'RefMut',
      'Mutex',
      'MutexGuard',
      'RwLock',
      'Cow',
      'Pin',
      'OnceCell',
      'OnceLock',
      'LazyLock',
      'Reverse',
      'Saturating',
      'Wrapping',
      'Future',
      'Poll',
      'AssertUnwindSafe',
      'NonNull',
      'ManuallyDrop',
      'MaybeUninit',
      'UnsafeCell',
      'LocalKey',
      'RwLockReadGuard',
      'RwLockWriteGuard',
    ]),
    ...wrapping('first', ['Result']),
    ...wrapping('items', [
      'Vec',
      'VecDeque',
      'HashSet',
      'BTreeSet',
      'LinkedList',
      'BinaryHeap',
      'Iterator',
      'IntoIterator',
    ]),
    ...wrapping('values', ['HashMap', 'BTreeMap', 'IndexMap']),
  },
}

function named<T>(how: T, names: string): Record<string, T> {
  return Object.fromEntries(names.split(' ').map((it) => [it, how]))
}

function wrapping(how: Wrapper, names: readonly string[]): Record<string, Wrapper> {
  return Object.fromEntries(names.map((it) => [it, how]))
}

function modules(specifier: string, from: string, ask: Ask): readonly string[] {
  if (specifier === 'self') return [from]
  if (specifier === 'crate') return crateRoot(from, ask)
  if (specifier.startsWith('super')) {
    let at: readonly string[] = [from]
    for (const _ of specifier.split('/')) at = at.flatMap((it) => parentModule(it, ask))
    return at
  }
  if (specifier.startsWith('mod:')) return childModule(specifier.slice('mod:'.length), from, ask)
  if (specifier.startsWith('path:')) {
    const path = inFolder(folderOf(from), specifier.slice('path:'.length))
    return ask.exists(path) ? [path] : []
  }
  return externCrate(specifier, from, ask)
}

/** A crate, or a macro of this crate, which needs no import. */
function beyond(name: string, from: string, ask: Ask): readonly Place[] {
  const crate = externCrate(name, from, ask)
  if (crate.length > 0) return crate.map((path) => ({ path, definition: 0 }))
  return inCrate(ask.provided(`rust-macro:${name}`), from, ask)
}

/** Members that an `impl` in another file of the crate gives to a type of this name. */
function members(name: string, of: Place, ask: Ask): readonly Place[] {
  const type = nameAt(of, ask)
  return inCrate(ask.provided(`rust-member:${type}.${name}`), of.path, ask)
}

/** Several types of the crate may have the name. */
function isDisputed(of: Place, ask: Ask): boolean {
  return inCrate(ask.provided(`rust-type:${nameAt(of, ask)}`), of.path, ask).length !== 1
}

function nameAt({ path, definition }: Place, ask: Ask): string {
  return ask.facts(path)?.definitions[definition]?.name ?? ''
}

function inCrate(places: readonly Place[], from: string, ask: Ask): readonly Place[] {
  if (places.length === 0) return []
  const home = manifestOf(from, ask)
  return places.filter((it) => home !== undefined && manifestOf(it.path, ask)?.path === home.path)
}

/** Files that stand for their folder, so that their modules lie beside them. */
function isFolderFile(path: string): boolean {
  if (/^(mod|lib|main|build)\.rs$/.test(lastPart(path))) return true
  return /(^|\/)(tests|examples|benches|bin)\/[^/]+$/.test(path)
}

function childModule(name: string, from: string, ask: Ask): readonly string[] {
  const folder = isFolderFile(from) ? folderOf(from) : from.replace(/\.rs$/, '')
  const place = inFolder(folder, name)
  const found = [`${place}.rs`, `${place}/mod.rs`].find((it) => ask.exists(it))
  return found === undefined ? [] : [found]
}

function parentModule(path: string, ask: Ask): readonly string[] {
  const folder = lastPart(path) === 'mod.rs' ? folderOf(folderOf(path)) : folderOf(path)
  const candidates = [
    inFolder(folder, 'mod.rs'),
    `${folder}.rs`,
    inFolder(folder, 'lib.rs'),
    inFolder(folder, 'main.rs'),
  ]
  const found = candidates.find((it) => it !== path && ask.exists(it))
  return found === undefined ? [] : [found]
}

/** The folder of a file and those around it, from the inside out. */
function above(path: string): readonly string[] {
  const found: string[] = []
  for (let at = folderOf(path); at !== ''; at = folderOf(at)) found.push(at)
  return [...found, '']
}

interface Manifest {
  readonly path: string
  readonly folder: string
  readonly text: string
}

function manifestOf(path: string, ask: Ask): Manifest | undefined {
  for (const folder of above(path)) {
    const at = inFolder(folder, 'Cargo.toml')
    const text = ask.settings(at)
    if (text !== undefined && /^\s*\[package\]/m.test(text)) return { path: at, folder, text }
  }
  return undefined
}

/**
 * A crate has a library, a program, or both; a module belongs to the one that leads to it.
 * Tests, examples and further programs are crates of one file and what lies below.
 */
function crateRoot(from: string, ask: Ask): readonly string[] {
  const manifest = manifestOf(from, ask)
  if (manifest === undefined) return []
  const inside = from.slice(manifest.folder === '' ? 0 : manifest.folder.length + 1)
  const own = /^(tests|examples|benches|src\/bin)\/([^/]+)(\/|$)/.exec(inside)
  if (own !== null) {
    const around = inFolder(manifest.folder, own[1] ?? '')
    const stem = (own[2] ?? '').replace(/\.rs$/, '')
    const candidates = [`${around}/${stem}.rs`, `${around}/${stem}/main.rs`]
    // One file of the folder may have the others as its modules.
    const leading = ask
      .folder(around)
      .find((it) => it.endsWith('.rs') && !candidates.includes(it) && declares(it, stem, ask))
    const root = leading ?? candidates.find((it) => ask.exists(it))
    return root === undefined ? [] : [root]
  }
  const library = libraryOf(manifest, ask)
  const program = programOf(manifest, ask)
  if (library === undefined) return program === undefined ? [] : [program]
  if (program === undefined || from === library) return [library]
  if (from === program) return [program]
  const first = inside.replace(/^src\//, '').replace(/(\/.*|\.rs)$/, '')
  const isOfLibrary = declares(library, first, ask) || !declares(program, first, ask)
  return [isOfLibrary ? library : program]
}

function declares(path: string, module: string, ask: Ask): boolean {
  return ask.facts(path)?.definitions.some((it) => it.name === module && it.scope === 0) === true
}

function libraryOf(manifest: Manifest, ask: Ask): string | undefined {
  return target(manifest, ask, { section: 'lib', standard: 'src/lib.rs' })
}

function programOf(manifest: Manifest, ask: Ask): string | undefined {
  return target(manifest, ask, { section: '[bin]', standard: 'src/main.rs' })
}

function target(
  manifest: Manifest,
  ask: Ask,
  it: { readonly section: string; readonly standard: string },
): string | undefined {
  const given = textIn(sectionOf(manifest.text, it.section), 'path')
  const path = inFolder(manifest.folder, given ?? it.standard)
  return ask.exists(path) ? path : undefined
}

/** By manifest and name, for as long as the questions are: every path of a file asks for its first part. */
const crates = new WeakMap<Ask, Map<string, readonly string[]>>()

/** A dependency that lies in the repository, or the library beside this program. */
function externCrate(name: string, from: string, ask: Ask): readonly string[] {
  const manifest = manifestOf(from, ask)
  if (manifest === undefined) return []
  const known = crates.get(ask) ?? new Map<string, readonly string[]>()
  crates.set(ask, known)
  const key = `${name} ${manifest.path}`
  const found = known.get(key) ?? crateOf(name, manifest, ask)
  known.set(key, found)
  return found
}

function crateOf(name: string, manifest: Manifest, ask: Ask): readonly string[] {
  if (crateName(manifest.text) === name) return present(libraryOf(manifest, ask))
  const entry = dependency(manifest.text, name)
  if (entry === undefined) return []
  const folder = entry.isShared
    ? sharedPath(manifest.folder, name, ask)
    : entry.path === undefined
      ? undefined
      : inFolder(manifest.folder, entry.path)
  if (folder === undefined) return []
  const path = inFolder(folder, 'Cargo.toml')
  const text = ask.settings(path)
  return text === undefined ? [] : present(libraryOf({ path, folder, text }, ask))
}

function present(path: string | undefined): readonly string[] {
  return path === undefined ? [] : [path]
}

function crateName(manifest: string): string {
  const given = textIn(sectionOf(manifest, 'lib'), 'name')
  return (given ?? textIn(sectionOf(manifest, 'package'), 'name') ?? '').replaceAll('-', '_')
}

/** `name.workspace = true`: the workspace's manifest has the path. */
function sharedPath(from: string, name: string, ask: Ask): string | undefined {
  for (const folder of above(inFolder(from, 'Cargo.toml'))) {
    const text = ask.settings(inFolder(folder, 'Cargo.toml'))
    if (text === undefined || !/^\s*\[workspace[\].]/m.test(text)) continue
    const path = dependency(text, name)?.path
    return path === undefined ? undefined : inFolder(folder, path)
  }
  return undefined
}

interface Dependency {
  readonly path: string | undefined
  readonly isShared: boolean
}

/** `a-b = { path = "…" }`, `a-b.workspace = true`, or a table `[dependencies.a-b]`. */
function dependency(manifest: string, name: string): Dependency | undefined {
  // A name from a file that does not parse may be anything, and a pattern is made of it here.
  if (!/^\w+$/.test(name) || !manifest.includes(name.split('_', 1)[0] ?? '')) return undefined
  const spelled = name.replaceAll('_', '[-_]')
  const table = new RegExp(
    String.raw`^\s*\[[\w.'"()=, -]*dependencies\.["']?${spelled}["']?\]([^[]*)`,
    'm',
  ).exec(manifest)
  const line = new RegExp(String.raw`^\s*["']?${spelled}["']?(?:\s*=|\.)(.*)$`, 'm').exec(manifest)
  const text = table?.[1] ?? line?.[1]
  if (text === undefined) return undefined
  return { path: textIn(text, 'path'), isShared: /\bworkspace\s*=\s*true/.test(text) }
}

/** The text of a table up to the next one. */
function sectionOf(manifest: string, name: string): string {
  const start = manifest.search(
    new RegExp(String.raw`^\s*\[${name.replaceAll(/[[\]]/g, String.raw`\$&`)}\]`, 'm'),
  )
  if (start < 0) return ''
  const from = manifest.indexOf(']', start) + 1
  const end = manifest.slice(from).search(/^\s*\[/m)
  return end < 0 ? manifest.slice(from) : manifest.slice(from, from + end)
}

function textIn(text: string, key: string): string | undefined {
  return new RegExp(String.raw`(?:^|[\s{,])${key}\s*=\s*["']([^"']*)["']`, 'm').exec(text)?.[1]
}
