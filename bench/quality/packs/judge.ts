/** Whether a prediction has what a task is after: the figures of the data's own scorer. */

import { linesOf } from '../../../src/packs/eval/changed-lines.ts'
import {
  type Answer,
  coveredShare,
  hitsAt,
  mean,
  ranksOf,
  reciprocalRank,
} from '../../../src/packs/eval/judge.ts'
import type { Piece, Prediction } from './predictions.ts'
import type { PackTask } from './tasks.ts'

/** Shares from 0 to 1. */
export interface Scores {
  readonly hit1: number
  readonly hit5: number
  readonly hit10: number
  readonly mrr: number
  readonly lineRec: number
  /** Undefined where the task names no function. */
  readonly symRec: number | undefined
}

type Judged = Pick<Prediction, 'files' | 'pack' | 'budget'>

export function judge(task: PackTask, { files, pack, budget }: Judged): Scores {
  const ranks = ranksOf(files, [...new Set(task.gold.map((it) => it.path))])
  const answer: Answer = { files, shown: shownIn(withinBudget(pack, budget)) }
  return {
    hit1: Number(hitsAt(ranks, 1)),
    hit5: Number(hitsAt(ranks, 5)),
    hit10: Number(hitsAt(ranks, 10)),
    mrr: reciprocalRank(ranks),
    lineRec: coveredShare(answer, goldLines(task)),
    symRec: touchedFunctions(task, answer),
  }
}

/** A pack over its budget counts as far as the budget goes. */
function withinBudget(pieces: readonly Piece[], budget: number): readonly Piece[] {
  const kept: Piece[] = []
  let used = 0
  for (const piece of pieces) {
    if (used + piece.tokens > budget) break
    used += piece.tokens
    kept.push(piece)
  }
  return kept
}

/** What a task scores that nothing was found for. */
export function missed(task: PackTask): Scores {
  return judge(task, { files: [], pack: [], budget: 0 })
}

export function meanScores(scores: readonly Scores[]): Scores {
  return {
    hit1: mean(scores.map((it) => it.hit1)),
    hit5: mean(scores.map((it) => it.hit5)),
    hit10: mean(scores.map((it) => it.hit10)),
    mrr: mean(scores.map((it) => it.mrr)),
    lineRec: mean(scores.map((it) => it.lineRec)),
    symRec: mean(scores.flatMap((it) => it.symRec ?? [])),
  }
}

function shownIn(pieces: readonly Piece[]): Answer['shown'] {
  return new Map(Map.groupBy(pieces, (it) => it.path))
}

function goldLines(task: PackTask) {
  return task.gold.flatMap(({ path, ranges }) =>
    linesOf(ranges).map((line) => ({ path, line, weight: 1 })),
  )
}

function touchedFunctions(task: PackTask, { shown }: Answer): number | undefined {
  const touched = task.gold.flatMap(({ path, functions }) =>
    functions.map(({ start, end }) =>
      Number(shown.get(path)?.some((it) => it.start <= end && it.end >= start) ?? false),
    ),
  )
  return touched.length === 0 ? undefined : mean(touched)
}
