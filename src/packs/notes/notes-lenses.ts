/** The lenses of the person's own, each filled up with what the lens that it extends says. */
import { nearest } from '../../base/nearest.ts'
import type { Config, LensSettings } from '../../config/schema.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Lens } from '../../model/lens.ts'
import type { World } from '../../platform/world.ts'
import { LENSES } from './lenses.ts'

/** In the order of the settings. */
export function ownLenses(world: World, { lenses }: Config): readonly Lens[] {
  const asked = { file: world.home.configFile, lenses }
  return [...lenses.keys()].map((name) => lensOf(asked, name, []))
}

export function lensNames(world: World, config: Config): readonly string[] {
  const names = [...LENSES, ...ownLenses(world, config)].map((it) => it.name)
  return [...new Set(names)]
}

interface Asked {
  readonly file: string
  readonly lenses: ReadonlyMap<string, LensSettings>
}

/** `below` are those that extend this one, the first of them first. */
function lensOf(asked: Asked, name: string, below: readonly string[]): Lens {
  // One of the person's own may extend ours of the same name.
  const own = below.at(-1) === name ? undefined : asked.lenses.get(name)
  const ours = LENSES.find((it) => it.name === name)
  if (own === undefined && ours !== undefined) return ours
  if (below.includes(name))
    refuse(asked, name, `it extends itself: ${[...below, name].join(' → ')}`)
  if (own === undefined) return refuse(asked, below.at(-1), missing(asked, name))
  const base = own.extends === undefined ? undefined : lensOf(asked, own.extends, [...below, name])
  const { priorityTypes = base?.priorityTypes, maxDepth = base?.maxDepth } = own
  if (priorityTypes === undefined || maxDepth === undefined) {
    const key = priorityTypes === undefined ? 'priorityTypes' : 'maxDepth'
    return refuse(asked, name, `it has no ${key}, and extends no lens that has`)
  }
  return {
    name,
    priorityTypes: [...new Set(priorityTypes)],
    boostTags: own.boostTags ?? base?.boostTags ?? [],
    includeFields: own.includeFields ?? base?.includeFields ?? [],
    maxDepth,
  }
}

function missing({ lenses }: Asked, name: string): string {
  const names = [...LENSES.map((it) => it.name), ...lenses.keys()]
  const [near] = nearest(name, names, 1)
  return `it extends ${name}, which there is not${near === undefined ? '' : `; did you mean ${near}?`}`
}

function refuse({ file }: Asked, name: string | undefined, why: string): never {
  throw new EngineError('POC_E_CONFIG_INVALID', `${file}: lenses.${name ?? ''}: ${why}`, {
    hint: 'correct the file',
  })
}
