/** Measures the changed parts, and the whole prompt after the change. */
import { folderOf, lastPart } from '../../base/paths.ts'
import { parsePartName } from '../../evidence/part-names.ts'
import { mdctxPart } from '../../format/mdctx.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Flow } from '../../model/evidence.ts'
import type { World } from '../../platform/world.ts'
import { readFlowStatus } from './evidence-status.ts'
import { loadPart, toMdctxPart } from './prompt.ts'

export interface PromptSize {
  readonly bytes: number
  readonly tokens: number
}

export interface ChangeSize {
  /** Of the parts that were changed, where there are any. */
  readonly changed?: PromptSize
  /** Of the prompt as it would be assembled now. */
  readonly total?: PromptSize
  readonly budget: number
  /** Why the total is unknown: another part cannot be read. */
  readonly trouble?: string
}

export interface ChangedParts {
  readonly budget: number
  /** Paths of the changed parts after the change. */
  readonly paths: readonly string[]
}

/** The change is already applied, so a part that cannot be read does not make it fail. */
export async function measureChange(
  world: World,
  flow: Flow,
  { budget, paths }: ChangedParts,
): Promise<ChangeSize> {
  const changed = paths.length === 0 ? undefined : await measureParts(world, flow, paths)
  const known = { budget, ...(changed === undefined ? {} : { changed }) }
  try {
    const { bytes, tokens } = await readFlowStatus(world, flow, { budget })
    return { ...known, total: { bytes, tokens } }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    // Clients of a server must not learn local paths.
    return world.isServed === true ? known : { ...known, trouble: error.message }
  }
}

async function measureParts(
  world: World,
  flow: Flow,
  paths: readonly string[],
): Promise<PromptSize | undefined> {
  const countTokens = await world.tokens()
  let [bytes, tokens] = [0, 0]
  try {
    for (const path of paths) {
      const part = parsePartName(folderOf(path), lastPart(path))
      if (part === undefined) continue
      const loaded = loadPart(world, flow, part)
      bytes += loaded.bytes
      tokens += countTokens(mdctxPart(toMdctxPart(loaded), undefined))
    }
    return { bytes, tokens }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return undefined
  }
}
