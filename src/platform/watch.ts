/**
 * Watches the files below a folder: by notification of the system if that works, else by scanning
 * every two seconds. Reports which paths changed, not how: the receiver reads them anyway. Knows
 * nothing of ignore files.
 */
import { join, relative, sep } from 'node:path'
import { Worker } from 'node:worker_threads'
import { realFiles } from './files.ts'
import { type Polling, pollFolder } from './poll.ts'

export interface Watcher {
  /** Rejects only if there is no such folder. Nothing is missed after it has resolved. */
  watchFolder(top: string, listener: WatchListener): Promise<Watching>
}

export interface WatchListener {
  /**
   * Files and folders that came, changed or went: relative, with `/`, sorted, each once. A folder
   * stands for everything in it. '' is the whole: changes may have been missed, look at all.
   */
  onChanges(paths: readonly string[]): void
  /** Watching goes on in another way, and the message says how. */
  onTrouble(error: Error): void
  /** Folders to be spared, relative, besides those that nobody wants to hear of. */
  readonly ignore?: readonly string[]
}

export interface Watching {
  /** No callback comes after it was called. */
  close(): Promise<void>
}

export const systemWatcher: Watcher = { watchFolder }

export function pollingWatcher(everyMs: number): Watcher {
  return {
    watchFolder: (top, listener) => {
      const news = new Batch(listener)
      const polling = startPolling(realFiles.realPath(top), { news, listener, everyMs })
      return Promise.resolve({ close: () => closeAll(news, [polling]) })
    },
  }
}

/** A burst is over when nothing came for so long, or has lasted long enough to be told of. */
const QUIET_MS = 20
const MOST_MS = 100
const POLL_MS = 2000

async function watchFolder(top: string, listener: WatchListener): Promise<Watching> {
  const real = realFiles.realPath(top)
  const news = new Batch(listener)
  const polling: Polling[] = []
  const poll = (cause: unknown): void => {
    if (news.isClosed || polling.length > 0) return
    const why = cause instanceof Error ? cause.message : String(cause)
    const message = `the system cannot watch ${top} (${why}); scanning every ${POLL_MS / 1000} s instead`
    listener.onTrouble(new Error(message, { cause }))
    polling.push(startPolling(real, { news, listener, everyMs: POLL_MS }))
  }
  const native = new NativeWatch(real, {
    news,
    ignored: createIgnoreFilter(listener),
    spared: listNativeIgnores(real, listener),
    onFailure: (error) => {
      poll(error)
      news.add([''])
    },
  })
  try {
    await checkNotificationWorks(real)
    await native.start()
  } catch (error) {
    poll(error)
  }
  return { close: () => closeAll(news, [native, ...polling]) }
}

/**
 * Where no more inotify instances are to be had, the library waits for its own thread for ever, and
 * the whole process with it. So one is asked for first, by a thread that gives it back as it ends.
 */
async function checkNotificationWorks(folder: string): Promise<void> {
  if (process.platform !== 'linux') return
  const attempt = `require('node:fs').watch(require('node:worker_threads').workerData).close()`
  const worker = new Worker(attempt, { eval: true, workerData: folder })
  await new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', resolve)
  })
}

async function closeAll(
  news: Batch,
  parts: readonly { close(): void | Promise<void> }[],
): Promise<void> {
  news.close()
  for (const part of parts) await part.close()
}

interface PollParts {
  readonly news: Batch
  readonly listener: WatchListener
  readonly everyMs: number
}

function startPolling(top: string, { news, listener, everyMs }: PollParts): Polling {
  const ignores = createIgnoreFilter(listener)
  return pollFolder(top, { everyMs, ignores, onChanges: (paths) => news.add(paths) })
}

const IGNORED_NAMES = /(^|[/\\])(\.git|\.hg|\.svn|\.dossier|node_modules)([/\\]|$)/

function createIgnoreFilter(listener: WatchListener): (path: string) => boolean {
  const folders = new Set(listener.ignore)
  return (path) => {
    if (IGNORED_NAMES.test(path) || folders.has(path)) return true
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
      if (folders.has(path.slice(0, at))) return true
    return false
  }
}

/** The library would read some names as patterns. Those are left to `createIgnoreFilter`. */
function listNativeIgnores(top: string, listener: WatchListener): readonly string[] {
  const paths = (listener.ignore ?? []).map((it) => join(top, it))
  return paths.filter((it) => !/[*?!+@()[\]{}|\\]/.test(it))
}

/** Gathers a burst into one call. */
class Batch {
  readonly #listener: WatchListener
  readonly #paths = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #latest = 0
  isClosed = false

  constructor(listener: WatchListener) {
    this.#listener = listener
  }

