/** Precision and recall of edges, each written as one string. Pure. */
import type { Answers } from './answers.ts'
import { type Row, share } from './tables.ts'

export const EDGE_COLUMNS = ['edges', 'ours', 'precision', 'recall'] as const

export interface EdgeSets {
  readonly truth: ReadonlySet<string>
  readonly ours: ReadonlySet<string>
}

export function edgeRow(name: string, sets: readonly EdgeSets[]): Row {
  const sum = (of: (it: EdgeSets) => number): number =>
    sets.reduce((total, it) => total + of(it), 0)
  const truth = sum((it) => it.truth.size)
  const ours = sum((it) => it.ours.size)
  const both = sum((it) => it.truth.size - without(it.truth, it.ours).length)
  return { name, cells: [String(truth), String(ours), share(both, ours), share(both, truth)] }
}

/** The edges of one set that the other lacks, in order. */
export function without(edges: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...edges].filter((it) => !others.has(it)).toSorted()
}

export function edge(from: string, to: string): string {
  return `${from} → ${to}`
}

/** Which file leans on which, by the best target of each reference, among the files given. */
export function fileEdges(answers: Answers, covered: ReadonlySet<string>): ReadonlySet<string> {
  const edges = new Set<string>()
  for (const [path, file] of answers.files) {
    if (!covered.has(path)) continue
    for (const { targets } of file.references) {
      const to = targets[0]?.path
      if (to !== undefined && to !== path && covered.has(to)) edges.add(edge(path, to))
    }
  }
  return edges
}
