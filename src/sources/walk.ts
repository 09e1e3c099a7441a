/**
 * Finds the files of a folder. Honours `.gitignore` and `.dossierignore` at every level, and those
 * above the folder up to the top of its git repository. Follows no links, so nothing outside the
 * folder is ever reached and no loop can be entered. Knows nothing of what is in the files.
 */
import { basename, dirname, join, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { ascending } from '../base/order.ts'
import type { Diagnostic } from '../model/diagnostic.ts'
import type { FileEntry, Files } from '../platform/files.ts'

export interface FoundFile {
  /** Relative to the folder, with `/`. */
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
}

export interface Walked {
  /** By path, in code-unit order. */
  readonly files: readonly FoundFile[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface WalkRules {
  /** Whether a file of this name is wanted. */
  accepts(name: string): boolean
  /** Whether a folder below the top, with these entries, is left out whole. */
  skipsFolder(entries: readonly FileEntry[]): boolean
}

const IGNORE_FILES: ReadonlySet<string> = new Set(['.gitignore', '.dossierignore'])
const NEVER_ENTERED: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.dossier',
  'node_modules',
])

export function walk(files: Files, top: string, rules: WalkRules): Walked {
  const found = new Map<string, FoundFile>()
  const diagnostics: Diagnostic[] = []
  const pending: Folder[] = [{ path: '', layers: layersAbove(files, top) }]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const at = folder.path === '' ? top : join(top, folder.path)
    const entries = attempt(() => files.list(at), report(diagnostics, folder.path || '.'))
    if (entries === undefined) continue
    if (folder.path !== '' && rules.skipsFolder(entries)) continue
    const layers = withOwnRules(files, folder, { at, entries })
    const before = folder.path === '' ? '' : `${folder.path}/`
    for (const entry of entries) {
      const path = before + entry.name
      if (entry.isDirectory()) {
        if (!NEVER_ENTERED.has(entry.name) && !isIgnored(layers, `${path}/`))
          pending.push({ path, layers })
        continue
      }
      const isWanted = rules.accepts(entry.name)
      if ((!isWanted && !entry.isSymbolicLink()) || isIgnored(layers, path)) continue
      const native = at + sep + entry.name
      if (entry.isFile()) {
        const stat = attempt(() => files.stat(native), report(diagnostics, path))
        if (stat !== undefined) found.set(path, { path, size: stat.size, mtimeMs: stat.mtimeMs })
      } else {
        const trouble = entry.isSymbolicLink() ? linkTrouble(files, native, isWanted) : NOT_A_FILE
        if (trouble !== undefined) diagnostics.push({ ...trouble, path })
      }
    }
  }
  // Sorted: a pack must not depend on the order the disk gives.
  return {
    files: [...found.keys()].toSorted().flatMap((path) => found.get(path) ?? []),
    diagnostics: diagnostics.toSorted(ascending((it) => it.path)),
  }
}

interface Folder {
  readonly path: string
  readonly layers: readonly Layer[]
}

/** The rules of one ignore file, and the part of a path that they do not see. */
interface Layer {
  readonly rules: Ignore
  /** Prepended to a path of the walk (rules above the top), or cut from its front (rules below). */
  readonly prepend: string
  readonly cut: number
}

/** The deepest rule that speaks decides, as in git. A folder that is ignored is never entered. */
function isIgnored(layers: readonly Layer[], path: string): boolean {
  for (let at = layers.length - 1; at >= 0; at -= 1) {
    const layer = layers[at]
    if (layer === undefined) continue
    const verdict = layer.rules.test(layer.prepend + path.slice(layer.cut))
    if (verdict.ignored) return true
    if (verdict.unignored) return false
  }
  return false
}

function withOwnRules(
  files: Files,
  folder: Folder,
  here: { readonly at: string; readonly entries: readonly FileEntry[] },
): readonly Layer[] {
  const own = here.entries
    .filter((it) => IGNORE_FILES.has(it.name) && it.isFile())
    .toSorted(ascending((it) => (it.name === '.gitignore' ? 1 : 2)))
    .flatMap((it) => readRules(files, join(here.at, it.name)))
  const cut = folder.path === '' ? 0 : folder.path.length + 1
  return own.length === 0
    ? folder.layers
    : [...folder.layers, ...own.map((rules) => ({ rules, prepend: '', cut }))]
}

/** Rules of the folders above, from the top of the git repository down. None without a repository. */
function layersAbove(files: Files, top: string): readonly Layer[] {
  const layers: Layer[] = []
  let prepend = ''
  for (let folder = top; ; folder = dirname(folder)) {
    if (exists(files, join(folder, '.git'))) return layers.toReversed()
    const above = dirname(folder)
    if (above === folder) return []
    prepend = `${basename(folder)}/${prepend}`
    for (const name of ['.dossierignore', '.gitignore']) {
      for (const rules of exists(files, join(above, name))
        ? readRules(files, join(above, name))
        : []) {
        // Whoever names an ignored folder wants it: a rule against the folder itself is dropped.
        if (!rules.test(prepend).ignored) layers.push({ rules, prepend, cut: 0 })
      }
    }
  }
}

function readRules(files: Files, path: string): readonly Ignore[] {
  const bytes = attempt(
    () => files.read(path),
    () => undefined,
  )
  return bytes === undefined ? [] : [ignore().add(new TextDecoder().decode(bytes))]
}

function exists(files: Files, path: string): boolean {
  return (
    attempt(
      () => files.stat(path),
      () => undefined,
    ) !== undefined
  )
}

const NOT_A_FILE = { code: 'not-a-file', message: 'neither a file nor a folder; left out' } as const

/** Only links that would have mattered are worth a word: to a folder, or with a wanted name. */
function linkTrouble(
  files: Files,
  path: string,
  wanted: boolean,
): Omit<Diagnostic, 'path'> | undefined {
  const target = attempt(
    () => files.stat(path),
    () => undefined,
  )
  if (!wanted && target?.kind !== 'directory') return undefined
  const what = target === undefined ? 'a link that leads nowhere or in a circle' : 'a symbolic link'
  return { code: 'link', message: `${what}; links are not followed` }
}

function report(diagnostics: Diagnostic[], path: string): (error: Error) => void {
  return (error) => diagnostics.push({ code: 'unreadable', path, message: error.message })
}

function attempt<T>(action: () => T, onError: (error: Error) => void): T | undefined {
  try {
    return action()
  } catch (error) {
    onError(error instanceof Error ? error : new Error(String(error)))
    return undefined
  }
}
