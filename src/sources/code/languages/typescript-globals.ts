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

/** Definitions from a number on that a scope declares. */
function provide(build: Builder, first: number, scope: number): void {
  for (let at = first; at < build.definitions.length; at += 1) {
    const it = build.draft(at)
    if (it.scope === scope && it.name !== '')
      build.provides.push({ name: `${GLOBAL}${it.name}`, definition: at })
  }
}
