/** The time, from outside. `SOURCE_DATE_EPOCH` pins it, so that a whole file can be reproduced. */
import { EngineError } from '../model/engine-error.ts'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** When set, every time that is written down is this one. */
  readonly pinned: boolean
}

export function systemClock(sourceDateEpoch: string | undefined): Clock {
  if (sourceDateEpoch === undefined || sourceDateEpoch === '') {
    return { now: () => Date.now(), pinned: false }
  }
  const seconds = Number(sourceDateEpoch)
  if (!Number.isSafeInteger(seconds) || seconds < 0 || seconds > 253_402_300_799) {
    throw new EngineError(
      'POC_E_REQUEST_INVALID',
      `SOURCE_DATE_EPOCH is not a time in whole seconds: ${sourceDateEpoch}`,
      { hint: 'unset it, or give the seconds since 1970' },
    )
  }
  return { now: () => seconds * 1000, pinned: true }
}
