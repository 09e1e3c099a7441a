/** Errors of an exported index, with hints. */
import { EngineError, type ErrorCode } from '../../model/engine-error.ts'

type ArtifactProblem = 'missing' | 'corrupt' | 'foreign' | 'version'

const CODES: Readonly<Record<ArtifactProblem, ErrorCode>> = {
  missing: 'POC_E_PACK_MISSING',
  corrupt: 'POC_E_PACK_CORRUPT',
  foreign: 'POC_E_PACK_FOREIGN',
  version: 'POC_E_CONTRACT_VERSION',
}

const HINTS: Readonly<Record<ArtifactProblem, string>> = {
  missing: 'give a folder written by `dossier index export`',
  corrupt: 'copy the folder again, or export it again with `dossier index export`',
  foreign: 'it was not written by `dossier index export`: give another folder',
  version:
    'use the version of dossier that wrote it, or export it again with `dossier index export`',
}

export function createArtifactError(
  trouble: ArtifactProblem,
  message: string,
  cause?: unknown,
): EngineError {
  return new EngineError(CODES[trouble], message, { hint: HINTS[trouble], cause })
}
