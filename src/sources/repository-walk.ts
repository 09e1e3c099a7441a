/**
 * The files of a repository that may be indexed: by a walk over all of it, or for one path at a
 * time when a watcher reports it. Both give the same answer for every path, because both ask the
 * same rules. Reads ignore files and nothing else; what is in the files is `classify`'s business.
 */
import { join } from 'node:path'
import ignore from 'ignore'
import { ascending } from '../base/order.ts'
import { folderOf, lastPart } from '../base/paths.ts'
import type { Diagnostic } from '../model/diagnostic.ts'
import { type Files, LOCK, TEMPORARY } from '../platform/files.ts'
import { isBuildFolder, isBuildTool } from './build-folders.ts'
import { preScreen, type SkipReason } from './classify.ts'
import {
  exists,
  IGNORE_FILES,
  type IgnoreRules,
  inside,
  isIgnored,
  readRules,
  rulesAbove,
} from './ignore-rules.ts'
import {
  atOnce,
  type FoundFile,
  NEVER_ENTERED,
  type StartingFolder,
  type Walked,
  type Walking,
  type WalkRules,
  walkInSteps,
} from './walk.ts'

export interface RepositoryOptions {
  /**
   * Patterns as in `.gitignore`. With any, only what they match is found. They narrow, and bring
   * nothing back that is ignored: a `!pattern` in a `.dossierignore` does that.
   */
  readonly include?: readonly string[]
  /** Patterns as in `.gitignore`. What they match is left out, whatever else is said. */
  readonly exclude?: readonly string[]
  readonly maxFileBytes?: number
}

export interface RepositoryWalk extends Walked {
  /** Files that path and size already speak against. */
  readonly skippedFiles: readonly SkippedByName[]
  /** Folders that were not entered, but for those that never are (`.git`, `node_modules`). */
  readonly skippedFolders: readonly SkippedPath<FolderReason>[]
}

export interface SkippedPath<Reason extends string> {
  readonly path: string
  readonly reason: Reason
}

export interface SkippedByName extends SkippedPath<SkipReason> {
  readonly message: string
}

export type FolderReason = 'ignored' | 'excluded' | 'build' | 'bad-name'

export interface WalkOptions extends RepositoryOptions, Pick<WalkRules, 'enters' | 'onPlace'> {
  /** A folder relative to the top: only what lies in it is looked for. */
  readonly under?: string | undefined
}

export function walkRepository(
  files: Files,
  top: string,
  options: WalkOptions = {},
): RepositoryWalk {
  return atOnce(walkRepositoryInSteps(files, top, options))
}

/** The same with pauses: a repository may be as large as a disk. */
export function* walkRepositoryInSteps(
  files: Files,
  top: string,
  options: WalkOptions = {},
): Walking<RepositoryWalk> {
  const scope = scopeOf(files, top, options)
  const start = new OnePathCheck(files, scope).startAt(options.under ?? '')
  const skippedFolders: SkippedPath<FolderReason>[] = []
  const skippedFiles: SkippedByName[] = []
  const badNames: Diagnostic[] = []
  if (start === undefined) return { files: [], diagnostics: [], skippedFiles, skippedFolders }
  const walked = yield* walkInSteps(files, top, {
    ...COMMON_RULES,
    ...(options.enters === undefined ? {} : { enters: options.enters }),
    ...(options.onPlace === undefined ? {} : { onPlace: options.onPlace }),
    start,
    leavesOut: (path, isFolder) => {
      // Asked once for each of 100,000 files, so only where there is something to ask.
      if (!isFolder && !scope.hasPatterns) return false
      const reason = scope.leavesOut(path, isFolder)
      if (reason === undefined || reason === 'not-included') return reason !== undefined
      if (isFolder) skippedFolders.push({ path, reason })
      if (reason === 'bad-name') badNames.push({ code: 'unreadable', path, ...BAD_NAME })
      return true
    },
    onIgnoredFolder: (path) => skippedFolders.push({ path, reason: 'ignored' }),
  })
  const found = walked.files.filter((it) => {
    if (CONTROLS.test(it.path)) {
      badNames.push({ code: 'unreadable', path: it.path, ...BAD_NAME })
      return false
    }
    const verdict = preScreen(it.path, it.size, options)
    if (verdict === undefined) return true
    const { reason, message } = verdict
    skippedFiles.push({ path: it.path, reason, message })
    return false
  })
  const diagnostics = [...walked.diagnostics.map(withNameTrouble), ...badNames]
  return {
    files: found,
    diagnostics: diagnostics.toSorted(ascending((it) => it.path)),
    skippedFiles,
    skippedFolders: skippedFolders.toSorted(ascending((it) => it.path)),
  }
}

