/** What a surface that answers many requests does once for all of them. */
import { keepIndexesOpen as keepOpen } from '../../packs/with-code-index.ts'
import type { World } from '../../platform/world.ts'

/** Indexes stay open from request to request, until closed. */
export function keepIndexesOpen(world: World): { close(): Promise<void> } {
  return keepOpen(world)
}
