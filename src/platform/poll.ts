/** Finds changes below a folder by looking at all of it again and again. Follows no links. */
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
const MOST_BUSY = 1 / 10

export function pollFolder(top: string, options: PollOptions): Polling {
  let before = look(top, options)
  let timer: NodeJS.Timeout | undefined
  const wait = (tookMs: number): void => {
    timer = setTimeout(again, Math.max(options.everyMs, tookMs / MOST_BUSY))
  }
  const again = (): void => {
    const start = performance.now()
    const now = look(top, options)
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
function look(top: string, options: PollOptions): ReadonlyMap<string, string> {
  const stamps = new Map<string, string>()
  const pending = ['']
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of attempt(() => realFiles.list(join(top, folder ?? ''))) ?? []) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (options.ignores(path)) continue
      if (entry.isDirectory()) pending.push(path)
      else stamps.set(path, entry.isFile() ? stampOf(join(top, path)) : 'no file')
    }
  }
  return stamps
}

function stampOf(path: string): string {
  const stat = attempt(() => realFiles.stat(path))
  return stat === undefined ? 'gone' : `${stat.size} ${stat.mtimeMs}`
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
