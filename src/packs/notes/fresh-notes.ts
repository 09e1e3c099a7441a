/**
 * Reads a workspace after importing its source again if that has changed. If the import fails, the
 * old copy answers and the answer reports why it is outdated.
 */
import { readConfig } from '../../config/config.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { NotesReader } from '../../model/notes-index.ts'
import { kindAt } from '../../platform/files.ts'
import type { World } from '../../platform/world.ts'
import { findWorkspace, type Workspace } from './notes-workspaces.ts'
import { withCopy } from './open-copies.ts'

/** Uses the default workspace if no alias is given. */
export async function withFreshNotes<T>(
  world: World,
  alias: string | undefined,
  ask: (reader: NotesReader) => Promise<T>,
): Promise<T> {
  const workspace = findWorkspace(world, readConfig(world), alias)
  const trouble = await syncIfChanged(world, workspace)
  if (trouble !== undefined)
    world.notice(`the copy of ${workspace.alias} is outdated: ${trouble.message}`)
  return withCopy(world, workspace, ask)
}

/** Imports a changed source and returns the error, if any. A running program is read directly. */
export async function syncIfChanged(
  world: World,
  workspace: Workspace,
): Promise<EngineError | undefined> {
  const { kind, alias, source, copy } = workspace
  // Without a copy, opening it reports what to do.
  if (kind === 'local-api' || kindAt(world.files, copy) !== 'file') return undefined
  if (kindAt(world.files, source) === undefined) {
    return new EngineError('POC_E_SOURCE_INVALID', `the source of ${alias} is missing`, {
      hint: 'restore it, or import another with `dossier notes import`',
    })
  }
  const { syncWorkspace: bringInStep } = await import('./notes-sync.ts')
  try {
    await bringInStep(world, workspace)
    return undefined
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'POC_E_CANCELLED') throw error
    return error
  }
}
