/** A request that cannot be met. Content never throws this: trouble with one file is a Diagnostic. */

export const ERROR_CODES = [
  'POC_E_REQUEST_INVALID',
  'POC_E_SEGMENT_MISSING',
  'POC_E_SEGMENT_OUTSIDE_ROOT',
  'POC_E_NO_DOCUMENTS',
  'POC_E_INDEX_MISSING',
  'POC_E_PACK_MISSING',
  'POC_E_PACK_CORRUPT',
  'POC_E_PACK_FOREIGN',
  'POC_E_PACK_STALE',
  'POC_E_CONTRACT_VERSION',
  'POC_E_CHUNK_UNKNOWN',
  'POC_E_BUDGET_EXCEEDED',
  'POC_E_READ_FAILED',
  'POC_E_WRITE_FAILED',
  'POC_E_BUSY',
  'POC_E_OUT_OF_MEMORY',
  'POC_E_NOT_SUPPORTED',
  'POC_E_CANCELLED',
  'POC_E_CONFIG_INVALID',
  'POC_E_WORKSPACE_UNKNOWN',
  'POC_E_SOURCE_INVALID',
  'POC_E_UNAUTHORIZED',
  'POC_E_FLOW_MISSING',
  'POC_E_SELECTOR_INVALID',
  'POC_E_TARGET_UNKNOWN',
  'POC_E_TARGET_AMBIGUOUS',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

export interface ErrorDetails {
  /** What to do about it, as a sentence or a command. */
  readonly hint: string
  readonly cause?: unknown
}

export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly code: ErrorCode
  readonly hint: string

  constructor(code: ErrorCode, message: string, details: ErrorDetails) {
    super(message, { cause: details.cause })
    this.code = code
    this.hint = details.hint
  }
}
