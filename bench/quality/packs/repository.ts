/** All tasks of one repository of one set: its files at the base, an index, and the packs. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CodeIndexReader } from '../../../src/model/code-index.ts'
import type { Intent } from '../../../src/model/pack-request.ts'
import { createContextPack } from '../../../src/packs/context/context-pack.ts'
import { packRequest } from '../../../src/packs/context/pack-request.ts'
import { Git } from '../../../src/platform/git.ts'
import type { World } from '../../../src/platform/world.ts'
import { openCodeIndex } from '../../../src/store/code/reader.ts'
import { IndexShelf } from './index-shelf.ts'
import { type Prediction, predictionOf } from './predictions.ts'
import { mainBudget } from './report.ts'
import { type PackTask, readTasks, type SetName, type Variant } from './tasks.ts'
import { type GraphUse, withoutGraph } from './without-graph.ts'

export interface Job {
  readonly set: SetName
  readonly repo: string
  readonly data: string
  readonly mirror: string
  readonly work: string
  readonly variants: readonly Variant[]
  readonly budgets: readonly number[]
  readonly intent: Intent
  readonly graph: GraphUse
  /** How many tasks of the repository at most. */
  readonly limit: number
}

export interface JobOutcome {
  readonly predictions: readonly Prediction[]
  readonly indexSeconds: number
  readonly packSeconds: number
  /** Why some packs could not be made, or none. */
  readonly failures: readonly string[]
}

export async function runJob(world: World, job: Job): Promise<JobOutcome> {
  const tasks = tasksOf(job)
  const git = gitOf(world, job)
  if (typeof git === 'string')
    return { predictions: [], indexSeconds: 0, packSeconds: 0, failures: [git] }
  const predictions: Prediction[] = []
  const failures: string[] = []
  const shelf = new IndexShelf(world, git, job)
  let indexing = 0
  let packing = 0
  // Tasks of one commit share an index; in the order of their dates, little changes in between.
  for (const [commit, own] of Map.groupBy(tasks, (it) => it.commit)) {
    const start = performance.now()
    const path = await shelf.at(commit)
    indexing += performance.now() - start
    const begin = performance.now()
    const opened = openCodeIndex(world.files, path)
    const index = job.graph === 'none' ? withoutGraph(opened) : opened
    try {
      for (const task of own)
        predictions.push(...(await predict(world, index, { task, job, failures })))
    } finally {
      await opened.close()
    }
    packing += performance.now() - begin
  }
  return { predictions, indexSeconds: indexing / 1000, packSeconds: packing / 1000, failures }
}

function tasksOf({ data, set, repo, limit }: Job): readonly PackTask[] {
  const all = readTasks(data, set) ?? []
  return all.filter((it) => it.repo === repo).slice(0, limit)
}

interface Asked {
  readonly task: PackTask
  readonly job: Job
  /** Where to say what went wrong: a pack that could not be made is one that holds nothing. */
  readonly failures: string[]
}

async function predict(
  world: World,
  index: CodeIndexReader,
  { task, job, failures }: Asked,
): Promise<readonly Prediction[]> {
  const count = await world.tokens()
  const { repo } = task
  const identity = { repoId: repo, indexRoot: '', indexSignature: await index.signature() }
  const predictions: Prediction[] = []
  for (const variant of job.variants) {
    const query = task.queries.get(variant)
    if (query === undefined) continue
    for (const { budget, fill } of waysOf(job.budgets)) {
      const start = performance.now()
      const wish = {
        query,
        fill,
        intent: job.intent,
        budgets: { maxTotalTokens: budget },
        ...(job.graph === 'all' ? {} : { expansion: { maxHops: 0 } }),
      }
      try {
        const pack = await createContextPack(world, index, packRequest(wish, identity))
        const milliseconds = performance.now() - start
        const { id, set } = task
        predictions.push({ id, set, variant, budget, ...predictionOf(pack, count), milliseconds })
      } catch (error) {
        const what = error instanceof Error ? error.message : String(error)
        failures.push(`${task.id}, ${variant}, ${budget} tokens: ${what}`)
      }
    }
  }
  return predictions
}

/** Filled at every budget, and as packs are by default at the main one. */
function waysOf(budgets: readonly number[]) {
  const main = mainBudget(budgets)
  return [...budgets.map((budget) => ({ budget, fill: true })), { budget: main, fill: false }]
}

function gitOf(world: World, { mirror, repo }: Job): Git | string {
  const home = join(mirror, repo.replace('/', '+'), 'repo')
  const gitFolder = existsSync(join(home, '.git')) ? join(home, '.git') : home
  if (!existsSync(join(gitFolder, 'objects'))) return `${repo}: no git directory at ${home}`
  const program = world.tools.find('git', mirror)
  if (program === undefined) return 'git is not installed'
  return new Git({ program, folder: mirror, gitFolder, signal: world.signal })
}
