/**
 * How much of what somebody had to find a pack holds. Pure: knows neither git nor how the pack came
 * about, so that one's own history and others' tasks are judged alike.
 */
import { blockLines, blocksOf } from '../../format/pack-blocks.ts'
import type { ContextPack, LineRange } from '../../model/context-pack.ts'

/** What a pack answers, reduced to what can be right or wrong. */
export interface Answer {
  /** Paths, best first, each once. */
  readonly files: readonly string[]
  readonly shown: ReadonlyMap<string, readonly LineRange[]>
}

export function answerOf(pack: ContextPack): Answer {
  const items = pack.sections.flatMap((section) => section.items)
  const shown = new Map<string, LineRange[]>()
  for (const block of pack.sections.flatMap((section) => blocksOf(section.items))) {
    const path = block[0]?.fileRelPath ?? ''
    const known = shown.get(path)
    if (known === undefined) shown.set(path, [...blockLines(block)])
    else known.push(...blockLines(block))
  }
  const files = [...pack.seeds, ...items].map((it) => it.fileRelPath)
  return { files: [...new Set(files)], shown }
}

export function isShown(answer: Answer, path: string, line: number): boolean {
  return answer.shown.get(path)?.some((it) => it.start <= line && line <= it.end) ?? false
}

/** The places of these paths in the ranking, from 1; of those that have one. */
export function ranksOf(files: readonly string[], paths: readonly string[]): readonly number[] {
  return paths.map((path) => files.indexOf(path) + 1).filter((rank) => rank > 0)
}

/** 1 for the first place, 1/2 for the second, 0 for none. */
export function reciprocalRank(ranks: readonly number[]): number {
  return ranks.length === 0 ? 0 : 1 / Math.min(...ranks)
}

export function hitsAt(ranks: readonly number[], most: number): boolean {
  return ranks.some((rank) => rank <= most)
}

/** `count` is how many there were to be found. */
export function recallAt(ranks: readonly number[], most: number, count: number): number {
  return count === 0 ? 0 : ranks.filter((rank) => rank <= most).length / count
}

/** A line that should be in the pack, and what it is worth. */
export interface GoldLine {
  readonly path: string
  readonly line: number
  readonly weight: number
}

export function coveredShare(answer: Answer, gold: readonly GoldLine[]): number {
  let all = 0
  let covered = 0
  for (const { path, line, weight } of gold) {
    all += weight
    if (isShown(answer, path, line)) covered += weight
  }
  return all === 0 ? 0 : covered / all
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, it) => sum + it, 0) / values.length
}
