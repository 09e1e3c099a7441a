/**
 * The index of a repository for one question: brought up to date where that is wanted, opened,
 * closed again. A server keeps it open from question to question instead.
 */
import type { CodeIndexReader } from '../../model/code-index.ts'
import type { ContextPack } from '../../model/context-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'
import { openFresh, openPresent } from './fresh-index.ts'
import { type RepositoryPlace, topOf } from './index-options.ts'
import { indexFolder } from './index-place.ts'

export interface IndexWish extends RepositoryPlace {
  /** Whether to look first if files have changed, and to make an index where there is none. */
  readonly isFresh: boolean
}

export interface OpenRepository {
  readonly index: CodeIndexReader
  /** Native and absolute. */
  readonly top: string
  readonly indexRoot: string
  /** The last packs of a server, which may be asked for again; empty elsewhere. */
  readonly recent: Map<string, ContextPack>
}

export async function withCodeIndex<T>(
  world: World,
  wish: IndexWish,
  ask: (repository: OpenRepository) => Promise<T>,
): Promise<T> {
  const top = topOf(world, wish)
  const kept = KEPT.get(world)
  if (kept !== undefined) return kept.ask({ world, top, isFresh: wish.isFresh }, ask)
  const index = wish.isFresh ? await openFresh(world, top) : openPresent(world, top)
  try {
    return await ask({ index, top, indexRoot: indexFolder(world, top), recent: new Map() })
  } finally {
    await index.close()
  }
}

/** From here on, indexes that are asked for in this world stay open until the end of it. */
export function keepIndexesOpen(world: World): { close(): Promise<void> } {
  const kept = new KeptIndexes()
  KEPT.set(world, kept)
  return {
    close: () => {
      KEPT.delete(world)
      return kept.close()
    },
  }
}

/** Files that change more often are seen a moment later. */
export const FRESH_FOR_MS = 2000

const KEPT = new WeakMap<World, KeptIndexes>()

interface Question {
  readonly world: World
  readonly top: string
  readonly isFresh: boolean
}

interface KeptIndex {
  readonly recent: Map<string, ContextPack>
  index: CodeIndexReader | undefined
  /** When it was last known to say what the files say. */
  freshAt: number
  /** A reader has one state at a time, so one question at a time. */
  turn: Promise<unknown>
}

class KeptIndexes {
  readonly #indexes = new Map<string, KeptIndex>()

  async ask<T>(question: Question, ask: (it: OpenRepository) => Promise<T>): Promise<T> {
    const it = this.#indexFor(question.top)
    const answer = it.turn.then(() => this.#answer(it, question, ask))
    it.turn = answer.catch(() => undefined)
    return answer
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
    const made = { recent: new Map(), index: undefined, freshAt: Number.NEGATIVE_INFINITY, turn }
    this.#indexes.set(top, made)
    return made
  }

  async #answer<T>(
    it: KeptIndex,
    { world, top, isFresh }: Question,
    ask: (repository: OpenRepository) => Promise<T>,
  ): Promise<T> {
    try {
      const now = world.clock.now()
      const isDue = isFresh && !(now - it.freshAt >= 0 && now - it.freshAt < FRESH_FOR_MS)
      const fresh = isDue ? await openFresh(world, top) : undefined
      it.index ??= fresh ?? openPresent(world, top)
      await it.index.refresh()
      if (fresh !== undefined && fresh !== it.index) await this.#choose(it, fresh)
      if (isDue) it.freshAt = world.clock.now()
      const { index, recent } = it
      return await ask({ index, top, indexRoot: indexFolder(world, top), recent })
    } catch (error) {
      // A question of the caller's that cannot be met is no reason to open the index anew.
      if (!(error instanceof EngineError && HARMLESS.has(error.code))) {
        await it.index?.close()
        it.index = undefined
      }
      throw error
    }
  }

  /** The one that is open, with all that it remembers, unless another file has taken its place. */
  async #choose(it: KeptIndex, fresh: CodeIndexReader): Promise<void> {
    const isSame = (await it.index?.signature()) === (await fresh.signature())
    const spare = isSame ? fresh : it.index
    if (!isSame) it.index = fresh
    await spare?.close()
  }
}

const HARMLESS: ReadonlySet<string> = new Set([
  'POC_E_REQUEST_INVALID',
  'POC_E_BUDGET_EXCEEDED',
  'POC_E_CHUNK_UNKNOWN',
  'POC_E_PACK_MISSING',
  'POC_E_PACK_STALE',
])
