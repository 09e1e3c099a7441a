/** The composition root of the threads that read source files and resolve what is in them. */
import { type ResolveTask, resolveTask } from './packs/resolve-sources.ts'
import { realFiles } from './platform/files.ts'
import { type Batch, readTask } from './sources/code/read-batch.ts'

export default async (task: Batch | ResolveTask): Promise<unknown> =>
  'index' in task ? resolveTask(realFiles, task) : readTask(realFiles, task)
