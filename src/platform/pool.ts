/** Threads that do the same kind of work side by side. What they run is the program's business. */
import { availableParallelism } from 'node:os'
import type { ResourceLimits } from 'node:worker_threads'
import { keepHeapsSmall, YOUNG_HALF_MB } from './heap.ts'
import { Program } from './program.ts'
import { shareTurn } from './wasm.ts'

export interface Pool {
  readonly size: number
  /**
   * Undefined when the task took longer than the limit; its thread is ended then. A thread that
   * ends over its task rejects with `ThreadEnded`, and another one takes its place.
   */
  run(task: unknown, limitMs: number): Promise<unknown>
  /** Ends what is under way: whoever still waits for it is told that it failed. */
  close(): Promise<void>
}

/**
 * For work that is awaited later. A rejection before that is not unhandled: it is delivered to
 * whoever awaits the promise.
 */
export function deferRejection<T>(work: Promise<T>): Promise<T> {
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

/**
 * What is old may take far more than it ever did: a thread that needs more ends, and with some bad
 * luck the process with it. That heaps stay small is seen to by how early they are looked through.
 */
const LIMITS: ResourceLimits = {
  maxYoungGenerationSizeMb: 3 * YOUNG_HALF_MB,
  maxOldGenerationSizeMb: 4096,
}

export function startPool(
  program: URL,
  size = availableParallelism(),
  limits: ResourceLimits = LIMITS,
): Pool {
  shareTurn()
  keepHeapsSmall()
  return new ThreadPool(program, size, limits)
}

interface WaitingTask {
  readonly task: unknown
  readonly limitMs: number
  resolve(answer: Promise<unknown>): void
}

class ThreadPool implements Pool {
  readonly size: number
  readonly #start: () => Program
  readonly #idle: Program[] = []
  readonly #busy = new Set<Program>()
  readonly #waiting: WaitingTask[] = []

  constructor(program: URL, size: number, limits: ResourceLimits) {
    this.size = size
    this.#start = () => new Program(program, limits)
  }

  run(task: unknown, limitMs: number): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#waiting.push({ task, limitMs, resolve })
    this.#goOn()
    return promise
  }

  async close(): Promise<void> {
    const gone = new Error('the threads were closed before the task was begun')
    for (const { resolve } of this.#waiting.splice(0)) resolve(Promise.reject(gone))
    const threads = [...this.#idle.splice(0), ...this.#busy]
    this.#busy.clear()
    await Promise.all(threads.map((it) => it.end()))
  }

  #goOn(): void {
    while (this.#waiting.length > 0 && this.#busy.size < this.size) {
      const next = this.#waiting.shift()
      const thread = this.#idle.pop() ?? this.#start()
      this.#busy.add(thread)
      next?.resolve(this.#run(thread, next))
    }
  }

  async #run(thread: Program, { task, limitMs }: WaitingTask): Promise<unknown> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      void thread.end()
    }, limitMs)
    try {
      return await thread.ask(task)
    } catch (error) {
      if (isLate) return undefined
      throw error
    } finally {
      clearTimeout(timer)
      // When all was closed meanwhile, it is among neither.
      if (this.#busy.delete(thread) && thread.isAlive) this.#idle.push(thread)
      this.#goOn()
    }
  }
}
