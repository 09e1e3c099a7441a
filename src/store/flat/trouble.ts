/** What can be wrong with an index that was written out, in words that say what to do. */
import { EngineError, type ErrorCode } from '../../model/engine-error.ts'

type Trouble = 'missing' | 'corrupt' | 'foreign' | 'version'

const CODES: Readonly<Record<Trouble, ErrorCode>> = {
  missing: 'POC_E_PACK_MISSING',
  corrupt: 'POC_E_PACK_CORRUPT',
  foreign: 'POC_E_PACK_FOREIGN',
  version: 'POC_E_CONTRACT_VERSION',
}

const HINTS: Readonly<Record<Trouble, string>> = {
  missing: 'name a folder that `dossier index export` has made',
  corrupt: 'get the folder again from where it came, or make it anew with `dossier index export`',
  foreign: 'it was not made by `dossier index export`: name another folder',
  version: 'use the version of dossier that made it, or make it anew with `dossier index export`',
}

export function artifactTrouble(trouble: Trouble, message: string, cause?: unknown): EngineError {
  return new EngineError(CODES[trouble], message, { hint: HINTS[trouble], cause })
}
