/** Which folders of a repository have a docs pack: whoever has an id need not know whose it is. */
import { dirname, join } from 'node:path'
import { kindAt } from '../../platform/files.ts'
import type { World } from '../../platform/world.ts'
import { walkRepository } from '../../sources/repository-walk.ts'
import { PACK_FOLDER } from './segment.ts'

/** Native and absolute; the root first, which is looked at before anything is walked. */
export function* segmentsBelow(world: World, root: string): Iterable<string> {
  const hasPack = (folder: string): boolean =>
    kindAt(world.files, join(folder, PACK_FOLDER, 'context_pack.json')) === 'file'
  if (hasPack(root)) yield root
  for (const folder of foldersOf(walkRepository(world.files, root).files.map((it) => it.path))) {
    if (hasPack(join(root, folder))) yield join(root, folder)
  }
}

/** Sorted: of two packs with the same section, it must not depend on the disk which is found. */
function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>()
  for (const path of paths) {
    let folder = dirname(path)
    while (folder !== '.' && !folders.has(folder)) {
      folders.add(folder)
      folder = dirname(folder)
    }
  }
  return [...folders].toSorted()
}
