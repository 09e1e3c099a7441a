/** How much a change was about, and what the whole context comes to after it. */
import { folderOf, lastPart } from '../../base/paths.ts'
import { parsePartName } from '../../evidence/part-names.ts'
import { mdctxPart } from '../../format/mdctx.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Flow } from '../../model/evidence.ts'
import type { World } from '../../platform/world.ts'
import { flowStatus } from './evidence-status.ts'
import { loadPart, mdctxOf } from './prompt.ts'

export interface Size {
  readonly bytes: number
  readonly tokens: number
}

export interface ChangeSize {
  /** Of the parts that were changed, where there are any. */
  readonly changed?: Size
  /** Of the prompt as it would be assembled now. */
  readonly total?: Size
  readonly budget: number
  /** Why the total is not known: another part cannot be read. */
  readonly trouble?: string
}

export interface ChangeWish {
  readonly budget: number
  /** Where the changed parts are now. */
  readonly paths: readonly string[]
}

/** The change has happened: what cannot be read by now is no reason to fail. */
export async function changeSize(
  world: World,
  flow: Flow,
  { budget, paths }: ChangeWish,
): Promise<ChangeSize> {
  const changed = paths.length === 0 ? undefined : await sizeOf(world, flow, paths)
  const known = { budget, ...(changed === undefined ? {} : { changed }) }
  try {
    const { bytes, tokens } = await flowStatus(world, flow, { budget })
    return { ...known, total: { bytes, tokens } }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    // Where files are is not for a client to know.
    return world.isServed === true ? known : { ...known, trouble: error.message }
  }
}

async function sizeOf(
  world: World,
  flow: Flow,
  paths: readonly string[],
): Promise<Size | undefined> {
  const countTokens = await world.tokens()
  let [bytes, tokens] = [0, 0]
  try {
    for (const path of paths) {
      const part = parsePartName(folderOf(path), lastPart(path))
      if (part === undefined) continue
      const loaded = loadPart(world, flow, part)
      bytes += loaded.bytes
      tokens += countTokens(mdctxPart(mdctxOf(loaded), undefined))
    }
    return { bytes, tokens }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return undefined
  }
}
