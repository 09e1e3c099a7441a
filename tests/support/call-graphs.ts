/** Graphs of functions that call each other, one in each file, for walks over them. */
import { fileOf, type GeneratedGraph } from './graph-index.ts'

export const UNBOUNDED = {
  fanout: 1_000,
  users: 1_000,
  nodes: 1_000,
  edges: 100_000,
  expanded: 1_000,
}

/** One function in each of so many files, which call the first; the later, the surer. */
export function star(callers: number): GeneratedGraph {
  return graphOf(
    Array.from({ length: callers }, (_, at) =>
      callOf({ from: at + 1, to: 0, start: 5, confidence: (at + 1) / callers }),
    ),
  )
}

interface Call {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly confidence: number
}

export function callOf(call: Omit<Call, 'confidence'> & Partial<Call>): Call {
  return { confidence: 1, ...call }
}

export function graphOf(calls: readonly Call[]): GeneratedGraph {
  const count = Math.max(...calls.flatMap((it) => [it.from, it.to])) + 1
  const files = Array.from({ length: count }, (_, at) => fileOf(at, ['own']))
  const symbolAt = (at: number): string => files[at]?.chunks[0]?.symbol ?? ''
  const byFile = Map.groupBy(calls, (it) => it.from)
  const resolved = files.map(({ path }, at) => ({
    path,
    edges: (byFile.get(at) ?? []).map(({ from, to, start, confidence }) => ({
      kind: 'call' as const,
      from: symbolAt(from),
      to: symbolAt(to),
      evidence: 'callsite' as const,
      start,
      end: start + 3,
      confidence,
    })),
    unresolved: [],
    asked: [],
  }))
  return { files, resolved }
}
