/** Examples of what a pack did not hold, for whoever looks for what they have in common. */
import type { Prediction } from './predictions.ts'
import type { Row } from './report.ts'
import { MAIN_BUDGET } from './report.ts'
import type { PackTask } from './tasks.ts'

export interface Run {
  readonly tasks: readonly PackTask[]
  readonly predictions: readonly Prediction[]
  readonly rows: readonly Row[]
}

/** The worst of each set and variant, at the main budget: first by rank, then by lines. */
export function asMisses({ tasks, predictions, rows }: Run, most: number): string {
  const byId = new Map(tasks.map((it) => [it.id, it]))
  const groups = Map.groupBy(
    rows.filter((it) => it.budget === MAIN_BUDGET && (it.hit5 === 0 || it.lineRec < 0.5)),
    (it) => `${it.set}, ${it.variant}`,
  )
  const blocks = [...groups].map(([title, own]) => {
    const worst = own.toSorted(
      (a, b) => a.mrr + a.lineRec - b.mrr - b.lineRec || (a.id < b.id ? -1 : 1),
    )
    const lines = worst.slice(0, most).map((row) => {
      const found = predictions.find(
        (it) => it.id === row.id && it.variant === row.variant && it.budget === row.budget,
      )
      return missText(row, byId.get(row.id), found)
    })
    return `# ${title}: ${own.length} not among the first five or less than half of the lines\n\n${lines.join('\n\n')}`
  })
  return `${blocks.join('\n\n')}\n`
}

function missText(row: Row, task: PackTask | undefined, found: Prediction | undefined): string {
  const query = task?.queries.get(row.variant) ?? ''
  const gold = (task?.gold ?? []).map(({ path, ranges }) => {
    const rank = (found?.files.indexOf(path) ?? -1) + 1
    const lines = ranges.map(({ start, end }) => `${start}-${end}`).join(' ')
    return `  ${rank === 0 ? 'nowhere' : `rank ${rank}`}  ${path}:${lines}`
  })
  const first = (found?.files ?? []).slice(0, 5).map((path) => `  instead  ${path}`)
  const head = `${row.id}  MRR ${row.mrr.toFixed(2)}, lines ${row.lineRec.toFixed(2)}`
  return [head, `  ${query.slice(0, 300).replaceAll(/\s*\n\s*/g, ' ⏎ ')}`, ...gold, ...first].join(
    '\n',
  )
}
