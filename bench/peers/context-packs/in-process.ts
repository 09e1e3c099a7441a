/** Our packs without a process for each: one open index, as a server has it. */
import { basename, join } from 'node:path'
import { packText } from '../../../src/format/pack-text.ts'
import { createContextPack } from '../../../src/packs/context/context-pack.ts'
import { packRequest } from '../../../src/packs/context/pack-request.ts'
import type { World } from '../../../src/platform/world.ts'
import { openCodeIndex } from '../../../src/store/code/reader.ts'
import type { PackTask } from '../../quality/packs/tasks.ts'
import { queryOf, type Timing } from './measure.ts'

export interface InProcess {
  readonly timings: readonly Timing[]
  readonly texts: ReadonlyMap<string, string>
}

export interface InProcessAsk {
  /** A repository with an index. */
  readonly folder: string
  readonly tasks: readonly PackTask[]
  readonly tokens: number
}

export async function askInProcess(
  world: World,
  { folder, tasks, tokens }: InProcessAsk,
): Promise<InProcess> {
  const indexRoot = join(folder, '.dossier')
  const index = openCodeIndex(world.files, join(indexRoot, 'index.db'))
  try {
    const indexSignature = await index.signature()
    const identity = { repoId: basename(folder), indexRoot, indexSignature }
    const pack = async (task: PackTask): Promise<string> => {
      const wish = { query: queryOf(task), fill: true, budgets: { maxTotalTokens: tokens } }
      const made = await createContextPack(world, index, packRequest(wish, identity))
      return packText(made, made.request.rendering)
    }
    for (const task of tasks.slice(0, WARM_UP)) await pack(task)
    const timings: Timing[] = []
    const texts = new Map<string, string>()
    for (const task of tasks) {
      const before = process.cpuUsage()
      const start = performance.now()
      texts.set(task.id, await pack(task))
      const wallMs = performance.now() - start
      const { user, system } = process.cpuUsage(before)
      const { repo } = task
      timings.push({ repo, tool: 'ours, in process', wallMs, cpuMs: (user + system) / 1000 })
    }
    return { timings, texts }
  } finally {
    await index.close()
  }
}

const WARM_UP = 10
