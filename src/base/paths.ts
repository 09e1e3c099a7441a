/** Paths of an index, as text: relative to its top, `/` between parts, `''` for the top itself. */

/** The folder that it lies in. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Its own name. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
