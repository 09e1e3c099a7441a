/** Notes of a Tana that runs: whether it can be asked now, and with which token. */
import type { World } from '../../platform/world.ts'
import type { LiveNotes } from '../../sources/notes/live/reader.ts'
import type { Workspace } from './notes-workspaces.ts'

const TOKEN_VARIABLE = 'DOSSIER_TANA_TOKEN'

/** That of the environment goes before that of the settings. */
export function tokenOf(world: World, { token }: Workspace): string | undefined {
  return world.variable(TOKEN_VARIABLE) ?? token
}

/** A person waits: who does not answer soon is not asked again and again before the copy is. */
const SOON = { tries: 2, limitMs: 15_000, pauseMs: 100 }
/** Whether it is there at all is known at once. */
const AT_ONCE = { tries: 1, limitMs: 2000 }

/** Throws where it cannot be asked: it is not there, not ready, or there is no token. */
export async function openLive(world: World, workspace: Workspace): Promise<LiveNotes> {
  const { LocalApi } = await import('../../sources/notes/live/client.ts')
  const { openLiveNotes } = await import('../../sources/notes/live/reader.ts')
  const { source: url, tanaWorkspace } = workspace
  const token = tokenOf(world, workspace) ?? ''
  const { signal } = world
  const reader = openLiveNotes({
    url,
    token,
    signal,
    workspaceIds: tanaWorkspace === undefined ? [] : [tanaWorkspace],
    patience: SOON,
  })
  await new LocalApi({ url, token, signal, patience: AT_ONCE }).refuseUnready()
  return reader
}
