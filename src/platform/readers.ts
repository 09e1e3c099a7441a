/** Threads that read and parse. What they run is the worker's business; this only hands out work. */
import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'

export interface Readers {
  /** How many batches to keep in flight. */
  readonly ahead: number
  /** One batch of jobs for the worker; resolves to what it returns. */
  run(batch: unknown): Promise<unknown>
  close(): Promise<void>
}

const TASKS_AHEAD = 8

/** Writing is as much work as reading and has a thread of its own: the one that asks. */
export function startReaders(worker: URL): Readers {
  const threads = Math.max(1, Math.min(8, availableParallelism()))
  const pool = new Tinypool({
    filename: worker.href,
    runtime: 'worker_threads',
    minThreads: threads,
    maxThreads: threads,
    // Work lies ready for a thread while the writer is busy and could not hand out more.
    concurrentTasksPerWorker: TASKS_AHEAD,
    // Syntax trees die young: with room for a batch of them, they are never moved to the old space.
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  })
  return {
    ahead: threads * TASKS_AHEAD,
    run: (batch) => pool.run(batch),
    close: () => pool.destroy(),
  }
}
