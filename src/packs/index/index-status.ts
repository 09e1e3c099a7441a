/** What is in an index, how old it is, and what changed on disk since. */
import type { IndexStatus } from '../../model/code-index.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'
import { openCodeIndex } from '../../store/code/reader.ts'
import { indexPath } from './code-index.ts'
import { type IndexRequest, topOf } from './index-options.ts'

export interface IndexStatusReport extends IndexStatus {
  readonly root: string
  readonly index: string
  readonly indexBytes: number
  readonly ageSeconds: number
}

export async function indexStatus(world: World, request: IndexRequest): Promise<IndexStatusReport> {
  const root = topOf(world, request)
  const index = indexPath(root)
  const size = sizeOf(world, index)
  if (size === undefined) {
    throw new EngineError('POC_E_INDEX_MISSING', `there is no index of ${root}`, {
      hint: 'make one with `dossier index`',
    })
  }
  const reader = openCodeIndex(world.files, index)
  try {
    const status = await reader.status()
    const age = world.clock.now() - Date.parse(status.builtAt)
    return {
      ...status,
      root,
      index,
      indexBytes: size,
      ageSeconds: Math.max(0, Math.round(age / 1000)),
    }
  } finally {
    await reader.close()
  }
}

function sizeOf(world: World, path: string): number | undefined {
  try {
    return world.files.stat(path).size
  } catch {
    return undefined
  }
}
