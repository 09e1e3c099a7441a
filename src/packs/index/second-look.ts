/**
 * Whether a walk of the whole repository would find what the last one found, told without it. A
 * folder that is the same one with the same times has the same entries, so only its times are asked
 * for, and those of the files. What cannot be told so is listed again; where that gives anything
 * new, or much would have to be listed, there is no answer, and a walk has to give it.
 */
import { join, sep } from 'node:path'
import { folderOf, lastPart } from '../../base/paths.ts'
import type { CodeIndexMeta, FolderSnapshot, StoredSnapshot } from '../../model/code-index.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import type { FileMark, Files } from '../../platform/files.ts'
import type { World } from '../../platform/world.ts'
import { isToldFromWithin } from '../../sources/build-folders.ts'
import { foldersAbove, IGNORE_FILES } from '../../sources/ignore-rules.ts'
import { walkRepository } from '../../sources/repository-walk.ts'
import { type IndexRequest, walkOptions } from './index-options.ts'
import { areSame, byPlace, type Found, foundBy, GRAIN_MS, inside, patiently } from './index-plan.ts'

/** Changes with every rule of the walk between two releases: the same folder has another answer. */
const RULES_VERSION = 2
const NUMBERS_PER_PLACE = 3
const NUMBERS_PER_FILE = 2
/** Where more folders than this have changed, a walk takes no longer. */
const MOST_LISTED = 32

/** A walk of the whole that notes what it goes by. It began at `startedAt`, or later. */
export async function noteLook(
  world: World,
  top: string,
  request: IndexRequest & { readonly startedAt: number },
): Promise<Found> {
  const { files } = world
  const options = walkOptions(request)
  const settledBefore = request.startedAt - GRAIN_MS
  const circumstances = circumstancesOf(world, top, { request, settledBefore })
  const device = markAt(files, top)?.dev
  if (circumstances === undefined) return foundBy(await patiently(world, top, options))
  const places: string[] = []
  const marks: number[] = []
  const walked = await patiently(world, top, {
    ...options,
    onPlace: (path, native) => {
      const mark = markAt(files, native)
      const isSettled = mark !== undefined && newestOf(mark) < settledBefore
      places.push(path)
      if (isSettled && mark.dev === device) marks.push(mark.ino, mark.mtimeMs, mark.ctimeMs)
      else marks.push(Number.NaN, Number.NaN, Number.NaN)
    },
  })
  const around = walked.skippedFolders
    .filter((it) => isToldFromWithin(lastPart(it.path)))
    .map((it) => folderOf(it.path))
  const look = { conditions: circumstances, paths: places, marks: Float64Array.from(marks) }
  return { ...foundBy(walked), look: distrusting(look, around) }
}

/** The name and the folder of these say all there is to say of them. */
const TOLD_BY_NAME: ReadonlySet<string> = new Set(['binary', 'generated'])

/** A folder stays as it is when a link in it leads elsewhere, or a large file becomes a small one. */
export function withoutRestless(
  look: FolderSnapshot,
  skipped: readonly Diagnostic[],
): FolderSnapshot {
  const around = skipped
    .filter((it) => !TOLD_BY_NAME.has(it.code))
    .flatMap(({ path }) => [placeOf(path), folderOf(path)])
  return distrusting(look, around)
}

function distrusting(look: FolderSnapshot, folders: readonly string[]): FolderSnapshot {
  const distrusted = new Set(folders)
  const marks = look.marks.slice()
  for (const [at, path] of look.paths.entries()) {
    const first = at * NUMBERS_PER_PLACE
    if (distrusted.has(path)) marks.fill(Number.NaN, first, first + NUMBERS_PER_PLACE)
  }
  return { ...look, marks }
}

export interface FormerLook {
  readonly look: StoredSnapshot
  readonly meta: CodeIndexMeta
  readonly request: IndexRequest
}

/** Both answers are those of a walk. */
export type SecondLook = 'same' | 'changed' | 'unclear'

export function lookAgain(world: World, top: string, former: FormerLook): SecondLook {
  const { look, meta, request } = former
  const { files } = world
  if (look.files.length === 0) return 'unclear'
  if (look.conditions !== circumstancesOf(world, top, { request })) return 'unclear'
  const stirred = stirredPlaces(files, top, look)
  if (stirred === undefined) return 'unclear'
  const settledBefore = Date.parse(meta.readAt) - GRAIN_MS
  if (!haveSameTimes(files, top, { ...look, settledBefore })) return 'changed'
  if (stirred.length === 0) return 'same'
  const known = contentsOf(stirred, former)
  let answer: SecondLook = 'same'
  for (const folder of stirred) {
    const listed = listAgain(files, top, { folder, request, known: known.get(folder) })
    if (listed === 'changed') return 'changed'
    if (listed === 'unclear') answer = 'unclear'
  }
  return answer
}

