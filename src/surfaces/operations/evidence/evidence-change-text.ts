/** What a change of names has done, a line for each part. */

import { counted } from '../../../base/text.ts'
import type { Flow } from '../../../model/evidence.ts'
import { type ChangeSize, measureChange } from '../../../packs/evidence/change-size.ts'
import { describeMove, type PartChanges } from '../../../packs/evidence/evidence-changes.ts'
import type { World } from '../../../platform/world.ts'
import type { Paint } from '../operation.ts'
import { renderChangeSize } from './flow-input.ts'

const MAX_LINES = 20

export interface ChangeWithSize extends PartChanges {
  readonly size: ChangeSize
}

/** The change, with what the context comes to after it. */
export async function measureAfterChange<T extends PartChanges>(
  world: World,
  flow: Flow,
  { change, budget }: { readonly change: Promise<T>; readonly budget: number },
): Promise<T & ChangeWithSize> {
  const changed = await change
  const paths = changed.moves.map((it) => it.to)
  return { ...changed, size: await measureChange(world, flow, { budget, paths }) }
}

export function renderChange(outcome: ChangeWithSize, paint: Paint): string {
  return `${[...renderMoves(outcome, paint), ...renderChangeSize(outcome.size)].join('\n')}\n`
}

export function renderMoves({ moves, unchanged }: PartChanges, paint: Paint): readonly string[] {
  const lines = [
    ...moves.map((move) => renderMove(move, paint)),
    ...unchanged.map((it) =>
      paint.faint(
        it.state === 'linked'
          ? `  ${it.name} is linked, so it is always active`
          : `  ${it.name} is ${it.state} already`,
      ),
    ),
  ]
  if (lines.length === 0) return ['nothing to change']
  const shown = paint.isVerbose ? lines : lines.slice(0, MAX_LINES)
  const rest = lines.length - shown.length
  const more = rest === 0 ? [] : [`  and ${counted(rest, 'part')} more`]
  return [...shown, ...more]
}

function renderMove(move: PartChanges['moves'][number], paint: Paint): string {
  const { from, to, isActive } = describeMove(move)
  if (move.to.startsWith('removed/')) return `${paint.bad('✗')} Removed: ${from}`
  const isRenamed = from.replace(/\.skip$/, '') !== to.replace(/\.skip$/, '')
  if (isRenamed) return `${paint.good('✓')} Renamed: ${from} → ${to}`
  return isActive ? `${paint.good('✓')} Activated: ${to}` : `${paint.faint('○')} Skipped: ${to}`
}
