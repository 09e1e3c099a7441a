/**
 * Our code index beside the code graphs people use, on copies of the same repositories, against
 * the call edges that a compiler sees:
 *
 *     node bench/peers/code-graphs.ts --truth <folder> [--ours] [--json] <repository>…
 *
 * The truth of the repository `a__b` is in `a__b.defs.jsonl` and `a__b.refs.jsonl`. Each tool
 * builds its graph three times from nothing. Exits with 2 if it could not run.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ascending, inOrder } from '../../src/base/order.ts'
import { type Finished, runChild } from '../code/child.ts'
import { type Edge, edgeSet } from './code-graphs/call-graph.ts'
import { ours } from './code-graphs/ours.ts'
import { precision, recall, type Score, score } from './code-graphs/score.ts'
import { type GraphTool, peers, QUIET } from './code-graphs/tools.ts'
import { readTruth, type Truth } from './code-graphs/truth.ts'
import { InstallError } from './install.ts'

const BUILDS = 3
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules', '.codegraph', '.dossier'])
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { truth: { type: 'string' }, ours: { type: 'boolean' }, json: { type: 'boolean' } },
})

try {
  if (values.truth === undefined || positionals.length === 0) {
    console.error('usage: code-graphs.ts --truth <folder> [--ours] [--json] <repository>…')
    process.exitCode = 2
  } else {
    await compare(values.truth, positionals)
  }
} catch (error) {
  if (!(error instanceof InstallError)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function compare(truthFolder: string, repositories: readonly string[]): Promise<void> {
  const tools = [...(values.ours === true ? [ours()] : []), ...peers()]
  const scratch = mkdtempSync(join(tmpdir(), 'dossier-code-graphs-run-'))
  try {
    for (const repository of repositories.map((it) => resolve(it))) {
      const truth = readTruth(join(truthFolder, basename(repository)))
      const rows: Row[] = []
      for (const tool of tools) rows.push(await measured(tool, { repository, truth, scratch }))
      if (values.json === true) console.log(JSON.stringify({ repository, rows }))
      else console.log(`${basename(repository)}\n${table(rows)}\n`)
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

interface Subject {
  readonly repository: string
  readonly truth: Truth
  readonly scratch: string
}

interface Row {
  readonly name: string
  readonly seconds: number
  readonly peakMegabytes: number
  readonly edges: number
  /** How many different ones in all builds; one is what they should be. */
  readonly edgeSets: number
  readonly callSets: number
  /** One per build, worst recall first, because not all tools give the same twice. */
  readonly functions: readonly Score[]
  readonly everything: readonly Score[]
}

async function measured(tool: GraphTool, subject: Subject): Promise<Row> {
  const builds: Built[] = []
  for (let at = 0; at < BUILDS; at += 1) builds.push(await built(tool, subject))
  const scores = (callers: 'functions' | 'everything'): readonly Score[] =>
    builds
      .map((it) => score(subject.truth, it.edges, callers))
      .toSorted(
        inOrder(
          ascending((it) => it.right),
          ascending((it) => it.claimed),
          ascending((it) => it.unknown),
        ),
      )
  return {
    name: tool.name,
    seconds: Math.min(...builds.map((it) => it.run.milliseconds)) / 1000,
    peakMegabytes: Math.max(...builds.map((it) => it.run.peakMegabytes ?? Number.NaN)),
    edges: builds[0]?.edges.length ?? 0,
    edgeSets: new Set(builds.map((it) => edgeSet(it.edges))).size,
    callSets: new Set(builds.map((it) => edgeSet(it.edges.filter((one) => one.isCall)))).size,
    functions: scores('functions'),
    everything: scores('everything'),
  }
}

interface Built {
  readonly run: Finished
  readonly edges: readonly Edge[]
}

/** On a fresh copy, always in the same place, with a home of its own for what a tool keeps there. */
async function built(tool: GraphTool, { repository, scratch }: Subject): Promise<Built> {
  const cwd = join(scratch, 'repository')
  const home = join(scratch, 'home')
  for (const folder of [cwd, home]) rmSync(folder, { recursive: true, force: true })
  mkdirSync(home)
  cpSync(repository, cwd, { recursive: true, filter: isWanted })
  const run = await runChild(tool.command, { cwd, env: { ...QUIET, HOME: home } })
  if (run.end === 0) return { run, edges: await tool.read(cwd) }
  throw new Error(`${tool.name} ended with ${run.end}:\n${run.stderr}`)
}

function isWanted(path: string): boolean {
  return !LEFT_OUT.has(basename(path))
}

function table(rows: readonly Row[]): string {
  const columns = [
    '',
    'seconds',
    'peak MB',
    'edges',
    `edge sets in ${BUILDS}`,
    'of calls',
    'fn→fn recall',
    'precision',
    'all→fn recall',
    'precision',
    'unknown',
  ]
  const cells = rows.map((it) => [
    it.name,
    it.seconds.toFixed(2),
    it.peakMegabytes.toFixed(0),
    String(it.edges),
    String(it.edgeSets),
    String(it.callSets),
    span(it.functions, recall),
    span(it.functions, precision),
    span(it.everything, recall),
    span(it.everything, precision),
    String(it.everything[0]?.unknown ?? 0),
  ])
  const widths = columns.map((head, at) =>
    Math.max(head.length, ...cells.map((line) => line[at]?.length ?? 0)),
  )
  const aligned = (line: readonly string[]): string =>
    line
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
  const { functions, everything } = rows[0] ?? {}
  const truth = `truth: ${functions?.[0]?.truth} edges fn→fn, ${everything?.[0]?.truth} all→fn`
  return [aligned(columns), ...cells.map(aligned), truth].join('\n')
}

/** `45–74 %` where builds differ. */
function span(scores: readonly Score[], share: (score: Score) => number): string {
  const shares = scores.map((it) => 100 * share(it))
  const low = Math.min(...shares).toFixed(1)
  const high = Math.max(...shares).toFixed(1)
  return low === high ? `${low} %` : `${low}–${high} %`
}
