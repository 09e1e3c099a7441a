/** Threads that do the same kind of work side by side. What they run is the worker's business. */
import { availableParallelism } from 'node:os'
import type { Tinypool } from 'tinypool'
import { keepHeapsSmall, YOUNG_HALF_MB } from './heap.ts'

export interface Pool {
  readonly size: number
  /** Undefined when the task took longer than the limit; its thread is ended then. */
  run(task: unknown, limitMs: number): Promise<unknown>
  /** Ends what is under way: whoever still waits for it is told that it failed. */
  close(): Promise<void>
}

/**
 * For work that is waited for in its turn. It may fail before that, or have its thread ended because
 * something else has failed: who comes to it is told, and the process does not end over it.
 */
export function inItsTurn<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

/** Started when the first task comes, so that nobody pays for threads that are not needed. */
export class LazyPool implements Pool {
  readonly #start: () => Pool
  #pool: Pool | undefined

  constructor(start: () => Pool) {
    this.#start = start
  }

  get size(): number {
    return this.#started().size
  }

  run(task: unknown, limitMs: number): Promise<unknown> {
    return this.#started().run(task, limitMs)
  }

  async close(): Promise<void> {
    await this.#pool?.close()
    this.#pool = undefined
  }

  #started(): Pool {
    this.#pool ??= this.#start()
    return this.#pool
  }
}

/** Left alone, a thread lets garbage grow to many times of what it holds before it is collected. */
const LIMITS = { maxYoungGenerationSizeMb: 3 * YOUNG_HALF_MB, maxOldGenerationSizeMb: 384 }

export function startPool(worker: URL, size = availableParallelism()): Pool {
  const pool = startThreads(worker, size)
  return {
    size,
    run: async (task, limitMs) => withLimit(await pool, task, limitMs),
    close: async () => (await pool).destroy(),
  }
}

/**
 * For a thread's answer: what is named changes hands with it, where all else is copied. Where the
 * work is done in the thread of whoever asked for it, there is nothing to hand over.
 */
export async function handedOver(value: object, moved: readonly ArrayBuffer[]): Promise<unknown> {
  const library = await import('tinypool')
  if (!library.Tinypool.isWorkerThread) return value
  return library.Tinypool.move({ [library.kTransferable]: moved, [library.kValue]: value })
}

/** The package is loaded when there are threads to start. */
async function startThreads(worker: URL, size: number): Promise<Tinypool> {
  const { shareTurn } = await import('./wasm.ts')
  shareTurn()
  keepHeapsSmall()
  const library = await import('tinypool')
  return new library.Tinypool({
    filename: worker.href,
    runtime: 'worker_threads',
    minThreads: size,
    maxThreads: size,
    resourceLimits: LIMITS,
  })
}

async function withLimit(pool: Tinypool, task: unknown, limitMs: number): Promise<unknown> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), limitMs)
  try {
    return await pool.run(task, { signal: limit.signal })
  } catch (error) {
    if (limit.signal.aborted) return undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}
