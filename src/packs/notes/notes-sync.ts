/** Updates workspaces from the sources from which they were imported. */
import { dirname } from 'node:path'
import { readConfig } from '../../config/config.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'
import { type ImportResult, importIntoCopy } from './notes-import.ts'
import { findUnchangedImport } from './notes-stamp.ts'
import { findWorkspace, listWorkspaces, type Workspace } from './notes-workspaces.ts'

export interface NotesSyncRequest {
  /** If absent, all workspaces. */
  readonly workspace?: string | undefined
}

export interface NotesSyncResult {
  /** Successful imports, by alias. */
  readonly workspaces: readonly ImportResult[]
  /** Errors of the other workspaces. */
  readonly troubles: readonly EngineError[]
}

/** An unreadable source does not stop the others. With a single workspace the error is thrown. */
export async function syncNotes(
  world: World,
  { workspace }: NotesSyncRequest,
): Promise<NotesSyncResult> {
  const config = readConfig(world)
  const isOne = workspace !== undefined || config.workspaces.size < 2
  const wanted = isOne
    ? [findWorkspace(world, config, workspace ?? findOnlyAlias(config.workspaces))]
    : listWorkspaces(world, config)
  const workspaces: ImportResult[] = []
  const troubles: EngineError[] = []
  for (const it of wanted) {
    try {
      // Makes the copy private, also if there is nothing to import.
      world.files.makePrivateFolder(dirname(it.copy))
      workspaces.push(await syncWorkspace(world, it))
    } catch (error) {
      if (isOne || !(error instanceof EngineError) || error.code === 'POC_E_CANCELLED') throw error
      troubles.push(new EngineError(error.code, `${it.alias}: ${error.message}`, error))
    }
  }
  return { workspaces, troubles }
}

export async function syncWorkspace(world: World, workspace: Workspace): Promise<ImportResult> {
  const startedAt = world.clock.now()
  const before = await findUnchangedImport(world, workspace)
  if (before === undefined) return importIntoCopy(world, workspace)
  const unchanged = before.added + before.changed + before.unchanged
  const counts = { added: 0, changed: 0, removed: 0, unchanged }
  return { ...before, ...counts, milliseconds: world.clock.now() - startedAt }
}

function findOnlyAlias(workspaces: ReadonlyMap<string, unknown>): string | undefined {
  const [first] = workspaces.keys()
  return first
}
