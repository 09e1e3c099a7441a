/** Items that touch in their file are read as one piece, so they are shown in one section. */
import { blocksOf } from '../../format/pack-blocks.ts'
import type { SectionType } from '../../model/context-pack.ts'
import type { Budgets } from '../../model/pack-request.ts'
import type { Shown } from './pack-item.ts'

/**
 * All parts of a block go to the section of its best definition, unless that is full. Items come
 * best first; imports and comments go with what they are above.
 */
export function joinTouching(
  chosen: readonly Shown[],
  { maxItemsPerSection }: Budgets,
): readonly Shown[] {
  const rank = new Map(chosen.map((it, at) => [it.item, at]))
  const sections = chosen.map((it) => it.section)
  const count = (section: SectionType): number => sections.filter((it) => it === section).length
  for (const block of blocksOf(chosen.map((it) => it.item))) {
    if (block.length === 1) continue
    const places = block.map((item) => rank.get(item) ?? 0).toSorted((a, b) => a - b)
    const defined = places.find((at) => chosen[at]?.item.symbolId !== undefined)
    const best = sections[defined ?? places[0] ?? 0]
    for (const at of places) {
      const isFull = best === undefined || count(best) >= maxItemsPerSection
      if (!isFull && sections[at] !== best) sections[at] = best
    }
  }
  return chosen.map((it, at) => ({ ...it, section: sections[at] ?? it.section }))
}
