/**
 * The file system behind an interface. Synchronous on purpose: walking and stat-ing 10,000 files
 * takes a third of the time that the promise versions take, and a batch is short.
 * Paths are native and absolute here; everything inward of this port uses `/` and is relative.
 */
import { randomUUID } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import {
  makePrivate,
  makeTreePrivate,
  newFileMode,
  newFolderMode,
  PRIVATE_FOLDER,
} from './private.ts'

export type FileKind = 'file' | 'directory' | 'link' | 'other'

/** The shape of Node's own entries: a tree of 100,000 files is walked without making others. */
export interface FileEntry {
  readonly name: string
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

export interface FileStat {
  readonly kind: FileKind
  readonly size: number
  /** Milliseconds, with the fraction that the disk keeps. */
  readonly mtimeMs: number
}

/** What tells one state of a file or folder from another. Also in the shape of Node. */
export interface FileMark {
  readonly dev: number
  readonly ino: number
  readonly size: number
  readonly mtimeMs: number
  readonly ctimeMs: number
}

export interface Files {
  list(folder: string): readonly FileEntry[]
  /** Follows links. */
  stat(path: string): FileStat
  /** Follows links. Undefined for nothing. */
  mark(path: string): FileMark | undefined
  /**
   * Who looks at a folder, on which kind of disk. Undefined where it is not known that a folder
   * whose times are the same has the same entries.
   */
  view(folder: string): string | undefined
  read(path: string): Uint8Array
  realPath(path: string): string
  /** The target of a symbolic link; undefined for other files and missing ones. */
  linkTarget(path: string): string | undefined
  /** Whether files can be made in a folder. */
  canWrite(folder: string): boolean
  /** Whether the folder is virtual, such as `/proc`: no files can be stored there. */
  isMadeUp(folder: string): boolean
  /** A symbolic link at `path`, where nothing may be yet. */
  makeLink(target: string, path: string): void
  /** In a private folder, a private one. */
  makeFolder(path: string): void
  /** Whole milliseconds are kept exactly, as far as the disk does. */
  setModified(path: string, mtimeMs: number): void
  /** A folder that only its owner may read; one that is there is closed with everything below it. */
  makePrivateFolder(path: string): void
  /** Makes a file or folder private, not what is below it. Does nothing if it is missing. */
  closeToOthers(path: string): void
  /**
   * A new file that takes the place of `path` only when it is committed. `mode` as chmod has it; if
   * absent, private in a private folder.
   */
  replace(path: string, mode?: number): Replacement
  /** Makes what somebody else wrote to a file durable, then moves it to its place. */
  rename(from: string, to: string): void
  remove(path: string): void
}

/** Nothing is seen at the final path before `commit`, and nothing is left behind after `discard`. */
export interface Replacement {
  readonly path: string
  write(bytes: Uint8Array): void
  /** Copies a range of another file, without taking it through strings. */
  copy(source: string, start: number, length: number): void
  /** Makes the bytes durable; the file is still under its temporary name. */
  flush(): void
  commit(): void
  discard(): void
}

/** The kind of file at a path, following links; undefined if there is none or it cannot be read. */
export function kindAt(files: Files, path: string): FileKind | undefined {
  try {
    return files.stat(path).kind
  } catch {
    return undefined
  }
}

/** Prefix of our temporary files: a pack may be in a folder with foreign files. */
export const TEMPORARY = '.dossier-tmp-'
/** What the lock of a folder is called that is not all ours. */
export const LOCK = '.dossier.lock'

/**
 * Not by the system's own way of making all that is missing: where a folder takes no new ones and
 * says that they are missing, as those of `/proc` do, Node would try again without end.
 */
export function makeFolders(path: string, mode = newFolderMode(path)): void {
  try {
    mkdirSync(path, mode)
  } catch (error) {
    if (statSync(path, IF_THERE)?.isDirectory() === true) return
    const above = dirname(path)
    const isAboveMissing = statSync(above, IF_THERE) === undefined
    if (!isMissingError(error) || !isAboveMissing || above === path) throw error
    makeFolders(above, mode)
    makeFolders(path, mode)
  }
}

function isMissingError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

export const realFiles: Files = {
  list: (folder) => readdirSync(folder, { withFileTypes: true }),
  stat: (path) => {
    const stat = statSync(path)
    return { kind: toFileKind(stat), size: stat.size, mtimeMs: stat.mtimeMs }
  },
  mark: (path) => statSync(path, IF_THERE),
  view: (folder) => describeFolderView(folder),
  read: readPlainFile,
  realPath: (path) => realpathSync.native(path),
  linkTarget: (path) =>
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
      ? readlinkSync(path)
      : undefined,
  canWrite: isWritable,
  isMadeUp: (folder) => VIRTUAL_DISKS.has(diskType(folder) ?? 0),
  makeLink: (target, path) => symlinkSync(target, path),
  makeFolder: (path) => makeFolders(path),
  setModified: (path, mtimeMs) => utimesSync(path, mtimeMs / 1000, mtimeMs / 1000),
  makePrivateFolder: (path) => {
    makeFolders(path, PRIVATE_FOLDER)
    makeTreePrivate(path)
  },
  closeToOthers: makePrivate,
  replace: createReplacement,
  rename: (from, to) => {
    syncFile(from)
    renameSync(from, to)
    syncFolder(dirname(to))
  },
  remove: (path) => {
    rmSync(path, { force: true })
  },
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

const IF_THERE = { throwIfNoEntry: false } as const

/**
 * Of Linux, those that give a folder a new time whenever an entry comes, goes or gets another name.
 * Not all do: FAT does not everywhere, and what is fetched from elsewhere may be told late.
 */
const DATED_FOLDERS: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0xca451a4e, // bcachefs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
])

