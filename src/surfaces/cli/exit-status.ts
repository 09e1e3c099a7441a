/** Total: a new code does not compile until it is mapped. */
import type { ErrorCode } from '../../model/engine-error.ts'

export const EXIT_STATUS: Readonly<Record<ErrorCode, number>> = {
  POC_E_REQUEST_INVALID: 2,
  POC_E_SEGMENT_MISSING: 2,
  POC_E_SEGMENT_OUTSIDE_ROOT: 2,
  POC_E_NO_DOCUMENTS: 3,
  POC_E_INDEX_MISSING: 3,
  POC_E_PACK_MISSING: 3,
  POC_E_PACK_CORRUPT: 4,
  POC_E_PACK_FOREIGN: 4,
  POC_E_PACK_STALE: 4,
  POC_E_CONTRACT_VERSION: 4,
  POC_E_CHUNK_UNKNOWN: 1,
  POC_E_BUDGET_EXCEEDED: 1,
  POC_E_READ_FAILED: 5,
  POC_E_WRITE_FAILED: 5,
  POC_E_BUSY: 5,
  POC_E_OUT_OF_MEMORY: 5,
  POC_E_NOT_SUPPORTED: 3,
  POC_E_CANCELLED: 130,
  POC_E_CONFIG_INVALID: 2,
  POC_E_WORKSPACE_UNKNOWN: 2,
  POC_E_SOURCE_INVALID: 4,
  POC_E_UNAUTHORIZED: 5,
  POC_E_FLOW_MISSING: 3,
  POC_E_SELECTOR_INVALID: 2,
  POC_E_TARGET_UNKNOWN: 1,
  POC_E_TARGET_AMBIGUOUS: 2,
}

/** A bug of ours, as `sysexits.h` numbers it. */
export const INTERNAL_ERROR_STATUS = 70

/** Stopped by SIGTERM, as a shell tells it from Ctrl-C. */
export const TERMINATED_STATUS = 143
