/** The diff that a pack is asked about: read through git, or given as a patch. */
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { ascending } from '../../base/order.ts'
import { counted } from '../../base/text.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { DiffIdentity, FileChange, LineEdit } from '../../model/repository-diff.ts'
import { type Git, GitError, GitTooLarge } from '../../platform/git.ts'
import { sha256 } from '../../platform/hash.ts'
import type { World } from '../../platform/world.ts'
import { MAX_FILE_BYTES } from '../../sources/classify.ts'
import { parseDiff } from '../../sources/git/parse-patch.ts'
import { findCommit, openGit } from '../open-git.ts'
import { fitPatch } from './fit-patch.ts'

export type DiffWish =
  | { readonly kind: 'range'; readonly range: string }
  | { readonly kind: 'staged' }
  | { readonly kind: 'patch'; readonly text: string }

export interface RepositoryDiff {
  readonly identity: DiffIdentity
  readonly files: readonly FileChange[]
  /** By path: what changed on disk after the new side of the diff. */
  readonly drift: ReadonlyMap<string, readonly LineEdit[]>
  /** What a reader should know of how the lines were found. */
  readonly notes: readonly string[]
  /** Absent where the folder is in no repository. */
  readonly git?: Git
}

const WORKING_TREE = 'working tree'
const SINCE = `${WORKING_TREE} since `
const STAGED = 'staged'
const PATCH = 'patch'

/** More than a review can be about, and than a machine should hold. */
const MOST_BYTES = 64 * 1024 * 1024
const MOST_UNTRACKED = 1000

export async function readDiff(world: World, top: string, wish: DiffWish): Promise<RepositoryDiff> {
  if (wish.kind === 'patch') return readPatch(world, top, wish.text)
  if (wish.kind === 'range') refuseOption(wish.range)
  const { git } = await openGit(world, { top, use: 'the diff is read with' })
  const sides =
    wish.kind === 'staged' ? await stagedSides(git) : await resolveRange(git, wish.range)
  const text = await diffText(git, sides.args)
  const changed = changesIn(text)
  const untracked = sides.isOnDisk ? await readUntracked(world, top, git) : NO_FILES
  const files = [...changed, ...untracked.files].toSorted(ascending((it) => it.path))
  const later = sides.laterArgs === undefined ? [] : changesIn(await diffText(git, sides.laterArgs))
  const touched = new Set(files.map((it) => it.path))
  const drift = new Map(later.filter((it) => touched.has(it.path)).map((it) => [it.path, it.edits]))
  return {
    identity: identifyDiff(sides.source, files, sides.base),
    files,
    drift,
    notes: [...mergeNotes(text), ...untracked.notes, ...driftNotes(later, touched)],
    git,
  }
}

/** The same diff once more, as far as its source says what it was. */
export function readDiffAgain(world: World, top: string, { source }: DiffIdentity) {
  if (source === PATCH) {
    throw new EngineError('POC_E_REQUEST_INVALID', 'the pack is about a patch, which is not kept', {
      hint: 'make the pack once more from the patch, and compare: dossier pack diff',
    })
  }
  if (source === STAGED) return readDiff(world, top, { kind: 'staged' })
  const since = source.startsWith(SINCE) ? source.slice(SINCE.length) : source
  return readDiff(world, top, { kind: 'range', range: source === WORKING_TREE ? '' : since })
}

/** The hash is over what the diff says, so that its source and its spelling do not matter. */
function identifyDiff(source: string, files: readonly FileChange[], base: string): DiffIdentity {
  return { source, sha256: sha256(canonicalize(files) ?? ''), base }
}

interface Sides {
  readonly source: string
  readonly base: string
  readonly args: readonly string[]
  /** What compares the new side with the files on disk; absent where these are the new side. */
  readonly laterArgs?: readonly string[]
  readonly isOnDisk: boolean
}

