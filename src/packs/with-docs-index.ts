/** Opens a segment's pack for one question and closes it again. */
import type { DocsIndex } from '../model/docs-index.ts'
import type { World } from '../platform/world.ts'
import { openDocsIndex } from '../store/docs/open-index.ts'
import { locateSegment, type SegmentRequest } from './segment.ts'

export async function withDocsIndex<T>(
  world: World,
  request: SegmentRequest,
  ask: (index: DocsIndex) => Promise<T>,
): Promise<T> {
  const index = openDocsIndex(world.files, locateSegment(world, request))
  try {
    if (index.backing.note !== undefined) world.notice(index.backing.note)
    return await ask(index)
  } finally {
    await index.close()
  }
}
