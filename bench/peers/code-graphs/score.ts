/** A tool's calls against the compiler's. Knows nothing of any tool. */
import type { Edge } from './call-graph.ts'
import { type Callers, edge, isCaller, type Truth } from './truth.ts'

export interface Score {
  /** Calls that the compiler sees, each pair of functions once. */
  readonly truth: number
  /** The tool's, between functions that the compiler knows. */
  readonly claimed: number
  readonly right: number
  /** Claims where the one does name the other, but not as a call that the truth has as such. */
  readonly mentions: number
  /** The tool's calls, in files that are known, of what the compiler does not know as a function. */
  readonly unknown: number
}

export function score(truth: Truth, edges: readonly Edge[], callers: Callers): Score {
  const claimed = new Set<string>()
  let unknown = 0
  for (const { isCall, from, to } of edges) {
    if (!isCall || !truth.covered.has(from.path) || !truth.covered.has(to.path)) continue
    const caller = truth.callerOf(from)
    if (caller === undefined || !isCaller(caller, callers)) continue
    const callee = truth.calleeOf(to)
    if (callee === undefined) unknown += 1
    else claimed.add(edge(caller, callee))
  }
  const calls = truth.calls(callers)
  const mentions = truth.mentions(callers)
  return {
    truth: calls.size,
    claimed: claimed.size,
    right: [...claimed].filter((it) => calls.has(it)).length,
    mentions: [...claimed].filter((it) => mentions.has(it)).length,
    unknown,
  }
}

export function recall({ right, truth }: Score): number {
  return right / truth
}

/** Mentions count neither for nor against: the truth misses a call with type arguments. */
export function precision({ right, claimed, mentions }: Score): number {
  return right / (claimed - mentions)
}
