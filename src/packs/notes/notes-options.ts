/** The workspaces and lenses that a client may choose from. */
import { readConfig } from '../../config/config.ts'
import type { World } from '../../platform/world.ts'
import { chooseDefaultAlias, findWorkspace, listWorkspaces } from './notes-workspaces.ts'
import { listLensNames } from './user-lenses.ts'

export interface NotesOptions {
  /** The default first, the others by name. */
  readonly aliases: readonly string[]
  readonly lenses: readonly string[]
}

/** Limited to these aliases, or all if absent. */
export function listNotesOptions(
  world: World,
  allowedAliases: readonly string[],
  { mayBeNone }: { readonly mayBeNone: boolean },
): NotesOptions {
  const config = readConfig(world)
  const usual = chooseDefaultAlias(config)
  const named = allowedAliases.map((alias) => findWorkspace(world, config, alias).alias)
  // Throws if there is no workspace.
  if (allowedAliases.length + config.workspaces.size === 0 && !mayBeNone)
    findWorkspace(world, config)
  const all = named.length > 0 ? named : listWorkspaces(world, config).map((it) => it.alias)
  const first = all.filter((it) => it === usual)
  return {
    aliases: [...new Set([...first, ...all])],
    lenses: listLensNames(world, config),
  }
}
