/** Threads that read and parse. What they run is the worker's business; this only hands out work. */
import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'

export interface Readers {
  readonly threads: number
  /** One batch of jobs for the worker; resolves to what it returns. */
  run(batch: unknown): Promise<unknown>
  close(): Promise<void>
}

/** Writing is as much work as reading and has a thread of its own: the one that asks. */
export function startReaders(worker: URL): Readers {
  const threads = Math.max(1, Math.min(8, availableParallelism() - 1))
  const pool = new Tinypool({
    filename: worker.href,
    runtime: 'worker_threads',
    minThreads: threads,
    maxThreads: threads,
  })
  return { threads, run: (batch) => pool.run(batch), close: () => pool.destroy() }
}
