/**
 * The index of a repository for one question: brought up to date where that is wanted, opened,
 * closed again. A server keeps it open from question to question instead, and looks each time
 * whether it still says what the files say.
 */
import type { CodeIndexReader } from '../../model/code-index.ts'
import type { ContextPack } from '../../model/context-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import { orAbort, type World, yieldToEventLoop } from '../../platform/world.ts'
import type { SqliteIndexReader } from '../../store/code/reader.ts'
import { changedFiles } from './changed-since.ts'
import { basisOf, isCurrent, openFresh, openPresent, updateIndex } from './fresh-index.ts'
import { type RepositoryPlace, topOf } from './index-options.ts'
import { indexFile, indexFolder } from './index-place.ts'

export interface IndexWish extends RepositoryPlace {
  /** Whether to look first if files have changed, and to bring the index up to date. */
  readonly isFresh: boolean
  /** Whether to make an index where there is none, for who wants a fresh one: unless told. */
  readonly mayBeMissing?: boolean
}

export interface OpenRepository {
  readonly index: CodeIndexReader
  /** Native and absolute. */
  readonly top: string
  readonly indexRoot: string
  /** Paths of files that say something else than the index; empty where it was brought up to date. */
  readonly changed: readonly string[]
  /** The last packs of a server, which may be asked for again; empty elsewhere. */
  readonly recent: Map<string, ContextPack>
}

export async function withCodeIndex<T>(
  world: World,
  wish: IndexWish,
  ask: (repository: OpenRepository) => Promise<T>,
): Promise<T> {
  const top = topOf(world, wish)
  const kept = KEPT.get(world.session ?? world)
  if (kept !== undefined) return kept.ask({ world, top, isFresh: wish.isFresh }, ask)
  if (wish.mayBeMissing === false) await openPresent(world, top).close()
  const index = wish.isFresh ? await openFresh(world, top) : openPresent(world, top)
  try {
    const changed = wish.isFresh ? [] : await changedFiles(world, top, index)
    return await ask({ index, changed, top, indexRoot: indexFolder(world, top), recent: new Map() })
  } finally {
    await index.close()
  }
}

/** From here on, indexes that are asked for in this session stay open until the end of it. */
export function keepIndexesOpen(world: World): { close(): Promise<void> } {
  const session = world.session ?? world
  const kept = new KeptIndexes()
  KEPT.set(session, kept)
  return {
    close: () => {
      KEPT.delete(session)
      return kept.close()
    },
  }
}

const KEPT = new WeakMap<object, KeptIndexes>()

interface Question {
  readonly world: World
  readonly top: string
  readonly isFresh: boolean
}

interface KeptIndex {
  readonly recent: Map<string, ContextPack>
  index: SqliteIndexReader | undefined
  /** Which file is open: another one may take its place. */
  file: string
  /** What the index rested on after the last update, where that is more than files. */
  basis: string | undefined
  /** A reader has one state at a time, so one question at a time. */
  turn: Promise<unknown>
}

class KeptIndexes {
  readonly #indexes = new Map<string, KeptIndex>()

  /** A question that is no longer wanted waits for no other. */
  async ask<T>(question: Question, ask: (it: OpenRepository) => Promise<T>): Promise<T> {
    const it = this.#indexFor(question.top)
    const answer = it.turn.then(async () => {
      await yieldToEventLoop(question.world)
      return this.#answer(it, question, ask)
    })
    it.turn = answer.catch(() => undefined)
    return orAbort(question.world, answer)
  }

  async close(): Promise<void> {
    for (const it of this.#indexes.values()) {
      await it.turn
      await it.index?.close()
    }
  }

  #indexFor(top: string): KeptIndex {
    const known = this.#indexes.get(top)
    if (known !== undefined) return known
    const turn = Promise.resolve()
    const made = { recent: new Map(), index: undefined, file: '', basis: undefined, turn }
    this.#indexes.set(top, made)
    return made
  }

  async #answer<T>(
    it: KeptIndex,
    question: Question,
    ask: (repository: OpenRepository) => Promise<T>,
  ): Promise<T> {
    const { world, top, isFresh } = question
    try {
      const changed = isFresh ? await bringInStep(it, question) : undefined
      const index = await lookAtNewest(it, question)
      return await ask({
        index,
        changed: changed ?? (await changedFiles(world, top, index)),
        top,
        indexRoot: indexFolder(world, top),
        recent: it.recent,
      })
    } catch (error) {
      // A question of the caller's that cannot be met is no reason to open the index again.
      if (!(error instanceof EngineError && HARMLESS.has(error.code))) await closeIndex(it)
      throw error
    }
  }
}

/** What could not be brought in step: files that the index is older than. */
async function bringInStep(it: KeptIndex, question: Question): Promise<readonly string[]> {
  const { world, top } = question
  if (await isInStep(it, question)) return []
  const hadIndex = it.index !== undefined
  try {
    await updateIndex(world, top)
  } catch (error) {
    const isOfWriting = error instanceof EngineError && error.code === 'POC_E_WRITE_FAILED'
    if (!isOfWriting || !hadIndex) throw error
    return changedFiles(world, top, await lookAtNewest(it, question))
  }
  it.basis = await basisOf(world, top, await lookAtNewest(it, question))
  return []
}

/** What is wrong with an index that cannot be opened, an update says best. */
async function isInStep(it: KeptIndex, question: Question): Promise<boolean> {
  const { world, top } = question
  try {
    const index = await lookAtNewest(it, question)
    return await isCurrent(world, top, { index, basis: it.basis })
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return false
  }
}

/** The last committed state of the file that lies there now. */
async function lookAtNewest(it: KeptIndex, { world, top }: Question): Promise<SqliteIndexReader> {
  const file = markOf(world, top)
  if (it.file !== file) await closeIndex(it)
  it.index ??= openPresent(world, top)
  it.file = file
  await it.index.refresh()
  return it.index
}

async function closeIndex(it: KeptIndex): Promise<void> {
  const { index } = it
  it.index = undefined
  await index?.close()
}

/** A number is given to no other file while the one that has it is open. */
function markOf(world: World, top: string): string {
  try {
    const mark = world.files.mark(indexFile(world, top))
    return mark === undefined ? '' : `${mark.dev} ${mark.ino}`
  } catch {
    return ''
  }
}

const HARMLESS: ReadonlySet<string> = new Set([
  'POC_E_REQUEST_INVALID',
  'POC_E_BUDGET_EXCEEDED',
  'POC_E_CHUNK_UNKNOWN',
  'POC_E_PACK_MISSING',
  'POC_E_PACK_STALE',
])
