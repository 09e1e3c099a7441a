/** Which files a pack keeps to itself: those of credentials, unless they are asked for by name. */
import { lastPart } from '../../base/paths.ts'
import { isCredentialPath } from '../../base/secrets.ts'
import type { StoredChunk } from '../../model/code-index.ts'
import type { PackRequest } from '../../model/pack-request.ts'

interface Asked {
  readonly request: Pick<PackRequest, 'query'>
  readonly focus: readonly StoredChunk[]
}

export function isHidden({ request, focus }: Asked, path: string): boolean {
  if (!isCredentialPath(path) || focus.some((chunk) => chunk.path === path)) return false
  const name = lastPart(path)
  // A name like `credentials` is a word as well: it takes its folders to be a name.
  const wanted = /[._]/.test(name) ? name : path
  return !isMentioned(request.query.replaceAll('\\', '/'), wanted)
}

/** Whether a name stands in a text on its own, not as a part of another. */
function isMentioned(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const after = text.slice(at + name.length, at + name.length + 2)
    if (!/[\w-]/.test(text[at - 1] ?? '') && !/^(?:[\w-]|\.\w)/.test(after)) return true
  }
  return false
}
