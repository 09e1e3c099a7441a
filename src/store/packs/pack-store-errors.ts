/** Errors of stored packs, with hints. */
import { EngineError, type ErrorCode } from '../../model/engine-error.ts'

type PackStoreProblem = 'missing' | 'corrupt' | 'foreign' | 'version'

const CODES: Readonly<Record<PackStoreProblem, ErrorCode>> = {
  missing: 'POC_E_PACK_MISSING',
  corrupt: 'POC_E_PACK_CORRUPT',
  foreign: 'POC_E_PACK_FOREIGN',
  version: 'POC_E_CONTRACT_VERSION',
}

const HINTS: Readonly<Record<PackStoreProblem, string>> = {
  missing: 'give a file written by `dossier pack … --json`, or the id of a stored pack',
  corrupt: 'create it again with `dossier context-pack --write`; the other packs can still be read',
  foreign: 'give the output of `dossier pack … --format json`: Markdown and XML cannot be parsed',
  version: 'use the version of dossier that wrote it, or create it again',
}

export function createPackStoreError(
  trouble: PackStoreProblem,
  message: string,
  cause?: unknown,
): EngineError {
  return new EngineError(CODES[trouble], message, { hint: HINTS[trouble], cause })
}
