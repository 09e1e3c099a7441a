/** The real world, quiet: real files, clock and tokenizer, nothing printed, no writer's thread. */
import { join } from 'node:path'
import { SILENT } from '../../src/model/progress.ts'
import type { CountTokens } from '../../src/model/tokens.ts'
import { createSystemClock } from '../../src/platform/clock.ts'
import { realFiles } from '../../src/platform/files.ts'
import { findHome } from '../../src/platform/home.ts'
import { startPool } from '../../src/platform/pool.ts'
import { createSystemTools } from '../../src/platform/run-tool.ts'
import { loadTokenizer } from '../../src/platform/tokenizer.ts'
import { systemWatcher } from '../../src/platform/watch.ts'
import type { World } from '../../src/platform/world.ts'

export const GENERATOR = 'dossier 0.1.0'

let tokenizer: Promise<CountTokens> | undefined

/** The vocabulary is loaded once for all tests of a file. */
export function realTokens(): Promise<CountTokens> {
  tokenizer ??= loadTokenizer()
  return tokenizer
}

/** What tests change of it they say, and all else is real. */
export function quietWorld(folder: string, changes: Partial<World> = {}): World {
  return {
    files: realFiles,
    clock: createSystemClock(undefined),
    progress: SILENT,
    workingFolder: folder,
    generator: GENERATOR,
    signal: new AbortController().signal,
    tokens: realTokens,
    writerThread: () => undefined,
    extractors: () => startPool(new URL('../../src/extractor.ts', import.meta.url), 2),
    watcher: systemWatcher,
    tools: createSystemTools(import.meta.dirname),
    home: findHome({ DOSSIER_HOME: join(folder, 'home') }),
    variable: () => undefined,
    notice: () => undefined,
    ...changes,
  }
}
