/** The commands that only rename files. Each reads, plans and renames under one lock. */
import { folderOf } from '../../base/paths.ts'
import { changeFlow } from '../../evidence/history.ts'
import { formatRank, parsePartName, partFileName } from '../../evidence/part-names.ts'
import { listParts } from '../../evidence/parts.ts'
import { planRankChange, planRebase, planRemoval, planToggle } from '../../evidence/plans.ts'
import { findTargetPart, findTargetParts } from '../../evidence/targets.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { ContextPart, Flow, Move } from '../../model/evidence.ts'
import type { World } from '../../platform/world.ts'

export interface PartChanges {
  readonly what: string
  readonly moves: readonly Move[]
  /** Target parts that did not change: linked parts cannot be skipped. */
  readonly unchanged: readonly ContextPart[]
}

export interface ToggleRequest {
  readonly target: string
  readonly state: 'on' | 'off' | undefined
}

export function toggleParts(
  world: World,
  flow: Flow,
  request: ToggleRequest,
): Promise<PartChanges> {
  const what = ['toggle', request.state, request.target].filter((it) => it !== undefined).join(' ')
  return applyPlan(world, flow, (parts) => {
    const meant = findTargetParts(parts, request.target)
    return { what, meant, moves: planToggle(meant, request.state) }
  })
}

export interface RankRequest {
  readonly target: string
  readonly rank: string
}

export function changePartRank(
  world: World,
  flow: Flow,
  { target, rank }: RankRequest,
): Promise<PartChanges> {
  const wanted = parseRank(rank)
  return applyPlan(world, flow, (parts) => {
    const part = findTargetPart(parts, target)
    return {
      what: `rank ${target} ${wanted}`,
      meant: [part],
      moves: planRankChange(parts, part, wanted),
    }
  })
}

const RANK = /^\d{1,3}$/

export function parseRank(rank: string): string {
  if (RANK.test(rank)) return formatRank(Number(rank))
  throw new EngineError('POC_E_REQUEST_INVALID', `${rank} is not a valid rank`, {
    hint: 'give a number from 0 to 999',
  })
}

export function rebaseParts(world: World, flow: Flow): Promise<PartChanges> {
  return applyPlan(world, flow, (parts) => ({
    what: 'rebase',
    meant: [],
    moves: planRebase(parts),
  }))
}

export function removeParts(
  world: World,
  flow: Flow,
  targets: readonly string[],
): Promise<PartChanges> {
  return applyPlan(world, flow, (parts, number) => {
    const meant = new Set(targets.flatMap((target) => findTargetParts(parts, target)))
    return {
      what: `remove ${targets.join(' ')}`,
      meant: [],
      moves: planRemoval([...meant], number),
    }
  })
}

/** The names of a part before and after, for messages. */
export function describeMove({ from, to }: Move): {
  readonly from: string
  readonly to: string
  readonly isActive: boolean
} {
  const folder = folderOf(to)
  const name = partFileName({ path: to })
  return {
    from: partFileName({ path: from }),
    to: name,
    isActive: parsePartName(folder, name)?.state !== 'skipped',
  }
}

interface PlannedChange {
  readonly what: string
  readonly meant: readonly ContextPart[]
  readonly moves: readonly Move[]
}

function applyPlan(
  world: World,
  flow: Flow,
  plan: (parts: readonly ContextPart[], number: string) => PlannedChange,
): Promise<PartChanges> {
  return changeFlow(world, flow, (number) => {
    const { what, meant, moves } = plan(listParts(world.files, flow).parts, number)
    const moving = new Set(moves.map(({ from }) => from))
    const unchanged = meant.filter((it) => !moving.has(it.path))
    return {
      change: moves.length === 0 ? undefined : { what, moves },
      result: { what, moves, unchanged },
    }
  })
}
