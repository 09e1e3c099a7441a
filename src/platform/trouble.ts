/**
 * Converts errors of the file system and SQLite to messages that say what to do. The only such
 * table: it covers every error code of the file system and every result code of SQLite, so that no
 * state of the disk looks like a bug.
 */
import { constants } from 'node:os'
import { EngineError } from '../model/engine-error.ts'

interface DiskProblem {
  readonly hint: string
  /** Whether another place would help. */
  readonly dependsOnPath?: true
  /** Whether it can only come of writing. */
  readonly isWriteError?: true
}

const FILE_IN_THE_WAY = 'a file is at the path of a folder: move it'
const DISK_FAILS = 'the disk or the connection to it fails: check it, then run it again'
const RUN_AGAIN = 'another program uses it: wait until that ends, then run it again'
const NOT_OFFERED = 'the disk does not support a required operation: use another one'

const DISK_PROBLEMS: Readonly<Record<string, DiskProblem>> = {
  ENOSPC: { hint: 'the disk is full: free some space and run it again', isWriteError: true },
  EDQUOT: {
    hint: 'the disk quota is used up: free some space and run it again',
    isWriteError: true,
  },
  EFBIG: {
    hint: 'the file would be larger than this system allows: free some space or raise the limit',
    isWriteError: true,
  },
  EROFS: {
    hint: 'the disk is read-only: make it writable',
    dependsOnPath: true,
    isWriteError: true,
  },
  EACCES: { hint: 'access is denied: check the permissions', dependsOnPath: true },
  EPERM: { hint: 'access is denied: check the permissions', dependsOnPath: true },
  ENOENT: {
    hint: 'the folder is gone, or takes no new files: check what it is',
    dependsOnPath: true,
  },
  ENOTDIR: { hint: FILE_IN_THE_WAY, dependsOnPath: true },
  EEXIST: { hint: FILE_IN_THE_WAY, dependsOnPath: true },
  EISDIR: { hint: 'a folder is at the path of the file: move it', dependsOnPath: true },
  ERR_FS_EISDIR: { hint: 'a folder is at the path of the file: move it', dependsOnPath: true },
  ENOTEMPTY: { hint: 'a folder that is not empty is in the way: move it', dependsOnPath: true },
  ELOOP: { hint: 'a symbolic link points to itself: remove it', dependsOnPath: true },
  ENAMETOOLONG: {
    hint: 'the name is too long for the disk: use a shorter one',
    dependsOnPath: true,
  },
  EILSEQ: { hint: 'the disk does not allow this name: use another one', dependsOnPath: true },
  EINVAL: { hint: 'the disk does not allow this name: use another one', dependsOnPath: true },
  EFTYPE: { hint: 'only plain files can be used here: move it', dependsOnPath: true },
  ENXIO: { hint: 'only plain files can be used here: move it', dependsOnPath: true },
  ENODEV: { hint: 'only plain files can be used here: move it', dependsOnPath: true },
  EMFILE: { hint: 'too many files are open: raise the limit with `ulimit -n`' },
  ENFILE: { hint: 'too many files are open on this machine: close some programs' },
  ENOMEM: { hint: 'there is too little memory: close some programs, then run it again' },
  ENOBUFS: { hint: 'there is too little memory: close some programs, then run it again' },
  EAGAIN: { hint: RUN_AGAIN },
  EBUSY: { hint: RUN_AGAIN },
  ETXTBSY: { hint: RUN_AGAIN },
  EDEADLK: { hint: RUN_AGAIN },
  EINTR: { hint: 'it was interrupted: run it again' },
  EIO: { hint: DISK_FAILS },
  EBADF: { hint: DISK_FAILS },
  ESTALE: { hint: DISK_FAILS },
  EREMOTEIO: { hint: DISK_FAILS },
  ENOTCONN: { hint: DISK_FAILS },
  EHOSTDOWN: { hint: DISK_FAILS },
  ETIMEDOUT: { hint: DISK_FAILS },
  UNKNOWN: { hint: DISK_FAILS },
  ENOLCK: { hint: NOT_OFFERED, dependsOnPath: true },
  ENOSYS: { hint: NOT_OFFERED, dependsOnPath: true },
  ENOTSUP: { hint: NOT_OFFERED, dependsOnPath: true },
  EOPNOTSUPP: { hint: NOT_OFFERED, dependsOnPath: true },
  EXDEV: { hint: 'the folder spans two disks: keep it on one', dependsOnPath: true },
  EMLINK: { hint: 'the folder has too many entries: use another one', dependsOnPath: true },
  EOVERFLOW: { hint: 'the file is too large to be read: leave it out' },
  ERR_FS_FILE_TOO_LARGE: { hint: 'the file is too large to be read: leave it out' },
  ERR_STRING_TOO_LONG: { hint: 'the file is too large to be read: leave it out' },
}

