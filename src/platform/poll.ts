/** Finds changes below a folder by scanning it periodically. Does not follow links. */
import { join } from 'node:path'
import { realFiles } from './files.ts'

export interface PollOptions {
  readonly everyMs: number
  /** Relative, with `/`. A folder that is ignored is not entered. */
  ignores(path: string): boolean
  onChanges(paths: readonly string[]): void
}

export interface Polling {
  close(): void
}

/** A look may take this share of the time, and no more. */
const MAX_BUSY_SHARE = 1 / 10

export function pollFolder(top: string, options: PollOptions): Polling {
  let before = scanFolder(top, options)
  let timer: NodeJS.Timeout | undefined
  const wait = (tookMs: number): void => {
    timer = setTimeout(again, Math.max(options.everyMs, tookMs / MAX_BUSY_SHARE))
  }
  const again = (): void => {
    const start = performance.now()
    const now = scanFolder(top, options)
    const changed = [...now].flatMap(([path, stamp]) => (before.get(path) === stamp ? [] : [path]))
    const gone = [...before.keys()].filter((path) => !now.has(path))
    before = now
    wait(performance.now() - start)
    options.onChanges([...changed, ...gone])
  }
  wait(0)
  return { close: () => clearTimeout(timer) }
}

/** What tells one state of a file from another, for every path. */
function scanFolder(top: string, options: PollOptions): ReadonlyMap<string, string> {
  const stamps = new Map<string, string>()
  const pending = ['']
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of tryOrUndefined(() => realFiles.list(join(top, folder ?? ''))) ?? []) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (options.ignores(path)) continue
      if (entry.isDirectory()) pending.push(path)
      else stamps.set(path, entry.isFile() ? computeStamp(join(top, path)) : 'no file')
    }
  }
  return stamps
}

function computeStamp(path: string): string {
  const stat = tryOrUndefined(() => realFiles.stat(path))
  return stat === undefined ? 'gone' : `${stat.size} ${stat.mtimeMs}`
}

function tryOrUndefined<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
