/** Another thread, for work that would keep this one waiting. What it runs is the worker's business. */
import type { Tinypool } from 'tinypool'

export interface Thread {
  /** Hands over one message; resolves to the worker's answer. Messages are taken in order. */
  ask(message: unknown): Promise<unknown>
  close(): Promise<void>
}

/** How many messages may lie ready before the thread gets to them. */
const MOST_WAITING = 64

export function startThread(worker: URL): Thread {
  const pool = start(worker)
  return {
    ask: async (message) => (await pool).run(message),
    close: async () => (await pool).destroy(),
  }
}

/** The package is loaded when there is a thread to start. */
async function start(worker: URL): Promise<Tinypool> {
  const library = await import('tinypool')
  return new library.Tinypool({
    filename: worker.href,
    runtime: 'worker_threads',
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: MOST_WAITING,
  })
}
