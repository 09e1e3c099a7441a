/** What a change of names has done, a line for each part. */

import { counted } from '../../../base/text.ts'
import { type Changed, callingOf } from '../../../packs/evidence/evidence-changes.ts'
import type { Paint } from '../operation.ts'

const MOST_LINES = 20

export function changedText({ moves, unchanged }: Changed, paint: Paint): string {
  const lines = [
    ...moves.map((move) => moveLine(move, paint)),
    ...unchanged.map((it) =>
      paint.faint(
        it.state === 'linked'
          ? `  ${it.name} is linked, and so always active`
          : `  ${it.name} is ${it.state} already`,
      ),
    ),
  ]
  if (lines.length === 0) return 'nothing to change\n'
  const shown = paint.isVerbose ? lines : lines.slice(0, MOST_LINES)
  const rest = lines.length - shown.length
  const more = rest === 0 ? [] : [`  and ${counted(rest, 'part')} more`]
  return `${[...shown, ...more].join('\n')}\n`
}

function moveLine(move: Changed['moves'][number], paint: Paint): string {
  const { from, to, isActive } = callingOf(move)
  if (move.to.startsWith('removed/')) return `${paint.bad('✗')} Removed: ${from}`
  const isRenamed = from.replace(/\.skip$/, '') !== to.replace(/\.skip$/, '')
  if (isRenamed) return `${paint.good('✓')} Renamed: ${from} → ${to}`
  return isActive ? `${paint.good('✓')} Activated: ${to}` : `${paint.faint('○')} Skipped: ${to}`
}
