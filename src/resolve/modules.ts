/** What modules export, through re-exports and whole-module values, in any of their files. */

import { type Expression, TRAIT } from '../model/facts.ts'
import type { Evaluator } from './evaluate.ts'
import type { Place } from './linking.ts'
import { uniquePlaces } from './value.ts'
import type { View } from './view.ts'

/** The definitions behind `import { name } from 'module'`. */
export function importTargets(evaluator: Evaluator, view: View, it: Expression): readonly Place[] {
  const module = view.expression(it.of)
  if (module.op !== 'module')
    return evaluator.members(evaluator.values(view, it.of), it.name).map(({ place }) => place)
  const wanted = { specifier: module.name, name: it.name }
  const direct = view.linking.imported?.(wanted, view.path, evaluator.ask) ?? []
  if (direct.length > 0) return uniquePlaces(evaluator.followed(direct))
  const paths = evaluator.modules(view, module.name)
  if (paths.length === 0) return []
  if (it.name === '*') return paths.map((path) => ({ path, definition: 0 }))
  if (it.name === '=') return uniquePlaces(paths.flatMap((path) => wholeOf(evaluator, path)))
  // `from . import json` in a package means the module beside it, not the name that it binds.
  const isOwn = paths.includes(view.path)
  const inner = isOwn ? evaluator.submodules(paths, it.name) : []
  const exported = inner.length > 0 ? [] : exportedFrom(evaluator, paths, it.name)
  if (exported.length > 0) return exported
  const found = isOwn ? inner : evaluator.submodules(paths, it.name)
  return found.map((path) => ({ path, definition: 0 }))
}

/** What a name means to those who import these files together as one module. */
export function exportedFrom(
  evaluator: Evaluator,
  paths: readonly string[],
  name: string,
): readonly Place[] {
  const [only] = paths
  return only !== undefined && paths.length === 1
    ? knownExports(evaluator, only, name)
    : uniquePlaces(paths.flatMap((path) => knownExports(evaluator, path, name)))
}

/** Where nothing is found, none of the modules that were asked on the way has it either. */
function knownExports(evaluator: Evaluator, path: string, name: string): readonly Place[] {
  const view = evaluator.view(path)
  const known = view?.exported.get(name)
  if (known !== undefined) return known
  const cutsBefore = evaluator.cuts
  const seen = new Set<string>()
  const found = uniquePlaces(exportedOrDeclared(evaluator, { path, name, seen }))
  if (evaluator.cuts === cutsBefore)
    if (found.length > 0) view?.exported.set(name, found)
    else for (const each of seen) evaluator.view(each)?.exported.set(name, found)
  return found
}

/** `a.d.ts` has the types of `a.js`. */
function exportedOrDeclared(evaluator: Evaluator, wanted: Wanted): readonly Place[] {
  const found = exportedBy(evaluator, wanted)
  if (found.length > 0) return found
  const declared = evaluator.view(wanted.path)?.linking.declaredBeside?.(wanted.path, evaluator.ask)
  return declared === undefined ? found : exportedBy(evaluator, { ...wanted, path: declared })
}

interface Wanted {
  readonly path: string
  readonly name: string
  readonly seen: Set<string>
}

function exportedBy(evaluator: Evaluator, wanted: Wanted): readonly Place[] {
  if (wanted.seen.has(wanted.path)) return []
  wanted.seen.add(wanted.path)
  const view = evaluator.view(wanted.path)
  if (view === undefined) return []
  const known = view.exported.get(wanted.name)
  if (known !== undefined) return known
  const shared = view.linking.exported?.(wanted.name, wanted.path, evaluator.ask)
  if (shared !== undefined) return evaluator.followed(evaluator.together(shared))
  const own = view.exportsOf(wanted.name)
  if (own.length > 0) {
    const found = ownExports(evaluator, view, wanted.name)
    if (found.length > 0) return found
    const literal = own.find((it) => it.of > 0)
    if (literal !== undefined && wanted.name === 'default') return [view.place(0)]
  }
  const whole = asWhole(evaluator, view, wanted.name)
  if (whole.length > 0) return whole
  if (view.linking.exportsAll) {
    const top = view.bindings(0, wanted.name)
    const found = evaluator.followed(top.map((at) => view.place(at)))
    if (found.length > 0) return found
    for (const at of passingWildcards(view, 0, wanted.seen.size === 1)) {
      const passed = passedOn(evaluator, view, { ...wanted, of: view.definition(at).value })
      if (passed.length > 0) return passed
    }
  }
  for (const it of view.exportsOf('*')) {
    const passed = passedOn(evaluator, view, { ...wanted, of: it.of })
    if (passed.length > 0) return passed
  }
  return []
}

