/**
 * The copy of a workspace as its source is at the moment of the question: a vault or an export that
 * has changed since it was imported is imported first. Where that fails, the copy answers and the
 * answer says why it is older.
 */
import { readConfig } from '../../config/config.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { NotesReader } from '../../model/notes-index.ts'
import { kindAt } from '../../platform/files.ts'
import type { World } from '../../platform/world.ts'
import { type Workspace, workspaceNamed } from './notes-workspaces.ts'
import { withCopy } from './with-notes.ts'

/** The default workspace where no alias is given. */
export async function withNotes<T>(
  world: World,
  alias: string | undefined,
  ask: (reader: NotesReader) => Promise<T>,
): Promise<T> {
  const workspace = workspaceNamed(world, readConfig(world), alias)
  const trouble = await syncTrouble(world, workspace)
  if (trouble !== undefined)
    world.notice(`the copy of ${workspace.alias} is older: ${trouble.message}`)
  return withCopy(world, workspace, ask)
}

/** What kept the copy from being brought up to date. A running program answers for itself. */
export async function syncTrouble(
  world: World,
  workspace: Workspace,
): Promise<EngineError | undefined> {
  const { kind, alias, source, copy } = workspace
  // Without a copy there is nothing that could be older: opening it says what to do.
  if (kind === 'local-api' || kindAt(world.files, copy) !== 'file') return undefined
  if (kindAt(world.files, source) === undefined) {
    return new EngineError('POC_E_SOURCE_INVALID', `the source of ${alias} is missing`, {
      hint: 'put it back, or import another with `dossier notes import`',
    })
  }
  const { bringInStep } = await import('./notes-sync.ts')
  try {
    await bringInStep(world, workspace)
    return undefined
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'POC_E_CANCELLED') throw error
    return error
  }
}
