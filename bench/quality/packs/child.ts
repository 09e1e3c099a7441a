/** A process of its own for one repository after the other: asked and answered by messages. */
import { composeWorld } from '../../../src/compose.ts'
import { SILENT } from '../../../src/model/progress.ts'
import { shareThreads } from '../../../src/packs/eval/shared-threads.ts'
import { type Job, type JobOutcome, runJob } from './repository.ts'

// A small repository is read again and again; one set of threads will do for all.
const { world } = shareThreads(
  composeWorld({
    workingFolder: process.cwd(),
    signal: new AbortController().signal,
    progress: SILENT,
    notice: (text) => console.error(text),
  }),
)

process.on('message', (job: Job) => {
  void runJob(world, job).then(answer, (error: unknown) => {
    const trouble = error instanceof Error ? (error.stack ?? error.message) : String(error)
    answer({ predictions: [], indexSeconds: 0, packSeconds: 0, failures: [trouble] })
  })
})

// Nobody is left to answer to.
process.on('disconnect', () => process.exit())

function answer(outcome: JobOutcome): void {
  process.send?.(outcome)
}
