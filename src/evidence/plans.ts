/**
 * What each command changes, as names of files that become others. Pure: whether and how it happens
 * is decided elsewhere, and so can be undone there. Nothing here ever drops a file.
 */
import { EngineError } from '../model/engine-error.ts'
import type { ContextPart, Move, PartState } from '../model/evidence.ts'
import { FIRST_RANK, LAST_RANK, rankText, renamed } from './part-names.ts'

/** Active becomes skipped and the other way round, or all become what is wished. */
export function toggled(
  parts: readonly ContextPart[],
  wish: 'on' | 'off' | undefined,
): readonly Move[] {
  return parts.flatMap((part) => {
    if (part.state === 'linked') return []
    const other: PartState = part.state === 'active' ? 'skipped' : 'active'
    const state = wish === undefined ? other : wish === 'on' ? 'active' : 'skipped'
    return moved(part, renamed(part, { state }))
  })
}

export function ranked(
  parts: readonly ContextPart[],
  part: ContextPart,
  rank: string,
): readonly Move[] {
  const moves = moved(part, renamed(part, { rank }))
  refuseTaken(parts, moves)
  return moves
}

/** How many ranks apart neighbours are where there is room. */
const STEP = 10

/**
 * Evenly from 100 on, in the present order. More parts than a hundred's tens come closer together,
 * and more than there are ranks share one, which is possible only as long as their names alone put
 * them in this order.
 */
export function rebased(parts: readonly ContextPart[]): readonly Move[] {
  const evidence = parts.filter((it) => it.role === 'evidence')
  const step = Math.min(
    STEP,
    Math.floor((LAST_RANK - FIRST_RANK + 1) / Math.max(1, evidence.length)),
  )
  const ranks = step > 0 ? evidence.map((_, at) => FIRST_RANK + at * step) : sharedRanks(evidence)
  return evidence.flatMap((part, at) =>
    moved(part, renamed(part, { rank: rankText(ranks[at] ?? LAST_RANK) })),
  )
}

function sharedRanks(parts: readonly ContextPart[]): readonly number[] {
  // As many to a rank as must be, unless the next one would come before the one before it.
  const share = Math.ceil(parts.length / (LAST_RANK - FIRST_RANK + 1))
  const ranks: number[] = []
  let rank = FIRST_RANK
  let sharing = 0
  for (const [at, part] of parts.entries()) {
    const before = parts[at - 1]
    const isAfter = before !== undefined && restOf(before) < restOf(part)
    if (before !== undefined && (sharing === share || !isAfter)) {
      rank += 1
      sharing = 0
    }
    ranks.push(rank)
    sharing += 1
  }
  if (rank > LAST_RANK) {
    throw new EngineError(
      'POC_E_REQUEST_INVALID',
      `${parts.length} parts have no room between ${FIRST_RANK} and ${LAST_RANK} in this order`,
      { hint: 'remove some, or rename them so that names alone put them in order' },
    )
  }
  return ranks
}

function restOf(part: ContextPart): string {
  return `${part.kind}.${part.role}`
}

export const REMOVED_FOLDER = 'removed'

/** Out of the context, and kept: `stamp` tells two of the same name apart. */
export function removed(parts: readonly ContextPart[], stamp: string): readonly Move[] {
  return parts.map((part) => ({
    from: part.path,
    to: `${REMOVED_FOLDER}/${stamp}/${part.path}`,
  }))
}

export function undone(moves: readonly Move[]): readonly Move[] {
  return moves.map(({ from, to }) => ({ from: to, to: from }))
}

function moved(part: ContextPart, to: string): readonly Move[] {
  return to === part.path ? [] : [{ from: part.path, to }]
}

/** A name with the same rank, kind and role in another state would be the same part twice. */
function refuseTaken(parts: readonly ContextPart[], moves: readonly Move[]): void {
  for (const { to } of moves) {
    const taken = parts.find((it) => it.path === to)
    if (taken === undefined) continue
    throw new EngineError('POC_E_REQUEST_INVALID', `there is a ${taken.name} already`, {
      hint: 'give another rank, or remove that one first',
    })
  }
}
