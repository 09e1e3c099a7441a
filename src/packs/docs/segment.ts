/** A segment is a folder of documents with one pack. */
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { nearest } from '../../base/nearest.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'

export interface SegmentRequest {
  readonly segment: string
  readonly repoRoot?: string | undefined
  /** The pack file, if it is not in the `_ctx` folder of the segment. */
  readonly output?: string | undefined
}

export interface Segment {
  readonly name: string
  /** Native and absolute, links resolved. */
  readonly folder: string
  /** The folder as a path below the repository root, ending in `/` unless it is the root. */
  readonly prefix: string
  readonly pack: string
  readonly database: string
  /** Whether the pack is at its default location in the segment. */
  readonly isDefaultLocation: boolean
  /** The request as command line options for hints: ` --segment docs`. */
  readonly options: string
}

export const PACK_FOLDER = '_ctx'

export function locateSegment(world: World, request: SegmentRequest): Segment {
  const root = resolveFolder(
    world,
    resolve(world.workingFolder, request.repoRoot ?? '.'),
    'repository root',
  )
  const folder = resolveFolder(world, resolve(root, request.segment), 'segment')
  const below = relative(root, folder)
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) {
    throw new EngineError('POC_E_SEGMENT_OUTSIDE_ROOT', `${folder} is not inside ${root}`, {
      hint: `give --repo-root a folder that contains the segment`,
    })
  }
  const output =
    request.output === undefined ? undefined : resolve(world.workingFolder, request.output)
  if (output === undefined) refuseEscapingLink(world, root, folder)
  return {
    name: basename(folder) || 'root',
    folder,
    prefix: below === '' ? '' : `${below.split(sep).join('/')}/`,
    pack: output ?? join(folder, PACK_FOLDER, 'context_pack.json'),
    database:
      output === undefined
        ? join(folder, PACK_FOLDER, 'context.db')
        : `${output.endsWith('.json') ? output.slice(0, -'.json'.length) : output}.db`,
    isDefaultLocation: output === undefined,
    options: formatOptions(request),
  }
}

/** Hints repeat the options, so that they name the same pack. */
function formatOptions({ segment, repoRoot, output }: SegmentRequest): string {
  const given = [
    ['--segment', segment === '.' ? undefined : segment],
    ['--repo-root', repoRoot],
    ['--output', output],
  ] as const
  return given
    .map(([name, value]) => (value === undefined ? '' : ` ${name} ${quoteForShell(value)}`))
    .join('')
}

function quoteForShell(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}

/** The default pack must be inside the segment: a link may point to a foreign pack. */
function refuseEscapingLink(world: World, root: string, folder: string): void {
  for (const name of ['', 'context_pack.json', 'context.db']) {
    const path = join(folder, PACK_FOLDER, name)
    let real: string
    try {
      real = world.files.realPath(path)
    } catch {
      continue
    }
    const below = relative(root, real)
    if (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)) continue
    throw new EngineError(
      'POC_E_SEGMENT_OUTSIDE_ROOT',
      `${path} is a link to ${real}, outside ${root}`,
      {
        hint: 'give the path of the pack with --pack or --output',
      },
    )
  }
}

function resolveFolder(world: World, path: string, what: string): string {
  try {
    const real = world.files.realPath(path)
    if (world.files.stat(real).kind === 'directory') return real
  } catch (cause) {
    throw createMissingFolderError(world, { path, what, cause })
  }
  throw createMissingFolderError(world, { path, what, cause: undefined })
}

interface MissingFolder {
  readonly path: string
  readonly what: string
  readonly cause: unknown
}

function createMissingFolderError(world: World, { path, what, cause }: MissingFolder): EngineError {
  const message = `the ${what} ${path} does not exist or is not a folder`
  return new EngineError('POC_E_SEGMENT_MISSING', message, {
    hint: suggestFolder(world, path),
    cause,
  })
}

function suggestFolder(world: World, path: string): string {
  const above = resolve(path, '..')
  try {
    const folders = world.files.list(above).filter((it) => it.isDirectory())
    const names = nearest(
      basename(path),
      folders.map((it) => it.name),
      3,
    )
    if (names.length > 0) return `did you mean ${names.join(' or ')}?`
  } catch {
    return 'check the path'
  }
  return 'check the path; `--segment .` is the current folder'
}
