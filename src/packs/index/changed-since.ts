/** Which files are no longer what an index says of them, told without bringing it up to date. */
import { join } from 'node:path'
import type { World } from '../../platform/world.ts'
import { openPresent } from './fresh-index.ts'
import { formerOptions } from './index-options.ts'
import { foundIn, planFor } from './index-plan.ts'
import { hasSameContent } from './same-content.ts'

export interface IndexAge {
  /** ISO 8601. */
  readonly builtAt: string
  /** Paths of files that are new, other or gone since; sorted. */
  readonly changed: readonly string[]
}

export async function changedSince(world: World, top: string): Promise<IndexAge> {
  const index = openPresent(world, top)
  try {
    const state = await index.state()
    const request = { path: top, ...formerOptions(state.meta.options) }
    const { files, gone } = planFor(foundIn(world, top, request), state, request)
    const paths = files.map((it) => it.path)
    const known = new Map((await index.files(paths)).map((it) => [it.path, it]))
    // Times alone say little: a file that was written just before it was read may be the same.
    const others = paths.filter((path) => {
      const before = known.get(path)
      return before === undefined || !hasSameContent(world, join(top, path), before)
    })
    return { builtAt: state.meta.builtAt, changed: [...others, ...gone].toSorted() }
  } finally {
    await index.close()
  }
}
