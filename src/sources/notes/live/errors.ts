/** Errors of requests to a running program, and which of them are temporary. */
import { EngineError } from '../../../model/engine-error.ts'

/** Unreachable, timed out, interrupted or overloaded: the stored copy can answer instead. */
class TemporaryError extends EngineError {}

/** Whether the stored copy may answer instead; a wrong token or request is not temporary. */
export function isTemporary(error: unknown): boolean {
  return error instanceof TemporaryError
}

export function createTemporaryError(message: string, hint = RETRY_HINT): EngineError {
  return new TemporaryError('POC_E_READ_FAILED', message, { hint })
}

export function createForeignServerError(message: string): EngineError {
  return new EngineError('POC_E_READ_FAILED', message, {
    hint: 'check that this is the URL of the Tana Local API, such as http://127.0.0.1:8262',
  })
}

export function createTokenError(message: string): EngineError {
  return new EngineError('POC_E_UNAUTHORIZED', message, {
    hint: 'create a PERSONAL access token in Tana (account settings) and set it in the variable DOSSIER_TANA_TOKEN; a token of the cloud API does not work for the Local API',
  })
}

export function createRequestError(message: string, hint: string): EngineError {
  return new EngineError('POC_E_REQUEST_INVALID', message, { hint })
}

const RETRY_HINT =
  'check that Tana Desktop runs and that its Local API is enabled, then run the same command again'
