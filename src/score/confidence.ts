/** How sure a pack is that it holds what was asked for, by the best that it found. */
import type { Candidate } from '../model/candidate.ts'
import type { Confidence } from '../model/context-pack.ts'

interface AskedName {
  readonly name: string
  /** Written as code, or a word of a sentence. */
  readonly kind: 'alone' | 'code' | 'word'
  readonly isAnyCase: boolean
}

/** Of the best find: likelihoods that mean what they say, see `calibration.ts`. */
const LEAST = { high: 0.3, medium: 0.12 } as const

/** `names` are all that the question may spell; words of a sentence need not be in the code. */
export function confidenceIn(
  candidates: readonly Candidate[],
  names: readonly AskedName[],
): Confidence {
  const likelihood = candidates.reduce((most, it) => Math.max(most, it.likelihood), 0)
  const unknown = names
    .filter((it) => it.kind !== 'word' && !candidates.some(({ chunk }) => holds(chunk.text, it)))
    .map((it) => it.name)
  const level =
    candidates.length === 0
      ? 'none'
      : likelihood >= LEAST.high
        ? 'high'
        : likelihood >= LEAST.medium
          ? 'medium'
          : 'low'
  return { level, likelihood: Math.round(likelihood * 1e3) / 1e3, unknown: [...new Set(unknown)] }
}

function holds(text: string, { name, isAnyCase }: AskedName): boolean {
  return isAnyCase ? text.toLowerCase().includes(name.toLowerCase()) : text.includes(name)
}
