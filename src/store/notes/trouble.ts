/** What can be wrong with a kept workspace, in words that say what to do. */
import { EngineError, type ErrorCode } from '../../model/engine-error.ts'
import { asDiskError, contentTrouble } from '../../platform/trouble.ts'

type Trouble = 'missing' | 'corrupt' | 'foreign' | 'version'

const CODES: Readonly<Record<Trouble, ErrorCode>> = {
  missing: 'POC_E_INDEX_MISSING',
  corrupt: 'POC_E_PACK_CORRUPT',
  foreign: 'POC_E_PACK_FOREIGN',
  version: 'POC_E_CONTRACT_VERSION',
}

const HINTS: Readonly<Record<Trouble, string>> = {
  missing: 'bring the notes in with `dossier notes import`',
  corrupt: 'remove the file and run `dossier notes sync`; everything in it is made from the source',
  foreign: 'it was not made by dossier: move it away, then run `dossier notes sync`',
  version: 'make it again with `dossier notes sync`',
}

export function troubleWith(trouble: Trouble, message: string, cause?: unknown): EngineError {
  return new EngineError(CODES[trouble], message, { hint: HINTS[trouble], cause })
}

/** Complaints about the content of the file, SQLite's or of decoding, as ours; others pass unchanged. */
export function asNotesError(error: unknown, path: string): unknown {
  if (error instanceof RangeError || error instanceof SyntaxError) return damaged(error, path)
  const content = contentTrouble(error)
  if (content === 'foreign') return troubleWith('foreign', `${path} is not a database`, error)
  return content === 'damaged' ? damaged(error, path) : error
}

/** An error while a copy that is there was read: of the disk, or else of what the copy holds. */
export function asReadError(error: unknown, path: string): unknown {
  const known = asDiskError(asNotesError(error, path))
  return known instanceof EngineError ? known : damaged(error, path)
}

function damaged(error: unknown, path: string): EngineError {
  const why = error instanceof Error ? error.message : String(error)
  return troubleWith('corrupt', `${path} is damaged: ${why}`, error)
}
