/** The code index of a folder, made as the program makes it, and its canonical text. */
import { extract } from '../../src/extractor.ts'
import { buildCodeIndex, type IndexOutcome, indexPath } from '../../src/packs/index/code-index.ts'
import { realFiles } from '../../src/platform/files.ts'
import type { Pool } from '../../src/platform/pool.ts'
import type { World } from '../../src/platform/world.ts'
import { dumpIndex } from '../../src/store/code/dump.ts'
import { openCodeIndex } from '../../src/store/code/reader.ts'
import { quietWorld } from './world.ts'

/** What a thread would do, done here: for properties, which would start thousands of them. */
const NO_THREADS: Pool = {
  size: 1,
  run: (task) => extract(task as Parameters<typeof extract>[0]),
  close: () => Promise.resolve(),
}

export function threadlessWorld(folder: string, changes: Partial<World> = {}): World {
  return quietWorld(folder, { extractors: () => NO_THREADS, ...changes })
}

export function indexIn(folder: string, changes: Partial<World> = {}): Promise<IndexOutcome> {
  return buildCodeIndex(threadlessWorld(folder, changes), { path: '.' })
}

/** All that the index of a folder says. */
export async function dumpOf(folder: string): Promise<string> {
  const reader = openCodeIndex(realFiles, indexPath(folder))
  try {
    const lines: string[] = []
    for await (const line of dumpIndex(reader)) lines.push(line)
    return lines.join('')
  } finally {
    await reader.close()
  }
}
