/** What a file declares for all others: `declare global`, and declaration files without imports. */
import { GLOBAL } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'

export function ambient(build: Builder, node: number): number {
  const isGlobal = build.has(node, 'global')
  const first = build.definitions.length
  const scope = build.scopes.length
  build.visitChildren(node)
  if (isGlobal) provide(build, first, scope)
  return 0
}

/** A declaration file that neither imports nor exports declares what is there anyway. */
export function provideGlobals(build: Builder, path: string): void {
  if (!path.endsWith('.d.ts') || build.exports.length > 0) return
  const isModule = build.definitions.some(({ kind, scope }) => kind === 'import' && scope === 0)
  if (!isModule) provide(build, 1, 0)
}

/**
 * A file that declares more is that of a platform, as `lib.dom.d.ts` is. Everybody knows what its
 * names mean, and to look them up there for every file takes a seventh of the time of an index.
 */
const MOST_GLOBALS = 100

/** Definitions from a number on that a scope declares. */
function provide(build: Builder, first: number, scope: number): void {
  const own: { readonly name: string; readonly definition: number }[] = []
  for (let at = first; at < build.definitions.length; at += 1) {
    const it = build.draft(at)
    if (it.scope === scope && it.name !== '')
      own.push({ name: `${GLOBAL}${it.name}`, definition: at })
  }
  if (own.length <= MOST_GLOBALS) build.provides.push(...own)
}
