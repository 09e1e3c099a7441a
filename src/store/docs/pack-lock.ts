/** A pack's folder, held by one build at a time and left tidy. */
import { dirname, join } from 'node:path'
import { EngineError } from '../../model/engine-error.ts'
import { type Files, LOCK, TEMPORARY } from '../../platform/files.ts'
import { acquireLock, type Lock, tryLock, type Waiting } from '../../platform/lock.ts'
import { asWriteError } from '../../platform/trouble.ts'
import { stampOf } from './former.ts'
import type { PackPaths } from './open-index.ts'

export interface LockRequest extends Waiting {
  /** The pack as it was when the build was planned. */
  readonly stamp: string
}

/** What helps where a pack cannot be written. */
export const ELSEWHERE = 'give another place with --output'

/** Undefined when another process has written since the build was planned: plan again. */
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
    if (stampOf(files, paths) === request.stamp) {
      removeLeftovers(files, folder)
      refuseFolders(files, paths)
      return lock
    }
    lock.release()
    return undefined
  } catch (error) {
    lock?.release()
    throw asWriteError(error, folder, ELSEWHERE)
  }
}

/** Tidies up after builds that were killed, when nobody is building. */
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
    // A folder that cannot be tidied is no reason to fail: nothing was asked to be written.
    return
  }
}

/** With the lock in hand, temporary files are those of builds that were killed. */
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
      hint: 'a folder stands where the file should be: move it, or give another place with --output',
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
