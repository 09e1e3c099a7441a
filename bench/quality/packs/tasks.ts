/** The two sets of places to find in code, read into one shape: queries, and what was changed. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ascending, inOrder } from '../../../src/base/order.ts'
import type { LineRange } from '../../../src/model/context-pack.ts'

export const VARIANTS = ['raw', 'stripped', 'plain'] as const
export type Variant = (typeof VARIANTS)[number]

export const SETS = ['commit', 'issue'] as const
export type SetName = (typeof SETS)[number]

export interface PackTask {
  readonly id: string
  readonly set: SetName
  readonly repo: string
  readonly commit: string
  /** A variant that the set does not have of this task is left out. */
  readonly queries: ReadonlyMap<Variant, string>
  readonly gold: readonly GoldFile[]
}

export interface GoldFile {
  readonly path: string
  readonly ranges: readonly LineRange[]
  readonly functions: readonly LineRange[]
}

/** Where the tasks of a set lie, for its own scorer too. */
export function tasksFile(data: string, set: SetName): string {
  return join(data, `${set}-loc`, 'open', 'tasks.jsonl')
}

/** By repository, then by date; undefined where the data is absent. */
export function readTasks(data: string, set: SetName): readonly PackTask[] | undefined {
  const file = tasksFile(data, set)
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TaskRow)
    .toSorted(
      inOrder(
        ascending((row) => row.repo),
        ascending((row) => row.date),
        ascending((row) => row.id),
      ),
    )
    .map((row) => taskOf(set, row))
}

interface TaskRow {
  readonly id: string
  readonly repo: string
  readonly base_commit: string
  readonly date: string
  readonly query_raw: string | null
  readonly query_stripped: string | null
  readonly query_plain: string | null
  readonly gold: readonly {
    readonly path: string
    readonly ranges: readonly LineRange[]
    readonly symbols?: readonly (LineRange & { readonly kind: string })[]
  }[]
}

function taskOf(set: SetName, row: TaskRow): PackTask {
  return {
    id: row.id,
    set,
    repo: row.repo,
    commit: row.base_commit,
    queries: new Map(
      VARIANTS.flatMap((variant) => {
        const query = row[`query_${variant}`]
        return query === null || query === undefined ? [] : [[variant, query] as const]
      }),
    ),
    gold: row.gold.map(({ path, ranges, symbols = [] }) => ({
      path,
      ranges,
      functions: symbols.filter((it) => it.kind === 'function'),
    })),
  }
}
