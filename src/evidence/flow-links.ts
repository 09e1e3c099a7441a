/**
 * Checks of the symbolic links in a flow: a cloned repository may contain links that point outside
 * of it.
 */
import { dirname, join, relative } from 'node:path'
import { EngineError, type ErrorCode } from '../model/engine-error.ts'
import type { Flow } from '../model/evidence.ts'
import { type Files, kindAt } from '../platform/files.ts'
import type { World } from '../platform/world.ts'
import {
  BUILD_FOLDER,
  CHANGES_FOLDER,
  CONTEXT_FOLDER,
  EVIDENCE_FOLDER,
  FLOWS_FOLDER,
  SOURCES_FOLDER,
} from './part-names.ts'

const FOLDERS = ['', CONTEXT_FOLDER, EVIDENCE_FOLDER, BUILD_FOLDER, CHANGES_FOLDER, SOURCES_FOLDER]

/** Call this before reading or writing any file of a flow. */
export function refuseEscapingLinks(world: World, flow: Flow): void {
  if (mayFollowLinks(world)) return
  const { files } = world
  const isOfRepository = dirname(flow.folder) === join(flow.root, FLOWS_FOLDER)
  if (isOfRepository && escapesRoots(files, [flow.root], flow.folder))
    throw createLinkError(world, flow.id)
  // A flow outside of the repository was named by its path and may link to its own files.
  const roots = isOfRepository ? [flow.root] : [flow.root, flow.folder]
  for (const folder of FOLDERS) {
    const links = listFolder(files, join(flow.folder, folder)).filter((it) => it.isSymbolicLink())
    for (const { name } of links) {
      const path = join(folder, name)
      if (escapesRoots(files, roots, join(flow.folder, path))) throw createLinkError(world, path)
    }
  }
}

/** New flows are created only inside the repository. */
export function refuseEscapingFlowsFolder(world: World, root: string): void {
  if (mayFollowLinks(world)) return
  for (const folder of [dirname(FLOWS_FOLDER), FLOWS_FOLDER]) {
    if (escapesRoots(world.files, [root], join(root, folder)))
      throw createLinkError({ isServed: true }, folder)
  }
}

/** A link that is created now will be followed later, so it needs the same permission. */
export function refuseNewEscapingLink(world: World, flow: Flow, path: string): void {
  if (mayFollowLinks(world) || !escapesRoots(world.files, [flow.root], path)) return
  throw new EngineError(
    'POC_E_SELECTOR_INVALID',
    `the link target ${path} is outside of the repository`,
    {
      hint: 'omit --link to copy the file, or pass --follow-links to this and later commands',
    },
  )
}

/**
 * A file of the repository may itself be a link. A path outside of the repository was given
 * explicitly.
 */
export function refuseEscapingSourceLink(world: World, flow: Flow, path: string): void {
  if (mayFollowLinks(world) || !isInside(flow.root, path)) return
  const name = relative(flow.root, path)
  if (escapesRoots(world.files, [flow.root], path))
    throw createLinkError(world, name, 'POC_E_SELECTOR_INVALID')
}

/** The path comes from the evidence file and not from the user: a cloned flow may name any file. */
export function refuseOutsideSource(world: World, flow: Flow, path: string): void {
  if (mayFollowLinks(world) || !escapesRoots(world.files, [flow.root], path)) return
  throw new EngineError(
    'POC_E_SELECTOR_INVALID',
    'its source is outside of the repository; pass --follow-links to read it',
    { hint: 'pass --follow-links if you picked this file yourself' },
  )
}

function mayFollowLinks({ followsLinks, isServed }: World): boolean {
  return followsLinks === true && isServed !== true
}

/** A dangling link does not escape: the reader of the file reports it. */
function escapesRoots(files: Files, roots: readonly string[], path: string): boolean {
  if (kindAt(files, path) === undefined) return false
  const real = files.realPath(path)
  return !roots.some((root) => isInside(files.realPath(root), real))
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(join(folder, '/'))
}

function listFolder(files: Files, folder: string): ReturnType<Files['list']> {
  return kindAt(files, folder) === 'directory' ? files.list(folder) : []
}

function createLinkError(
  { isServed }: Pick<World, 'isServed'>,
  what: string,
  code: ErrorCode = 'POC_E_FLOW_MISSING',
): EngineError {
  const message = `${what.replaceAll('\\', '/')} is a symbolic link to a path outside of the repository`
  return new EngineError(code, message, {
    hint:
      isServed === true
        ? 'flows and their files must be inside the repository'
        : 'delete it if you did not create it, or pass --follow-links to read its target',
  })
}
