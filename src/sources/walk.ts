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
  /** Told of each folder that nothing speaks against. With a no it is not entered all the same. */
  enters?(path: string): boolean
  /** Told of each folder and each ignore file before it is read, also as the system has it. */
  onPlace?(path: string, native: string): void
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

/** After so many entries of folders a walk pauses: for whoever waits, a few hundredths of a second. */
const STEP = 500

/** A walk with pauses, each of which gives how many entries were seen since the one before. */
export type Walking<T> = Generator<number, T>

export function walk(files: Files, top: string, rules: WalkRules): Walked {
  return atOnce(walkInSteps(files, top, rules))
}

/** For who has nothing to do in the pauses. */
export function atOnce<T>(walking: Walking<T>): T {
  for (;;) {
    const step = walking.next()
    if (step.done === true) return step.value
  }
}

export function* walkInSteps(files: Files, top: string, rules: WalkRules): Walking<Walked> {
  const matchCase = rules.matchCase ?? false
  const start = rules.start ?? { path: '', layers: rulesAbove(files, top, matchCase).layers }
  const found = new Map<string, FoundFile>()
  const pending = [{ ...start, native: start.path === '' ? top : join(top, start.path) }]
  const state: State = { files, rules, pending, found, diagnostics: [] }
  let seen = 0
  for (let it = state.pending.pop(); it !== undefined; it = state.pending.pop()) {
    seen += look(state, it)
    if (seen < STEP) continue
    yield seen
    seen = 0
  }
  const inOrder: FoundFile[] = []
  // Sorted: a pack must not depend on the order the disk gives. Text alone sorts without a call.
  for (const path of [...found.keys()].toSorted()) {
    const file = found.get(path)
    if (file !== undefined) inOrder.push(file)
  }
  const diagnostics = state.diagnostics.toSorted(ascending((it) => it.path))
  return { files: inOrder, diagnostics }
}

/** With its path as the system has it. */
interface PendingFolder extends StartingFolder {
  readonly native: string
}

interface State {
  readonly files: Files
  readonly rules: WalkRules
  readonly pending: PendingFolder[]
  readonly found: Map<string, FoundFile>
  readonly diagnostics: Diagnostic[]
}

/** How many entries it has. */
function look(state: State, folder: PendingFolder): number {
  const { files, rules, diagnostics } = state
  const at = folder.native
  rules.onPlace?.(folder.path, at)
  const entries = attempt(() => files.list(at), report(diagnostics, folder.path || '.'))
  if (entries === undefined) return 1
  if (folder.path !== '' && rules.skipsFolder(entries)) return 1
  const before = folder.path === '' ? '' : `${folder.path}/`
  const nativeBefore = at.endsWith(sep) ? at : at + sep
  const own = ownRules(state, { before, nativeBefore, entries })
  const layers = own.length === 0 ? folder.layers : [...folder.layers, ...own]
  for (const entry of entries) {
    const path = before + entry.name
    const native = nativeBefore + entry.name
    if (entry.isDirectory()) {
      if (NEVER_ENTERED.has(entry.name)) continue
      if (isIgnored(layers, `${entry.name}/`)) rules.onIgnoredFolder?.(path)
      else if (rules.leavesOut?.(path, true) !== true && rules.enters?.(path) !== false)
        state.pending.push({ path, native, layers: inside(layers, entry.name) })
      continue
    }
    const isWanted = rules.accepts(entry.name)
    if ((!isWanted && !entry.isSymbolicLink()) || isIgnored(layers, entry.name)) continue
    if (rules.leavesOut?.(path, false) === true) continue
    if (entry.isFile()) {
      addFile(state, path, native)
    } else {
      const trouble = entry.isSymbolicLink() ? linkTrouble(files, native, isWanted) : NOT_A_FILE
      if (trouble !== undefined) diagnostics.push({ ...trouble, path })
    }
  }
  return entries.length + 1
}

/** There may be very many: so without the functions that `attempt` would take of each. */
function addFile({ files, found, diagnostics }: State, path: string, native: string): void {
  try {
    const { size, mtimeMs } = files.stat(native)
    // Names that are not valid Unicode may all look like the same valid one.
    if (!found.has(path)) found.set(path, { path, size, mtimeMs })
  } catch (error) {
    report(diagnostics, path)(asError(error))
  }
}

interface Listed {
  /** What the paths of its entries begin with, ours and the system's. */
  readonly before: string
  readonly nativeBefore: string
  readonly entries: readonly FileEntry[]
}

function ownRules({ files, rules }: State, here: Listed): readonly IgnoreRules[] {
  const own = new Set<string>()
  for (const it of here.entries) {
    if (it.name.startsWith('.') && IGNORE_FILES.includes(it.name) && it.isFile()) own.add(it.name)
  }
  if (own.size === 0) return []
  return IGNORE_FILES.filter((name) => own.has(name)).flatMap((name) => {
    const native = here.nativeBefore + name
    rules.onPlace?.(here.before + name, native)
    return readRules(files, native, rules.matchCase ?? false) ?? []
  })
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
    onError(asError(error))
    return undefined
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
