/** Languages whose files find each other by one short rule. */
import { folderOf } from '../../base/paths.ts'
import type { Ask, Linking, Place } from '../linking.ts'
import { inFolder, nearest } from './folders.ts'
import { foldersAround, fromAnyRoot } from './roots.ts'

const PLAIN = { bareMembers: 'never', callMakes: false, exportsAll: true } as const

function relative(specifier: string, from: string, ask: Ask): readonly string[] {
  const path = inFolder(folderOf(from), specifier)
  return path !== '' && ask.exists(path) ? [path] : []
}

/** What files of the same folder provide under a name. */
function beside(name: string, from: string, ask: Ask): readonly Place[] {
  return ask.provided(name).filter((it) => folderOf(it.path) === folderOf(from))
}

export const zig: Linking = {
  ...PLAIN,
  languages: ['zig'],
  bareMembers: 'always',
  modules: (specifier, from, ask) =>
    specifier.endsWith('.zig') ? relative(specifier, from, ask) : [],
}

/** The files of a package lie in its folder `R`; its tests know them as well. */
export const r: Linking = {
  ...PLAIN,
  languages: ['r'],
  modules: (specifier, from, ask) => fromAnyRoot([specifier], from, ask),
  beyond(name, from, ask) {
    const own = beside(`r:${name}`, from, ask)
    const root = foldersAround(from).find((it) => ask.exists(inFolder(it, 'DESCRIPTION')))
    if (own.length > 0 || root === undefined) return own
    const library = inFolder(root, 'R')
    return ask.provided(`r:${name}`).filter((it) => folderOf(it.path) === library)
  },
}

/** A module of Terraform is a folder. */
export const hcl: Linking = {
  ...PLAIN,
  languages: ['hcl'],
  modules: (specifier, from, ask) =>
    ask.folder(inFolder(folderOf(from), specifier)).filter((it) => it.endsWith('.tf')),
  beyond: (name, from, ask) => beside(`hcl:${name}`, from, ask),
}

/** A schema is one space of names. */
export const graphql: Linking = {
  ...PLAIN,
  languages: ['graphql'],
  modules: () => [],
  beyond: (name, from, ask) => nearest(ask.provided(`graphql:${name}`), from),
}

export const proto: Linking = {
  ...PLAIN,
  languages: ['proto'],
  bareMembers: 'always',
  modules: (specifier, from, ask) => fromAnyRoot([specifier, `proto/${specifier}`], from, ask),
}

export const make: Linking = {
  ...PLAIN,
  languages: ['make', 'dockerfile'],
  modules: (specifier, from, ask) => fromAnyRoot([specifier], from, ask),
}

/** Classes are known by their package, and to their own package by name. */
export const groovy: Linking = {
  ...PLAIN,
  languages: ['groovy'],
  bareMembers: 'always',
  callMakes: true,
  modules: () => [],
  beyond(name, from, ask) {
    const full = ask.provided(`java:${name}`)
    if (full.length > 0) return full
    const own = ask.facts(from)?.definitions.find((it) => it.kind === 'namespace')?.name
    return own === undefined ? [] : ask.provided(`java:${own}.${name}`)
  },
}

/** Modules are known by their names, whatever folder a file lies in. */
export const haskell: Linking = {
  ...PLAIN,
  languages: ['haskell'],
  modules: (specifier, from, ask) =>
    nearest(ask.provided(`haskell:${specifier}`), from).map((it) => it.path),
}

/** Packages are one space of names; subroutines are found in their package. */
export const perl: Linking = {
  ...PLAIN,
  languages: ['perl'],
  modules: () => [],
  beyond: (name, from, ask) => nearest(ask.provided(`perl:${name}`), from),
}

export const powershell: Linking = {
  ...PLAIN,
  languages: ['powershell'],
  modules(specifier, from, ask) {
    const path = specifier.replaceAll('\\', '/').replace(/^["']?\$\w+\/|["']/g, '')
    return /\$/.test(path) ? [] : fromAnyRoot([path], from, ask)
  },
}
