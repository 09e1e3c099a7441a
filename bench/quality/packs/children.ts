/** Jobs handed to processes, two at a time; the outcomes in the order of the jobs. */
import { type ChildProcess, fork } from 'node:child_process'
import type { Job, JobOutcome } from './repository.ts'

const PROCESSES = 2

export async function runJobs(
  jobs: readonly Job[],
  onDone: (job: Job, outcome: JobOutcome) => void,
): Promise<readonly JobOutcome[]> {
  const outcomes: JobOutcome[] = []
  const waiting = [...jobs.entries()]
  const work = async (): Promise<void> => {
    const child = fork(new URL('./child.ts', import.meta.url))
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [at, job] = next
        const outcome = await ask(child, job)
        outcomes[at] = outcome
        onDone(job, outcome)
      }
    } finally {
      if (child.connected) child.disconnect()
    }
  }
  await Promise.all(Array.from({ length: PROCESSES }, work))
  return outcomes
}

function ask(child: ChildProcess, job: Job): Promise<JobOutcome> {
  return new Promise((resolve, reject) => {
    const onExit = (status: number | null): void => reject(new Error(`a process ended: ${status}`))
    child.once('exit', onExit)
    child.once('message', (outcome: JobOutcome) => {
      child.off('exit', onExit)
      resolve(outcome)
    })
    child.send(job)
  })
}
