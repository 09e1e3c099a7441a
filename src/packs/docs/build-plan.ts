/** Decides which documents must be read again and which can be kept from the existing pack. */
import { join } from 'node:path'
import type { ChunksIn } from '../../model/docs-pack.ts'
import { sha256 } from '../../platform/hash.ts'
import type { World } from '../../platform/world.ts'
import { documentIds } from '../../sources/markdown/documents.ts'
import type { FoundFile } from '../../sources/walk.ts'
import type { DocumentState } from '../../store/docs/database.ts'
import type { ExistingPack } from '../../store/docs/existing-pack.ts'
import type { Segment } from './segment.ts'

export interface PlannedFile extends FoundFile {
  readonly doc: string
  /** The state in the existing pack, if it is still valid. */
  readonly keptState?: DocumentState
  /** Kept, but with another modification time than in the pack. */
  readonly isTouched?: boolean
}

export interface BuildPlan {
  /** Sorted by path, the order of the pack. Empty if nothing changed. */
  readonly files: readonly PlannedFile[]
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly isUnchanged: boolean
  /** The existing pack to update, if that is less work than a full build. */
  readonly previous: ExistingPack | undefined
}

interface PlanInput {
  readonly segment: Segment
  readonly files: readonly FoundFile[]
  readonly previous: ExistingPack | undefined
  readonly chunksIn: ChunksIn
  readonly maxChars: number
}

export function planBuild(world: World, situation: PlanInput): BuildPlan {
  const { files, previous } = situation
  const isSameKind =
    previous?.meta.chunksIn === situation.chunksIn &&
    previous.meta.chunking.max_chars === situation.maxChars &&
    previous.meta.header.segment === situation.segment.name &&
    previous.meta.prefix === situation.segment.prefix
  const known = new Map(previous?.documents.map((it) => [it.path, it]))
  // Document ids can only change when files are added or removed.
  const isSameSet =
    previous?.meta.found === files.length &&
    files.length === known.size &&
    files.every((it) => known.has(it.path))
  if (isSameKind && isSameSet && isUntouched(files, known)) {
    return { files: [], added: [], changed: [], removed: [], isUnchanged: true, previous }
  }
  const ids = isSameSet ? undefined : documentIds(files.map((it) => it.path))
  const nameOf = (path: string): string => ids?.get(path) ?? known.get(path)?.doc ?? path
  const named = files.map((it) => ({ ...it, doc: nameOf(it.path) }))
  if (previous === undefined || !isSameKind) return planFullBuild(named)

  const planned = named.map((file) =>
    planFile(world, situation.segment, { file, state: known.get(file.path) }),
  )
  const present = new Set(files.map((it) => it.path))
  const removed = previous.documents.map((it) => it.path).filter((path) => !present.has(path))
  const stale = planned.filter((it) => it.keptState === undefined).map((it) => it.path)
  const changed = stale.filter((path) => known.has(path))
  // Taking a document out of the full-text index costs as much as putting one in. New files take
  // none out, and may turn out to be unreadable: they are no reason to start over.
  if (changed.length + removed.length > files.length / 2)
    return { ...planFullBuild(named), removed }
  return {
    files: planned,
    added: stale.filter((path) => !known.has(path)),
    changed,
    removed,
    isUnchanged: stale.length === 0 && removed.length === 0,
    previous,
  }
}

/** Equal sizes and times: the usual case, which must be fast. */
function isUntouched(
  files: readonly FoundFile[],
  known: ReadonlyMap<string, DocumentState>,
): boolean {
  return files.every((file) => {
    const state = known.get(file.path)
    return state !== undefined && hasTrustedTime(file, state)
  })
}

function planFullBuild(files: readonly PlannedFile[]): BuildPlan {
  const added = files.map((it) => it.path)
  return { files, added, changed: [], removed: [], isUnchanged: false, previous: undefined }
}

/**
 * Size and time show that a file is unchanged, unless it was written less than this before it was
 * read: then it may have changed again without a new time, and its content is compared.
 */
const MIN_FILE_AGE_MS = 2000

function hasTrustedTime(file: FoundFile, state: DocumentState): boolean {
  return isSameStat(file, state) && state.hashedAtMs - state.mtimeMs >= MIN_FILE_AGE_MS
}

function isSameStat(file: FoundFile, state: DocumentState): boolean {
  return state.size === file.size && state.mtimeMs === file.mtimeMs
}

function planFile(
  world: World,
  segment: Segment,
  it: { readonly file: PlannedFile; readonly state: DocumentState | undefined },
): PlannedFile {
  const { file, state } = it
  if (state === undefined || state.doc !== file.doc) return file
  if (hasTrustedTime(file, state)) return { ...file, keptState: state }
  return isSameDocument(world, segment, { file, state })
    ? { ...file, keptState: state, isTouched: !isSameStat(file, state) }
    : file
}

/** Compares size and time if they can be trusted, else the content. */
export function isSameDocument(
  world: World,
  segment: Segment,
  { file, state }: { readonly file: FoundFile; readonly state: DocumentState },
): boolean {
  if (hasTrustedTime(file, state)) return true
  if (state.size !== file.size) return false
  try {
    return sha256(world.files.read(join(segment.folder, file.path))) === state.sha256
  } catch {
    return false
  }
}
