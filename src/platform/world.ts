/** All that a request may touch besides its arguments, chosen once by the composition root. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Progress } from '../model/progress.ts'
import type { CountTokens } from '../model/tokens.ts'
import { createCancelledError } from './cancelled.ts'
import type { Clock } from './clock.ts'
import type { Files } from './files.ts'
import type { Home } from './home.ts'
import type { Pool } from './pool.ts'
import type { Tools } from './run-tool.ts'
import type { Thread } from './thread.ts'
import type { Watcher } from './watch.ts'

export interface World {
  readonly files: Files
  readonly clock: Clock
  readonly progress: Progress
  /** Where relative paths of a request start. */
  readonly workingFolder: string
  /** `dossier 0.1.0`: written into what is made, to know it again. */
  readonly generator: string
  /** Set when the caller no longer wants the answer. */
  readonly signal: AbortSignal
  /** Whether requests come from a client of a server, which may only access what is served. */
  readonly isServed?: boolean
  /** What a server keeps open from request to request belongs to this; all of its requests share it. */
  readonly session?: object
  /** Whether the person has asked to see likely secrets, which are redacted otherwise. */
  readonly revealsSecrets?: boolean
  /** Whether the person has asked to follow links of a flow out of its repository. */
  readonly followsLinks?: boolean
  tokens(): Promise<CountTokens>
  /** Another thread for large builds, where there may be one. */
  writerThread(): Thread | undefined
  /** Threads that read source files. To be closed by whoever asked for them. */
  extractors(): Pool
  readonly watcher: Watcher
  readonly tools: Tools
  /** What was handed to the command on its standard input, where there is one. */
  input?(): Promise<Uint8Array>
  /** Folders of the user's settings and data. */
  readonly home: Home
  /** Absolute folder of the index, if given. */
  readonly indexFolder?: string | undefined
  /** Environment variables. They may hold keys and tokens: never store or print them. */
  variable(name: string): string | undefined
  /** Reports something that the caller should know and that is not an error. */
  notice(text: string): void
}

/** Lets signals and timers run between two steps of long synchronous work. */
export async function yieldToEventLoop(world: World): Promise<void> {
  await turn()
  if (world.signal.aborted) throw createCancelledError()
}

/** Waits for work, or rejects when the request is aborted. */
export async function orAbort<T>({ signal }: World, work: Promise<T>): Promise<T> {
  const { promise: unwanted, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(createCancelledError())
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    return await Promise.race([work, unwanted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
