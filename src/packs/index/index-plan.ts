/** What has to be read, by what the walk finds and what the index knows. */
import { join } from 'node:path'
import { ascending, inOrder } from '../../base/order.ts'
import type {
  CodeIndexMeta,
  FileTimes,
  FolderSnapshot,
  IndexState,
} from '../../model/code-index.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { type World, yieldToEventLoop } from '../../platform/world.ts'
import { EXTRACTOR_VERSION } from '../../sources/code/version.ts'
import {
  type RepositoryWalk,
  type WalkOptions,
  walkRepository,
  walkRepositoryInSteps,
} from '../../sources/repository-walk.ts'
import { type IndexRequest, optionsText, readingOptions, walkOptions } from './index-options.ts'
import type { SourceFile } from './read-sources.ts'

/** What there is on disk, of the whole or of a part. */
export interface Found {
  readonly files: readonly SourceFile[]
  /** Paths of the index that are no longer there; of a part, those that may not be. */
  readonly gone: readonly string[]
  readonly skipped: readonly Diagnostic[]
  /** Of a part: the files and folders that were looked at, and nothing else was. */
  readonly within?: readonly string[]
  /** Of the whole, where it was noted. */
  readonly look?: FolderSnapshot | undefined
}

export interface IndexPlan extends Found {
  /** Everything is read: nothing is known, or what is known was made in another way. */
  readonly isWhole: boolean
}

/** `under` is a folder relative to the top; without it, all is looked at. */
export function foundIn(
  world: World,
  top: string,
  request: IndexRequest & { readonly under?: string },
): Found {
  const { under } = request
  return foundBy(walkRepository(world.files, top, { ...walkOptions(request), under }))
}

/** A walk that can be stopped, and that says how far it is where it takes long. */
export async function patiently(
  world: World,
  top: string,
  options: WalkOptions,
): Promise<RepositoryWalk> {
  const walking = walkRepositoryInSteps(world.files, top, options)
  world.progress.begin('looking at files', 0)
  try {
    for (;;) {
      const step = walking.next()
      if (step.done === true) return step.value
      world.progress.advance(step.value)
      await yieldToEventLoop(world)
    }
  } finally {
    world.progress.end()
  }
}

export function foundBy(walked: RepositoryWalk): Found {
  const skipped = walked.skippedFiles.map(({ path, reason, message }) => ({
    code: reason,
    path,
    message,
  }))
  return { files: walked.files, gone: [], skipped: [...walked.diagnostics, ...skipped] }
}

/** A file that was written within this time of being read may have been written again since. */
export const GRAIN_MS = 2000

export function planFor(found: Found, state: IndexState, request: IndexRequest): IndexPlan {
  const known = new Map<string, FileTimes>()
  for (const it of state.files) known.set(it.path, it)
  const { meta } = state
  const isWhole = known.size === 0 || isReadAnew(meta, request)
  const readAt = Date.parse(meta.readAt)
  const changed: SourceFile[] = []
  let met = 0
  for (const it of found.files) {
    const before = known.get(it.path)
    if (before !== undefined) met += 1
    if (!isUnchanged(it, before, readAt)) changed.push(it)
  }
  return {
    files: isWhole ? found.files : changed,
    gone: met === known.size ? [] : without(known, found.files),
    skipped: found.skipped,
    look: found.look,
    isWhole,
  }
}

function without(
  known: ReadonlyMap<string, FileTimes>,
  files: readonly SourceFile[],
): readonly string[] {
  const present = new Set(files.map((it) => it.path))
  return [...known.keys()].filter((path) => !present.has(path))
}

/** Whatever is known of the files: by force, or since it was read in another way. */
export function isReadAnew(meta: CodeIndexMeta, request: IndexRequest): boolean {
  return request.force === true || !isSameKind(meta, request)
}

export function isSameKind(meta: CodeIndexMeta, request: IndexRequest): boolean {
  const isSameVersion = meta.extractorVersion === EXTRACTOR_VERSION
  const before = readingOptions(meta.options)
  return isSameVersion && before === readingOptions(optionsText(request))
}

function isUnchanged(it: SourceFile, known: FileTimes | undefined, readAt: number): boolean {
  return (
    known !== undefined &&
    known.size === it.size &&
    known.mtimeMs === it.mtimeMs &&
    it.mtimeMs < readAt - GRAIN_MS
  )
}

/** Whether there is nothing to do, not even to write down that something else was left out. */
export function isDone(plan: IndexPlan, top: string, { meta }: IndexState): boolean {
  const isRead = !plan.isWhole && plan.files.length === 0 && plan.gone.length === 0
  return (
    isRead && areSame(plan.skipped.map((it) => inside(top, it)).toSorted(byPlace), meta.skipped)
  )
}

export function areSame(some: readonly Diagnostic[], others: readonly Diagnostic[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others)
}

/** The system's messages name files in full, and an index must not depend on where it lies. */
export function inside(top: string, it: Diagnostic): Diagnostic {
  return { ...it, message: it.message.replaceAll(join(top, '/'), '').replaceAll(top, '.') }
}

export const byPlace = inOrder<Diagnostic>(
  ascending((it) => it.path),
  ascending((it) => it.code),
  ascending((it) => it.message),
)
