/**
 * Plans what each command changes, as a list of file renames. Pure: `history.ts` applies and undoes
 * the plans. No plan deletes a file.
 */
import { EngineError } from '../model/engine-error.ts'
import type { ContextPart, Move, PartState } from '../model/evidence.ts'
import { buildPartPath, FIRST_RANK, formatRank, LAST_RANK } from './part-names.ts'

/** Swaps active and skipped, or puts all parts into the wanted state. */
export function planToggle(
  parts: readonly ContextPart[],
  wantedState: 'on' | 'off' | undefined,
): readonly Move[] {
  return parts.flatMap((part) => {
    if (part.state === 'linked') return []
    const other: PartState = part.state === 'active' ? 'skipped' : 'active'
    const state = wantedState === undefined ? other : wantedState === 'on' ? 'active' : 'skipped'
    return planMove(part, buildPartPath(part, { state }))
  })
}

export function planRankChange(
  parts: readonly ContextPart[],
  part: ContextPart,
  rank: string,
): readonly Move[] {
  const moves = planMove(part, buildPartPath(part, { rank }))
  refuseTakenNames(parts, moves)
  return moves
}

/** The distance between neighbouring ranks, if there is room. */
const MAX_RANK_DISTANCE = 10

/**
 * Distributes the ranks evenly from 100 on and keeps the order. With many parts the distance
 * shrinks; with more parts than ranks, parts share ranks, which requires that their names alone
 * keep the order.
 */
export function planRebase(parts: readonly ContextPart[]): readonly Move[] {
  const evidence = parts.filter((it) => it.role === 'evidence')
  const step = Math.min(
    MAX_RANK_DISTANCE,
    Math.floor((LAST_RANK - FIRST_RANK + 1) / Math.max(1, evidence.length)),
  )
  const ranks =
    step > 0 ? evidence.map((_, at) => FIRST_RANK + at * step) : assignSharedRanks(evidence)
  return evidence.flatMap((part, at) =>
    planMove(part, buildPartPath(part, { rank: formatRank(ranks[at] ?? LAST_RANK) })),
  )
}

function assignSharedRanks(parts: readonly ContextPart[]): readonly number[] {
  // As many parts per rank as needed. A part whose name sorts before that of its predecessor starts
  // a new rank.
  const share = Math.ceil(parts.length / (LAST_RANK - FIRST_RANK + 1))
  const ranks: number[] = []
  let rank = FIRST_RANK
  let sharing = 0
  for (const [at, part] of parts.entries()) {
    const before = parts[at - 1]
    const isAfter = before !== undefined && nameAfterRank(before) < nameAfterRank(part)
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
      `${parts.length} parts do not fit between ranks ${FIRST_RANK} and ${LAST_RANK} in this order`,
      { hint: 'remove some parts, or rename them so that sorting by name gives this order' },
    )
  }
  return ranks
}

function nameAfterRank(part: ContextPart): string {
  return `${part.kind}.${part.role}`
}

export const REMOVED_FOLDER = 'removed'

/** Moves the parts out of the context. `stamp` keeps two parts of the same name apart. */
export function planRemoval(parts: readonly ContextPart[], stamp: string): readonly Move[] {
  return parts.map((part) => ({
    from: part.path,
    to: `${REMOVED_FOLDER}/${stamp}/${part.path}`,
  }))
}

export function reverseMoves(moves: readonly Move[]): readonly Move[] {
  return moves.map(({ from, to }) => ({ from: to, to: from }))
}

function planMove(part: ContextPart, to: string): readonly Move[] {
  return to === part.path ? [] : [{ from: part.path, to }]
}

/** Two files with the same rank, kind and role would be the same part. */
function refuseTakenNames(parts: readonly ContextPart[], moves: readonly Move[]): void {
  for (const { to } of moves) {
    const taken = parts.find((it) => it.path === to)
    if (taken === undefined) continue
    throw new EngineError('POC_E_REQUEST_INVALID', `a part named ${taken.name} already exists`, {
      hint: 'give another rank, or remove that part first',
    })
  }
}
