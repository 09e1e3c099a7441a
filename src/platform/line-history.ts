/** Lines that were typed at a prompt, kept from one time to the next. */
import { appendFileSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from './files.ts'
import { makePrivate, PRIVATE_FOLDER } from './private.ts'

const MAX_LINES = 500

export interface LineHistory {
  /** The last first. */
  readonly history: readonly string[]
  remember(line: string): void
}

/** Failures to read or write the history are ignored. */
export function openLineHistory(path: string): LineHistory {
  return {
    history: readLines(path),
    remember: (line) => {
      try {
        makeFolders(dirname(path), PRIVATE_FOLDER)
        appendFileSync(path, `${line}\n`, { mode: 0o600 })
        for (const it of [dirname(path), path]) makePrivate(it)
      } catch {
        // Forgotten, then.
      }
    },
  }
}

function readLines(path: string): readonly string[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n')
    return lines
      .filter((it) => it !== '')
      .slice(-MAX_LINES)
      .toReversed()
  } catch {
    return []
  }
}
