/**
 * An index that says what the files say. Mostly it does: that is seen by a look at the folder, and
 * only where it does not, all that brings an index up to date is loaded.
 */
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'
import { type LiveIndexReader, openCodeIndex } from '../../store/code/reader.ts'
import { formerOptions, optionsText, walkOptions } from './index-options.ts'
import { indexFile, tellPlace } from './index-place.ts'
import { foundBy, isDone, isSameKind, patiently, planFor } from './index-plan.ts'
import { lookAgain } from './second-look.ts'

/** Made or brought up to date where it has to be, with the options that it was made with. */
export async function openFresh(world: World, top: string): Promise<LiveIndexReader> {
  return (await openCurrent(world, top)) ?? (await openUpdated(world, top))
}

export function openPresent(world: World, top: string): LiveIndexReader {
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

/** Undefined where there is something to do about it, if only to say what is wrong with it. */
async function openCurrent(world: World, top: string): Promise<LiveIndexReader | undefined> {
  let index: LiveIndexReader | undefined
  try {
    index = openPresent(world, top)
    if (await isCurrent(world, top, index)) return index
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
  }
  await index?.close()
  return undefined
}

/** By the same plan as an update. What rests on more than the files is not judged here. */
async function isCurrent(world: World, top: string, index: LiveIndexReader): Promise<boolean> {
  const meta = await index.meta()
  const request = { path: top, ...formerOptions(meta.options) }
  const restsOnMore = optionsText(request) !== meta.options
  if (restsOnMore || (await index.vectors()) !== undefined) return false
  const look = isSameKind(meta, request) ? await index.look() : undefined
  const answer = look === undefined ? 'unclear' : lookAgain(world, top, { look, meta, request })
  if (answer !== 'unclear') return answer === 'same'
  const state = await index.state()
  const found = foundBy(await patiently(world, top, walkOptions(request)))
  return isDone(planFor(found, state, request), top, state)
}

async function openUpdated(world: World, top: string): Promise<LiveIndexReader> {
  const { bringUpToDate } = await import('./code-index.ts')
  await bringUpToDate(world, top)
  return openPresent(world, top)
}
