/**
 * The symbols of files, modules and namespaces. Half of a repository hangs on each of them, so a
 * walk that went through them would find everything near everything.
 */
import type { StoredChunk } from '../model/code-index.ts'
import type { EdgeKind } from '../model/index-record.ts'

/** What says something about a file as a whole: who imports, tests or mentions it. */
export const MODULE_KINDS: ReadonlySet<EdgeKind> = new Set(['import', 'export', 'test', 'mention'])

/** `…/`: a file or a namespace; `…/__init__:` is what some indexers call a module of Python. */
export function isModuleSymbol(symbol: string): boolean {
  return symbol.endsWith('/') || symbol.endsWith('/__init__:')
}

/** Edges of a module are those of the chunks where their evidence stands, never of all of it. */
export function ownSymbol({ symbol }: StoredChunk): string {
  return isModuleSymbol(symbol) ? '' : symbol
}
