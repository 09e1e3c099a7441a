/**
 * Measures the code index against what compilers, recorded runs and test suites say:
 *
 *     node bench/quality/graph.ts --data <eval folder> [--mirror <git directories>]
 *
 * `--set real,pycg` runs some of the sets, `--answer names` asks the baseline alone, `--misses 20`
 * prints examples of what went wrong, `--match 'hono call'` picks among them, and `--write` puts
 * the tables into GRAPH.md. Sets whose data or sources are absent are named and left out.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ANSWERERS, BASELINE } from './graph/answerers.ts'
import { jellySet } from './graph/jelly.ts'
import { PREFACE } from './graph/preface.ts'
import { pycgSet } from './graph/pycg.ts'
import { realSet } from './graph/real.ts'
import type { GraphSet, SetInput } from './graph/sets.ts'
import { snapshotSet } from './graph/snapshots.ts'
import { stackGraphsSet } from './graph/stack-graphs.ts'
import { asExamples, asMarkdown, asText, beside, type SetReport } from './graph/tables.ts'

const SETS: ReadonlyMap<string, GraphSet> = new Map([
  ['real', realSet],
  ['pycg', pycgSet],
  ['jelly', jellySet],
  ['stack-graphs', stackGraphsSet],
  ['scip', snapshotSet],
])

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    mirror: { type: 'string', default: '' },
    set: { type: 'string', default: [...SETS.keys()].join(',') },
    answer: { type: 'string', default: [...ANSWERERS.keys()].at(-1) ?? BASELINE },
    misses: { type: 'string', default: '0' },
    match: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
})

const names = values.set.split(',')
const answer = ANSWERERS.get(values.answer)
const baseline = ANSWERERS.get(BASELINE)
const misses = Number(values.misses)
if (
  values.data === undefined ||
  answer === undefined ||
  baseline === undefined ||
  !(misses >= 0) ||
  names.some((name) => !SETS.has(name))
) {
  console.error(
    `usage: node bench/quality/graph.ts --data <folder> [--mirror <folder>] [--write]
         [--set ${[...SETS.keys()].join(',')}] [--answer ${[...ANSWERERS.keys()].join('|')}]
         [--misses <count> [--match <pattern>]]`,
  )
  process.exitCode = 2
} else {
  const input = { data: values.data, mirror: values.mirror, answer }
  const reports = await measure(input)
  if (misses > 0) showMisses(reports)
  else {
    const isBaseline = values.answer === BASELINE
    const others = isBaseline ? [] : await measure({ ...input, answer: baseline })
    publish(beside(reports, others))
  }
}

async function measure(input: SetInput): Promise<readonly SetReport[]> {
  const reports: SetReport[] = []
  for (const name of names) {
    const report = await SETS.get(name)?.(input)
    if (report === undefined) console.error(`${name}: no data at ${input.data}`)
    else reports.push(report)
  }
  return reports
}

function showMisses(reports: readonly SetReport[]): void {
  const wanted = new RegExp(values.match)
  for (const report of reports) {
    const chosen = report.misses.filter((miss) => wanted.test(miss.tags))
    console.log(`# ${report.name}: ${asExamples(chosen, misses)}\n`)
  }
}

function publish(reports: readonly SetReport[]): void {
  if (!values.write) {
    console.log(asText(reports))
    return
  }
  writeFileSync(join(import.meta.dirname, 'GRAPH.md'), `${PREFACE}\n${asMarkdown(reports)}\n`)
}
