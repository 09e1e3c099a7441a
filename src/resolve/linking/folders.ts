/** Paths inside the repository, as text: `/` between parts, `''` for the top. */

/** `..` and `.` are followed; what would leave the top stays there. */
export function inFolder(folder: string, path: string): string {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** As `inFolder`, but nothing when the path leads out of the repository. */
export function joined(folder: string, relative: string): string | undefined {
  const parts = folder.split('/').filter((it) => it !== '')
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/** Those that share the longest way from the top with a path. */
export function nearest<T extends { readonly path: string }>(
  places: readonly T[],
  from: string,
): readonly T[] {
  const shared = places.map((it) => sharedParts(it.path, from))
  const most = Math.max(...shared)
  return places.filter((_, at) => shared[at] === most)
}

/** How many folders from the top two paths have in common. */
export function sharedParts(a: string, b: string): number {
  let shared = 0
  for (let at = 0; at < a.length && a[at] === b[at]; at += 1) if (a[at] === '/') shared += 1
  return shared
}