/** Modules inside one see what it imports for itself; others only what it imports for all. */
export function passingWildcards(view: View, scope: number, isFirst: boolean): readonly number[] {
  const passes = view.linking.passesOnWildcards
  if (passes === undefined) return []
  const all = view.bindings(scope, '*')
  return all.length === 0 || passes === 'all' || isFirst
    ? all
    : all.filter((at) => (view.definition(at).traits & TRAIT.exported) !== 0)
}

/** What a file itself exports by a name. Two files may re-export a name from each other. */
export function ownExports(evaluator: Evaluator, view: View, name: string): readonly Place[] {
  if (view.openExports.has(name)) {
    evaluator.cut()
    return []
  }
  view.openExports.add(name)
  const found = view
    .exportsOf(name)
    .flatMap((it) => evaluator.followed(evaluator.targets(view, it.of)))
  view.openExports.delete(name)
  return found
}

function passedOn(
  evaluator: Evaluator,
  view: View,
  wanted: Wanted & { readonly of: number },
): readonly Place[] {
  for (const module of evaluator.values(view, wanted.of)) {
    if (module.is !== 'module') {
      const held = evaluator.members([module], wanted.name)
      if (held.length > 0) return held.map(({ place }) => place)
      continue
    }
    for (const path of module.paths) {
      const found = exportedBy(evaluator, { ...wanted, path })
      if (found.length > 0) return found
    }
  }
  return []
}

/** What requiring a file gives: what it makes of itself, or the file with its exports. */
function wholeOf(evaluator: Evaluator, path: string): readonly Place[] {
  const view = evaluator.view(path)
  const found = (view?.exportsOf('=') ?? [])
    .flatMap((it) => (view === undefined ? [] : evaluator.followed(evaluator.targets(view, it.of))))
    .filter(({ definition }) => view !== undefined && definition > 0)
  const named = found.filter((it) => evaluator.view(it.path)?.definition(it.definition).name !== '')
  return named.length > 0 ? named : [{ path, definition: 0 }]
}

/** `module.exports = x`: x is the module, its default, and the holder of all its names. */
function asWhole(evaluator: Evaluator, view: View, name: string): readonly Place[] {
  const wholes = view.exportsOf('=')
  if (wholes.length === 0) return []
  const holders = wholes.flatMap((it) => evaluator.values(view, it.of))
  const held = evaluator
    .members(holders, name)
    .map(({ place }) => evaluator.followed([place]))
    .flat()
  if (held.length > 0 || name !== 'default') return throughShorthand(evaluator, held)
  return wholes.flatMap((it) => evaluator.followed(evaluator.targets(view, it.of)))
}

/** `module.exports = { a }` passes `a` on; whoever imports it means the original. */
function throughShorthand(evaluator: Evaluator, places: readonly Place[]): readonly Place[] {
  return places.flatMap((place) => {
    const view = evaluator.view(place.path)
    const it = view?.definition(place.definition)
    if (view === undefined || it === undefined || it.kind !== 'field' || it.value === 0)
      return [place]
    const value = view.expression(it.value)
    if (value.op !== 'name') return [place]
    const original = evaluator.targets(view, it.value)
    return original.length > 0 ? original : [place]
  })
}
