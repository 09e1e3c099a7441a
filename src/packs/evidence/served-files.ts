/** Limits what clients of a server may read: files of the repository, except credentials. */
import { relative } from 'node:path'
import { isCredentialPath } from '../../base/secrets.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Flow } from '../../model/evidence.ts'
import type { World } from '../../platform/world.ts'

/** Checks the real path, not its spelling. The command line has no such limit. */
export function refuseFilesNotServed(world: World, flow: Flow, path: string): void {
  if (world.isServed !== true) return
  const inside = relativeRealPath(world, flow.root, path).replaceAll('\\', '/')
  const isOutside = inside === '' || inside === '..' || /^(?:\.\.\/|\/|[a-z]:)/i.test(inside)
  if (!isOutside && !isCredentialPath(inside)) return
  // Paths outside are not named: clients must not learn about them.
  const what = isOutside
    ? 'the picked file is outside of the repository'
    : `${inside} is a credential file`
  throw new EngineError('POC_E_SELECTOR_INVALID', what, {
    hint: 'pick files of the served repository that are not credentials',
  })
}

function relativeRealPath({ files }: World, root: string, path: string): string {
  try {
    return relative(files.realPath(root), files.realPath(path))
  } catch {
    // A missing file has no real path. Clients must not learn which outside files exist.
    return relative(root, path)
  }
}
