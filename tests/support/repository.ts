/** A repository in memory, read and understood as the index does it, without a store. */

import { folderOf } from '../../src/base/paths.ts'
import type { NamedSymbol } from '../../src/model/code-index.ts'
import type { Facts } from '../../src/model/facts.ts'
import { IncludeGraph } from '../../src/resolve/include-graph.ts'
import type { Place } from '../../src/resolve/linking.ts'
import { LINKINGS } from '../../src/resolve/linkings.ts'
import type { Repository } from '../../src/resolve/resolve-file.ts'
import { languageOf } from '../../src/sources/code/languages.ts'
import { findMentions } from '../../src/sources/code/mentions.ts'
import { plainFacts } from '../../src/sources/code/plain-facts.ts'
import { readFacts } from '../../src/sources/code/read-facts.ts'
import { symbolIds } from '../../src/sources/code/symbol-ids.ts'

export async function repositoryOf(
  texts: ReadonlyMap<string, string>,
): Promise<Repository & { readonly all: ReadonlyMap<string, Facts> }> {
  const all = new Map<string, Facts>()
  const folders = new Map<string, string[]>()
  const provided = new Map<string, Place[]>()
  const named = new Map<string, NamedSymbol[]>()
  const ids = new Map<string, readonly (string | undefined)[]>()
  for (const path of [...texts.keys()].toSorted()) {
    const facts = await factsOf(path, texts.get(path) ?? '')
    all.set(path, facts)
    listed(folders, folderOf(path), path)
    for (const { name, definition } of facts.provides) listed(provided, name, { path, definition })
    ids.set(path, symbolIds(facts, path))
    for (const [at, id] of (ids.get(path) ?? []).entries()) {
      const { name, kind } = facts.definitions[at] ?? { name: '', kind: '' }
      if (id !== undefined && name !== '') listed(named, name, { id, path, kind })
    }
  }
  const files = {
    exists: (path: string) => texts.has(path),
    folder: (path: string) => folders.get(path) ?? [],
    provided: (name: string) => provided.get(name) ?? [],
    facts: (path: string) => all.get(path),
  }
  const graph = new IncludeGraph(files, LINKINGS)
  return {
    ...files,
    all,
    named: (name) => named.get(name) ?? [],
    included: (path) => graph.from(path),
    idsOf: (path) => ids.get(path) ?? [],
  }
}

async function factsOf(path: string, text: string): Promise<Facts> {
  const language = languageOf(path, text)
  const understood = language === undefined ? undefined : await readFacts({ path, text }, language)
  if (understood !== undefined) return understood.facts
  const mentions = language?.id === 'markdown' ? findMentions(text, [0, text.length]) : []
  return { ...plainFacts(path, text, language?.id), mentions }
}

function listed<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [value])
  else known.push(value)
}
