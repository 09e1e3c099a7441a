/** What can go wrong with a program that is asked while it runs, and which of it passes by itself. */
import { EngineError } from '../../../model/engine-error.ts'

/** Unreachable, too late, broken off, or at a loss for now: a kept copy can answer instead. */
class Hiccup extends EngineError {}

/** Whether somebody else may be asked instead; a wrong token or a wrong request is no hiccup. */
export function isHiccup(error: unknown): boolean {
  return error instanceof Hiccup
}

export function hiccup(message: string, hint = AGAIN): EngineError {
  return new Hiccup('POC_E_READ_FAILED', message, { hint })
}

export function foreign(message: string): EngineError {
  return new EngineError('POC_E_READ_FAILED', message, {
    hint: 'see that the address is the one of the Tana Local API, such as http://127.0.0.1:8262',
  })
}

export function unauthorized(message: string): EngineError {
  return new EngineError('POC_E_UNAUTHORIZED', message, {
    hint: 'make a PERSONAL access token in Tana (account settings) and give it in the variable DOSSIER_TANA_TOKEN; a token of the cloud API does not open the Local API',
  })
}

export function invalid(message: string, hint: string): EngineError {
  return new EngineError('POC_E_REQUEST_INVALID', message, { hint })
}

const AGAIN =
  'see that Tana Desktop runs and that its Local API is switched on, then run the same command again'
