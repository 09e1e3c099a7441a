/** What the disk and SQLite complain about, in words that say what to do. */
import { EngineError } from '../model/engine-error.ts'

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free some space and run it again',
  EDQUOT: 'the disk quota is used up: free some space and run it again',
  EFBIG: 'the file would be larger than this system allows: free some space or raise the limit',
  EACCES: 'the folder cannot be written to: check its permissions',
  EPERM: 'the folder cannot be written to: check its permissions',
  ENOENT: 'the folder is gone, or takes no new files: check what it is',
  EROFS: 'the disk is read-only: make it writable',
  ENOTDIR: 'a file stands where a folder should be: move it',
  EEXIST: 'a file stands where a folder should be: move it',
  EISDIR: 'a folder stands where the file should be: move it',
}

/** Where another place would help. */
const OF_THE_PLACE: ReadonlySet<string> = new Set([
  'EACCES',
  'EPERM',
  'ENOENT',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'EISDIR',
])

const SQLITE_CODES: Readonly<Record<number, string>> = {
  8: 'EACCES',
  10: 'ENOSPC',
  13: 'ENOSPC',
  14: 'EACCES',
}

/**
 * An error from writing, as one that the caller can act on. Others pass unchanged. `elsewhere` is
 * how to choose another place, where one can be chosen.
 */
export function asWriteError(error: unknown, path: string, elsewhere?: string): unknown {
  const code = systemCode(error)
  const hint = code === undefined ? undefined : HINTS[code]
  if (code === undefined || hint === undefined || !(error instanceof Error)) return error
  const isElsewhere = elsewhere !== undefined && OF_THE_PLACE.has(code)
  const advice = isElsewhere ? `${hint}, or ${elsewhere}` : hint
  return new EngineError('POC_E_WRITE_FAILED', `${path} could not be written: ${error.message}`, {
    hint: `${advice}; what was there before is unchanged`,
    cause: error,
  })
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error && typeof error.errcode === 'number')
    return SQLITE_CODES[error.errcode & 0xff]
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Of Node, of V8, of SQLite and of the system, when there is no more memory to be had. */
const OUT_OF_MEMORY: ReadonlySet<string> = new Set([
  'ERR_WORKER_OUT_OF_MEMORY',
  'ERR_MEMORY_ALLOCATION_FAILED',
  'ENOMEM',
])
const SQLITE_OUT_OF_MEMORY = 7
const ALLOCATION_FAILED = /^(?:Array buffer allocation failed|.*: could not allocate memory)$/

/** An error from running out of memory, as one that the caller can act on. Others pass unchanged. */
export function asMemoryError(error: unknown): unknown {
  if (!isOutOfMemory(error)) return error
  return new EngineError('POC_E_OUT_OF_MEMORY', 'there is not enough memory for this', {
    hint: 'end other programs, or ask for less at once; what was there before is unchanged',
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
