/**
 * An index that says what the files say. Mostly it does: that is seen by a look at the folder, and
 * only where it does not, all that brings an index up to date is loaded.
 */
import { resolve } from 'node:path'
import type { CodeIndexMeta } from '../../model/code-index.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'
import { openCodeIndex, type SqliteIndexReader } from '../../store/code/reader.ts'
import {
  formerOptions,
  type IndexRequest,
  indexOptions,
  optionsText,
  walkOptions,
} from './index-options.ts'
import { indexFile, tellPlace } from './index-place.ts'
import { foundBy, GRAIN_MS, isDone, isSameKind, patiently, planFor } from './index-plan.ts'
import { lookAgain } from './second-look.ts'

/** Made or brought up to date where it has to be, with the options that it was made with. */
export async function openFresh(world: World, top: string): Promise<SqliteIndexReader> {
  const current = await openCurrent(world, top)
  if (current !== undefined) return current
  await updateIndex(world, top)
  return openPresent(world, top)
}

export function openPresent(world: World, top: string): SqliteIndexReader {
  try {
    tellPlace(world, top)
    return openCodeIndex(world.files, indexFile(world, top))
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'POC_E_PACK_MISSING') throw error
    throw new EngineError('POC_E_INDEX_MISSING', `there is no index of ${top}`, {
      hint: 'make one with `dossier index`',
      cause: error,
    })
  }
}

export async function updateIndex(world: World, top: string): Promise<void> {
  const { bringUpToDate } = await import('./code-index.ts')
  await bringUpToDate(world, top)
}

/** Undefined where there is something to do about it, if only to say what is wrong with it. */
async function openCurrent(world: World, top: string): Promise<SqliteIndexReader | undefined> {
  let index: SqliteIndexReader | undefined
  try {
    index = openPresent(world, top)
    if (await isCurrent(world, top, { index })) return index
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
  }
  await index?.close()
  return undefined
}

export interface Judged {
  readonly index: SqliteIndexReader
  /** What `basisOf` said after the last update. */
  readonly basis?: string | undefined
}

/**
 * By the same plan as an update, at the moment of the call. An index that rests on more than the
 * files, vectors or SCIP, is current only where an update has seen to that and it is the same since.
 */
export async function isCurrent(world: World, top: string, judged: Judged): Promise<boolean> {
  const { index, basis } = judged
  const meta = await index.meta()
  const request = { path: top, ...formerOptions(meta.options) }
  const hasMore = optionsText(request) !== meta.options || (await index.vectorInfo()) !== undefined
  if (hasMore && (basis === undefined || basis !== (await basisOf(world, top, index)))) return false
  return sameFiles(world, top, index)
}

/** Whether an update would find no file to read and none to forget. */
async function sameFiles(world: World, top: string, index: SqliteIndexReader): Promise<boolean> {
  const meta = await index.meta()
  const request = sameRequest(top, meta)
  const look = isSameKind(meta, request) ? await index.snapshot() : undefined
  const answer = look === undefined ? 'unclear' : lookAgain(world, top, { look, meta, request })
  if (answer !== 'unclear') return answer === 'same'
  const state = await index.state()
  const found = foundBy(await patiently(world, top, walkOptions(request)))
  return isDone(planFor(found, state, request), top, state)
}

/** All that an index was made with, as an update would ask for it again. */
export function sameRequest(top: string, { options }: CodeIndexMeta): IndexRequest {
  const { scip: scipInUse, embed: embedInUse } = indexOptions(options)
  return { path: top, ...formerOptions(options), scipInUse, embedInUse }
}

/**
 * The state of an index and of the SCIP files that it rests on, for a server to compare. Undefined
 * where a SCIP file is so young that it may change without another time.
 */
export async function basisOf(
  world: World,
  top: string,
  index: SqliteIndexReader,
): Promise<string | undefined> {
  const { options } = await index.meta()
  const { scip = [] } = indexOptions(options)
  const marks = scip.map(({ path }) => {
    try {
      return world.files.mark(resolve(top, path))
    } catch {
      return undefined
    }
  })
  const settledBefore = world.clock.now() - GRAIN_MS
  const isSettled = marks.every(
    (it) => it !== undefined && Math.max(it.mtimeMs, it.ctimeMs) < settledBefore,
  )
  if (!isSettled) return undefined
  const times = marks.map((it) => [it?.dev, it?.ino, it?.size, it?.mtimeMs, it?.ctimeMs])
  return JSON.stringify([await index.signature(), times])
}