async function stagedSides(git: Git): Promise<Sides> {
  const { tree, base } = await findHead(git)
  return {
    source: STAGED,
    base,
    args: ['diff-index', '--cached', ...DIFF, tree, '--'],
    // Where a merge is not finished, against our side of it.
    laterArgs: ['diff-files', '-2', ...DIFF, '--'],
    isOnDisk: false,
  }
}

/** `a..b` and `a...b` end in a commit; one revision is compared with the files on disk, as git does. */
async function resolveRange(git: Git, range: string): Promise<Sides> {
  if (range === '') {
    const { tree, base } = await findHead(git)
    return { source: WORKING_TREE, base, args: ['diff-index', ...DIFF, tree, '--'], isOnDisk: true }
  }
  const [, left = '', dots, right = ''] = /^(.*?)(\.{2,3})(.*)$/s.exec(range) ?? []
  if (dots === undefined) {
    const base = await requireCommit(git, range, range)
    const args = ['diff-index', ...DIFF, base, '--']
    return { source: SINCE + range, base, args, isOnDisk: true }
  }
  const from = await requireCommit(git, left || 'HEAD', range)
  const to = await requireCommit(git, right || 'HEAD', range)
  const base = dots === '..' ? from : await mergeBase(git, from, to)
  return {
    source: range,
    base,
    args: ['diff-tree', '-r', ...DIFF, base, to, '--'],
    laterArgs: ['diff-index', ...DIFF, to, '--'],
    isOnDisk: false,
  }
}

/** Nothing that the settings or the attributes of a repository name is run, and none changes the text. */
const DIFF = [
  '-p',
  '--unified=0',
  '--find-renames',
  '-l400',
  '--relative',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=dirty',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--diff-algorithm=myers',
  '--full-index',
]

/** A repository without a commit is compared with nothing. */
async function findHead(git: Git): Promise<{ readonly tree: string; readonly base: string }> {
  const head = await findCommit(git, 'HEAD')
  if (head !== undefined) return { tree: head, base: head }
  const tree = (await git.text(['hash-object', '-t', 'tree', '--stdin'])).trim()
  return { tree, base: '' }
}

async function requireCommit(git: Git, name: string, range: string): Promise<string> {
  const found = name.startsWith('-') ? undefined : await findCommit(git, name)
  if (found !== undefined) return found
  throw new EngineError('POC_E_REQUEST_INVALID', `there is no commit ${name}`, {
    hint:
      name === range
        ? 'give a range such as main... or HEAD~3.., and the query before --diff'
        : 'name commits, branches or tags on both sides of the dots',
  })
}

async function mergeBase(git: Git, from: string, to: string): Promise<string> {
  try {
    return (await git.text(['merge-base', from, to])).trim()
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    throw new EngineError('POC_E_REQUEST_INVALID', 'the two commits share no history', {
      hint: 'compare them directly, with two dots',
      cause: error,
    })
  }
}

function refuseOption(range: string): void {
  if (!range.startsWith('-')) return
  throw new EngineError('POC_E_REQUEST_INVALID', `${range} is not a range`, {
    hint: 'give a range such as main... or HEAD~3..',
  })
}

function changesIn(text: string): readonly FileChange[] {
  const { files, why } = parseDiff(text.replaceAll(UNMERGED, ''))
  if (files !== undefined) return files.map((it) => it.change)
  throw new EngineError('POC_E_READ_FAILED', `what git printed is not a diff: ${why}`, {
    hint: 'see that `git diff` works in that folder',
  })
}

async function diffText(git: Git, args: readonly string[]): Promise<string> {
  try {
    return await git.text(args, { mostBytes: MOST_BYTES })
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (error instanceof GitTooLarge) {
      throw new EngineError('POC_E_REQUEST_INVALID', 'the diff is larger than 64 MiB', {
        hint: 'compare states that are nearer to each other',
        cause: error,
      })
    }
    throw new EngineError('POC_E_READ_FAILED', `git cannot compare: ${error.said}`, {
      hint: 'see that `git diff` works in that folder',
      cause: error,
    })
  }
}

