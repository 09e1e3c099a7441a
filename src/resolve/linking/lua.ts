/** How Lua finds modules: dots are folders, below a root that only the program that runs it knows. */
import { folderOf } from '../../base/paths.ts'
import { TRAIT } from '../../model/facts.ts'
import type { Ask, Linking, Place } from '../linking.ts'
import { inFolder } from './folders.ts'
import { fromAnyRoot } from './roots.ts'

export const lua: Linking = {
  languages: ['lua'],
  bareMembers: 'never',
  callMakes: false,
  exportsAll: false,
  modules,
  beyond: (name, from, ask) => globals({ name, from, seen: new Set([from]) }, ask),
}

/** Folders that are commonly on the search path. */
const ROOTS = ['', 'lua/', 'src/', 'lib/']

function modules(specifier: string, from: string, ask: Ask): readonly string[] {
  if (/^\.{1,2}\//.test(specifier)) {
    const path = inFolder(folderOf(from), specifier)
    return ends(path)
      .filter((it) => ask.exists(it))
      .slice(0, 1)
  }
  const path = specifier.includes('/') ? specifier : specifier.replaceAll('.', '/')
  return fromAnyRoot(
    ROOTS.flatMap((root) => ends(root + path)),
    from,
    ask,
  )
}

function ends(path: string): readonly string[] {
  return [`${path}.lua`, `${path}/init.lua`, `${path}.luau`, `${path}/init.luau`]
}

interface Wanted {
  readonly name: string
  readonly from: string
  readonly seen: Set<string>
}

/** A global is known when a file that sets it has been required, directly or not. */
function globals(wanted: Wanted, ask: Ask): readonly Place[] {
  const facts = ask.facts(wanted.from)
  for (const it of facts?.expressions ?? []) {
    if (it.op !== 'module') continue
    for (const path of modules(it.name, wanted.from, ask)) {
      if (wanted.seen.has(path)) continue
      wanted.seen.add(path)
      const own = setBy(wanted.name, path, ask)
      const found = own.length > 0 ? own : globals({ ...wanted, from: path }, ask)
      if (found.length > 0) return found
    }
  }
  return []
}

function setBy(name: string, path: string, ask: Ask): readonly Place[] {
  const definitions = ask.facts(path)?.definitions ?? []
  return definitions.flatMap((it, definition) =>
    it.name === name && it.scope === 0 && (it.traits & TRAIT.exported) !== 0
      ? [{ path, definition }]
      : [],
  )
}
