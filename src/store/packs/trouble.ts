/** What can be wrong with a pack that was kept, in words that say what to do. */
import { EngineError, type ErrorCode } from '../../model/engine-error.ts'

type Trouble = 'missing' | 'corrupt' | 'foreign' | 'version'

const CODES: Readonly<Record<Trouble, ErrorCode>> = {
  missing: 'POC_E_PACK_MISSING',
  corrupt: 'POC_E_PACK_CORRUPT',
  foreign: 'POC_E_PACK_FOREIGN',
  version: 'POC_E_CONTRACT_VERSION',
}

const HINTS: Readonly<Record<Trouble, string>> = {
  missing:
    'name a file that `dossier pack … --json` has printed, or the id of a pack that was kept',
  corrupt: 'make it again with `dossier context-pack --write`; the others can still be read',
  foreign: 'give what `dossier pack … --format json` has printed: Markdown and XML are for reading',
  version: 'use the version of dossier that made it, or make it again',
}

export function keptTrouble(trouble: Trouble, message: string, cause?: unknown): EngineError {
  return new EngineError(CODES[trouble], message, { hint: HINTS[trouble], cause })
}
