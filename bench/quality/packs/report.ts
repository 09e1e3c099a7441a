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
  readonly isFilled: boolean
  readonly cost: Cost
  readonly milliseconds: number
}

/** What a pack costs its reader. */
export interface Cost {
  readonly tokens: number
  /** Of the files that are shown, how many were changed; from 0 to 1. */
  readonly precision: number
  readonly named: number
}

/** The budget that the ranking and the marks are looked at with, where it was measured. */
export const MAIN_BUDGET = 8000

export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly lines: readonly (readonly string[])[]
}

/** A table per set and variant, with the marks; with a line per repository for the raw queries. */
export function tablesOf(all: readonly Row[]): readonly Table[] {
  const rows = all.filter((it) => it.isFilled)
  const budgets = [...new Set(rows.map((it) => it.budget))].toSorted((a, b) => a - b)
  return SETS.flatMap((set) =>
    VARIANTS.flatMap((variant) => {
      const own = rows.filter((it) => it.set === set && it.variant === variant)
      return own.length === 0 ? [] : [tableOf(own, { set, variant, budgets })]
    }),
  )
}

/** The default pack beside the one that is filled, at the main budget: a line per set and variant. */
export function costTable(rows: readonly Row[]): Table {
  const main = mainBudget(rows.map((it) => it.budget))
  const lines = SETS.flatMap((set) =>
    VARIANTS.flatMap((variant) => {
      const own = rows.filter(
        (it) => it.set === set && it.variant === variant && it.budget === main,
      )
      return own.length === 0 ? [] : [costLine(`${set}, ${variant}`, own)]
    }),
  )
  const all = costLine(
    'all',
    rows.filter((it) => it.budget === main),
  )
  const of = `@${inThousands(main)}`
  return {
    title: 'The default pack against a filled one',
    columns: [
      '',
      `lines${of}, filled`,
      'default',
      'share',
      'tokens, filled',
      'default',
      'share',
      'changed among files shown, filled',
      'default',
      'named',
    ],
    lines: [...lines, all],
  }
}

function costLine(name: string, rows: readonly Row[]): readonly string[] {
  const [filled, usual] = [true, false].map((isFilled) => {
    const own = rows.filter((it) => it.isFilled === isFilled)
    const mean = (of: (row: Row) => number): number =>
      own.reduce((sum, it) => sum + of(it), 0) / (own.length || 1)
    return {
      lines: mean((it) => it.lineRec),
      tokens: mean((it) => it.cost.tokens),
      precision: mean((it) => it.cost.precision),
      named: mean((it) => it.cost.named),
    }
  })
  if (filled === undefined || usual === undefined) return [name]
  return [
    name,
    share(filled.lines),
    share(usual.lines),
    share(usual.lines / (filled.lines || 1)),
    filled.tokens.toFixed(0),
    usual.tokens.toFixed(0),
    share(usual.tokens / (filled.tokens || 1)),
    share(filled.precision),
    share(usual.precision),
    usual.named.toFixed(1),
  ]
}

interface Kind {
  readonly set: SetName
  readonly variant: Variant
  readonly budgets: readonly number[]
}

function tableOf(rows: readonly Row[], { set, variant, budgets }: Kind): Table {
  const main = mainBudget(budgets)
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

export function mainBudget(budgets: readonly number[]): number {
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
  const groups = Map.groupBy(
    pairs,
    ({ now }) =>
      `${now.set}, ${now.variant}, ${now.budget} tokens${now.isFilled ? '' : ', default'}`,
  )
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

function keyOf({ id, set, variant, budget, isFilled = true }: Row): string {
  return [id, set, variant, budget, isFilled].join('\0')
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
