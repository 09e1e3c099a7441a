/**
 * Our packs beside those of the tools people use, on copies of the same repositories: messages of
 * commits as questions, and how many of the lines that each commit changed stand in the first 8,000
 * tokens of the answer.
 *
 *     node bench/peers/context-packs.ts --data <eval folder> --checkouts <folder>
 *          [--limit <tasks per repository>] [--repo <pattern>] [--tools <pattern>]
 *          [--tokens 8000] [--json <file>]
 *
 * The checkout of `a/b` is the folder `a__b`, at the commit of its tasks. Only printed lines count.
 * One of the tools prints signatures with the lines that they stand for; its second row lets it
 * read those lines too, in its own order, for what the budget has left. Exits with 2 if it could
 * not run.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { composeWorld } from '../../src/compose.ts'
import { SILENT } from '../../src/model/progress.ts'
import { builtProgram } from '../built.ts'
import { type PackTask, readTasks } from '../quality/packs/tasks.ts'
import { askInProcess } from './context-packs/in-process.ts'
import { VERSIONS } from './context-packs/install.ts'
import { answersOf, envOf, type Found, type Timing } from './context-packs/measure.ts'
import { foundTables, timeTable } from './context-packs/report.ts'
import { timedRun } from './context-packs/timed-run.ts'
import { ours, type PackTool, peers } from './context-packs/tools.ts'
import { InstallError } from './install.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    checkouts: { type: 'string' },
    limit: { type: 'string', default: '1000' },
    repo: { type: 'string', default: '' },
    tools: { type: 'string', default: '' },
    tokens: { type: 'string', default: '8000' },
    json: { type: 'string' },
  },
})
/** What a tool has left in a checkout must not help another, nor be found by it. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.codegraph', '.context', '.dossier'])

const world = composeWorld({
  workingFolder: process.cwd(),
  signal: new AbortController().signal,
  progress: SILENT,
  notice: (text) => console.error(text),
})

interface Results {
  readonly found: Found[]
  readonly timings: Timing[]
}

try {
  const { data, checkouts } = values
  if (data === undefined || checkouts === undefined) {
    console.error('usage: context-packs.ts --data <folder> --checkouts <folder> [--limit <tasks>]')
    process.exitCode = 2
  } else {
    await compare(resolve(data), resolve(checkouts))
  }
} catch (error) {
  if (!(error instanceof InstallError)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function compare(data: string, checkouts: string): Promise<void> {
  const start = performance.now()
  const program = await builtProgram()
  const scratch = mkdtempSync(join(tmpdir(), 'dossier-context-packs-run-'))
  const results: Results = { found: [], timings: [] }
  try {
    const wanted = new RegExp(values.tools)
    const others = peers().filter((it) => wanted.test(it.name))
    const tools = [ours(program, Number(values.tokens)), ...others]
    for (const [repo, tasks] of tasksIn(data)) {
      const from = join(checkouts, repo.replace('/', '__'))
      if (!existsSync(from)) console.error(`${repo}: no checkout at ${from}`)
      else await askAll(tools, { repo, from, scratch, tasks, results })
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  const list = Object.entries(VERSIONS).map(([name, version]) => `${name} ${version}`)
  console.log(`first ${values.tokens} tokens of each answer; ${list.join(', ')}\n`)
  console.log(`${foundTables(results.found)}\n\n${timeTable(results.timings)}`)
  console.log(`\nall of it took ${((performance.now() - start) / 1000).toFixed(0)} s`)
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(results))
}

function tasksIn(data: string): ReadonlyMap<string, readonly PackTask[]> {
  const pattern = new RegExp(values.repo)
  const wanted = (readTasks(data, 'commit') ?? []).filter((it) => pattern.test(it.repo))
  const repos = Map.groupBy(wanted, (it) => it.repo)
  return new Map([...repos].map(([repo, own]) => [repo, own.slice(0, Number(values.limit))]))
}

interface Repository {
  readonly repo: string
  readonly from: string
  readonly scratch: string
  readonly tasks: readonly PackTask[]
  readonly results: Results
}

async function askAll(tools: readonly PackTool[], repository: Repository): Promise<void> {
  const { repo, scratch, tasks, results } = repository
  const tokens = Number(values.tokens)
  const count = await world.tokens()
  const home = join(scratch, 'home')
  mkdirSync(home, { recursive: true })
  let printed: ReadonlyMap<string, string> | undefined
  for (const tool of tools) {
    const folder = await preparedCopy(tool, repository, home)
    const answers = await answersOf(tool, { folder, home, tasks, tokens, count })
    results.found.push(...answers.found)
    results.timings.push(...answers.timings)
    if (printed !== undefined) continue
    printed = answers.texts
    const same = await askInProcess(world, { folder, tasks, tokens })
    results.timings.push(...same.timings)
    const others = tasks.filter(({ id }) => same.texts.get(id) !== printed?.get(id))
    if (others.length > 0)
      console.error(`${repo}: ${others.length} packs differ from the command's`)
  }
  rmSync(join(scratch, 'copies'), { recursive: true, force: true })
  console.error(`${repo}: ${tasks.length} tasks`)
}

/** A copy for each family of tools, made ready once. */
async function preparedCopy(
  tool: PackTool,
  { from, scratch }: Repository,
  home: string,
): Promise<string> {
  const folder = join(scratch, 'copies', tool.copy, basename(from))
  if (existsSync(folder)) return folder
  // With their times: an index may distrust a file that is as young as itself.
  cpSync(from, folder, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    filter: isWanted,
  })
  await timedRun(tool.prepare, { cwd: folder, env: envOf(home) })
  return folder
}

function isWanted(path: string): boolean {
  return !LEFT_OUT.has(basename(path))
}
