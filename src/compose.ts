/** The real parts, put together: for the command line and for the library alike. */
import packageJson from '../package.json' with { type: 'json' }
import type { Progress } from './model/progress.ts'
import type { CountTokens } from './model/tokens.ts'
import { createSystemClock } from './platform/clock.ts'
import { realFiles } from './platform/files.ts'
import { findHome, readIndexFolder } from './platform/home.ts'
import { startPool } from './platform/pool.ts'
import { createSystemTools } from './platform/run-tool.ts'
import { startThread } from './platform/thread.ts'
import { loadTokenizer } from './platform/tokenizer.ts'
import type { Watcher } from './platform/watch.ts'
import type { World } from './platform/world.ts'

export const VERSION: string = packageJson.version

export interface Circumstances {
  readonly workingFolder: string
  readonly signal: AbortSignal
  readonly progress: Progress
  notice(text: string): void
  input?(): Promise<Uint8Array>
  /** In place of the one that the environment says. */
  readonly indexFolder?: string
}

export function composeWorld(circumstances: Circumstances): World {
  let tokens: Promise<CountTokens> | undefined
  return {
    files: realFiles,
    clock: createSystemClock(process.env['SOURCE_DATE_EPOCH']),
    generator: `dossier ${VERSION}`,
    tokens: () => {
      tokens ??= loadTokenizer()
      return tokens
    },
    writerThread: () => startThread(besides('worker')),
    extractors: () => startPool(besides('extractor')),
    watcher: lateWatcher,
    tools: createSystemTools(import.meta.dirname),
    home: findHome(process.env),
    variable: (name) => process.env[name] || undefined,
    indexFolder: readIndexFolder(process.env, circumstances.workingFolder),
    ...circumstances,
  }
}

/** Few commands watch: the others do not load what it takes. */
const lateWatcher: Watcher = {
  watchFolder: async (top, listener) => {
    const { systemWatcher } = await import('./platform/watch.ts')
    return systemWatcher.watchFolder(top, listener)
  },
}

/** Source runs as it is in development; a build has one file per entry, side by side. */
function besides(name: string): URL {
  const isSource = import.meta.url.endsWith('.ts')
  return new URL(isSource ? `./${name}.ts` : `./${name}.js`, import.meta.url)
}
