/** Opens a segment's pack for one question and closes it again. */
import type { DocsIndex } from '../../model/docs-index.ts'
import type { World } from '../../platform/world.ts'
import { isDatabaseError, openDocsIndex } from '../../store/docs/open-index.ts'
import { locateSegment, type SegmentRequest } from './segment.ts'

export async function withDocsIndex<T>(
  world: World,
  request: SegmentRequest,
  ask: (index: DocsIndex) => Promise<T>,
): Promise<T> {
  const segment = locateSegment(world, request)
  const index = openDocsIndex(world.files, segment)
  try {
    return await answerWithFallback(world, index, ask)
  } catch (error) {
    if (index.backing.kind !== 'database' || !isDatabaseError(error)) throw error
    // If the question hits a damaged database page, the JSON file answers instead.
    return await answerWithFallback(world, openDocsIndex(world.files, segment, error), ask)
  }
}

async function answerWithFallback<T>(
  world: World,
  index: DocsIndex,
  ask: (index: DocsIndex) => Promise<T>,
): Promise<T> {
  try {
    if (index.backing.note !== undefined) world.notice(index.backing.note)
    return await ask(index)
  } finally {
    await index.close()
  }
}
