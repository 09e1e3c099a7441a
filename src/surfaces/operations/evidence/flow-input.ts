/** What every command on a flow can be told, and how sizes are said. */
import { resolve } from 'node:path'
import { type ResolvedFlow, resolveFlow, resolveOrCreateFlow } from '../../../evidence/flows.ts'
import { EngineError } from '../../../model/engine-error.ts'
import type { Flow } from '../../../model/evidence.ts'
import type { ChangeSize, PromptSize } from '../../../packs/evidence/change-size.ts'
import { z } from '../../../platform/schema.ts'
import type { World } from '../../../platform/world.ts'
import { optional, withDefault } from '../input.ts'
import type { Paint } from '../operation.ts'

export const repoInput = {
  repo: optional(
    z.string(),
    'Folder to work in, as if the command were called there; where you are, unless given.',
  ),
}

export const linksInput = {
  followLinks: withDefault(
    z.boolean(),
    false,
    'Follow symbolic links of the flow that lead out of the repository.',
  ),
}

export const flowInput = {
  ...repoInput,
  flow: optional(
    z.string(),
    'Which flow: its name, the beginning of it, or its folder; else FLOW_DIR, else the last used.',
  ),
  ...linksInput,
}

interface FlowPlace {
  readonly repo?: string | undefined
  readonly flow?: string | undefined
  readonly followLinks?: boolean | undefined
}

/** The world as it is in the folder that is meant: paths are relative to that. */
export function worldIn(given: World, { repo, followLinks = false }: FlowPlace): World {
  const world = followLinks ? { ...given, followsLinks: true } : given
  if (repo === undefined) return world
  const workingFolder = resolve(world.workingFolder, repo)
  if (!isFolder(world, workingFolder)) {
    throw new EngineError('POC_E_REQUEST_INVALID', `${repo} is not a folder`, {
      hint: 'name the folder of a repository, or go there and leave out --repo',
    })
  }
  return { ...world, workingFolder }
}

function isFolder(world: World, path: string): boolean {
  try {
    return world.files.stat(path).kind === 'directory'
  } catch {
    return false
  }
}

export function flowIn(world: World, place: FlowPlace): Flow {
  return resolveFlow(worldIn(world, place), place.flow)
}

/** What holds for every answer, unless the person says otherwise. */
export const USUAL_POLICY = `Answer from the evidence below.
Name the file and the lines that an answer rests on.
Say so when the evidence does not hold the answer.
`

/** What a flow is called and asks that a client has begun, who keeps the question to itself. */
const OF_A_CLIENT = {
  title: 'agent',
  policy: USUAL_POLICY,
  request: 'Answer the question that this evidence was picked for.',
}

export function flowToFill(world: World, place: FlowPlace): ResolvedFlow {
  return resolveOrCreateFlow(worldIn(world, place), place.flow, OF_A_CLIENT)
}

/** A number, or its digits as the names of parts have them. */
export const RANK = z.union([z.int().check(z.minimum(0), z.maximum(999)), z.string()])

const DEFAULT_BUDGET = 10_000

export const budgetInput = {
  budget: withDefault(
    z.int().check(z.positive()),
    DEFAULT_BUDGET,
    'Tokens that the whole context may take: what shares are of.',
  ),
}

interface Total extends PromptSize {
  readonly budget: number
}

export function totalLines({ bytes, tokens, budget }: Total): readonly string[] {
  return [
    `  Total context: ${bytes} bytes (~${tokens} tokens)`,
    `  Budget: ${shareOf(tokens, budget)} of ${budget} token limit`,
  ]
}

/** As after an addition: the parts, the whole, and its share. */
export function sizeLines({ changed, total, budget, trouble }: ChangeSize): readonly string[] {
  return [
    ...(changed === undefined ? [] : [bytesLine(changed)]),
    ...(total === undefined
      ? [`  Total context: unknown, since ${trouble ?? 'a part cannot be read'}`]
      : totalLines({ ...total, budget })),
  ]
}

export function bytesLine({ bytes, tokens }: PromptSize): string {
  return `  Bytes: ${bytes} (~${tokens} tokens)`
}

export function strayLines(strays: readonly string[], paint: Paint): readonly string[] {
  return strays.map((it) => paint.faint(`  ${strayText(it)}`))
}

/** Where what is printed is for a program. */
export function noticeStrays(world: World, strays: readonly string[]): void {
  for (const it of strays) world.notice(strayText(it))
}

export function strayText(path: string): string {
  return `not a part: ${path} (rename it to <rank>_<kind>.<role>.md, such as 100_notes.evidence.md)`
}

export function shareOf(part: number, whole: number): string {
  return `${Math.round((part / whole) * 100)}%`
}
