/** Files of Julia are included into each other and then share all names. */
import { folderOf, lastPart } from '../../base/paths.ts'
import type { Ask, Linking, Place } from '../linking.ts'
import { inFolder } from './folders.ts'

export const julia: Linking = {
  languages: ['julia'],
  bareMembers: 'never',
  callMakes: true,
  exportsAll: true,
  modules: included,
  beyond: (name, from, ask) => around({ name, from, seen: new Set([from]) }, ask),
}

function included(specifier: string, from: string, ask: Ask): readonly string[] {
  const path = inFolder(folderOf(from), specifier)
  return ask.exists(path) ? [path] : []
}

interface Wanted {
  readonly name: string
  readonly from: string
  readonly seen: Set<string>
}

/** What the files that include this one define, and what they include besides. */
function around(wanted: Wanted, ask: Ask): readonly Place[] {
  const { name, from, seen } = wanted
  const includers = ask
    .provided(`julia:${lastPart(from)}`)
    .map((it) => it.path)
    .filter((path) => !seen.has(path) && includes(path, ask).includes(from))
  for (const path of includers) {
    seen.add(path)
    const found = [path, ...includes(path, ask)].flatMap((it) => topOf(name, it, ask))
    if (found.length > 0) return found
    const outer = around({ name, from: path, seen }, ask)
    if (outer.length > 0) return outer
  }
  return []
}

function includes(path: string, ask: Ask): readonly string[] {
  const expressions = ask.facts(path)?.expressions ?? []
  return expressions
    .filter((it) => it.op === 'module')
    .flatMap((it) => included(it.name, path, ask))
}

function topOf(name: string, path: string, ask: Ask): readonly Place[] {
  const definitions = ask.facts(path)?.definitions ?? []
  return definitions.flatMap((it, definition) =>
    it.name === name && it.scope === 0 ? [{ path, definition }] : [],
  )
}
