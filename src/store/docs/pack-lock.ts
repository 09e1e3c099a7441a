/** Locks the folder of a pack for one build at a time, and removes leftovers. */
import { dirname, join } from 'node:path'
import { EngineError } from '../../model/engine-error.ts'
import { type Files, LOCK, TEMPORARY } from '../../platform/files.ts'
import { acquireLock, type Lock, tryLock, type Waiting } from '../../platform/lock.ts'
import { asWriteError } from '../../platform/trouble.ts'
import { readStamp } from './existing-pack.ts'
import type { PackPaths } from './open-index.ts'

export interface LockRequest extends Waiting {
  /** The pack as it was when the build was planned. */
  readonly stamp: string
}

/** Hint for a pack that cannot be written. */
export const OUTPUT_HINT = 'give another path with --output'

/** Undefined if another process has written since the build was planned: plan it again. */
export async function lockPack(
  files: Files,
  paths: PackPaths,
  request: LockRequest,
): Promise<Lock | undefined> {
  const folder = dirname(paths.pack)
  let lock: Lock | undefined
  try {
    files.makeFolder(folder)
    files.makeFolder(dirname(paths.database))
    lock = await acquireLock(join(folder, LOCK), request)
    if (readStamp(files, paths) === request.stamp) {
      removeLeftovers(files, folder)
      refuseFolders(files, paths)
      return lock
    }
    lock.release()
    return undefined
  } catch (error) {
    lock?.release()
    throw asWriteError(error, folder, OUTPUT_HINT)
  }
}

/** Removes temporary files of killed builds, if no build is running. */
export function clearLeftovers(files: Files, paths: PackPaths): void {
  const folder = dirname(paths.pack)
  try {
    const isUntidy = files
      .list(folder)
      .some((it) => it.name.startsWith(TEMPORARY) || it.name === `${LOCK}-journal`)
    const lock = isUntidy ? tryLock(join(folder, LOCK)) : undefined
    if (lock === undefined) return
    removeLeftovers(files, folder)
    lock.release()
  } catch {
    // Failures are ignored: the request does not need to write.
    return
  }
}

/** While the lock is held, all temporary files are from killed builds. */
function removeLeftovers(files: Files, folder: string): void {
  for (const entry of files.list(folder)) {
    if (entry.isFile() && entry.name.startsWith(TEMPORARY)) files.remove(join(folder, entry.name))
  }
}

/** Before anything is published: a rename onto a folder would fail between the two files. */
function refuseFolders(files: Files, paths: PackPaths): void {
  for (const path of [paths.pack, paths.database]) {
    if (!isFolder(files, path)) continue
    throw new EngineError('POC_E_WRITE_FAILED', `${path} is a folder`, {
      hint: 'a folder is at the path of the file: move it, or give another path with --output',
    })
  }
}

function isFolder(files: Files, path: string): boolean {
  try {
    return files.stat(path).kind === 'directory'
  } catch {
    return false
  }
}
