/** The composition root of the threads that read source files and resolve what is in them. */
import type { ResolveTask } from './packs/index/resolve-sources.ts'
import { keepCompiledModules } from './platform/compile-cache.ts'
import { realFiles } from './platform/files.ts'
import { answerTasks, transfer } from './platform/program.ts'
import type { Batch } from './sources/code/read-batch.ts'

keepCompiledModules()

export async function extract(task: Batch | ResolveTask): Promise<unknown> {
  if ('index' in task) {
    const { resolveTask } = await import('./packs/index/resolve-sources.ts')
    return resolveTask(realFiles, task)
  }
  const { readTask } = await import('./sources/code/read-batch.ts')
  const readings = await readTask(realFiles, task)
  return transfer(readings, [readings.records.memory])
}

answerTasks(extract)
