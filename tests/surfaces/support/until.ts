/** Waits for a condition, and gives up at a deadline. */
import { setTimeout as pause } from 'node:timers/promises'

const POLL_MS = 5
const DEADLINE_MS = 20_000

export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`)
    await pause(POLL_MS)
  }
}
