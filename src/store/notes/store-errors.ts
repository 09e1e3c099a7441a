/** Errors of a stored workspace, with hints. */
import { EngineError, type ErrorCode } from '../../model/engine-error.ts'
import { asDiskError, findContentProblem } from '../../platform/trouble.ts'

type StoreProblem = 'missing' | 'corrupt' | 'foreign' | 'version'

const CODES: Readonly<Record<StoreProblem, ErrorCode>> = {
  missing: 'POC_E_INDEX_MISSING',
  corrupt: 'POC_E_PACK_CORRUPT',
  foreign: 'POC_E_PACK_FOREIGN',
  version: 'POC_E_CONTRACT_VERSION',
}

const HINTS: Readonly<Record<StoreProblem, string>> = {
  missing: 'import notes with `dossier notes import`',
  corrupt: 'delete the file and run `dossier notes sync`; all of it is derived from the source',
  foreign: 'it was not created by dossier: move it, then run `dossier notes sync`',
  version: 'rebuild it with `dossier notes sync`',
}

export function createStoreError(
  trouble: StoreProblem,
  message: string,
  cause?: unknown,
): EngineError {
  return new EngineError(CODES[trouble], message, { hint: HINTS[trouble], cause })
}

/**
 * Converts errors about the content of the file, from SQLite or decoding; other errors pass
 * unchanged.
 */
export function asNotesError(error: unknown, path: string): unknown {
  if (error instanceof RangeError || error instanceof SyntaxError)
    return createDamagedError(error, path)
  const content = findContentProblem(error)
  if (content === 'foreign') return createStoreError('foreign', `${path} is not a database`, error)
  return content === 'damaged' ? createDamagedError(error, path) : error
}

/** Converts an error while reading an existing copy: a disk error, or else a damaged copy. */
export function asReadError(error: unknown, path: string): unknown {
  const known = asDiskError(asNotesError(error, path))
  return known instanceof EngineError ? known : createDamagedError(error, path)
}

function createDamagedError(error: unknown, path: string): EngineError {
  const why = error instanceof Error ? error.message : String(error)
  return createStoreError('corrupt', `${path} is damaged: ${why}`, error)
}
