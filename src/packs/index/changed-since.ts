/** Which files are no longer what an index says of them, told without bringing it up to date. */
import { join } from 'node:path'
import type { World } from '../../platform/world.ts'
import type { SqliteIndexReader } from '../../store/code/reader.ts'
import { isCurrent, sameRequest } from './fresh-index.ts'
import { walkOptions } from './index-options.ts'
import { foundBy, patiently, planFor } from './index-plan.ts'
import { hasSameContent } from './same-content.ts'

/** Paths of files that are new, other or gone since; sorted. */
export async function changedFiles(
  world: World,
  top: string,
  index: SqliteIndexReader,
): Promise<readonly string[]> {
  if (await isCurrent(world, top, { index })) return []
  const state = await index.state()
  const request = sameRequest(top, state.meta)
  const found = foundBy(await patiently(world, top, walkOptions(request)))
  const { files, gone } = planFor(found, state, request)
  const paths = files.map((it) => it.path)
  const known = new Map((await index.files(paths)).map((it) => [it.path, it]))
  // Times alone say little: a file that was written just before it was read may be the same.
  const others = paths.filter((path) => {
    const before = known.get(path)
    return before === undefined || !hasSameContent(world, join(top, path), before)
  })
  return [...others, ...gone].toSorted()
}
