/**
 * Measures context packs against what commits changed and what fixes of issues changed:
 *
 *     node bench/quality/packs.ts --data <eval folder> --mirror <git directories> --work <folder>
 *
 * `--set`, `--variants`, `--budgets`, `--repo <pattern>` and `--limit <tasks per repository>` choose
 * among the tasks; `--intent debug` asks so, and `--graph ranking` or `--graph none` leaves out the
 * sections of the graph, or all of it; `--misses 20` prints examples of what was not found; `--compare FILE` compares
 * task by task with what an earlier run left at `--save FILE`; `--write` puts the tables into
 * RESULTS.md. The working folder keeps checkouts and indexes from run to run, and holds the
 * predictions for the data's own scorer afterwards.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { INTENTS } from '../../src/model/pack-request.ts'
import { runJobs } from './packs/children.ts'
import { judge, missed } from './packs/judge.ts'
import { asMisses } from './packs/misses.ts'
import { type Prediction, writePredictions } from './packs/predictions.ts'
import {
  asMarkdown,
  asText,
  type Cost,
  comparisonOf,
  costTable,
  mainBudget,
  type Row,
  tablesOf,
  timesOf,
} from './packs/report.ts'
import type { Job } from './packs/repository.ts'
import { withSection } from './packs/results-section.ts'
import { type PackTask, readTasks, SETS, type SetName, VARIANTS } from './packs/tasks.ts'
import { GRAPH_USES } from './packs/without-graph.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    mirror: { type: 'string' },
    work: { type: 'string' },
    set: { type: 'string', default: SETS.join(',') },
    variants: { type: 'string', default: VARIANTS.join(',') },
    budgets: { type: 'string', default: '2000,4000,8000,16000' },
    repo: { type: 'string', default: '' },
    limit: { type: 'string', default: '1000' },
    intent: { type: 'string', default: 'answer' },
    graph: { type: 'string', default: 'all' },
    misses: { type: 'string', default: '0' },
    compare: { type: 'string' },
    save: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})

const sets = SETS.filter((it) => values.set.split(',').includes(it))
const variants = VARIANTS.filter((it) => values.variants.split(',').includes(it))
const budgets = values.budgets.split(',').map(Number)
const limit = Number(values.limit)
const intent = INTENTS.find((it) => it === values.intent)
const graph = GRAPH_USES.find((it) => it === values.graph)
const { data, mirror, work } = values
if (
  data === undefined ||
  mirror === undefined ||
  work === undefined ||
  sets.length === 0 ||
  variants.length === 0 ||
  !budgets.every((it) => it > 0) ||
  !(limit > 0) ||
  intent === undefined ||
  graph === undefined
) {
  console.error(
    `usage: node bench/quality/packs.ts --data <folder> --mirror <folder> --work <folder>
         [--set ${SETS.join(',')}] [--variants ${VARIANTS.join(',')}] [--budgets 2000,8000]
         [--repo <pattern>] [--limit <tasks per repository>] [--misses <count>]
         [--intent ${INTENTS.join('|')}] [--graph ${GRAPH_USES.join('|')}]
         [--save <file>] [--compare <file>] [--write]`,
  )
  process.exitCode = 2
} else {
  const folders = { data: resolve(data), mirror: resolve(mirror), work: resolve(work) }
  await measure({ ...folders, intent, graph })
}

interface Folders extends Pick<Job, 'intent' | 'graph'> {
  readonly data: string
  readonly mirror: string
  readonly work: string
}

async function measure(folders: Folders): Promise<void> {
  const start = performance.now()
  const before = values.compare === undefined ? undefined : savedRows(values.compare)
  mkdirSync(folders.work, { recursive: true })
  const tasks = sets.flatMap((set) => tasksOf(folders.data, set))
  const predictions = await predictAll(folders, tasks)
  writePredictions(folders.work, predictions)
  const rows = rowsOf(tasks, predictions)
  const commit = headCommit()
  const save = values.save ?? join(folders.work, 'packs.json')
  writeFileSync(save, `${JSON.stringify({ commit, rows })}\n`)
  const tables = [...tablesOf(rows), costTable(rows)]
  for (const table of tables) console.log(`${asText(table)}\n`)
  for (const table of comparisonOf(rows, before ?? [])) console.log(`${asText(table)}\n`)
  if (Number(values.misses) > 0)
    console.log(asMisses({ tasks, predictions, rows }, Number(values.misses)))
  const seconds = (performance.now() - start) / 1000
  console.log(`${timesOf(rows)}; all of it took ${seconds.toFixed(0)} s; saved in ${save}`)
  if (values.write) writeResults([...tables.map(asMarkdown), `${timesOf(rows)}.`], commit)
}

function tasksOf(from: string, set: SetName): readonly PackTask[] {
  const all = readTasks(from, set)
  if (all === undefined) console.error(`${set}: no data at ${from}`)
  const pattern = new RegExp(values.repo)
  const repos = Map.groupBy(
    (all ?? []).filter((it) => pattern.test(it.repo)),
    (it) => it.repo,
  )
  return [...repos.values()].flatMap((own) => own.slice(0, limit))
}

/** The repositories with the most work first, so that neither process waits long for the other. */
async function predictAll(
  folders: Folders,
  tasks: readonly PackTask[],
): Promise<readonly Prediction[]> {
  const groups = Map.groupBy(tasks, (it) => `${it.set} ${it.repo}`)
  const jobs = [...groups.values()]
    .toSorted((a, b) => commitCount(b) - commitCount(a))
    .flatMap(([first]): readonly Job[] =>
      first === undefined
        ? []
        : [{ ...folders, set: first.set, repo: first.repo, variants, budgets, limit }],
    )
  const outcomes = await runJobs(jobs, ({ set, repo }, outcome) => {
    const { predictions, indexSeconds, packSeconds, failures } = outcome
    const times = `index ${indexSeconds.toFixed(1)} s, packs ${packSeconds.toFixed(1)} s`
    console.error(`${set} ${repo}: ${predictions.length} packs, ${times}`)
    if (failures.length > 0)
      console.error(`  ${failures.length} failures, which count as nothing found: ${failures[0]}`)
  })
  return outcomes.flatMap((it) => it.predictions)
}

