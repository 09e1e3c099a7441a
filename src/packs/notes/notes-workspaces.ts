/** Which workspaces of notes a person has, by alias, and where the copy of each is kept. */
import { join } from 'node:path'
import { nearest } from '../../base/nearest.ts'
import { ALIAS_RULE, type Config, isAlias, type WorkspaceSettings } from '../../config/schema.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'

export interface Workspace extends WorkspaceSettings {
  readonly alias: string
  /** Where the copy is, whether there is one or not. */
  readonly copy: string
}

/** What is meant where nobody names one, and where there is none to choose from. */
export const USUAL_ALIAS = 'main'

/** The one of this alias, or the one that is meant by none. */
export function workspaceNamed(world: World, config: Config, alias?: string): Workspace {
  const name = alias ?? defaultAlias(config)
  const settings = config.workspaces.get(name)
  if (settings === undefined) throw unknownWorkspace(config, name)
  return { ...settings, alias: name, copy: copyOf(world, name) }
}

/** What the settings say, else the usual one, else the first that was imported. */
export function defaultAlias({ defaultWorkspace, workspaces }: Config): string {
  if (defaultWorkspace !== undefined) return defaultWorkspace
  const [first] = workspaces.keys()
  return workspaces.has(USUAL_ALIAS) || first === undefined ? USUAL_ALIAS : first
}

/** By alias. */
export function allWorkspaces(world: World, config: Config): readonly Workspace[] {
  return [...config.workspaces.keys()]
    .toSorted()
    .map((alias) => workspaceNamed(world, config, alias))
}

export function copyOf(world: World, alias: string): string {
  refuseWrongAlias(alias)
  return join(world.home.dataFolder, 'notes', `${alias}.db`)
}

/** An alias is the name of a file as well. */
function refuseWrongAlias(alias: string): void {
  if (isAlias(alias)) return
  throw new EngineError('POC_E_REQUEST_INVALID', `${JSON.stringify(alias)} is no alias`, {
    hint: `an alias is ${ALIAS_RULE}`,
  })
}

function unknownWorkspace({ workspaces, defaultWorkspace }: Config, name: string): EngineError {
  const all = [...workspaces.keys()].toSorted()
  if (all.length === 0) {
    return new EngineError('POC_E_WORKSPACE_UNKNOWN', `there is no workspace ${name}, nor any`, {
      hint: 'import notes with `dossier notes import <file, folder or URL>`',
    })
  }
  const said = name === defaultWorkspace ? ', which the config file has as its default' : ''
  const near = nearest(name, all, 1)
  const offer = near.length === 0 ? '' : `did you mean ${near[0]}? `
  return new EngineError('POC_E_WORKSPACE_UNKNOWN', `there is no workspace ${name}${said}`, {
    hint: `${offer}there are: ${all.join(', ')}`,
  })
}
