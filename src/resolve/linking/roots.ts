/** For languages whose search path is not written down anywhere: where a file may be looked for. */
import { folderOf } from '../../base/paths.ts'
import type { Ask } from '../linking.ts'
import { inFolder } from './folders.ts'

/** The folder of a file and all folders around it, the nearest first; the top is `''`. */
export function foldersAround(path: string): readonly string[] {
  const found: string[] = []
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) found.push(folder)
  return [...found, '']
}

/** The first of several relative paths that is there, looked for from the nearest folder on. */
export function fromAnyRoot(
  candidates: readonly string[],
  from: string,
  ask: Ask,
): readonly string[] {
  for (const folder of foldersAround(from)) {
    for (const candidate of candidates) {
      const path = inFolder(folder, candidate)
      if (path !== from && ask.exists(path)) return [path]
    }
  }
  return []
}
