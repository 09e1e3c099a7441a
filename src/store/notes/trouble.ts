/** What can be wrong with a kept workspace, in words that say what to do. */
import { EngineError, type ErrorCode } from '../../model/engine-error.ts'

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

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/** Complaints about the content of the file, SQLite's or of decoding, as ours; others pass unchanged. */
export function asNotesError(error: unknown, path: string): unknown {
  if (error instanceof RangeError || error instanceof SyntaxError) {
    return troubleWith('corrupt', `${path} is damaged: ${error.message}`, error)
  }
  if (!(error instanceof Error) || !('errcode' in error)) return error
  const code = Number(error.errcode) & 0xff
  if (code === SQLITE_NOTADB) return troubleWith('foreign', `${path} is no database`, error)
  if (code === SQLITE_CORRUPT) {
    return troubleWith('corrupt', `${path} is damaged: ${error.message}`, error)
  }
  return error
}
