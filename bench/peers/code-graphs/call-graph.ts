/** What every tool's database comes down to: who stands where, and who has to do with whom. */
import { createHash } from 'node:crypto'

export interface GraphNode {
  readonly name: string
  /** Relative to the repository, with `/`. */
  readonly path: string
  /** From 1; the node of a whole file has 1. */
  readonly line: number
  /** The last line that belongs to it; of a whole file, infinity. */
  readonly endLine: number
}

export interface Edge {
  /** In the tool's own words. */
  readonly kind: string
  readonly isCall: boolean
  readonly from: GraphNode
  readonly to: GraphNode
}

/** The same for the same edges, whatever the order and the ids in which they are kept. */
export function edgeSet(edges: readonly Edge[]): string {
  const lines = new Set(edges.map(({ kind, from, to }) => `${kind} ${place(from)} ${place(to)}`))
  return createHash('sha256')
    .update([...lines].toSorted().join('\n'))
    .digest('hex')
}

function place({ path, line, name }: GraphNode): string {
  return `${path}:${line}:${name}`
}
