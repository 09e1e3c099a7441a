/** The judgements on single commits, taken together. Pure. */
import type { GoldKind } from './gold.ts'
import { GOLD_KINDS } from './gold.ts'
import { mean } from './judge.ts'

/** How one commit's gold, all of it or that of one kind, was found with one setting. */
export interface Found {
  readonly kind: GoldKind | 'all'
  /** Shares of the files. */
  readonly recallAt1: number
  readonly recallAt5: number
  readonly recallAt10: number
  readonly reciprocalRank: number
  /** Shares of the tokens, in the order of the budgets. */
  readonly covered: readonly number[]
}

export interface CommitReport {
  readonly commit: string
  readonly subject: string
  readonly query: string
  readonly gold: readonly {
    readonly path: string
    readonly kind: GoldKind
    readonly tokens: number
  }[]
  /** In the order of the settings. */
  readonly found: readonly (readonly Found[])[]
}

export interface KindReport {
  readonly kind: GoldKind | 'all'
  /** That change something of the kind. */
  readonly commits: number
  readonly recallAt1: number
  readonly recallAt5: number
  readonly recallAt10: number
  readonly mrr: number
  readonly covered: readonly number[]
}

export interface Duel {
  readonly measure: string
  readonly won: number
  readonly lost: number
}

export interface SettingReport {
  readonly name: string
  readonly given: string
  readonly kinds: readonly KindReport[]
  /** Commit by commit against the first of the settings, which has none. */
  readonly duels: readonly Duel[]
}

export interface Summing {
  readonly settings: readonly { readonly name: string; readonly given: string }[]
  readonly budgets: readonly number[]
}

export function sumUp(
  commits: readonly CommitReport[],
  { settings, budgets }: Summing,
): readonly SettingReport[] {
  return settings.map(({ name, given }, at) => ({
    name,
    given,
    kinds: (['all', ...GOLD_KINDS] as const).map((kind) =>
      kindReport(kind, commits, { at, budgets }),
    ),
    duels: at === 0 ? [] : duelsOf(commits, at, budgets),
  }))
}

interface Place {
  /** The number of the setting. */
  readonly at: number
  readonly budgets: readonly number[]
}

function kindReport(
  kind: GoldKind | 'all',
  commits: readonly CommitReport[],
  { at, budgets }: Place,
): KindReport {
  const own = commits.flatMap((it) => it.found[at]?.filter((found) => found.kind === kind) ?? [])
  return {
    kind,
    commits: own.length,
    recallAt1: mean(own.map((it) => it.recallAt1)),
    recallAt5: mean(own.map((it) => it.recallAt5)),
    recallAt10: mean(own.map((it) => it.recallAt10)),
    mrr: mean(own.map((it) => it.reciprocalRank)),
    covered: budgets.map((_, each) => mean(own.map((it) => it.covered[each] ?? 0))),
  }
}

function duelsOf(
  commits: readonly CommitReport[],
  at: number,
  budgets: readonly number[],
): readonly Duel[] {
  const duel = (measure: string, of: (found: Found) => number): Duel => {
    const differences = commits.map(({ found }) => overall(found[at], of) - overall(found[0], of))
    return {
      measure,
      won: differences.filter((it) => it > 0).length,
      lost: differences.filter((it) => it < 0).length,
    }
  }
  return [
    duel('first right file', (it) => it.reciprocalRank),
    ...budgets.map((budget, each) => duel(`at ${budget}`, (it) => it.covered[each] ?? 0)),
  ]
}

function overall(found: readonly Found[] | undefined, of: (found: Found) => number): number {
  const all = found?.find((it) => it.kind === 'all')
  return all === undefined ? 0 : of(all)
}
