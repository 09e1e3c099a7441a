/** The threads of an index, which end over some files: those that are called so. */
import { type ResolveTask, resolveTask } from '../../src/packs/index/resolve-sources.ts'
import { realFiles } from '../../src/platform/files.ts'
import { answerTasks } from '../../src/platform/program.ts'
import { type Batch, readTask } from '../../src/sources/code/read-batch.ts'
import { runOutOfMemory } from './run-out-of-memory.ts'

answerTasks((task: Batch | ResolveTask): Promise<unknown> => {
  if ('index' in task) {
    if (task.paths.some((it) => it.endsWith('greedy-to-resolve.h'))) runOutOfMemory()
    if (task.paths.some((it) => it.endsWith('leaving.c'))) process.exit(3)
    return resolveTask(realFiles, task)
  }
  const isGreedy = task.files.some((it) => it.path.endsWith('greedy-to-read.c'))
  if (isGreedy && task.isPlain !== true) runOutOfMemory()
  return readTask(realFiles, task)
})
