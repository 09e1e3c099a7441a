/** How fast a splitter goes through the documents, in megabytes of source per second. */
import type { Document } from './documents.ts'
import type { Tool } from './tools.ts'

const ROUNDS = 3
/** On a large folder one round is long enough to be steady, and three would take all morning. */
const LONG_ROUND = 10
/** Every so manieth document is enough to warm up on. */
const WARM_UP = 5

export async function throughput(tool: Tool, documents: readonly Document[]): Promise<number> {
  await seconds(
    tool,
    documents.filter((_, at) => at % WARM_UP === 0),
  )
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round += 1) {
    const taken = await seconds(tool, documents)
    best = Math.min(best, taken)
    if (taken > LONG_ROUND) break
  }
  return megabytes(documents) / best
}

export function megabytes(documents: readonly Document[]): number {
  return documents.reduce((sum, it) => sum + Buffer.byteLength(it.text), 0) / 1e6
}

async function seconds(tool: Tool, documents: readonly Document[]): Promise<number> {
  const start = performance.now()
  for (const document of documents) await tool.split(document.text)
  return (performance.now() - start) / 1000
}