/** Git prints such a line in place of a diff. */
const UNMERGED = /^\* Unmerged path .*\n/gm

function mergeNotes(text: string): readonly string[] {
  const count = [...text.matchAll(UNMERGED)].length
  if (count === 0) return []
  return [
    `${counted(count, 'file')} of a merge that is not finished ${count === 1 ? 'is' : 'are'} not compared`,
  ]
}

const NO_FILES = { files: [], notes: [] }

/** Files that git neither tracks nor ignores: all of their lines are new. */
async function readUntracked(world: World, top: string, git: Git) {
  const args = ['ls-files', '--others', '--exclude-standard', '-z']
  const listed = (await diffText(git, args)).split('\0').slice(0, -1)
  const paths = listed.filter((it) => !it.endsWith('/')).toSorted()
  const files: FileChange[] = []
  let chars = 0
  for (const path of paths.slice(0, MOST_UNTRACKED)) {
    const text = readText(world, join(top, path))
    chars += text?.length ?? 0
    if (chars > MOST_BYTES) break
    const added = text === undefined ? [] : splitLines(text)
    const edits = added.length === 0 ? [] : [{ oldStart: 1, newStart: 1, removed: [], added }]
    files.push({ path, status: 'added', isBinary: text === undefined, edits })
  }
  const rest = paths.length - files.length
  const notes = rest > 0 ? [`${rest} more untracked files were not looked at`] : []
  return { files, notes }
}

/** Undefined where it is no text, is too large, or cannot be read. Links are not followed. */
function readText({ files }: World, path: string): string | undefined {
  try {
    if (files.linkTarget(path) !== undefined) return undefined
    const { kind, size } = files.stat(path)
    if (kind !== 'file' || size > MAX_FILE_BYTES) return undefined
    const text = new TextDecoder().decode(files.read(path))
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** As git counts them: a last line without a line break counts too. */
function splitLines(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function driftNotes(later: readonly FileChange[], touched: ReadonlySet<string>): readonly string[] {
  const count = later.filter((it) => touched.has(it.path)).length
  if (count === 0) return []
  return [
    `${count} of the files ${count === 1 ? 'has' : 'have'} changed on disk since the end of the diff: lines are shown where they are now`,
  ]
}

/** A patch may be applied already, or be still to apply: its lines say which. */
async function readPatch(world: World, top: string, text: string): Promise<RepositoryDiff> {
  if (text.length > MOST_BYTES) {
    throw new EngineError('POC_E_REQUEST_INVALID', 'the patch is larger than 64 MiB', {
      hint: 'give the part of it that is to be reviewed',
    })
  }
  const { files, why } = parseDiff(text)
  if (files === undefined) {
    throw new EngineError('POC_E_REQUEST_INVALID', `the input is not a unified diff: ${why}`, {
      hint: 'pipe one in: git diff main... | dossier pack --diff -',
    })
  }
  const fitted = fitPatch(files, (path) => textInside(world, top, path))
  const git = await gitIfAny(world, top)
  const base = git === undefined ? '' : ((await findCommit(git, 'HEAD')) ?? '')
  return {
    identity: identifyDiff(
      PATCH,
      files.map((it) => it.change),
      base,
    ),
    ...fitted,
    drift: new Map(),
    ...(git === undefined ? {} : { git }),
  }
}

/** A patch is text of anybody: what it names is read only below the top. */
function textInside(world: World, top: string, path: string): string | undefined {
  if (path.startsWith('/') || path.split(/[/\\]/).includes('..')) return undefined
  return readText(world, join(top, path))
}

/** The history only adds to a pack about a patch. */
async function gitIfAny(world: World, top: string): Promise<Git | undefined> {
  try {
    return (await openGit(world, { top, use: 'the history is read with' })).git
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}
