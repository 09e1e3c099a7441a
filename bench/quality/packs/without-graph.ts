/** An index whose graph is empty, to measure what the graph is worth. Everything else is as it is. */
import type { CodeIndexReader } from '../../../src/model/code-index.ts'

/** `ranking` has the graph for the order of what is found, but no section made of it. */
export const GRAPH_USES = ['all', 'ranking', 'none'] as const
export type GraphUse = (typeof GRAPH_USES)[number]

export function withoutGraph(index: CodeIndexReader): CodeIndexReader {
  const empty: Partial<CodeIndexReader> = {
    edgesFrom: async () => [],
    edgesInChunks: async () => [],
    edgesTo: async () => [],
    countEdgesTo: async (symbols) => symbols.map(() => 0),
  }
  return new Proxy(index, {
    get(target, name) {
      const own = Reflect.get(empty, name) ?? Reflect.get(target, name)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
}
