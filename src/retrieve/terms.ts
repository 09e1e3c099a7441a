/**
 * Every number that the ranking of seeds turns on. They are log-odds: fitted on what later commits
 * and fixes of public projects changed, given their messages, and checked on projects that were
 * left out of the fitting.
 */
import type { PathRole } from '../base/path-roles.ts'
import type { ScoreTerm } from '../model/search.ts'

/** Of a file. */
export const FILE_TERMS = {
  'ranks of file, fused': 2.86,
  'words in file': 1.09,
  'best chunk of file': 0.76,
  'words in a name': 0.82,
  'a name as asked': 0.79,
  'much of the question at once': 0.97,
  'file is named': 0.96,
  'is called so': 2,
  'is an old copy': -1.5,
  'used by hits': 0.26,
  'uses a hit': 0.43,
  'tested by hits': 0.39,
} as const

/** Of a chunk among those of its file. */
export const CHUNK_TERMS = {
  'ranks, fused': 1.73,
  'words in chunk': 2.19,
  'share of the question': 1.73,
  'in its names': 1.16,
  'in its signature': 0.51,
  'is named so': 0.53,
  'beside a hit': 0.71,
  'first of its file': 0.36,
  'long chunk': 1.64,
  'line is named': 1.04,
  'chunk used by hits': 0.11,
  'chunk uses a hit': 0.21,
  imports: -0.97,
  'chunk like the first hits': 0.21,
} as const

/** What stands back when the question does not speak of it. */
export const ROLE_TERMS: Readonly<Record<PathRole, number>> = {
  source: 0,
  types: -0.89,
  test: -2.46,
  docs: -1.83,
  log: -1,
  support: -1.14,
  settings: -0.9,
  vendored: -2.5,
}

export function term<Terms extends Readonly<Record<string, number>>>(
  weights: Terms,
  name: keyof Terms & string,
  value: number,
): ScoreTerm {
  return { name, value: (weights[name] ?? 0) * value }
}

export function sum(terms: readonly ScoreTerm[]): number {
  let total = 0
  for (const it of terms) total += it.value
  return total
}
