/** Lines that were typed at a prompt, kept from one time to the next. */
import { appendFileSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from './files.ts'
import { closeToOthers, PRIVATE_FOLDER } from './private.ts'

const MOST_LINES = 500

export interface LineHistory {
  /** The last first. */
  readonly history: readonly string[]
  remember(line: string): void
}

/** A history that cannot be read or kept is no reason not to work. */
export function lineHistory(path: string): LineHistory {
  return {
    history: linesIn(path),
    remember: (line) => {
      try {
        makeFolders(dirname(path), PRIVATE_FOLDER)
        appendFileSync(path, `${line}\n`, { mode: 0o600 })
        for (const it of [dirname(path), path]) closeToOthers(it)
      } catch {
        // Forgotten, then.
      }
    },
  }
}

function linesIn(path: string): readonly string[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n')
    return lines
      .filter((it) => it !== '')
      .slice(-MOST_LINES)
      .toReversed()
  } catch {
    return []
  }
}