/** What there is to do about one path. */
export type PathVerdict =
  /** To be indexed. */
  | { readonly kind: 'file'; readonly file: FoundFile }
  /** To be walked: `walkRepository` with `under`. */
  | { readonly kind: 'folder' }
  /** Not to be found, neither it nor anything below it. */
  | { readonly kind: 'left-out'; readonly reason: LeftOutReason }

type LeftOutReason = FolderReason | SkipReason | 'missing' | 'link' | 'not-a-file' | 'not-included'

export interface PathCheck {
  /** What a walk would say of this path now, told without one. Relative, with `/`; the top is ''. */
  check(path: string): PathVerdict
  /** Whether a change of this path may change what is said of others. Then forget, and walk. */
  changesRules(path: string): boolean
  /** Drops the ignore files that were read, those above the top included. */
  forget(): void
}

/** Keeps the ignore files of the folders it was asked about, until it is told to forget them. */
export function pathCheck(files: Files, top: string, options: RepositoryOptions = {}): PathCheck {
  let current = new OnePathCheck(files, scopeOf(files, top, options))
  return {
    check: (path) => current.check(path, options),
    changesRules: (path) => {
      const name = lastPart(path)
      return IGNORE_FILES.includes(name) || name === '.git' || isBuildTool(name)
    },
    forget: () => {
      current = new OnePathCheck(files, scopeOf(files, top, options))
    },
  }
}

const COMMON_RULES = {
  // In a worktree and in a submodule `.git` is a file.
  accepts: (name: string) => name !== '.git' && !isPassing(name),
  skipsFolder: () => false,
  matchCase: true,
} as const

/** Beside what we make in somebody's folder: locks, and what is not yet whole. */
function isPassing(name: string): boolean {
  return name.startsWith('.dossier') && (name.startsWith(LOCK) || name.startsWith(TEMPORARY))
}

/** What holds for a whole repository. */
interface Scope {
  readonly top: string
  readonly above: readonly IgnoreRules[]
  readonly hasPatterns: boolean
  /** Besides ignore files. */
  leavesOut(path: string, isFolder: boolean): FolderReason | 'not-included' | undefined
}

function scopeOf(files: Files, top: string, options: RepositoryOptions): Scope {
  const { layers, inRepository } = rulesAbove(files, top, COMMON_RULES.matchCase)
  const excluded = matcher(options.exclude)
  const included = matcher(options.include)
  const has = (path: string): boolean => exists(files, join(top, path))
  return {
    top,
    above: layers,
    hasPatterns: excluded !== undefined || included !== undefined,
    leavesOut: (path, isFolder) => {
      if (CONTROLS.test(path)) return 'bad-name'
      if (excluded?.(isFolder ? `${path}/` : path) === true) return 'excluded'
      // Which folders hold something included is not known before they are seen.
      if (!isFolder) return included?.(path) === false ? 'not-included' : undefined
      // In a repository its ignore files say what is built; elsewhere nobody does.
      return !inRepository && isBuildFolder(path, has) ? 'build' : undefined
    },
  }
}

function matcher(patterns: readonly string[] = []): ((path: string) => boolean) | undefined {
  if (patterns.length === 0) return undefined
  const rules = ignore({ ignoreCase: !COMMON_RULES.matchCase }).add(patterns)
  return (path) => rules.ignores(path)
}

/** A name with a line end in it could pass for two lines of whatever lists it. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\x00-\x1f\x7f]/
const BAD_NAME = { message: 'its name contains control characters; left out' } as const

/** A name that is not UTF-8 arrives changed, and then nothing is found under it. */
function withNameTrouble(it: Diagnostic): Diagnostic {
  const isBadName = it.code === 'unreadable' && it.path.includes('\uFFFD')
  return isBadName ? { ...it, message: 'its name is not valid UTF-8; left out' } : it
}

