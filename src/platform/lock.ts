/**
 * One writer at a time, between processes. The lock is SQLite's on an empty file: the operating
 * system lets go of it when its holder dies, so no lock is ever left behind by a crash.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { EngineError } from '../model/engine-error.ts'
import { createCancelledError } from './cancelled.ts'
import { ensureFile } from './private.ts'

export interface Lock {
  release(): void
}

export interface Waiting {
  /** Set when the caller no longer wants the lock. */
  readonly signal: AbortSignal
  /** Called once, when somebody else has it. */
  onWait(): void
}

const SQLITE_BUSY = 5
const POLL_MS = 50
const MAX_WAIT_MS = 60_000

export async function acquireLock(path: string, waiting: Waiting): Promise<Lock> {
  for (let waited = 0; ; waited += POLL_MS) {
    const lock = tryLock(path)
    if (lock !== undefined) return lock
    if (waited === 0) waiting.onWait()
    if (waiting.signal.aborted) {
      throw createCancelledError()
    }
    if (waited >= MAX_WAIT_MS) {
      throw new EngineError(
        'POC_E_BUSY',
        `another process has held the lock ${path} for a minute`,
        {
          hint: 'wait until it ends, or stop it',
        },
      )
    }
    await pause(POLL_MS)
  }
}

/** Undefined when somebody else has it. */
export function tryLock(path: string): Lock | undefined {
  ensureFile(path)
  const connection = new DatabaseSync(path)
  try {
    connection.exec('BEGIN EXCLUSIVE')
    return { release: () => connection.close() }
  } catch (error) {
    connection.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)
      return undefined
    throw error
  }
}
