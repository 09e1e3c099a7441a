/** Connects to a running Tana: checks that it answers, and chooses the token. */
import type { World } from '../../platform/world.ts'
import type { LiveNotes } from '../../sources/notes/live/reader.ts'
import type { Workspace } from './notes-workspaces.ts'

const TOKEN_VARIABLE = 'DOSSIER_TANA_TOKEN'

/** The environment takes precedence over the settings. */
export function readToken(world: World, { token }: Workspace): string | undefined {
  return world.variable(TOKEN_VARIABLE) ?? token
}

/** The user is waiting, so requests are not retried for long before the copy is used. */
const ANSWER_TIMEOUT_MS = { tries: 2, limitMs: 15_000, pauseMs: 100 }
/** A local program accepts or refuses a connection at once. */
const CONNECT_TIMEOUT_MS = { tries: 1, limitMs: 2000 }

/** Throws if Tana is not running or not ready, or if there is no token. */
export async function openLive(world: World, workspace: Workspace): Promise<LiveNotes> {
  const { LocalApi } = await import('../../sources/notes/live/client.ts')
  const { openLiveNotes } = await import('../../sources/notes/live/reader.ts')
  const { source: url, tanaWorkspace } = workspace
  const token = readToken(world, workspace) ?? ''
  const { signal } = world
  const reader = openLiveNotes({
    url,
    token,
    signal,
    workspaceIds: tanaWorkspace === undefined ? [] : [tanaWorkspace],
    patience: ANSWER_TIMEOUT_MS,
  })
  await new LocalApi({ url, token, signal, patience: CONNECT_TIMEOUT_MS }).refuseUnready()
  return reader
}
