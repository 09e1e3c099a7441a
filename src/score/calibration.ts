/**
 * How likely what was found is needed, from 0 to 1. Scores are log-odds, but only against each
 * other: what a score means depends on how many others are as good, so each is taken as its share
 * of them all.
 *
 * Fitted on what the commits and fixes of the open tasks changed, given their messages; projects
 * left out in turn, 0.14 means 0.13, 0.25 means 0.22, 0.35 means 0.25 and 0.44 means 0.47.
 */
import type { Seed } from '../model/candidate.ts'

const CALIBRATION = { intercept: 0.44, slope: 0.9 } as const

/** So many share what there is: the same few however many were asked for. */
const SHARING = 80

/** By chunk. */
export function likelihoods(seeds: readonly Seed[]): ReadonlyMap<string, number> {
  // The best has a score of 1, unless all that was found is only near to what was asked for.
  const whole = Math.max(
    1,
    seeds.slice(0, SHARING).reduce((sum, it) => sum + it.score, 0),
  )
  return new Map(seeds.map(({ chunk, score }) => [chunk.uid, likelihood(score, whole)]))
}

function likelihood(score: number, whole: number): number {
  if (score <= 0) return 0
  const odds = CALIBRATION.intercept + CALIBRATION.slope * Math.log(score / whole)
  return 1 / (1 + Math.exp(-odds))
}
