/**
 * Finds the files of a folder. Honours `.gitignore` and `.dossierignore` at every level, and those
 * above the folder up to the top of its git repository. Follows no links, so nothing outside the
 * folder is ever reached and no loop can be entered. Knows nothing of what is in the files.
 */
import { join, sep } from 'node:path'
import { ascending } from '../base/order.ts'
import type { Diagnostic } from '../model/diagnostic.ts'
import type { FileEntry, Files } from '../platform/files.ts'
import {
  IGNORE_FILES,
  type IgnoreRules,
  inside,
  isIgnored,
  readRules,
  rulesAbove,
} from './ignore-rules.ts'

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
  /** Whether ignore files tell `Build` from `build`. They do not unless this says so. */
  readonly matchCase?: boolean
  /** Where to begin, and under which rules, if not at the top under those above it. */
  readonly start?: StartingFolder
  /** A last word on a path that no ignore file speaks against. */
  leavesOut?(path: string, isFolder: boolean): boolean
  /** Told of each folder that an ignore file keeps closed. */
  onIgnoredFolder?(path: string): void
}

/** A folder of the tree, and the ignore files above it as they apply in it. */
export interface StartingFolder {
  /** Relative to the top; the top is ''. */
  readonly path: string
  readonly layers: readonly IgnoreRules[]
}

export const NEVER_ENTERED: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.dossier',
  'node_modules',
])

export function walk(files: Files, top: string, rules: WalkRules): Walked {
  const matchCase = rules.matchCase ?? false
  const start = rules.start ?? { path: '', layers: rulesAbove(files, top, matchCase).layers }
  const state: Walking = { files, top, rules, pending: [start], found: [], diagnostics: [] }
  for (let it = state.pending.pop(); it !== undefined; it = state.pending.pop()) look(state, it)
  // Names that are not valid Unicode may all look like the same valid one.
  const found = new Map(state.found.toReversed().map((it) => [it.path, it]))
  return {
    // Sorted: a pack must not depend on the order the disk gives. Text alone sorts without a call.
    files: [...found.keys()].toSorted().flatMap((path) => found.get(path) ?? []),
    diagnostics: state.diagnostics.toSorted(ascending((it) => it.path)),
  }
}

interface Walking {
  readonly files: Files
  readonly top: string
  readonly rules: WalkRules
  readonly pending: StartingFolder[]
  readonly found: FoundFile[]
  readonly diagnostics: Diagnostic[]
}

function look(state: Walking, folder: StartingFolder): void {
  const { files, rules, diagnostics } = state
  const at = folder.path === '' ? state.top : join(state.top, folder.path)
  const entries = attempt(() => files.list(at), report(diagnostics, folder.path || '.'))
  if (entries === undefined) return
  if (folder.path !== '' && rules.skipsFolder(entries)) return
  const own = ownRules(files, { at, entries, matchCase: rules.matchCase ?? false })
  const layers = own.length === 0 ? folder.layers : [...folder.layers, ...own]
  const before = folder.path === '' ? '' : `${folder.path}/`
  for (const entry of entries) {
    const path = before + entry.name
    if (entry.isDirectory()) {
      if (NEVER_ENTERED.has(entry.name)) continue
      if (isIgnored(layers, `${entry.name}/`)) rules.onIgnoredFolder?.(path)
      else if (rules.leavesOut?.(path, true) !== true)
        state.pending.push({ path, layers: inside(layers, entry.name) })
      continue
    }
    const isWanted = rules.accepts(entry.name)
    if ((!isWanted && !entry.isSymbolicLink()) || isIgnored(layers, entry.name)) continue
    if (rules.leavesOut?.(path, false) === true) continue
    const native = at + sep + entry.name
    if (entry.isFile()) {
      const stat = attempt(() => files.stat(native), report(diagnostics, path))
      if (stat !== undefined) state.found.push({ path, size: stat.size, mtimeMs: stat.mtimeMs })
    } else {
      const trouble = entry.isSymbolicLink() ? linkTrouble(files, native, isWanted) : NOT_A_FILE
      if (trouble !== undefined) diagnostics.push({ ...trouble, path })
    }
  }
}

interface Listed {
  readonly at: string
  readonly entries: readonly FileEntry[]
  readonly matchCase: boolean
}

function ownRules(files: Files, here: Listed): readonly IgnoreRules[] {
  const own = here.entries.filter(
    (it) => it.name.startsWith('.') && IGNORE_FILES.includes(it.name) && it.isFile(),
  )
  if (own.length === 0) return []
  return IGNORE_FILES.filter((name) => own.some((it) => it.name === name)).flatMap(
    (name) => readRules(files, join(here.at, name), here.matchCase) ?? [],
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
