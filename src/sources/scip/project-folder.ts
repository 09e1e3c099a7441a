/** Maps documents of a SCIP index to paths of the repository. Pure: it only compares paths. */

/** The folder of a URI such as `file:///home/me/project`, with `/`; undefined for other URIs. */
export function parseProjectFolder(uri: string): string | undefined {
  try {
    const { protocol, pathname } = new URL(uri)
    if (protocol !== 'file:') return undefined
    const path = decodeURIComponent(pathname).replace(/^\/(?=[A-Za-z]:)/, '')
    return path.length > 1 ? path.replace(/\/+$/, '') : path
  } catch {
    return undefined
  }
}

/**
 * The path of a document in the repository. A project that lies below the top has its own paths;
 * any other was indexed elsewhere, and its paths are taken as those of the repository. Undefined
 * for what lies outside.
 */
export function resolvePathInRepository(
  path: string,
  project: string | undefined,
  top: string,
): string | undefined {
  const folder = project === undefined ? '' : relativeBelow(project, top.replaceAll('\\', '/'))
  const parts: string[] = []
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

function relativeBelow(project: string, top: string): string {
  return project.startsWith(`${top}/`) ? project.slice(top.length + 1) : ''
}
