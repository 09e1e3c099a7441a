/** Which files a client of a server may reach: those of the repository, and of them no credentials. */
import { relative } from 'node:path'
import { isCredentialPath } from '../../base/secrets.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Flow } from '../../model/evidence.ts'
import type { World } from '../../platform/world.ts'

/** Where a path leads is what counts, not how it is written. Whoever is at the keyboard may do all. */
export function refuseUnserved(world: World, flow: Flow, path: string): void {
  if (world.isServed !== true) return
  const inside = pathInside(world, flow.root, path).replaceAll('\\', '/')
  const isOutside = inside === '' || inside === '..' || /^(?:\.\.\/|\/|[a-z]:)/i.test(inside)
  if (!isOutside && !isCredentialPath(inside)) return
  // What lies outside is not named: a client is to learn nothing of it.
  const what = isOutside
    ? 'what was picked lies outside of the repository'
    : `${inside} is a file of credentials`
  throw new EngineError('POC_E_SELECTOR_INVALID', what, {
    hint: 'only files of the repository that is served can be evidence',
  })
}

function pathInside({ files }: World, root: string, path: string): string {
  try {
    return relative(files.realPath(root), files.realPath(path))
  } catch {
    // What is not there leads nowhere; that it is not there is none of a client's business outside.
    return relative(root, path)
  }
}
