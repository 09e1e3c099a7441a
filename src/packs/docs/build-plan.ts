/** Which documents must be read again, and which stand in the pack as they are. */
import { join } from 'node:path'
import type { ChunksIn } from '../../model/docs-pack.ts'
import { sha256 } from '../../platform/hash.ts'
import type { World } from '../../platform/world.ts'
import { documentIds } from '../../sources/markdown/documents.ts'
import type { FoundFile } from '../../sources/walk.ts'
import type { DocumentState } from '../../store/docs/database.ts'
import type { Former } from '../../store/docs/former.ts'
import type { Segment } from './segment.ts'

export interface PlannedFile extends FoundFile {
  readonly doc: string
  /** What the pack already holds of it, when that is still true. */
  readonly kept?: DocumentState
  /** Kept, but with another time on disk than the pack knows. */
  readonly isTouched?: boolean
}

export interface BuildPlan {
  /** By path: the order of the pack. Empty when all is as it was. */
  readonly files: readonly PlannedFile[]
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly isUnchanged: boolean
  /** The pack to build upon, when that is less work than starting over. */
  readonly former: Former | undefined
}

interface Situation {
  readonly segment: Segment
  readonly files: readonly FoundFile[]
  readonly former: Former | undefined
  readonly chunksIn: ChunksIn
  readonly maxChars: number
}

export function planBuild(world: World, situation: Situation): BuildPlan {
  const { files, former } = situation
  const isSameKind =
    former?.meta.chunksIn === situation.chunksIn &&
    former.meta.chunking.max_chars === situation.maxChars &&
    former.meta.header.segment === situation.segment.name &&
    former.meta.prefix === situation.segment.prefix
  const known = new Map(former?.documents.map((it) => [it.path, it]))
  // The same files have the same names; only when one came or went can a name have changed.
  const isSameSet =
    former?.meta.found === files.length &&
    files.length === known.size &&
    files.every((it) => known.has(it.path))
  if (isSameKind && isSameSet && isUntouched(files, known)) {
    return { files: [], added: [], changed: [], removed: [], isUnchanged: true, former }
  }
  const ids = isSameSet ? undefined : documentIds(files.map((it) => it.path))
  const nameOf = (path: string): string => ids?.get(path) ?? known.get(path)?.doc ?? path
  const named = files.map((it) => ({ ...it, doc: nameOf(it.path) }))
  if (former === undefined || !isSameKind) return startOver(named)

  const planned = named.map((file) =>
    plan(world, situation.segment, { file, state: known.get(file.path) }),
  )
  const present = new Set(files.map((it) => it.path))
  const removed = former.documents.map((it) => it.path).filter((path) => !present.has(path))
  const stale = planned.filter((it) => it.kept === undefined).map((it) => it.path)
  const changed = stale.filter((path) => known.has(path))
  // Taking a document out of the full-text index costs as much as putting one in. New files take
  // none out, and may turn out to be unreadable: they are no reason to start over.
  if (changed.length + removed.length > files.length / 2) return { ...startOver(named), removed }
  return {
    files: planned,
    added: stale.filter((path) => !known.has(path)),
    changed,
    removed,
    isUnchanged: stale.length === 0 && removed.length === 0,
    former,
  }
}

/** The same sizes and times: the usual case, and the one that must be quick. */
function isUntouched(
  files: readonly FoundFile[],
  known: ReadonlyMap<string, DocumentState>,
): boolean {
  return files.every((file) => {
    const state = known.get(file.path)
    return state !== undefined && isTrusted(file, state)
  })
}

function startOver(files: readonly PlannedFile[]): BuildPlan {
  const added = files.map((it) => it.path)
  return { files, added, changed: [], removed: [], isUnchanged: false, former: undefined }
}

/**
 * Size and time tell that a file is as it was, unless it was written within this long of being
 * read: then it may have changed again without a new time, and its content has to tell.
 */
const RACY_MS = 2000

function isTrusted(file: FoundFile, state: DocumentState): boolean {
  return isSameStat(file, state) && state.hashedAtMs - state.mtimeMs >= RACY_MS
}

function isSameStat(file: FoundFile, state: DocumentState): boolean {
  return state.size === file.size && state.mtimeMs === file.mtimeMs
}

function plan(
  world: World,
  segment: Segment,
  it: { readonly file: PlannedFile; readonly state: DocumentState | undefined },
): PlannedFile {
  const { file, state } = it
  if (state === undefined || state.doc !== file.doc) return file
  if (isTrusted(file, state)) return { ...file, kept: state }
  return isSameDocument(world, segment, { file, state })
    ? { ...file, kept: state, isTouched: !isSameStat(file, state) }
    : file
}

/** By its size and time where those can be trusted, else by its content. */
export function isSameDocument(
  world: World,
  segment: Segment,
  { file, state }: { readonly file: FoundFile; readonly state: DocumentState },
): boolean {
  if (isTrusted(file, state)) return true
  if (state.size !== file.size) return false
  try {
    return sha256(world.files.read(join(segment.folder, file.path))) === state.sha256
  } catch {
    return false
  }
}
