/** Whether a ranking of chunks has what a task is after. */
import { createHash } from 'node:crypto'
import type { StoredChunk } from '../../src/model/docs-index.ts'
import type { DocsTask, GoldPage, Place } from './docs-tasks.ts'

export interface Verdict {
  readonly task: DocsTask
  readonly pageAt1: boolean
  readonly pageAt5: boolean
  /** Undefined where the set names no place within the page. */
  readonly placeAt5: boolean | undefined
}

export function judge(task: DocsTask, ranking: readonly StoredChunk[]): Verdict {
  const admitted = ranking.filter((chunk) => task.admits(chunk.source_path))
  const pages = [...new Set(admitted.map((chunk) => chunk.source_path))].slice(0, 5)
  const gold = new Map(task.gold.map((page) => [page.path, page]))
  const hasPlaces = task.gold.some((page) => page.places.length > 0)
  return {
    task,
    pageAt1: gold.has(pages[0] ?? ''),
    pageAt5: pages.some((page) => gold.has(page)),
    placeAt5: hasPlaces
      ? admitted.slice(0, 5).some((chunk) => isPlace(chunk, gold.get(chunk.source_path)))
      : undefined,
  }
}

/** What a task scores that could not be asked. */
export function missed(task: DocsTask): Verdict {
  return judge(task, [])
}

function isPlace(chunk: StoredChunk, page: GoldPage | undefined): boolean {
  return page?.places.some((place) => holds(chunk, place)) ?? false
}

function holds(chunk: StoredChunk, place: Place): boolean {
  const isUnder = place.heading !== undefined && chunk.title_path.at(-1) === place.heading
  return isUnder || (chunk.start_line <= place.end && chunk.end_line >= place.start)
}

/** Two halves that no one chose: what was tuned on the first is confirmed on the second. */
export function halfOf(task: DocsTask): 'first' | 'second' {
  const [byte = 0] = createHash('sha256').update(task.id).digest()
  return byte % 2 === 0 ? 'first' : 'second'
}

export interface Figures {
  readonly tasks: number
  readonly pageAt1: number
  readonly pageAt5: number
  /** Over the tasks that name a place. */
  readonly placeAt5: number
}

export function figures(verdicts: readonly Verdict[]): Figures {
  return {
    tasks: verdicts.length,
    pageAt1: share(verdicts.map((it) => it.pageAt1)),
    pageAt5: share(verdicts.map((it) => it.pageAt5)),
    placeAt5: share(verdicts.flatMap((it) => it.placeAt5 ?? [])),
  }
}

function share(claims: readonly boolean[]): number {
  return claims.length === 0 ? 0 : claims.filter((it) => it).length / claims.length
}
