/** Symbolic links of a flow: a repository may come with some that lead out of it. */
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

/** To be called before anything of a flow is read or written. */
export function refuseLinksOut(world: World, flow: Flow): void {
  if (mayFollow(world)) return
  const { files } = world
  const isOfRepository = dirname(flow.folder) === join(flow.root, FLOWS_FOLDER)
  if (isOfRepository && leadsOut(files, [flow.root], flow.folder)) throw refused(world, flow.id)
  // A flow that lies elsewhere was named by its path, and may use what is in it.
  const roots = isOfRepository ? [flow.root] : [flow.root, flow.folder]
  for (const folder of FOLDERS) {
    const links = entriesOf(files, join(flow.folder, folder)).filter((it) => it.isSymbolicLink())
    for (const { name } of links) {
      const path = join(folder, name)
      if (leadsOut(files, roots, join(flow.folder, path))) throw refused(world, path)
    }
  }
}

/** A new flow is made in the repository and nowhere else. */
export function refuseFlowsOut(world: World, root: string): void {
  if (mayFollow(world)) return
  for (const folder of [dirname(FLOWS_FOLDER), FLOWS_FOLDER]) {
    if (leadsOut(world.files, [root], join(root, folder))) throw refused({ isServed: true }, folder)
  }
}

/** A link that is made now is followed later, so it takes the same permission. */
export function refuseLinkTo(world: World, flow: Flow, path: string): void {
  if (mayFollow(world) || !leadsOut(world.files, [flow.root], path)) return
  throw new EngineError('POC_E_SELECTOR_INVALID', `a link to ${path} leads out of the repository`, {
    hint: 'leave out --link to copy the file, or give --follow-links here and with later commands',
  })
}

/** A file of the repository may be a link as well; one that lies elsewhere was named as such. */
export function refuseSourceLink(world: World, flow: Flow, path: string): void {
  if (mayFollow(world) || !isInside(flow.root, path)) return
  const name = relative(flow.root, path)
  if (leadsOut(world.files, [flow.root], path)) throw refused(world, name, 'POC_E_SELECTOR_INVALID')
}

/** Nobody has named it now: a flow that came with a clone may say that it is from anywhere. */
export function refuseSourceOut(world: World, flow: Flow, path: string): void {
  if (mayFollow(world) || !leadsOut(world.files, [flow.root], path)) return
  throw new EngineError(
    'POC_E_SELECTOR_INVALID',
    'its source lies outside of the repository; --follow-links reads it',
    { hint: 'give --follow-links if you picked it' },
  )
}

function mayFollow({ followsLinks, isServed }: World): boolean {
  return followsLinks === true && isServed !== true
}

/** A link that leads nowhere leads not out: what cannot be read is reported by whoever reads it. */
function leadsOut(files: Files, roots: readonly string[], path: string): boolean {
  if (kindAt(files, path) === undefined) return false
  const real = files.realPath(path)
  return !roots.some((root) => isInside(files.realPath(root), real))
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(join(folder, '/'))
}

function entriesOf(files: Files, folder: string): ReturnType<Files['list']> {
  return kindAt(files, folder) === 'directory' ? files.list(folder) : []
}

function refused(
  { isServed }: Pick<World, 'isServed'>,
  what: string,
  code: ErrorCode = 'POC_E_FLOW_MISSING',
): EngineError {
  const message = `${what.replaceAll('\\', '/')} is a symbolic link that leads out of the repository`
  return new EngineError(code, message, {
    hint:
      isServed === true
        ? 'flows lie in the repository, and so do all files of theirs'
        : 'delete it if you do not know it; --follow-links reads where it leads',
  })
}