class OnePathCheck {
  readonly #files: Files
  readonly #scope: Scope
  readonly #realTop: string
  /** The rules in each folder, its own included. Undefined: a walk does not enter it. */
  readonly #open = new Map<string, readonly IgnoreRules[] | undefined>()

  constructor(files: Files, scope: Scope) {
    this.#files = files
    this.#scope = scope
    this.#realTop = attempt(() => files.realPath(scope.top)) ?? scope.top
  }

  check(path: string, options: RepositoryOptions): PathVerdict {
    if (path === '') return { kind: 'folder' }
    // What leads out of the top lies nowhere in it, and the rules can only be asked about names.
    if (/(?:^|\/)\.\.?(?:\/|$)/.test(path)) return leftOut('missing')
    const kind = this.#kind(path)
    if (kind === 'missing') this.#forgetBelow(path)
    if (kind === 'missing' || kind === 'link') return leftOut(kind)
    const layers = this.#layersIn(folderOf(path))
    if (layers === undefined) return leftOut('ignored')
    const name = lastPart(path)
    if (kind === 'directory') {
      const reason = this.#closedBy(layers, path)
      return reason === undefined ? { kind: 'folder' } : leftOut(reason)
    }
    if (!COMMON_RULES.accepts(name) || isIgnored(layers, name)) return leftOut('ignored')
    const reason = this.#scope.leavesOut(path, false)
    if (reason !== undefined) return leftOut(reason)
    if (kind !== 'file') return leftOut('not-a-file')
    const stat = attempt(() => this.#files.stat(join(this.#scope.top, path)))
    if (stat === undefined) return leftOut('missing')
    const skip = preScreen(path, stat.size, options)
    if (skip !== undefined) return leftOut(skip.reason)
    return { kind: 'file', file: { path, size: stat.size, mtimeMs: stat.mtimeMs } }
  }

  /** Undefined where a walk of the whole would not get. */
  startAt(path: string): StartingFolder | undefined {
    if (path === '') return { path, layers: this.#scope.above }
    if (this.check(path, {}).kind !== 'folder') return undefined
    return { path, layers: inside(this.#layersIn(folderOf(path)) ?? [], lastPart(path)) }
  }

  #layersIn(folder: string): readonly IgnoreRules[] | undefined {
    if (this.#open.has(folder)) return this.#open.get(folder)
    const layers = this.#layersAnew(folder)
    this.#open.set(folder, layers)
    return layers
  }

  #layersAnew(folder: string): readonly IgnoreRules[] | undefined {
    if (folder === '') return [...this.#scope.above, ...this.#ownRules('')]
    const around = this.#layersIn(folderOf(folder))
    if (around === undefined || this.#closedBy(around, folder) !== undefined) return undefined
    return [...inside(around, lastPart(folder)), ...this.#ownRules(folder)]
  }

  #closedBy(around: readonly IgnoreRules[], folder: string): LeftOutReason | undefined {
    const name = lastPart(folder)
    if (NEVER_ENTERED.has(name) || isIgnored(around, `${name}/`)) return 'ignored'
    return this.#scope.leavesOut(folder, true)
  }

  #ownRules(folder: string): readonly IgnoreRules[] {
    return IGNORE_FILES.flatMap((name) => {
      const path = folder === '' ? name : `${folder}/${name}`
      if (this.#kind(path) !== 'file') return []
      return readRules(this.#files, join(this.#scope.top, path), COMMON_RULES.matchCase) ?? []
    })
  }

  /** A path whose real one is another has a link on its way, and links are not followed. */
  #kind(path: string): 'missing' | 'link' | 'file' | 'directory' | 'other' {
    const real = attempt(() => this.#files.realPath(join(this.#scope.top, path)))
    if (real === undefined) return 'missing'
    if (real !== join(this.#realTop, path)) return 'link'
    return attempt(() => this.#files.stat(real).kind) ?? 'missing'
  }

  /** A folder that went may come back with other rules. */
  #forgetBelow(path: string): void {
    if (!this.#open.delete(path)) return
    for (const folder of this.#open.keys())
      if (folder.startsWith(`${path}/`)) this.#open.delete(folder)
  }
}

function leftOut(reason: LeftOutReason): PathVerdict {
  return { kind: 'left-out', reason }
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