/** Places whose entries may be others now. Undefined if there are too many, or rules among them. */
function stirredPlaces(
  files: Files,
  top: string,
  look: StoredSnapshot,
): readonly string[] | undefined {
  const { paths: places, marks } = look
  const device = markAt(files, top)?.dev
  const before = top.endsWith(sep) ? top : top + sep
  const stirred: string[] = []
  for (let at = 0; at < places.length; at += 1) {
    const path = places[at] ?? ''
    const first = at * NUMBERS_PER_PLACE
    const mark = markAt(files, before + path)
    const isSame =
      mark !== undefined &&
      mark.mtimeMs === marks[first + 1] &&
      mark.ctimeMs === marks[first + 2] &&
      mark.ino === marks[first] &&
      mark.dev === device
    if (isSame) continue
    if (stirred.length === MOST_LISTED || IGNORE_FILES.includes(lastPart(path))) return undefined
    stirred.push(path)
  }
  return stirred
}

type FilesThen = Pick<StoredSnapshot, 'files' | 'times'> & { readonly settledBefore: number }

function haveSameTimes(files: Files, top: string, then: FilesThen): boolean {
  const { files: paths, times, settledBefore } = then
  const before = top.endsWith(sep) ? top : top + sep
  for (let at = 0; at < paths.length; at += 1) {
    const mark = markAt(files, before + paths[at])
    const mtimeMs = times[at * NUMBERS_PER_FILE + 1] ?? 0
    const isSame =
      mark !== undefined &&
      mark.mtimeMs === mtimeMs &&
      mark.size === times[at * NUMBERS_PER_FILE] &&
      mtimeMs < settledBefore
    if (!isSame) return false
  }
  return true
}

/** What lay directly in a folder, as far as it mattered. */
interface Contents {
  readonly files: string[]
  /** Folders that were entered, and ignore files. */
  readonly places: string[]
  readonly skipped: Diagnostic[]
}

function contentsOf(
  folders: readonly string[],
  { look, meta }: FormerLook,
): ReadonlyMap<string, Contents> {
  const contents = new Map<string, Contents>()
  for (const it of folders) contents.set(it, { files: [], places: [], skipped: [] })
  for (const path of look.files) contents.get(folderOf(path))?.files.push(path)
  for (const path of look.paths) if (path !== '') contents.get(folderOf(path))?.places.push(path)
  const listed = new Set(look.paths)
  for (const it of meta.skipped) {
    // A folder that could not be read says so itself; all else is said where it lies.
    const place = placeOf(it.path)
    contents.get(listed.has(place) ? place : folderOf(place))?.skipped.push(it)
  }
  return contents
}

interface Listing {
  readonly folder: string
  readonly request: IndexRequest
  readonly known: Contents | undefined
}

function listAgain(files: Files, top: string, { folder, request, known }: Listing): SecondLook {
  const places: string[] = []
  const walked = walkRepository(files, top, {
    ...walkOptions(request),
    under: folder,
    enters: (path) => {
      places.push(path)
      return false
    },
    onPlace: (path) => {
      if (path !== folder) places.push(path)
    },
  })
  // What is in a folder that was not there, and what new rules do to others, only a walk can say.
  if (known === undefined || !haveSame(places, known.places)) return 'unclear'
  const found = foundBy(walked)
  const paths = found.files.map((it) => it.path)
  const skipped = found.skipped.map((it) => inside(top, it)).toSorted(byPlace)
  const isSame = haveSame(paths, known.files) && areSame(skipped, known.skipped.toSorted(byPlace))
  return isSame ? 'same' : 'changed'
}

function haveSame(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join('\n') === others.toSorted().join('\n')
}

interface Circumstances {
  readonly request: IndexRequest
  /** For a look that is to be kept: what is not older than this may still change unseen. */
  readonly settledBefore?: number
}

/** All that has a say besides what is in the repository. Undefined where times tell too little. */
function circumstancesOf(
  { files, generator }: World,
  top: string,
  { request, settledBefore = Number.POSITIVE_INFINITY }: Circumstances,
): string | undefined {
  const view = files.view(top)
  if (view === undefined) return undefined
  const above = foldersAbove(files, top)
  const marks = above?.map((folder) => IGNORE_FILES.map((it) => markAt(files, join(folder, it))))
  const isSettled = marks?.flat().every((it) => it === undefined || newestOf(it) < settledBefore)
  if (isSettled === false) return undefined
  const rules = marks?.map((its) => its.map((it) => it && [it.dev, it.ino, it.mtimeMs, it.ctimeMs]))
  const walk = [generator, RULES_VERSION, walkOptions(request)]
  return JSON.stringify([view, walk, rules ?? 'no repository'])
}

function newestOf({ mtimeMs, ctimeMs }: FileMark): number {
  return Math.max(mtimeMs, ctimeMs)
}

/** Undefined also for what cannot be looked at. */
function markAt(files: Files, path: string): FileMark | undefined {
  try {
    return files.mark(path)
  } catch {
    return undefined
  }
}

/** Diagnostics call the top `.`. */
function placeOf(path: string): string {
  return path === '.' ? '' : path
}
