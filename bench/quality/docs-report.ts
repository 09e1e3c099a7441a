/** The verdicts as tables for people, or as JSON. */
import { type Figures, figures, halfOf, missed, type Verdict } from './docs-judge.ts'
import type { DocsSet, DocsTask } from './docs-tasks.ts'

export interface SetReport {
  readonly set: DocsSet
  readonly verdicts: readonly Verdict[]
  /** Tasks over pages that are not Markdown: not asked. */
  readonly otherMarkup: readonly DocsTask[]
  /** Sentences on repositories that could not be had. */
  readonly skipped: readonly string[]
  /** How long each search took. */
  readonly milliseconds: readonly number[]
}

export function asTables(reports: readonly SetReport[]): string {
  return reports.map(asTable).join('\n\n')
}

function asTable(report: SetReport): string {
  const { place } = report.set
  const columns = [report.set.name, 'tasks', 'page@1', 'page@5', `${place}@5`]
  const lines = groups(report).map(({ name, of }) => cells(name, of))
  const widths = columns.map((head, at) =>
    Math.max(head.length, ...lines.map((line) => line[at]?.length ?? 0)),
  )
  const aligned = [columns, ...lines].map((line) =>
    line
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  )
  return [...aligned, times(report.milliseconds), ...report.skipped].join('\n')
}

export function asJson(reports: readonly SetReport[]): string {
  const plain = reports.map((report) => ({
    set: report.set.name,
    groups: Object.fromEntries(groups(report).map(({ name, of }) => [name, of])),
    skipped: report.skipped,
    tasks: report.verdicts.map(({ task, ...verdict }) => ({ id: task.id, ...verdict })),
  }))
  return JSON.stringify(plain, null, 2)
}

interface Group {
  readonly name: string
  readonly of: Figures
}

function groups(report: SetReport): readonly Group[] {
  const { verdicts, otherMarkup } = report
  const repos = Map.groupBy(verdicts, (it) => it.task.repo)
  const halves = Map.groupBy(verdicts, (it) => halfOf(it.task))
  const withZeros = [...verdicts, ...otherMarkup.map(missed)]
  return [
    ...[...repos].map(([name, own]) => ({ name, of: figures(own) })),
    { name: 'all Markdown', of: figures(verdicts) },
    { name: '  first half', of: figures(halves.get('first') ?? []) },
    { name: '  second half', of: figures(halves.get('second') ?? []) },
    ...(otherMarkup.length > 0
      ? [{ name: 'all, other markup counted as zero', of: figures(withZeros) }]
      : []),
  ]
}

function cells(name: string, of: Figures): readonly string[] {
  const shares = [of.pageAt1, of.pageAt5, of.placeAt5].map((share) => share.toFixed(3))
  return [name, String(of.tasks), ...shares]
}

function times(milliseconds: readonly number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1)
  return `a search took ${at(0.5)} ms in the middle, ${at(0.95)} ms at the 95th percentile`
}
