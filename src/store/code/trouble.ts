/** What can be wrong with index.db, in words that say what to do. */
import { UnknownHandle } from '../../model/code-index.ts'
import { EngineError, type ErrorCode } from '../../model/engine-error.ts'
import { asDiskError, findContentProblem } from '../../platform/trouble.ts'

type Trouble = 'missing' | 'corrupt' | 'foreign' | 'unplain' | 'older' | 'newer' | 'unsupported'

const CODES: Readonly<Record<Trouble, ErrorCode>> = {
  missing: 'POC_E_PACK_MISSING',
  corrupt: 'POC_E_PACK_CORRUPT',
  foreign: 'POC_E_PACK_FOREIGN',
  unplain: 'POC_E_PACK_FOREIGN',
  older: 'POC_E_CONTRACT_VERSION',
  newer: 'POC_E_CONTRACT_VERSION',
  unsupported: 'POC_E_NOT_SUPPORTED',
}

const HINTS: Readonly<Record<Trouble, string>> = {
  missing: 'build it with `dossier index`',
  corrupt: 'make it anew with `dossier index --force`: all that it held comes from the repository',
  foreign:
    'move it away if somebody needs it, or put an index in its place with `dossier index --force`',
  unplain: 'it was not made by dossier: move it away',
  older: 'make it again with `dossier index`',
  newer: 'use the version of dossier that made it, or make it anew with `dossier index --force`',
  unsupported: 'use the retriever `sparse`, which every index has',
}

export function troubleWith(trouble: Trouble, message: string, cause?: unknown): EngineError {
  return new EngineError(CODES[trouble], message, { hint: HINTS[trouble], cause })
}

/** SQLite's complaints about the content of the file as ours; others pass unchanged. */
export function asIndexError(error: unknown, path: string): unknown {
  const content = findContentProblem(error)
  if (content === 'foreign') return troubleWith('foreign', `${path} is not a database`, error)
  return content === 'damaged' ? damaged(error, path) : error
}

/**
 * An error while an index that is there was used: of the disk, or else of what the index holds.
 * Whoever reads what is damaged may fail in any way. A fault of ours is met again by `--force`, which
 * builds without the index, and is then reported as one.
 */
export function asUseError(error: unknown, path: string): unknown {
  const known = asDiskError(asIndexError(error, path))
  return known instanceof EngineError || known instanceof UnknownHandle
    ? known
    : damaged(error, path)
}

function damaged(error: unknown, path: string): EngineError {
  const why = error instanceof Error ? error.message : String(error)
  return troubleWith('corrupt', `${path} is damaged: ${why}`, error)
}
