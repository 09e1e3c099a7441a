/** What is to be indexed and how; what of it decides what an index holds. */
import { dirname, join, relative, resolve, sep } from 'node:path'
import canonicalize from 'canonicalize'
import type { EmbedderIdentity } from '../../model/embedder.ts'
import { EngineError } from '../../model/engine-error.ts'
import { kindAt } from '../../platform/files.ts'
import type { World } from '../../platform/world.ts'
import { pathCheck, type RepositoryOptions } from '../../sources/repository-walk.ts'
import { hasIndex } from './index-place.ts'

export interface IndexOptions {
  /** Patterns as in `.gitignore`: only what they match. */
  readonly include?: readonly string[] | undefined
  /** Patterns as in `.gitignore`: not what they match. */
  readonly exclude?: readonly string[] | undefined
  readonly maxFileBytes?: number | undefined
  /** SCIP indexes that are in use. */
  readonly scipInUse?: readonly ScipInput[] | undefined
  /** Who makes the vectors, if there are any. */
  readonly embedInUse?: EmbedderIdentity | undefined
}

/** A file of SCIP that an index rests on. */
export interface ScipInput {
  /** Relative to the repository where it lies in it; else absolute. */
  readonly path: string
  readonly sha256: string
}

/** Which repository is meant. */
export interface RepositoryPlace {
  /** Relative to the working folder; if absent, the repository that we are in. */
  readonly path?: string | undefined
}

export interface IndexRequest extends IndexOptions, RepositoryPlace {
  /** Read everything again, whatever is known of it. */
  readonly force?: boolean | undefined
  /** SCIP indexes to use, relative to the working folder; if absent, those of the last time. */
  readonly scip?: readonly string[] | undefined
  /** Use none, those of the last time neither. */
  readonly withoutScip?: boolean | undefined
  /** Have SCIP indexes made first, by the indexers that are installed. */
  readonly precise?: boolean | undefined
  /** Indexers to run for that, relative to the working folder; their names say for which language. */
  readonly preciseTool?: readonly string[] | undefined
  /** `self` or the address of an endpoint; if absent, that of the last time. */
  readonly embed?: string | undefined
  readonly embedModel?: string | undefined
  /** Make no vectors, and drop those of the last time. */
  readonly withoutEmbed?: boolean | undefined
}

/** The top of the repository: native, absolute, links resolved. */
export function topOf(world: World, place: RepositoryPlace): string {
  const path =
    place.path === undefined ? aroundHere(world) : resolve(world.workingFolder, place.path)
  try {
    const real = world.files.realPath(path)
    if (world.files.stat(real).kind === 'directory') return real
  } catch (error) {
    throw new EngineError('POC_E_REQUEST_INVALID', `there is no folder ${path}`, {
      hint: 'name the folder of a repository',
      cause: error,
    })
  }
  throw new EngineError('POC_E_REQUEST_INVALID', `${path} is not a folder`, {
    hint: 'name the folder of a repository',
  })
}

/**
 * The nearest folder upwards that has an index; else the git repository that we are in, unless it
 * ignores where we are; else where we are. A client never gets above what is served.
 */
function aroundHere(world: World): string {
  const { files, workingFolder, isServed } = world
  const here = resolve(workingFolder)
  if (isServed === true) return here
  const upwards = [here]
  for (let folder = here; dirname(folder) !== folder; folder = dirname(folder))
    upwards.push(dirname(folder))
  const indexed = upwards.find((it) => hasIndex(world, it))
  if (indexed !== undefined) return indexed
  const top = upwards.find((it) => kindAt(files, join(it, '.git')) !== undefined)
  if (top === undefined || top === here) return here
  const path = relative(top, here).replaceAll(sep, '/')
  return pathCheck(files, top).check(path).kind === 'folder' ? top : here
}

/** As they are written in an index. */
interface WrittenOptions {
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly maxFileBytes?: number
  readonly scip?: readonly ScipInput[]
  readonly embed?: EmbedderIdentity
}

export function indexOptions(options: string): WrittenOptions {
  return JSON.parse(options) as WrittenOptions
}

/** What of the options of an index holds for the next time as well. */
export function formerOptions(options: string): IndexOptions {
  const { include, exclude, maxFileBytes } = indexOptions(options)
  return { include, exclude, maxFileBytes }
}

/** As the walk wants them. */
export function walkOptions({ include, exclude, maxFileBytes }: IndexOptions): RepositoryOptions {
  return {
    ...(include === undefined ? {} : { include }),
    ...(exclude === undefined ? {} : { exclude }),
    ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
  }
}

/** Part of the index's signature. */
export function optionsText({
  include,
  exclude,
  maxFileBytes,
  scipInUse = [],
  embedInUse: embed,
}: IndexOptions): string {
  const scip = scipInUse.length === 0 ? undefined : scipInUse
  return canonicalize({ include, exclude, maxFileBytes, scip, embed }) ?? '{}'
}

/** What of it decides how files are read: vectors are made of what was read. */
export function readingOptions(options: string): string {
  return canonicalize({ ...JSON.parse(options), embed: undefined }) ?? '{}'
}
