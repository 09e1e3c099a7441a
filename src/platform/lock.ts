/**
 * One writer at a time, between processes. The lock is SQLite's on an empty file: the operating
 * system lets go of it when its holder dies, so no lock is ever left behind by a crash.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { EngineError } from '../model/engine-error.ts'

export interface Lock {
  release(): void
}

const SQLITE_BUSY = 5
const POLL_MS = 50
const PATIENCE_MS = 60_000

export async function acquireLock(path: string): Promise<Lock> {
  const connection = new DatabaseSync(path)
  for (let waited = 0; ; waited += POLL_MS) {
    try {
      connection.exec('BEGIN EXCLUSIVE')
      return { release: () => connection.close() }
    } catch (error) {
      if (!isBusy(error) || waited >= PATIENCE_MS) connection.close()
      if (!isBusy(error)) throw error
      if (waited >= PATIENCE_MS) {
        throw new EngineError('POC_E_BUSY', `another build has held ${path} for a minute`, {
          hint: 'wait for it to end, or stop it',
          cause: error,
        })
      }
    }
    await pause(POLL_MS)
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}
