/** Workspaces brought up to date with the sources that they were imported from. */
import { dirname } from 'node:path'
import { readConfig } from '../../config/config.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'
import { bringIn, type ImportOutcome } from './notes-import.ts'
import { unchangedSince } from './notes-stamp.ts'
import { allWorkspaces, type Workspace, workspaceNamed } from './notes-workspaces.ts'

export interface NotesSyncRequest {
  /** One of them, or all. */
  readonly workspace?: string | undefined
}

export interface NotesSyncOutcome {
  /** Those that could be, by alias. */
  readonly workspaces: readonly ImportOutcome[]
  /** What kept the others from it. */
  readonly troubles: readonly EngineError[]
}

/** One source that cannot be read keeps no other from it; where one alone is wanted, it throws. */
export async function syncNotes(
  world: World,
  { workspace }: NotesSyncRequest,
): Promise<NotesSyncOutcome> {
  const config = readConfig(world)
  const isOne = workspace !== undefined || config.workspaces.size < 2
  const wanted = isOne
    ? [workspaceNamed(world, config, workspace ?? onlyOne(config.workspaces))]
    : allWorkspaces(world, config)
  const workspaces: ImportOutcome[] = []
  const troubles: EngineError[] = []
  for (const it of wanted) {
    try {
      // A copy that was made readable for others is closed, also where there is nothing to import.
      world.files.makePrivateFolder(dirname(it.copy))
      workspaces.push(await bringInStep(world, it))
    } catch (error) {
      if (isOne || !(error instanceof EngineError) || error.code === 'POC_E_CANCELLED') throw error
      troubles.push(new EngineError(error.code, `${it.alias}: ${error.message}`, error))
    }
  }
  return { workspaces, troubles }
}

export async function bringInStep(world: World, workspace: Workspace): Promise<ImportOutcome> {
  const startedAt = world.clock.now()
  const before = await unchangedSince(world, workspace)
  if (before === undefined) return bringIn(world, workspace)
  const unchanged = before.added + before.changed + before.unchanged
  const counts = { added: 0, changed: 0, removed: 0, unchanged }
  return { ...before, ...counts, milliseconds: world.clock.now() - startedAt }
}

function onlyOne(workspaces: ReadonlyMap<string, unknown>): string | undefined {
  const [first] = workspaces.keys()
  return first
}
