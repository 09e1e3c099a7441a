/** What reading C++ and resolving it must agree on: which namespaces a file means by those it uses. */

/** More are no help, and all pairs of many would be too many. */
const MOST_USED = 8

/** `using namespace a; using namespace b;`: b may lie in a, or beside it. As `a::`, to be put before. */
export function withinEachOther(paths: readonly string[]): readonly string[] {
  const used = [...new Set(paths)].slice(0, MOST_USED)
  const nested = used.flatMap((path, at) => used.slice(0, at).map((outer) => `${outer}::${path}::`))
  return [...nested, ...used.map((path) => `${path}::`)]
}
