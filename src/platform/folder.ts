/**
 * Replaces a folder atomically. Leftovers of a killed process have a name of ours and a free lock,
 * and are removed by the next process.
 */
import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { assert } from '../base/assert.ts'
import { makeFolders } from './files.ts'
import { tryLock } from './lock.ts'

export interface FolderReplacement {
  /** Where to write what the folder shall hold: files, no folders. */
  readonly path: string
  commit(): void
  discard(): void
}

/** Ours by name. Not that of temporary files, which whoever writes an index beside us removes. */
const UNFINISHED = '.dossier-folder-'
const LOCK = '.lock'
/** What stood there before, for the moment between two renames. */
const PREVIOUS = '.former'

export function replaceFolder(path: string): FolderReplacement {
  const parent = dirname(path)
  makeFolders(parent)
  recoverInterrupted(path)
  const temporary = join(parent, `${UNFINISHED}${basename(path)}-${randomUUID()}`)
  // Beside the folder: one with an open file in it cannot be moved on every system.
  const lock = tryLock(`${temporary}${LOCK}`)
  assert(lock !== undefined, 'a name that nobody else knows of')
  makeFolders(temporary)
  const letGo = (): void => {
    lock.release()
    rmSync(`${temporary}${LOCK}`, { force: true })
  }
  return {
    path: temporary,
    commit: () => {
      for (const name of readdirSync(temporary)) syncPath(join(temporary, name))
      syncPath(temporary)
      moveIntoPlace(temporary, path)
      syncPath(parent)
      letGo()
    },
    discard: () => {
      rmSync(temporary, { recursive: true, force: true })
      letGo()
    },
  }
}

export interface FileDigest {
  readonly bytes: number
  readonly sha256: string
}

const BLOCK = 4 * 1024 * 1024

/** Of files that are too large to be read at once. */
export function computeFileDigest(path: string): FileDigest {
  const file = openSync(path, 'r')
  try {
    const hash = createHash('sha256')
    const block = Buffer.allocUnsafe(BLOCK)
    let bytes = 0
    for (;;) {
      const got = readSync(file, block, 0, BLOCK, bytes)
      if (got === 0) return { bytes, sha256: hash.digest('hex') }
      hash.update(block.subarray(0, got))
      bytes += got
    }
  } finally {
    closeSync(file)
  }
}

/**
 * Folders cannot be exchanged in one step: the previous one is moved aside, and restored on
 * failure.
 */
function moveIntoPlace(temporary: string, path: string): void {
  const former = `${temporary}${PREVIOUS}`
  if (existsSync(path)) renameSync(path, former)
  try {
    renameSync(temporary, path)
  } catch (error) {
    if (existsSync(former)) renameSync(former, path)
    throw error
  }
  rmSync(former, { recursive: true, force: true })
}

/** Cleans up after killed processes: removes incomplete folders and restores previous ones. */
function recoverInterrupted(path: string): void {
  const parent = dirname(path)
  const prefix = `${UNFINISHED}${basename(path)}-`
  const stems = readdirSync(parent)
    .filter((it) => it.startsWith(prefix))
    .map((it) => join(parent, it.slice(0, prefix.length + UUID_LENGTH)))
  for (const left of new Set(stems.toSorted())) {
    const lock = tryLock(`${left}${LOCK}`)
    if (lock === undefined) continue
    const former = `${left}${PREVIOUS}`
    if (existsSync(former) && !existsSync(path)) renameSync(former, path)
    for (const it of [former, left]) rmSync(it, { recursive: true, force: true })
    lock.release()
    rmSync(`${left}${LOCK}`, { force: true })
  }
}

const UUID_LENGTH = 36

function syncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } catch {
    // Some systems cannot sync a folder; that is no error.
  } finally {
    closeSync(file)
  }
}