function commitCount(tasks: readonly PackTask[]): number {
  return new Set(tasks.map((it) => it.commit)).size
}

/** In the order of the tasks; what could not be asked counts as not found. */
function rowsOf(tasks: readonly PackTask[], predictions: readonly Prediction[]): readonly Row[] {
  const made = new Map(predictions.map((it) => [keyOf(it), it]))
  return tasks.flatMap((task) =>
    variants
      .filter((variant) => task.queries.has(variant))
      .flatMap((variant) =>
        waysOf(budgets).map(({ budget, isFilled }) => {
          const prediction = made.get(keyOf({ id: task.id, variant, budget, isFilled }))
          const scores = prediction === undefined ? missed(task) : judge(task, prediction)
          const { id, set, repo } = task
          const milliseconds = prediction?.milliseconds ?? 0
          const cost = costOf(task, prediction)
          return { id, set, repo, variant, budget, isFilled, cost, ...scores, milliseconds }
        }),
      ),
  )
}

function waysOf(all: readonly number[]) {
  return [
    ...all.map((budget) => ({ budget, isFilled: true })),
    { budget: mainBudget(all), isFilled: false },
  ]
}

function costOf(task: PackTask, prediction: Prediction | undefined): Cost {
  const pieces = prediction?.pack ?? []
  const shown = [...new Set(pieces.map((it) => it.path))]
  const right = shown.filter((path) => task.gold.some((it) => it.path === path))
  return {
    tokens: pieces.reduce((sum, it) => sum + it.tokens, 0),
    precision: right.length / (shown.length || 1),
    named: prediction?.named ?? 0,
  }
}

type Key = Pick<Prediction, 'id' | 'variant' | 'budget' | 'isFilled'>

function keyOf({ id, variant, budget, isFilled }: Key): string {
  return `${id} ${variant} ${budget} ${isFilled}`
}

function savedRows(file: string): readonly Row[] {
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly rows: readonly Row[] }).rows
}

function headCommit(): string {
  const folder = import.meta.dirname
  return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
    cwd: folder,
    encoding: 'utf8',
  }).trim()
}

function writeResults(parts: readonly string[], commit: string): void {
  const file = join(import.meta.dirname, 'RESULTS.md')
  const note = `Measured with the sources of ${commit} and what stood beside them.`
  const text = withSection(readFileSync(file, 'utf8'), [note, ...parts].join('\n\n'))
  writeFileSync(file, text)
}
