/** The command from nothing to its text, as a process of its own, and the least that one can be. */
import { runChild } from '../code/child.ts'

const ROUNDS = 10

/** Milliseconds of the fastest run. */
export async function coldTime(command: readonly string[], cwd?: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { milliseconds, end, stderr } = await runChild(command, cwd === undefined ? {} : { cwd })
    if (end !== 0) throw new Error(`${command.join(' ')} ended with ${end}:\n${stderr}`)
    times.push(milliseconds)
  }
  return Math.min(...times)
}
