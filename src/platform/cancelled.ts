/** The error of a request that was aborted before it changed anything. */
import { EngineError } from '../model/engine-error.ts'

export function createCancelledError(): EngineError {
  return new EngineError('POC_E_CANCELLED', 'cancelled', { hint: 'nothing was changed' })
}
