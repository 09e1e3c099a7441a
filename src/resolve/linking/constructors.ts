/**
 * Constructors of languages in which they bear the name of their class: there the name means the
 * class, so they are found by what they are.
 */
import type { Ask, Place } from '../linking.ts'

export function constructorsOf(type: Place, ask: Ask): readonly Place[] {
  return (ask.facts(type.path)?.definitions ?? []).flatMap((it, definition) =>
    it.kind === 'constructor' && it.owner === type.definition
      ? [{ path: type.path, definition }]
      : [],
  )
}
