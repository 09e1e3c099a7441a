/** What is in an index, how old it is, and what changed on disk since. */
import type { CodeIndexReader, IndexStatus } from '../../model/code-index.ts'
import { EngineError } from '../../model/engine-error.ts'
import { SKIPPED } from '../../model/index-record.ts'
import type { World } from '../../platform/world.ts'
import { openCodeIndex } from '../../store/code/reader.ts'
import { changedFiles } from './changed-since.ts'
import { type IndexRequest, topOf } from './index-options.ts'
import { indexFile, tellPlace } from './index-place.ts'

export interface IndexStatusReport extends IndexStatus {
  readonly root: string
  readonly index: string
  readonly indexBytes: number
  readonly ageSeconds: number
  /** Paths of files that have changed since it was made; sorted. */
  readonly changed: readonly string[]
}

export async function indexStatus(world: World, request: IndexRequest): Promise<IndexStatusReport> {
  const root = topOf(world, request)
  tellPlace(world, root)
  const index = indexFile(world, root)
  const size = sizeOf(world, index)
  if (size === undefined) {
    throw new EngineError('POC_E_INDEX_MISSING', `there is no index of ${root}`, {
      hint: 'make one with `dossier index`; `dossier pack` makes one too',
    })
  }
  const reader = openCodeIndex(world.files, index)
  try {
    const status = await withoutLeftOut(reader)
    const age = world.clock.now() - Date.parse(status.builtAt)
    return {
      ...status,
      root,
      index,
      indexBytes: size,
      ageSeconds: Math.max(0, Math.round(age / 1000)),
      changed: await changedFiles(world, root, reader),
    }
  } finally {
    await reader.close()
  }
}

/** What was left out is named with its reason, and is no file that anything is known of. */
async function withoutLeftOut(reader: CodeIndexReader): Promise<IndexStatus> {
  const status = await reader.status()
  const languages = status.languages.filter((it) => it.language !== SKIPPED)
  if (languages.length === status.languages.length) return status
  const leftOut = (await reader.files()).filter((it) => it.language === SKIPPED)
  return {
    ...status,
    languages,
    files: status.files - leftOut.length,
    bytes: status.bytes - leftOut.reduce((sum, it) => sum + it.size, 0),
  }
}

function sizeOf(world: World, path: string): number | undefined {
  try {
    return world.files.stat(path).size
  } catch {
    return undefined
  }
}
