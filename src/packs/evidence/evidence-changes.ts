/** The commands that only give files other names: each looks, plans, and changes in one step. */
import { folderOf } from '../../base/paths.ts'
import { changeFlow } from '../../evidence/history.ts'
import { formatRank, parsePartName, partFileName } from '../../evidence/part-names.ts'
import { listParts } from '../../evidence/parts.ts'
import { planRankChange, planRebase, planRemoval, planToggle } from '../../evidence/plans.ts'
import { findTargetPart, findTargetParts } from '../../evidence/targets.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { ContextPart, Flow, Move } from '../../model/evidence.ts'
import type { World } from '../../platform/world.ts'

export interface Changed {
  readonly what: string
  readonly moves: readonly Move[]
  /** Parts that were meant and stay as they are: linked ones cannot be skipped. */
  readonly unchanged: readonly ContextPart[]
}

export interface ToggleWish {
  readonly target: string
  readonly state: 'on' | 'off' | undefined
}

export function toggleParts(world: World, flow: Flow, wish: ToggleWish): Promise<Changed> {
  const what = ['toggle', wish.state, wish.target].filter((it) => it !== undefined).join(' ')
  return change(world, flow, (parts) => {
    const meant = findTargetParts(parts, wish.target)
    return { what, meant, moves: planToggle(meant, wish.state) }
  })
}

export interface RankWish {
  readonly target: string
  readonly rank: string
}

export function rankPart(world: World, flow: Flow, { target, rank }: RankWish): Promise<Changed> {
  const wanted = checkedRank(rank)
  return change(world, flow, (parts) => {
    const part = findTargetPart(parts, target)
    return {
      what: `rank ${target} ${wanted}`,
      meant: [part],
      moves: planRankChange(parts, part, wanted),
    }
  })
}

const RANK = /^\d{1,3}$/

export function checkedRank(rank: string): string {
  if (RANK.test(rank)) return formatRank(Number(rank))
  throw new EngineError('POC_E_REQUEST_INVALID', `${rank} is not a rank`, {
    hint: 'give a number from 0 to 999',
  })
}

export function rebaseParts(world: World, flow: Flow): Promise<Changed> {
  return change(world, flow, (parts) => ({ what: 'rebase', meant: [], moves: planRebase(parts) }))
}

export function removeParts(
  world: World,
  flow: Flow,
  targets: readonly string[],
): Promise<Changed> {
  return change(world, flow, (parts, number) => {
    const meant = new Set(targets.flatMap((target) => findTargetParts(parts, target)))
    return {
      what: `remove ${targets.join(' ')}`,
      meant: [],
      moves: planRemoval([...meant], number),
    }
  })
}

/** How a part is called before and after, for messages. */
export function callingOf({ from, to }: Move): {
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

interface Planned {
  readonly what: string
  readonly meant: readonly ContextPart[]
  readonly moves: readonly Move[]
}

function change(
  world: World,
  flow: Flow,
  plan: (parts: readonly ContextPart[], number: string) => Planned,
): Promise<Changed> {
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
