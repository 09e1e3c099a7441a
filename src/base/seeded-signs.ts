/** A beginning that looks random and is the same every time, on every machine. */

const SEED = 0x9e3779b9

/** Fills with 1 and -1, by Marsaglia's xorshift. */
export function fillWithSigns(values: Float32Array): void {
  let state = SEED
  for (let at = 0; at < values.length; at += 1) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    values[at] = (state & 0x10000) === 0 ? 1 : -1
  }
}
