import { counted } from '../../../base/text.ts'
import { bar } from '../../../format/bar.ts'
import { type EvalReport, evaluateHistory } from '../../../packs/eval/evaluate.ts'
import { z } from '../../../platform/schema.ts'
import { repositoryInput } from '../index/repository-input.ts'
import { optional, withDefault } from '../input.ts'
import { operation, type Paint } from '../operation.ts'

export const evaluate = operation({
  name: 'eval',
  examples: [
    { command: 'dossier eval', purpose: 'the last 50 commits that can be judged' },
    { command: 'dossier eval --commits 20 --budgets 4000,16000', purpose: 'fewer, other budgets' },
    {
      command: 'dossier eval --compare sparse=seedProvider:sparse --compare hybrid=',
      purpose: 'two settings side by side; one without any is the default',
    },
  ],
  input: z.strictObject({
    ...repositoryInput,
    commits: withDefault(
      z.int().check(z.minimum(1), z.maximum(5000)),
      50,
      'Maximum number of commits to judge.',
    ),
    budgets: optional(
      z
        .array(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500_000)))
        .check(z.minLength(1), z.maxLength(8)),
      'Sizes of the packs in tokens, joined by commas (2000,8000,32000 if absent).',
    ),
    since: optional(
      z.string().check(z.minLength(1)),
      'Only commits after this commit, branch or tag.',
    ),
    compare: optional(
      z.array(z.string()),
      'NAME=key:value,…: settings of a request to run beside others; may be repeated.',
    ),
  }),
  short: { commits: 'n' },
  positional: ['path'],
  run: (world, input) => evaluateHistory(world, input),
  text: renderReport,
  succeeded: () => true,
})

function renderReport(report: EvalReport, paint: Paint): string {
  const { head, judged, lookedAt, leftOut } = report
  const reasons = leftOut.map(({ reason, count }) => `${count} ${reason}`)
  const lines = [
    `${paint.strong(counted(judged, 'commit'))} judged of ${lookedAt} up to ${head.slice(0, 12)}`,
    ...(reasons.length === 0 ? [] : [paint.faint(`  left out: ${reasons.join(', ')}`)]),
    '',
    ...rankingTable(report, paint),
    '',
    ...coverageChart(report, paint),
    ...renderDuels(report),
  ]
  return `${lines.join('\n')}\n`
}

function rankingTable({ settings }: EvalReport, paint: Paint): readonly string[] {
  const rows = settings.flatMap(({ name, kinds }) =>
    kinds
      .filter((it) => it.commits > 0)
      .map((it) => [
        settings.length === 1 ? it.kind : `${name} ${it.kind}`,
        String(it.commits),
        ...[it.recallAt1, it.recallAt5, it.recallAt10, it.mrr].map(formatPercent),
      ]),
  )
  const [head = '', ...lines] = alignColumns([
    ['Files found', 'commits', 'first', 'in 5', 'in 10', 'MRR'],
    ...rows,
  ])
  return [paint.strong(head), ...lines]
}

const BAR_WIDTH = 32

/** A block per kind of file and budget, and in it a bar per setting. */
function coverageChart({ settings, budgets }: EvalReport, paint: Paint): readonly string[] {
  const kinds = settings[0]?.kinds.filter((it) => it.commits > 0).map((it) => it.kind) ?? []
  const rows = kinds.flatMap((kind) =>
    budgets.flatMap((budget, at) =>
      settings.map(({ name, kinds: own }) => ({
        label: `  ${kind} at ${budget}${settings.length === 1 ? '' : ` ${name}`}`,
        share: own.find((it) => it.kind === kind)?.covered[at] ?? 0,
      })),
    ),
  )
  const width = Math.max(0, ...rows.map((it) => it.label.length))
  return [
    paint.strong('Changed text in a pack, in tokens'),
    ...rows.map(
      ({ label, share }) =>
        `${label.padEnd(width)}  ${bar(share, BAR_WIDTH)} ${formatPercent(share)}`,
    ),
  ]
}

function renderDuels({ settings }: EvalReport): readonly string[] {
  const [first] = settings
  return settings.slice(1).map(({ name, duels: all }) => {
    const said = all.map(({ measure, won, lost }) => `${measure} ${won} and ${lost}`)
    return `commits won and lost by ${name} against ${first?.name}: ${said.join(', ')}`
  })
}

function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((it) => it[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  )
}

function formatPercent(share: number): string {
  return `${Math.round(share * 100)} %`
}
