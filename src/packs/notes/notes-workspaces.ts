/** The workspaces of notes in the settings, by alias, and the path of each copy. */
import { join } from 'node:path'
import { nearest } from '../../base/nearest.ts'
import { ALIAS_RULE, type Config, isAlias, type WorkspaceSettings } from '../../config/schema.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'

export interface Workspace extends WorkspaceSettings {
  readonly alias: string
  /** Path of the copy, whether it exists or not. */
  readonly copy: string
}

/** The alias if none is given and there is no workspace yet. */
export const DEFAULT_ALIAS = 'main'

/** The workspace with this alias, or the default one. */
export function findWorkspace(world: World, config: Config, alias?: string): Workspace {
  const name = alias ?? chooseDefaultAlias(config)
  const settings = config.workspaces.get(name)
  if (settings === undefined) throw createUnknownWorkspaceError(config, name)
  return { ...settings, alias: name, copy: copyPath(world, name) }
}

/** The default in the settings, else `DEFAULT_ALIAS`, else the first that was imported. */
export function chooseDefaultAlias({ defaultWorkspace, workspaces }: Config): string {
  if (defaultWorkspace !== undefined) return defaultWorkspace
  const [first] = workspaces.keys()
  return workspaces.has(DEFAULT_ALIAS) || first === undefined ? DEFAULT_ALIAS : first
}

/** By alias. */
export function listWorkspaces(world: World, config: Config): readonly Workspace[] {
  return [...config.workspaces.keys()]
    .toSorted()
    .map((alias) => findWorkspace(world, config, alias))
}

export function copyPath(world: World, alias: string): string {
  refuseInvalidAlias(alias)
  return join(world.home.dataFolder, 'notes', `${alias}.db`)
}

/** An alias is also a file name. */
function refuseInvalidAlias(alias: string): void {
  if (isAlias(alias)) return
  throw new EngineError('POC_E_REQUEST_INVALID', `${JSON.stringify(alias)} is not a valid alias`, {
    hint: `an alias is ${ALIAS_RULE}`,
  })
}

function createUnknownWorkspaceError(
  { workspaces, defaultWorkspace }: Config,
  name: string,
): EngineError {
  const all = [...workspaces.keys()].toSorted()
  if (all.length === 0) {
    return new EngineError(
      'POC_E_WORKSPACE_UNKNOWN',
      `unknown workspace ${name}: no workspace exists yet`,
      {
        hint: 'import notes with `dossier notes import <file, folder or URL>`',
      },
    )
  }
  const said = name === defaultWorkspace ? ', the default in the config file' : ''
  const near = nearest(name, all, 1)
  const offer = near.length === 0 ? '' : `did you mean ${near[0]}? `
  return new EngineError('POC_E_WORKSPACE_UNKNOWN', `unknown workspace ${name}${said}`, {
    hint: `${offer}available workspaces: ${all.join(', ')}`,
  })
}
