/** What is in a flow, and how much of the budget each part takes. */
import { readFocus } from '../../evidence/focus.ts'
import { finishInterruptedChange } from '../../evidence/history.ts'
import { listParts } from '../../evidence/parts.ts'
import { mdctxHead, mdctxPart } from '../../format/mdctx.ts'
import type { ContextPart, ContextPlan, Flow, PartRole, PartState } from '../../model/evidence.ts'
import type { World } from '../../platform/world.ts'
import { type LoadedPart, mdctxOf, type PromptWish, planPrompt } from './prompt.ts'

export interface FlowStatus {
  readonly flow: Flow
  readonly budget: number
  readonly parts: readonly SizedPart[]
  /** Files in the folders that are no parts. */
  readonly strays: readonly string[]
  /** What is focused on, if anything is. */
  readonly focus: string | null
  readonly bands: readonly Band[]
  /** Of the prompt as it would be assembled now, headings and all. */
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
  /** Why it is left out although nobody switched it off. */
  readonly reason?: string
  readonly title: string
  readonly bytes: number
  /** In the prompt, with its heading. */
  readonly tokens: number
  /** `1` for `$e1`: the how-manieth piece of evidence that is in. */
  readonly variable?: number
}

/** A hundred of ranks, and what it is for. */
export interface Band {
  readonly from: string
  readonly to: string
  readonly purpose: string
  readonly parts: number
  readonly skipped: number
  readonly tokens: number
}

export interface StatusWish extends PromptWish {
  readonly budget: number
}

export async function flowStatus(
  world: World,
  flow: Flow,
  { budget, maxTokens }: StatusWish,
): Promise<FlowStatus> {
  const { text, plan, parts, strays } = await planPrompt(world, flow, { maxTokens })
  const countTokens = await world.tokens()
  const sized: SizedPart[] = []
  let variable = 0
  let before: PartRole | undefined
  for (const [at, part] of parts.entries()) {
    const { status: state = part.state, reason } = plan.parts[at] ?? {}
    const isNumbered = isEvidenceIn(part)
    if (isNumbered) variable += 1
    sized.push({
      ...described(part),
      state,
      ...(reason === undefined ? {} : { reason }),
      tokens: countTokens(mdctxPart(mdctxOf(part), before)),
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
    bands: bandsOf(sized),
    bytes: Buffer.byteLength(text),
    tokens: countTokens(mdctxHead(flow.id)) + sumOf(sized.filter(isIn)),
    plan,
  }
}

/** Names and ranks that a target may be. */
export async function partNames(world: World, flow: Flow): Promise<readonly string[]> {
  await finishInterruptedChange(world, flow)
  const { parts } = listParts(world.files, flow)
  return [...new Set(parts.flatMap((it) => [it.name, it.rank]))]
}

/** Evidence that is in, by its variable: known from the names alone. */
export async function evidenceNumbered(world: World, flow: Flow): Promise<readonly NumberedPart[]> {
  await finishInterruptedChange(world, flow)
  const { parts } = listParts(world.files, flow)
  return parts.filter(isEvidenceIn).map(({ path }, at) => ({ path, variable: at + 1 }))
}

export interface NumberedPart {
  readonly path: string
  readonly variable: number
}

/** What a shell variable stands for: evidence that is in, whatever a budget would leave out. */
function isEvidenceIn({ role, state }: ContextPart): boolean {
  return role === 'evidence' && state !== 'skipped'
}

function isIn({ state }: SizedPart): boolean {
  return state === 'active' || state === 'linked'
}

function described({ name, path, rank, role, title, bytes }: LoadedPart) {
  return { name, path, rank, role, title, bytes }
}

const PURPOSES = ['system', 'critical', 'supporting', 'peripheral', 'optional'] as const

function bandsOf(parts: readonly SizedPart[]): readonly Band[] {
  const hundreds = [...new Set(parts.map((it) => it.rank.slice(0, 1)))].toSorted()
  return hundreds.map((hundred) => {
    const own = parts.filter((it) => it.rank.startsWith(hundred))
    return {
      from: `${hundred}00`,
      to: `${hundred}99`,
      purpose: PURPOSES[Number(hundred)] ?? 'further',
      parts: own.filter(isIn).length,
      skipped: own.filter((it) => !isIn(it)).length,
      tokens: sumOf(own.filter(isIn)),
    }
  })
}

function sumOf(parts: readonly SizedPart[]): number {
  return parts.reduce((sum, it) => sum + it.tokens, 0)
}
