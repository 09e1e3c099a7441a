/** Scores as tables: for people at a terminal, and as Markdown to keep. */
import { ascending, inOrder } from '../../../src/base/order.ts'
import { meanScores, type Scores } from './judge.ts'
import { type Mark, marksOf } from './marks.ts'
import { SETS, type SetName, VARIANTS, type Variant } from './tasks.ts'

/** One task, asked in one way, at one budget. */
export interface Row extends Scores {
  readonly id: string
  readonly set: SetName
  readonly repo: string
  readonly variant: Variant
  readonly budget: number
  readonly milliseconds: number
}

/** The budget that the ranking and the marks are looked at with, where it was measured. */
export const MAIN_BUDGET = 8000

export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly lines: readonly (readonly string[])[]
}

/** A table per set and variant, with the marks; with a line per repository for the raw queries. */
export function tablesOf(rows: readonly Row[]): readonly Table[] {
  const budgets = [...new Set(rows.map((it) => it.budget))].toSorted((a, b) => a - b)
  return SETS.flatMap((set) =>
    VARIANTS.flatMap((variant) => {
      const own = rows.filter((it) => it.set === set && it.variant === variant)
      return own.length === 0 ? [] : [tableOf(own, { set, variant, budgets })]
    }),
  )
}

interface Kind {
  readonly set: SetName
  readonly variant: Variant
  readonly budgets: readonly number[]
}

function tableOf(rows: readonly Row[], { set, variant, budgets }: Kind): Table {
  const main = mainOf(budgets)
  const line = (name: string, own: readonly Row[]): readonly string[] => {
    const at = (budget: number): Scores => meanScores(own.filter((it) => it.budget === budget))
    const { hit1, hit5, hit10, mrr, symRec } = at(main)
    return [
      name,
      String(new Set(own.map((it) => it.id)).size),
      ...[hit1, hit5, hit10, mrr].map(share),
      ...budgets.map((budget) => share(at(budget).lineRec)),
      share(symRec ?? 0),
    ]
  }
  const repos = variant === 'raw' ? Map.groupBy(rows, (it) => it.repo) : new Map<string, Row[]>()
  const byName = ascending<readonly [string, readonly Row[]]>(([name]) => name)
  return {
    title: `${set}, ${variant}`,
    columns: [
      '',
      'tasks',
      'hit@1',
      'hit@5',
      'hit@10',
      'MRR',
      ...budgets.map((it) => `lines@${inThousands(it)}`),
      `functions@${inThousands(main)}`,
    ],
    lines: [
      line('all', rows),
      ...marksOf(set, variant).map((mark) => markLine(mark, budgets)),
      ...[...repos].toSorted(inOrder(byName)).map(([name, own]) => line(name, own)),
    ],
  }
}

function markLine(mark: Mark, budgets: readonly number[]): readonly string[] {
  const mrr = mark.mrr === undefined ? '' : share(mark.mrr)
  return [
    mark.name,
    '',
    ...[mark.hit1, mark.hit5, mark.hit10].map(share),
    mrr,
    ...budgets.map((it) => (it === MAIN_BUDGET ? share(mark.lineRec) : '')),
    '',
  ]
}

function mainOf(budgets: readonly number[]): number {
  return budgets.includes(MAIN_BUDGET) ? MAIN_BUDGET : (budgets.at(-1) ?? MAIN_BUDGET)
}

const MEASURES = ['hit1', 'hit5', 'hit10', 'mrr', 'lineRec', 'symRec'] as const

/** Task by task against an earlier run: how many got better and how many worse. */
export function comparisonOf(rows: readonly Row[], before: readonly Row[]): readonly Table[] {
  const known = new Map(before.map((it) => [keyOf(it), it]))
  const pairs = rows.flatMap((now) => {
    const earlier = known.get(keyOf(now))
    return earlier === undefined ? [] : [{ now, earlier }]
  })
  const groups = Map.groupBy(pairs, ({ now }) => `${now.set}, ${now.variant}, ${now.budget} tokens`)
  return [...groups].map(([title, own]) => ({
    title: `${title}, against before`,
    columns: ['', 'before', 'now', 'won', 'lost'],
    lines: MEASURES.map((measure) => {
      const values = own.flatMap(({ now, earlier }) => {
        const [b, a] = [earlier[measure], now[measure]]
        return a === undefined || b === undefined || b === null ? [] : [{ a, b }]
      })
      const total = (of: (it: { a: number; b: number }) => number): string =>
        share(values.reduce((sum, it) => sum + of(it), 0) / (values.length || 1))
      return [
        measure,
        total((it) => it.b),
        total((it) => it.a),
        String(values.filter(({ a, b }) => a > b).length),
        String(values.filter(({ a, b }) => a < b).length),
      ]
    }),
  }))
}

function keyOf({ id, set, variant, budget }: Row): string {
  return [id, set, variant, budget].join('\0')
}

export function asText({ title, columns, lines }: Table): string {
  const head = [title, ...columns.slice(1)]
  const widths = head.map((cell, at) =>
    Math.max(cell.length, ...lines.map((line) => line[at]?.length ?? 0)),
  )
  return [head, ...lines]
    .map((line) =>
      line
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function asMarkdown({ title, columns, lines }: Table): string {
  const rule = `|${columns.map(() => '---').join('|')}|`
  return [`#### ${title}`, '', row(columns), rule, ...lines.map(row)].join('\n')
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** How long a pack took, in the middle and at the 95th percentile. */
export function timesOf(rows: readonly Row[]): string {
  const sorted = rows.map((it) => it.milliseconds).toSorted((a, b) => a - b)
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(0)
  return `a pack took ${at(0.5)} ms in the middle, ${at(0.95)} ms at the 95th percentile`
}

function share(value: number): string {
  return value.toFixed(2).replace(/^0/, '')
}

function inThousands(budget: number): string {
  return budget % 1000 === 0 ? `${budget / 1000}k` : String(budget)
}