  /** What is a whole burst already is told of without waiting for more. */
  add(paths: readonly string[], isGathered = false): void {
    if (this.isClosed || paths.length === 0) return
    const now = performance.now()
    if (this.#timer === undefined) this.#latest = now + MOST_MS
    else clearTimeout(this.#timer)
    for (const path of paths) this.#paths.add(path)
    const wait = isGathered ? 0 : Math.min(QUIET_MS, Math.max(0, this.#latest - now))
    this.#timer = setTimeout(() => this.#flush(), wait)
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.#timer)
  }

  #flush(): void {
    const paths = this.#paths.has('') ? [''] : [...this.#paths].toSorted()
    this.#timer = undefined
    this.#paths.clear()
    this.#listener.onChanges(paths)
  }
}

interface NativeParts {
  readonly news: Batch
  /** Relative, with `/`. */
  ignored(path: string): boolean
  /** Native and absolute. */
  readonly spared: readonly string[]
  onFailure(error: Error): void
}

interface Change {
  readonly path: string
  readonly type: 'create' | 'update' | 'delete'
}

/**
 * The library tells of a change at once when it was silent for so long before; else it gathers
 * until nothing came for 50 ms.
 */
const SILENCE_MS = 500

/**
 * Chosen here: left to itself, the library first runs whatever is called `watchman` on the search path,
 * which may lead into the repository.
 */
const BACKENDS: Readonly<Partial<Record<NodeJS.Platform, 'inotify' | 'fs-events' | 'windows'>>> = {
  linux: 'inotify',
  darwin: 'fs-events',
  win32: 'windows',
}

/**
 * On Linux the library watches a new folder, and no folder that was already in it by then (a
 * folder moved in, or `mkdir -p`). Such a folder gets a subscription of its own, and is reported
 * once more when that stands: what happened in between is then found by whoever looks.
 */
class NativeWatch {
  readonly #top: string
  readonly #parts: NativeParts
  readonly #subscriptions = new Map<string, Promise<{ unsubscribe(): Promise<void> }>>()
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(top: string, parts: NativeParts) {
    this.#top = top
    this.#parts = parts
  }

  async start(): Promise<void> {
    await this.#subscribe('')
  }

  async close(): Promise<void> {
    const open = [...this.#subscriptions.values()]
    this.#subscriptions.clear()
    for (const it of open) {
      // One that never stood has nothing to be taken down.
      await it.then((subscription) => subscription.unsubscribe()).catch(() => undefined)
    }
  }

  async #subscribe(folder: string): Promise<void> {
    const subscription = this.#subscription(folder)
    this.#subscriptions.set(folder, subscription)
    try {
      await subscription
    } catch (error) {
      this.#subscriptions.delete(folder)
      throw error
    }
  }

  async #subscription(folder: string): Promise<{ unsubscribe(): Promise<void> }> {
    // Loaded here: whoever watches nothing does not pay for it.
    const { default: native } = await import('@parcel/watcher')
    const onEvents = (error: Error | null, changes: readonly Change[]): void => {
      if (error === null) this.#take(changes)
      else this.#parts.onFailure(error)
    }
    const backend = BACKENDS[process.platform]
    const ignore = [IGNORED_NAMES, ...this.#parts.spared]
    const options = backend === undefined ? { ignore } : { ignore, backend }
    return native.subscribe(join(this.#top, folder), onEvents, options)
  }

  #take(changes: readonly Change[]): void {
    const now = performance.now()
    const isGathered = now - this.#toldAt < SILENCE_MS
    this.#toldAt = now
    const paths: string[] = []
    for (const change of changes) {
      const path = relative(this.#top, change.path).split(sep).join('/')
      if (this.#parts.ignored(path)) continue
      paths.push(path)
      if (change.type === 'delete') this.#release(path)
      else if (process.platform === 'linux' && containsFolders(change.path)) void this.#extend(path)
    }
    this.#parts.news.add(paths, isGathered)
  }

  async #extend(folder: string): Promise<void> {
    if (this.#parts.news.isClosed || this.#subscriptions.has(folder)) return
    try {
      await this.#subscribe(folder)
      this.#parts.news.add([folder])
    } catch (error) {
      // A folder that is gone again needs no watching; any other reason concerns the whole.
      if (isFolder(join(this.#top, folder)))
        this.#parts.onFailure(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #release(folder: string): void {
    if (folder === '') return
    const subscription = this.#subscriptions.get(folder)
    this.#subscriptions.delete(folder)
    void subscription?.then((it) => it.unsubscribe()).catch(() => undefined)
  }
}

function isFolder(path: string): boolean {
  try {
    return realFiles.realPath(path) === path && realFiles.stat(path).kind === 'directory'
  } catch {
    return false
  }
}

function containsFolders(path: string): boolean {
  try {
    return isFolder(path) && realFiles.list(path).some((it) => it.isDirectory())
  } catch {
    return false
  }
}