const VIRTUAL_DISKS: ReadonlySet<number> = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x64626720, // debugfs
  0x27e0eb, // cgroup
  0x63677270, // cgroup2
])

function describeFolderView(folder: string): string | undefined {
  const type = diskType(folder)
  return type !== undefined && DATED_FOLDERS.has(type)
    ? `${type} ${process.geteuid?.()}`
    : undefined
}

/** The numbers are those of Linux. */
function diskType(folder: string): number | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return statfsSync(folder).type
  } catch {
    return undefined
  }
}

/** Only plain files are read: a FIFO would block, and a device may never end. */
function readPlainFile(path: string): Uint8Array {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (toFileKind(fstatSync(file)) === 'other') throw createNotPlainError(path)
    return withPathInError(path, () => readFileSync(file))
  } finally {
    closeSync(file)
  }
}

/** What is done by the number of an open file fails without saying which file it was. */
function withPathInError<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { path }) : error
  }
}

/** The code is that of BSD for a file of the wrong type; Linux has none. */
function createNotPlainError(path: string): Error {
  return Object.assign(new Error(`${path} is not a plain file`), { code: 'EFTYPE', path })
}

function toFileKind(it: Omit<FileEntry, 'name'>): FileKind {
  if (it.isFile()) return 'file'
  if (it.isDirectory()) return 'directory'
  return it.isSymbolicLink() ? 'link' : 'other'
}

const COPY_BLOCK = 4 * 1024 * 1024

function createReplacement(path: string, mode = newFileMode(path)): Replacement {
  const temporary = join(dirname(path), `${TEMPORARY}${randomUUID()}`)
  let file: number | undefined = openSync(temporary, 'wx', mode)
  const write = (bytes: Uint8Array): void => {
    withPathInError(path, () => {
      for (let at = 0; at < bytes.length; ) at += writeSync(file ?? -1, bytes, at)
    })
  }
  const close = (): void => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  return {
    path: temporary,
    write,
    copy: (source, start, length) => copyRange(source, { start, length, write }),
    flush: () => {
      const open = file
      if (open !== undefined) withPathInError(path, () => fsyncSync(open))
      close()
    },
    commit: () => {
      close()
      renameSync(temporary, path)
      syncFolder(dirname(path))
    },
    discard: () => {
      close()
      rmSync(temporary, { force: true })
    },
  }
}

interface CopyRange {
  readonly start: number
  readonly length: number
  write(bytes: Uint8Array): void
}

function copyRange(source: string, range: CopyRange): void {
  const file = openSync(source, 'r')
  try {
    const block = Buffer.allocUnsafe(Math.min(COPY_BLOCK, range.length))
    for (let done = 0; done < range.length; ) {
      const want = Math.min(block.length, range.length - done)
      const got = readSync(file, block, 0, want, range.start + done)
      if (got === 0) throw new Error(`${source} is shorter than it was`)
      range.write(block.subarray(0, got))
      done += got
    }
  } finally {
    closeSync(file)
  }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** A rename is durable once its folder is. Some systems cannot sync a folder; that is no error. */
export function syncFolder(folder: string): void {
  let handle: number | undefined
  try {
    handle = openSync(folder, 'r')
    if (fstatSync(handle).isDirectory()) fsyncSync(handle)
  } catch {
    return
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}
