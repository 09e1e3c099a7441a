/** How a person asks to see what is redacted otherwise. No tool offers it. */
import { z } from '../../platform/schema.ts'
import type { World } from '../../platform/world.ts'
import { withDefault } from './input.ts'

export const revealInput = {
  reveal: withDefault(z.boolean(), false, 'Show likely secrets instead of redacting them.'),
}

export function withReveal(world: World, reveal: boolean): World {
  return reveal ? { ...world, revealsSecrets: true } : world
}
