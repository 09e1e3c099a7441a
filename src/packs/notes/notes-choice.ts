/** Which workspaces and lenses a client may choose among. */
import { readConfig } from '../../config/config.ts'
import type { World } from '../../platform/world.ts'
import { lensNames } from './notes-lenses.ts'
import { allWorkspaces, defaultAlias, workspaceNamed } from './notes-workspaces.ts'

export interface NotesChoice {
  /** The one that is meant where none is named comes first, the others by name. */
  readonly aliases: readonly string[]
  readonly lenses: readonly string[]
}

/** Of these, or of all that there are. */
export function notesChoice(
  world: World,
  wanted: readonly string[],
  { mayBeNone }: { readonly mayBeNone: boolean },
): NotesChoice {
  const config = readConfig(world)
  const usual = defaultAlias(config)
  const named = wanted.map((alias) => workspaceNamed(world, config, alias).alias)
  // Throws where there is none at all.
  if (wanted.length + config.workspaces.size === 0 && !mayBeNone) workspaceNamed(world, config)
  const all = named.length > 0 ? named : allWorkspaces(world, config).map((it) => it.alias)
  const first = all.filter((it) => it === usual)
  return {
    aliases: [...new Set([...first, ...all])],
    lenses: lensNames(world, config),
  }
}
