/** What was found and how long it took, as tables, and whether we are ahead. */
import type { Found, Timing } from './measure.ts'

type Cells = readonly (readonly string[])[]

export function foundTables(found: readonly Found[]): string {
  return [
    'share of the lines to be found, mean of the tasks',
    foundTable(found, (own) => percent(meanShare(own))),
    'share of the lines to be found, all tasks together',
    foundTable(found, (own) => percent(shareOfAll(own))),
    'tokens of the whole answer, mean',
    foundTable(found, (own) => mean(own.map((it) => it.tokens)).toFixed(0)),
    ...behind(found, { 'mean of the tasks': meanShare, 'all tasks together': shareOfAll }),
  ].join('\n')
}

function meanShare(own: readonly Found[]): number {
  return mean(own.map((it) => it.share))
}

function shareOfAll(own: readonly Found[]): number {
  return mean(own.map((it) => it.share * it.gold)) / mean(own.map((it) => it.gold))
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, it) => sum + it, 0) / values.length
}

type Figure = (own: readonly Found[]) => number

function foundTable(found: readonly Found[], figure: (own: readonly Found[]) => string): string {
  const readings = [...new Set(found.map((it) => it.reading))]
  const line = (name: string, own: readonly Found[]): readonly string[] => [
    name,
    String(new Set(own.map((it) => it.id)).size),
    ...readings.map((reading) => figure(own.filter((it) => it.reading === reading))),
  ]
  const repos = Map.groupBy(found, (it) => it.repo)
  const lines = [...repos].map(([repo, own]) => line(repo, own))
  return `${aligned([['', 'tasks', ...readings], ...lines, line('all', found)])}\n`
}

/** Every total that somebody else leads. */
function behind(
  found: readonly Found[],
  figures: Readonly<Record<string, Figure>>,
): readonly string[] {
  const [first, ...others] = new Set(found.map((it) => it.reading))
  const repos = Map.groupBy(found, (it) => it.repo)
  const lost = [...repos].flatMap(([repo, own]) =>
    others.flatMap((other) =>
      Object.entries(figures).flatMap(([name, figure]) => {
        const at = (reading: string | undefined): number =>
          figure(own.filter((it) => it.reading === reading))
        return at(other) > at(first) ? [`  ${repo}: ${other}, ${name}`] : []
      }),
    ),
  )
  if (lost.length === 0) return [`ahead of all of them on every repository`]
  return ['behind on:', ...lost]
}

export function timeTable(timings: readonly Timing[]): string {
  const tools = [...new Set(timings.map((it) => it.tool))]
  const line = (name: string, own: readonly Timing[]): readonly string[] => [
    name,
    ...tools.map((tool) => timeCell(own.filter((it) => it.tool === tool))),
  ]
  const repos = Map.groupBy(timings, (it) => it.repo)
  const lines = [...repos].map(([repo, own]) => line(repo, own))
  return [
    'milliseconds per question: median by the clock / mean of the processor',
    aligned([['', ...tools], ...lines, line('all', timings)]),
    ...slower(timings),
  ].join('\n')
}

/** Of all repositories together, by the clock and by the processor. */
function slower(timings: readonly Timing[]): readonly string[] {
  const tools = Map.groupBy(timings, (it) => it.tool)
  const peers = [...tools].filter(([tool]) => !tool.startsWith('ours'))
  return [...tools]
    .filter(([tool]) => tool.startsWith('ours'))
    .map(([tool, own]) => {
      const faster = peers.flatMap(([peer, theirs]) => [
        ...(wallOf(theirs) < wallOf(own) ? [`${peer} by the clock`] : []),
        ...(cpuOf(theirs) < cpuOf(own) ? [`${peer} by the processor`] : []),
      ])
      return faster.length === 0
        ? `${tool}: no slower than any of them`
        : `${tool}: slower than ${faster.join(', ')}`
    })
}

function wallOf(own: readonly Timing[]): number {
  return median(own.map((it) => it.wallMs))
}

function cpuOf(own: readonly Timing[]): number {
  return mean(own.map((it) => it.cpuMs))
}

function timeCell(own: readonly Timing[]): string {
  return `${wallOf(own).toFixed(0)} / ${cpuOf(own).toFixed(0)}`
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function aligned(rows: Cells): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join('  '),
    )
    .join('\n')
}