/** What is wrong with a database rather than with the disk. */
type ContentProblem = 'damaged' | 'foreign'
type SqliteMeaning = ContentProblem | 'busy' | keyof typeof DISK_PROBLEMS

/** By primary result code. Those that only a wrong call gives (MISUSE, RANGE, …) are not of the disk. */
const SQLITE: Readonly<Record<number, SqliteMeaning>> = {
  1: 'damaged', // ERROR: a table or a column is missing
  3: 'EACCES', // PERM
  5: 'busy',
  6: 'busy', // LOCKED
  7: 'ENOMEM',
  8: 'EACCES', // READONLY
  10: 'EIO', // IOERR
  11: 'damaged', // CORRUPT
  13: 'ENOSPC', // FULL
  14: 'EACCES', // CANTOPEN
  15: 'busy', // PROTOCOL: the lock could not be had
  17: 'damaged', // SCHEMA
  18: 'damaged', // TOOBIG
  19: 'damaged', // CONSTRAINT
  20: 'damaged', // MISMATCH
  22: 'EFBIG', // NOLFS
  24: 'damaged', // FORMAT
  26: 'foreign', // NOTADB
}

/** By extended result code, where it says more. A full disk is an error of writing to it. */
const SQLITE_EXTENDED: Readonly<Record<number, SqliteMeaning>> = {
  266: 'EIO', // IOERR_READ
  522: 'damaged', // IOERR_SHORT_READ
  778: 'ENOSPC', // IOERR_WRITE
  1034: 'ENOSPC', // IOERR_FSYNC
  1546: 'ENOSPC', // IOERR_TRUNCATE
  4874: 'ENOSPC', // IOERR_SHMSIZE
  526: 'EISDIR', // CANTOPEN_ISDIR
}

/**
 * An error from writing, as one that the caller can act on. Others pass unchanged. `elsewhere` is
 * how to choose another place, where one can be chosen.
 */
export function asWriteError(error: unknown, path: string, elsewhere?: string): unknown {
  const complaint = findDiskProblem(error)
  if (complaint === undefined || !(error instanceof Error)) return error
  const { hint, dependsOnPath: isOfPlace } = complaint
  const advice = elsewhere !== undefined && isOfPlace === true ? `${hint}, or ${elsewhere}` : hint
  return new EngineError('POC_E_WRITE_FAILED', `${path} could not be written: ${error.message}`, {
    hint: `${advice}; the existing data is unchanged`,
    cause: error,
  })
}

/** What SQLite says of the content of a file; undefined for anything else. */
export function findContentProblem(error: unknown): ContentProblem | undefined {
  const meaning = findSqliteMeaning(error)
  return meaning === 'damaged' || meaning === 'foreign' ? meaning : undefined
}

/**
 * Last resort at the edge of the program: converts disk errors that no inner layer has converted.
 */
