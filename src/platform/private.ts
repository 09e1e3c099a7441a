/**
 * Files that only their owner may read. A private folder passes this on: whatever is made in it is
 * private too, so only the top folder has to be made with care. Systems without modes ignore all of it.
 */
import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

const FILE = 0o600
export const PRIVATE_FOLDER = 0o700
/** What group and others may do. */
const OTHERS = 0o077

const HAS_MODES = process.platform !== 'win32'
const IF_THERE = { throwIfNoEntry: false } as const

/** For a file that is about to be made here; undefined where the umask decides. */
export function newFileMode(path: string): number | undefined {
  return isPrivate(dirname(path)) ? FILE : undefined
}

/** For a folder that is about to be made here; undefined where the umask decides. */
export function newFolderMode(path: string): number | undefined {
  return isPrivate(dirname(path)) ? PRIVATE_FOLDER : undefined
}

/** An empty file, for those that cannot be given a mode. One that is there stays. */
export function ensureFile(path: string): void {
  const mode = newFileMode(path)
  if (mode === undefined) return
  try {
    closeSync(openSync(path, 'wx', mode))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** One file or folder. A link is left alone: what it leads to may be anybody's. */
export function makePrivate(path: string): void {
  if (HAS_MODES) makeOnePrivate(path)
}

/**
 * A folder of ours with everything below it. The mode of the folder says whether that has been done:
 * what was made in it since is private. The folder comes first, which alone keeps others out.
 */
export function makeTreePrivate(folder: string): void {
  const before = HAS_MODES ? lstatSync(folder, IF_THERE) : undefined
  if (before?.isDirectory() !== true || (before.mode & OTHERS) === 0) return
  // Nothing more can be done where it belongs to somebody else, or the disk keeps no modes.
  if (!makeOnePrivate(folder) || !isPrivate(folder)) return
  makeBelowPrivate(folder)
}

function makeBelowPrivate(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (makeOnePrivate(path) && entry.isDirectory()) makeBelowPrivate(path)
  }
}

/** Whether it is closed now. */
function makeOnePrivate(path: string): boolean {
  const stat = lstatSync(path, IF_THERE)
  if (stat === undefined || !(stat.isFile() || stat.isDirectory())) return false
  try {
    if ((stat.mode & OTHERS) !== 0) chmodSync(path, ownMode(stat))
    return true
  } catch {
    // Somebody else's, or on a disk that cannot be written to: they decide who reads it.
    return false
  }
}

/** A folder that its owner has closed to writing stays so. */
function ownMode(stat: Stats): number {
  return stat.mode & (stat.isDirectory() ? PRIVATE_FOLDER : FILE)
}

function isPrivate(folder: string): boolean {
  const stat = HAS_MODES ? statSync(folder, IF_THERE) : undefined
  return stat !== undefined && (stat.mode & OTHERS) === 0
}
