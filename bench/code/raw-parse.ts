/** The least that an index of code can cost: every file read, decoded and parsed, on N threads. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { grammarOf } from './grammars.ts'

const BATCH = 32

/** Milliseconds from the moment that all threads have their grammars to the last file. */
export async function rawParse(paths: readonly string[], threads: number): Promise<number> {
  const grammars = [...new Set(paths.map(grammarOf))].filter((it) => it !== undefined).toSorted()
  const worker = new URL('parse-worker.ts', import.meta.url)
  const pool = Array.from({ length: threads }, () => new Worker(worker, { workerData: grammars }))
  try {
    await Promise.all(pool.map((it) => once(it, 'message')))
    const startedAt = performance.now()
    const batches = inBatches(paths)
    await Promise.all(pool.map((it) => drain(it, batches)))
    return performance.now() - startedAt
  } finally {
    await Promise.all(pool.map((it) => it.terminate()))
  }
}

function inBatches(paths: readonly string[]): IteratorObject<readonly string[]> {
  const starts = Array.from({ length: Math.ceil(paths.length / BATCH) }, (_, at) => at * BATCH)
  return starts.values().map((at) => paths.slice(at, at + BATCH))
}

/** Threads take from the one list of batches, so none is idle before the list is at its end. */
async function drain(worker: Worker, batches: IteratorObject<readonly string[]>): Promise<void> {
  for (let next = batches.next(); next.done !== true; next = batches.next()) {
    worker.postMessage(next.value, [])
    await once(worker, 'message')
  }
}
