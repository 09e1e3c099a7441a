/** Finds the folders of a repository that have a docs pack. */
import { dirname, join } from 'node:path'
import { kindAt } from '../../platform/files.ts'
import type { World } from '../../platform/world.ts'
import { walkRepository } from '../../sources/repository-walk.ts'
import { PACK_FOLDER } from './segment.ts'

/** Native and absolute, the root first. */
export function findSegments(world: World, root: string): readonly string[] {
  const { files } = walkRepository(world.files, root)
  const folders = listFolders(files.map((it) => it.path)).map((it) => join(root, it))
  return [root, ...folders].filter((it) => hasDocsPack(world, it))
}

export function hasDocsPack({ files }: World, folder: string): boolean {
  return kindAt(files, join(folder, PACK_FOLDER, 'context_pack.json')) === 'file'
}

/** Sorted: of two packs with the same section, it must not depend on the disk which is found. */
function listFolders(paths: readonly string[]): readonly string[] {
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
