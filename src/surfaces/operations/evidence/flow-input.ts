/** The inputs that all commands on a flow share, and the rendering of sizes. */
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
  repo: optional(z.string(), 'Folder to work in (default: the current folder).'),
}

export const linksInput = {
  followLinks: withDefault(
    z.boolean(),
    false,
    'Follow symbolic links of the flow to paths outside of the repository.',
  ),
}

export const flowInput = {
  ...repoInput,
  flow: optional(
    z.string(),
    'The flow: its name, a prefix of it, or its folder (default: FLOW_DIR, else the last used).',
  ),
  ...linksInput,
}

interface FlowLocation {
  readonly repo?: string | undefined
  readonly flow?: string | undefined
  readonly followLinks?: boolean | undefined
}

/** The world with the given folder as working folder: paths are relative to it. */
export function applyFlowLocation(
  given: World,
  { repo, followLinks = false }: FlowLocation,
): World {
  const world = followLinks ? { ...given, followsLinks: true } : given
  if (repo === undefined) return world
  const workingFolder = resolve(world.workingFolder, repo)
  if (!isFolder(world, workingFolder)) {
    throw new EngineError('POC_E_REQUEST_INVALID', `${repo} is not a folder`, {
      hint: 'give the folder of a repository, or go there and omit --repo',
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

export function openFlow(world: World, place: FlowLocation): Flow {
  return resolveFlow(applyFlowLocation(world, place), place.flow)
}

/** The default policy for answers. */
export const DEFAULT_POLICY = `Answer from the evidence below.
Name the file and the lines that an answer rests on.
Say so when the evidence does not hold the answer.
`

/** Title and request of a flow that a client created: the client does not tell its question. */
const CLIENT_FLOW = {
  title: 'agent',
  policy: DEFAULT_POLICY,
  request: 'Answer the question that this evidence was picked for.',
}

export function openOrCreateFlow(world: World, place: FlowLocation): ResolvedFlow {
  return resolveOrCreateFlow(applyFlowLocation(world, place), place.flow, CLIENT_FLOW)
}

/** A number, or its three digits as in names of parts. */
export const RANK = z.union([z.int().check(z.minimum(0), z.maximum(999)), z.string()])

const DEFAULT_BUDGET = 10_000

export const budgetInput = {
  budget: withDefault(
    z.int().check(z.positive()),
    DEFAULT_BUDGET,
    'Token budget of the whole context, for the printed shares.',
  ),
}

interface PromptTotal extends PromptSize {
  readonly budget: number
}

export function renderTotal({ bytes, tokens, budget }: PromptTotal): readonly string[] {
  return [
    `  Total context: ${bytes} bytes (~${tokens} tokens)`,
    `  Budget: ${formatShare(tokens, budget)} of ${budget} token limit`,
  ]
}

/** The size of the changed parts, the total, and its share of the budget. */
export function renderChangeSize({
  changed,
  total,
  budget,
  trouble,
}: ChangeSize): readonly string[] {
  return [
    ...(changed === undefined ? [] : [renderSize(changed)]),
    ...(total === undefined
      ? [`  Total context: unknown, because ${trouble ?? 'a part cannot be read'}`]
      : renderTotal({ ...total, budget })),
  ]
}

export function renderSize({ bytes, tokens }: PromptSize): string {
  return `  Bytes: ${bytes} (~${tokens} tokens)`
}

export function renderStrays(strays: readonly string[], paint: Paint): readonly string[] {
  return strays.map((it) => paint.faint(`  ${formatStray(it)}`))
}

/** For output that is read by a program. */
export function noticeStrays(world: World, strays: readonly string[]): void {
  for (const it of strays) world.notice(formatStray(it))
}

export function formatStray(path: string): string {
  return `not a part: ${path} (rename it to <rank>_<kind>.<role>.md, such as 100_notes.evidence.md)`
}

export function formatShare(part: number, whole: number): string {
  return `${Math.round((part / whole) * 100)}%`
}
