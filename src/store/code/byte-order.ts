/** The order of text in SQLite, for what is not sorted there. */
import type { Compare } from '../../base/order.ts'

/** By the bytes of UTF-8, as SQLite orders text: characters of two units come after all others. */
export const BY_BYTES: Compare<string> = (a, b) => {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const one = a.charCodeAt(at)
    const other = b.charCodeAt(at)
    if (one !== other) return raised(one) - raised(other)
  }
  return a.length - b.length
}

const SURROGATES = 0xd800
const PAST_SURROGATES = 0xe000

function raised(unit: number): number {
  return unit >= SURROGATES && unit < PAST_SURROGATES ? unit + 0x10000 : unit
}
