/** Settings of the engine that its memory depends on. */
import { setFlagsFromString } from 'node:v8'

/** The engine has two halves of this size for what is new, and room for what grows out of them. */
export const YOUNG_HALF_MB = 4

/** How much more than it holds a heap may take before it is looked through for what is gone. */
const GROWTH_PERCENT = 25

/**
 * Before threads are started. Under load the engine doubles the room for new objects again and
 * again, to 130 MB in a thread that hands records on and holds next to nothing. Threads begin with
 * as much as they may have; this one stays at what it has.
 * Left alone, this one also lets what is old and gone pile up to three times of what it holds.
 */
export function keepHeapsSmall(): void {
  setFlagsFromString(`--min-semi-space-size=${YOUNG_HALF_MB}`)
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
}
