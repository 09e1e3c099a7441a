/**
 * The lenses in the user's settings, each completed with the values of the lens that it extends.
 */
import { nearest } from '../../base/nearest.ts'
import type { Config, LensSettings } from '../../config/schema.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Lens } from '../../model/lens.ts'
import type { World } from '../../platform/world.ts'
import { LENSES } from './lenses.ts'

/** In the order of the settings. */
export function readUserLenses(world: World, { lenses }: Config): readonly Lens[] {
  const asked = { file: world.home.configFile, lenses }
  return [...lenses.keys()].map((name) => resolveLens(asked, name, []))
}

export function listLensNames(world: World, config: Config): readonly string[] {
  const names = [...LENSES, ...readUserLenses(world, config)].map((it) => it.name)
  return [...new Set(names)]
}

interface UserLensFile {
  readonly file: string
  readonly lenses: ReadonlyMap<string, LensSettings>
}

/** `below`: the chain of lenses that extend this one, outermost first. */
function resolveLens(asked: UserLensFile, name: string, below: readonly string[]): Lens {
  // A user lens may extend the built-in lens of the same name.
  const own = below.at(-1) === name ? undefined : asked.lenses.get(name)
  const ours = LENSES.find((it) => it.name === name)
  if (own === undefined && ours !== undefined) return ours
  if (below.includes(name))
    throwLensError(asked, name, `it extends itself: ${[...below, name].join(' → ')}`)
  if (own === undefined)
    return throwLensError(asked, below.at(-1), describeUnknownBase(asked, name))
  const base =
    own.extends === undefined ? undefined : resolveLens(asked, own.extends, [...below, name])
  const { priorityTypes = base?.priorityTypes, maxDepth = base?.maxDepth } = own
  if (priorityTypes === undefined || maxDepth === undefined) {
    const key = priorityTypes === undefined ? 'priorityTypes' : 'maxDepth'
    return throwLensError(asked, name, `${key} is missing, and no lens that it extends has it`)
  }
  return {
    name,
    priorityTypes: [...new Set(priorityTypes)],
    boostTags: own.boostTags ?? base?.boostTags ?? [],
    includeFields: own.includeFields ?? base?.includeFields ?? [],
    maxDepth,
  }
}

function describeUnknownBase({ lenses }: UserLensFile, name: string): string {
  const names = [...LENSES.map((it) => it.name), ...lenses.keys()]
  const [near] = nearest(name, names, 1)
  return `it extends the unknown lens ${name}${near === undefined ? '' : `; did you mean ${near}?`}`
}

function throwLensError({ file }: UserLensFile, name: string | undefined, why: string): never {
  throw new EngineError('POC_E_CONFIG_INVALID', `${file}: lenses.${name ?? ''}: ${why}`, {
    hint: 'correct the file',
  })
}