export function asDiskError(error: unknown): unknown {
  if (error instanceof EngineError || !(error instanceof Error)) return error
  const memory = asMemoryError(error)
  if (memory !== error) return memory
  const meaning = findSqliteMeaning(error)
  if (meaning === undefined) return error
  if (meaning === 'busy') {
    return new EngineError('POC_E_BUSY', `another process holds a file: ${error.message}`, {
      hint: RUN_AGAIN,
      cause: error,
    })
  }
  if (meaning === 'damaged' || meaning === 'foreign') {
    return new EngineError('POC_E_PACK_CORRUPT', `a database is damaged: ${error.message}`, {
      hint: 'rebuild it: an index with `dossier index --force`, a docs pack with `dossier ctx build`, notes with `dossier notes sync`',
      cause: error,
    })
  }
  return asFileError(error, DISK_PROBLEMS[meaning])
}

function asFileError(error: Error, complaint: DiskProblem | undefined): unknown {
  if (complaint === undefined) return error
  const isWriting = complaint.isWriteError === true || WRITING.has(readText(error, 'syscall') ?? '')
  const path = readText(error, 'dest') ?? readText(error, 'path')
  const what = `could not be ${isWriting ? 'written' : 'read'}: ${error.message}`
  return new EngineError(
    isWriting ? 'POC_E_WRITE_FAILED' : 'POC_E_READ_FAILED',
    path === undefined ? `a file ${what}` : `${path} ${what}`,
    { hint: complaint.hint, cause: error },
  )
}

const WRITING: ReadonlySet<string> = new Set([
  'mkdir',
  'mkdtemp',
  'write',
  'rename',
  'symlink',
  'link',
  'unlink',
  'rmdir',
  'rm',
  'fsync',
  'ftruncate',
  'chmod',
  'utime',
  'copyfile',
])

function readText(error: Error, key: string): string | undefined {
  const value = (error as unknown as Readonly<Record<string, unknown>>)[key]
  return typeof value === 'string' ? value : undefined
}

function findDiskProblem(error: unknown): DiskProblem | undefined {
  const meaning = findSqliteMeaning(error)
  return meaning === undefined ? undefined : DISK_PROBLEMS[meaning]
}

function findSqliteMeaning(error: unknown): SqliteMeaning | undefined {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error && typeof error.errcode === 'number')
    return SQLITE_EXTENDED[error.errcode] ?? SQLITE[error.errcode & 0xff]
  const code = 'code' in error ? error.code : undefined
  const name = typeof code === 'number' ? ERRNO_NAMES.get(code) : code
  if (typeof name === 'string' && Object.hasOwn(DISK_PROBLEMS, name)) return name
  // The loader of modules keeps the words of the system, and no code.
  return /too many open files/i.test(error.message) ? 'EMFILE' : undefined
}

/** LMDB has numbers for them. */
const ERRNO_NAMES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(constants.errno).map(([name, number]) => [number, name]),
)
/** Of Node, of V8, of SQLite and of the system, when there is no more memory to be had. */
const OUT_OF_MEMORY: ReadonlySet<string> = new Set([
  'ERR_WORKER_OUT_OF_MEMORY',
  'ERR_MEMORY_ALLOCATION_FAILED',
  'ENOMEM',
])
const SQLITE_OUT_OF_MEMORY = 7
const ALLOCATION_FAILED = /^(?:Array buffer allocation failed|.*: could not allocate memory)$/

/** An error from running out of memory, as one that the caller can act on. Others pass unchanged. */
function asMemoryError(error: unknown): unknown {
  if (!isOutOfMemory(error)) return error
  return new EngineError('POC_E_OUT_OF_MEMORY', 'not enough memory', {
    hint: 'close other programs, or request less at once; the existing data is unchanged',
    cause: error,
  })
}

function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.cause !== undefined && isOutOfMemory(error.cause)) return true
  if ('errcode' in error && error.errcode === SQLITE_OUT_OF_MEMORY) return true
  if ('code' in error && typeof error.code === 'string') return OUT_OF_MEMORY.has(error.code)
  return error instanceof RangeError && ALLOCATION_FAILED.test(error.message)
}
