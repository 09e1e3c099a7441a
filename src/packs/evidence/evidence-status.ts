/** Reports the parts of a flow and how much of the budget each takes. */
import { readFocus } from '../../evidence/focus.ts'
import { finishInterruptedChange } from '../../evidence/history.ts'
import { listParts } from '../../evidence/parts.ts'
import { mdctxHead, mdctxPart } from '../../format/mdctx.ts'
import type { ContextPart, ContextPlan, Flow, PartRole, PartState } from '../../model/evidence.ts'
import type { World } from '../../platform/world.ts'
import { type LoadedPart, type PromptOptions, planPrompt, toMdctxPart } from './prompt.ts'

export interface FlowStatus {
  readonly flow: Flow
  readonly budget: number
  readonly parts: readonly SizedPart[]
  /** Files in the folders that are not parts. */
  readonly strays: readonly string[]
  /** The query of the focus, if there is one. */
  readonly focus: string | null
  readonly bands: readonly RankBand[]
  /** Size of the prompt as it would be assembled now, including headings. */
  readonly bytes: number
  readonly tokens: number
  readonly plan: ContextPlan
}

export interface SizedPart {
  readonly name: string
  readonly path: string
  readonly rank: string
  readonly role: PartRole
  readonly state: PartState
  /** Why it is left out although it is active. */
  readonly reason?: string
  readonly title: string
  readonly bytes: number
  /** In the prompt, with its heading. */
  readonly tokens: number
  /** `1` for `$e1`: the position among the included evidence, from 1. */
  readonly variable?: number
}

/** One hundred ranks and their purpose. */
export interface RankBand {
  readonly from: string
  readonly to: string
  readonly purpose: string
  readonly parts: number
  readonly skipped: number
  readonly tokens: number
}

export interface StatusRequest extends PromptOptions {
  readonly budget: number
}

export async function readFlowStatus(
  world: World,
  flow: Flow,
  { budget, maxTokens }: StatusRequest,
): Promise<FlowStatus> {
  const { text, plan, parts, strays } = await planPrompt(world, flow, { maxTokens })
  const countTokens = await world.tokens()
  const sized: SizedPart[] = []
  let variable = 0
  let before: PartRole | undefined
  for (const [at, part] of parts.entries()) {
    const { status: state = part.state, reason } = plan.parts[at] ?? {}
    const isNumbered = isActiveEvidence(part)
    if (isNumbered) variable += 1
    sized.push({
      ...describePart(part),
      state,
      ...(reason === undefined ? {} : { reason }),
      tokens: countTokens(mdctxPart(toMdctxPart(part), before)),
      ...(isNumbered ? { variable } : {}),
    })
    if (state === 'active' || state === 'linked') before = part.role
  }
  return {
    flow,
    budget,
    parts: sized,
    strays,
    focus: readFocus(world.files, flow).query,
    bands: groupByBand(sized),
    bytes: Buffer.byteLength(text),
    tokens: countTokens(mdctxHead(flow.id)) + sumTokens(sized.filter(isIncluded)),
    plan,
  }
}

/** Names and ranks that can be targets. */
export async function listPartNames(world: World, flow: Flow): Promise<readonly string[]> {
  await finishInterruptedChange(world, flow)
  const { parts } = listParts(world.files, flow)
  return [...new Set(parts.flatMap((it) => [it.name, it.rank]))]
}

/** Included evidence with its shell variable: needs only the file names. */
export async function numberEvidence(world: World, flow: Flow): Promise<readonly NumberedPart[]> {
  await finishInterruptedChange(world, flow)
  const { parts } = listParts(world.files, flow)
  return parts.filter(isActiveEvidence).map(({ path }, at) => ({ path, variable: at + 1 }))
}

export interface NumberedPart {
  readonly path: string
  readonly variable: number
}

/** Shell variables number the active evidence, whatever a budget would leave out. */
function isActiveEvidence({ role, state }: ContextPart): boolean {
  return role === 'evidence' && state !== 'skipped'
}

function isIncluded({ state }: SizedPart): boolean {
  return state === 'active' || state === 'linked'
}

function describePart({ name, path, rank, role, title, bytes }: LoadedPart) {
  return { name, path, rank, role, title, bytes }
}

const PURPOSES = ['system', 'critical', 'supporting', 'peripheral', 'optional'] as const

function groupByBand(parts: readonly SizedPart[]): readonly RankBand[] {
  const hundreds = [...new Set(parts.map((it) => it.rank.slice(0, 1)))].toSorted()
  return hundreds.map((hundred) => {
    const own = parts.filter((it) => it.rank.startsWith(hundred))
    return {
      from: `${hundred}00`,
      to: `${hundred}99`,
      purpose: PURPOSES[Number(hundred)] ?? 'further',
      parts: own.filter(isIncluded).length,
      skipped: own.filter((it) => !isIncluded(it)).length,
      tokens: sumTokens(own.filter(isIncluded)),
    }
  })
}

function sumTokens(parts: readonly SizedPart[]): number {
  return parts.reduce((sum, it) => sum + it.tokens, 0)
}
