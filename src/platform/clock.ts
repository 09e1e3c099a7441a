/** The time, from outside. */
import { EngineError } from '../model/engine-error.ts'

export interface Clock {
  /** Milliseconds since 1970, as the machine has it. */
  now(): number
  /**
   * The time to write down in place of this one: itself, or the one that `SOURCE_DATE_EPOCH` pins,
   * so that a whole file can be reproduced byte by byte.
   */
  recorded(timeMs: number): number
}

const YEAR_9999 = 253_402_300_799

export function createSystemClock(sourceDateEpoch: string | undefined): Clock {
  if (sourceDateEpoch === undefined || sourceDateEpoch === '')
    return { now: Date.now, recorded: (it) => it }
  const seconds = Number(sourceDateEpoch)
  if (!Number.isSafeInteger(seconds) || seconds < 0 || seconds > YEAR_9999) {
    throw new EngineError(
      'POC_E_REQUEST_INVALID',
      `SOURCE_DATE_EPOCH is not a number of whole seconds: ${sourceDateEpoch}`,
      { hint: 'unset it, or give the seconds since 1970' },
    )
  }
  return { now: Date.now, recorded: () => seconds * 1000 }
}
