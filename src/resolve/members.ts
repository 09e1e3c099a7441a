/** Members of things and instances: their own, those given to them from outside, inherited ones. */
import { type Definition, TRAIT } from '../model/facts.ts'
import type { Evaluator } from './evaluate.ts'
import { isDerived } from './grown.ts'
import type { Place } from './linking.ts'
import { ownExports, passingWildcards } from './modules.ts'
import {
  type Bound,
  type Held,
  NOTHING,
  samePlace,
  thingsOf,
  union,
  type Value,
  type Values,
} from './value.ts'
import type { View } from './view.ts'

export interface Member {
  readonly place: Place
  /** What the type parameters around it stand for. */
  readonly bound: Bound | undefined
}

const MOST_ANCESTORS = 64

/** Definitions of a member of whatever holds it. */
export function members(of: Evaluator, holders: Values, name: string): readonly Member[] {
  const [only] = holders
  if (only === undefined) return NONE
  if (holders.length === 1) return withoutRepetition(knownMembers(of, only, name))
  return withoutRepetition(holders.flatMap((holder) => knownMembers(of, holder, name)))
}

function withoutRepetition(found: readonly Member[]): readonly Member[] {
  if (found.length <= 1) return found
  const unique: Member[] = []
  for (const it of found) {
    if (!unique.some(({ place }) => samePlace(place, it.place))) unique.push(it)
  }
  return unique
}

function knownMembers(of: Evaluator, holder: Value, name: string): readonly Member[] {
  if (holder.is === 'module') return ofModule(of, holder.paths, name)
  if (holder.is !== 'thing' && holder.is !== 'instance') return NONE
  const view = of.view(holder.place.path)
  if (view === undefined) return NONE
  if (holder.bound !== undefined) return membersOf(of, holder, { name, seen: [] })
  const number = holder.place.definition * 2 + (holder.is === 'thing' ? 0 : 1)
  const known = view.members.get(name)?.get(number)
  if (known !== undefined) return known
  const cutsBefore = of.cuts
  const found = membersOf(of, holder, { name, seen: [] })
  if (of.cuts === cutsBefore) remember(view, { name, number }, found)
  return found
}

const NONE: readonly Member[] = []

/** What was found is found again, unless something was left out on the way. */
function remember(
  view: View,
  { name, number }: { readonly name: string; readonly number: number },
  found: readonly Member[],
): void {
  const known = view.members.get(name)
  if (known === undefined) view.members.set(name, new Map([[number, found]]))
  else known.set(number, found)
}

interface Wanted {
  readonly name: string
  /** Holders that have been asked: bases may be reached in many ways, and in circles. */
  readonly seen: Held[]
}

function membersOf(of: Evaluator, holder: Value, wanted: Wanted): readonly Member[] {
  const { name, seen } = wanted
  if (holder.is === 'module') return ofModule(of, holder.paths, name)
  if (holder.is !== 'thing' && holder.is !== 'instance') return []
  const view = of.view(holder.place.path)
  if (view === undefined || seen.length >= MOST_ANCESTORS || isAmong(seen, holder)) return []
  seen.push(holder)
  const own = ownMembers(of, holder, name)
  if (own.length > 0) {
    const declared = own.some((at) => isAssigned(view.definition(at)))
      ? declaredInBase(of, holder, wanted)
      : []
    if (declared.length > 0) return declared
    // What a namespace imports is part of it, as it is of a file.
    const places = of.followed(own.map((at) => view.place(at)))
    return places.map((place) => ({ place, bound: holder.bound }))
  }
  const elsewhere = of.together(view.linking.members?.(name, holder.place, of.ask) ?? [])
  if (elsewhere.length > 0) {
    const isDisputed = view.linking.isDisputed?.(holder.place, of.ask) === true
    const sure = isDisputed ? givenTo(of, holder, elsewhere) : elsewhere
    if (sure.length > 0) return sure.map((place) => ({ place, bound: holder.bound }))
  }
  const isMadeOfOther = isDerived(of, view, holder.place.definition)
  const given = isMadeOfOther ? membersGiven(of, view, { holder, name }) : NONE
  if (given.length > 0) return given
  // What instances inherit has a prototype that is not theirs.
  const bases = name === 'prototype' ? NOTHING : basesOf(of, holder)
  for (const base of bases) {
    const inherited = membersOf(of, base, wanted)
    if (inherited.length > 0) return inherited
  }
  const aliased = ofAliased(of, view, { holder, name })
  if (aliased.length > 0) return aliased
  const wild = ofWildcards(of, view, { holder, name })
  if (wild.length > 0) return wild
  // Assigning to a member declares it only where nothing else does.
  const granted = membersGiven(of, view, { holder, name })
  return granted.length > 0 ? granted : ofWhole(of, view, { holder, name })
}

function membersGiven(of: Evaluator, view: View, { holder, name }: Sought): readonly Member[] {
  return grantedTo(of, holder, name).map((at) => ({ place: view.place(at), bound: holder.bound }))
}

/** Of what is given to a type of this name elsewhere, what is given to this one. */
function givenTo(of: Evaluator, holder: Held, places: readonly Place[]): readonly Place[] {
  return places.filter(({ path, definition }) => {
    const view = of.view(path)
    const grant = view?.facts.grants.find((it) => it.definition === definition)
    if (view === undefined || grant === undefined) return false
    return of
      .values(view, grant.to)
      .some((it) => 'place' in it && samePlace(it.place, holder.place))
  })
}

/** Another name for a type has what the type has. */
function ofAliased(of: Evaluator, view: View, { holder, name }: Sought): readonly Member[] {
  const it = view.definition(holder.place.definition)
  if (holder.is !== 'thing' || it.kind !== 'type' || it.type === 0) return NONE
  return of.guarded(view, holder.place.definition, () =>
    members(of, thingsOf(of.types(view, it.type, holder.bound)), name),
  )
}

/** What the wildcard imports in a namespace bring into it. */
function ofWildcards(of: Evaluator, view: View, { holder, name }: Sought): readonly Member[] {
  const { inner } = view.definition(holder.place.definition)
  if (inner < 0) return NONE
  for (const at of passingWildcards(view, inner, false)) {
    const passed = of.guarded(view, at, () =>
      members(of, of.values(view, view.definition(at).value), name),
    )
    if (passed.length > 0) return passed
  }
  return NONE
}

interface Sought {
  readonly holder: Held
  readonly name: string
}

/** `module.exports = Shop; exports.Item = Item`: what is exported beside the whole is part of it. */
function ofWhole(of: Evaluator, view: View, { holder, name }: Sought): readonly Member[] {
  if (holder.is !== 'thing' || view.exportsOf(name).length === 0) return NONE
  const isWhole = view
    .exportsOf('=')
    .some((it) => of.targets(view, it.of).some((place) => samePlace(place, holder.place)))
  if (!isWhole) return NONE
  return ownExports(of, view, name).map((place) => ({ place, bound: undefined }))
}

function isAssigned(it: Definition): boolean {
  return (it.traits & TRAIT.assigned) !== 0 && it.type === 0
}

/** `self.x = 1` gives a value to the field that a base declares with a type. */
function declaredInBase(of: Evaluator, holder: Held, wanted: Wanted): readonly Member[] {
  const isDeclaring = of.view(holder.place.path)?.linking.extensible === undefined
  for (const base of basesOf(of, holder)) {
    const declared = membersOf(of, base, wanted).filter(({ place }) => {
      const it = of.view(place.path)?.definition(place.definition)
      return it !== undefined && (!isDeclaring || (it.kind === 'field' && it.type > 0))
    })
    if (declared.length > 0) return declared
  }
  return []
}

function isAmong(seen: readonly Held[], holder: Held): boolean {
  for (const it of seen) if (it.is === holder.is && samePlace(it.place, holder.place)) return true
  return false
}

function ofModule(of: Evaluator, paths: readonly string[], name: string): readonly Member[] {
  const exported = of.exported(paths, name)
  const places =
    exported.length > 0
      ? exported
      : submodules(of, paths, name).map((path) => ({ path, definition: 0 }))
  return places.map((place) => ({ place, bound: undefined }))
}

/** A folder that is a module has no file to ask for its language: that of a file in it will do. */
export function submodules(
  of: Evaluator,
  paths: readonly string[],
  name: string,
): readonly string[] {
  const first = paths[0] ?? ''
  const file = first.endsWith('/') ? (of.ask.folder(first.slice(0, -1))[0] ?? '') : first
  return of.view(file)?.linking.submodule?.(name, paths, of.ask) ?? []
}

function ownMembers(of: Evaluator, holder: Held, name: string): readonly number[] {
  const view = of.view(holder.place.path)
  if (view === undefined) return []
  const it = view.definition(holder.place.definition)
  if (it.inner < 0 || view.facts.scopes[it.inner]?.kind === 'function') return []
  const declared = declaredIn(view, it.inner, name)
  if (declared.length === 0) return declared
  const all = it.kind === 'interface' ? declared : [...declared, ...grantedTo(of, holder, name)]
  if (all.length === 1) return all
  const wantsStatic = holder.is === 'thing' && it.kind === 'class'
  // What is passed tells better.
  if (!wantsStatic && view.linking.overloads !== undefined) return all
  const fitting = all.filter(
    (at) => ((view.definition(at).traits & TRAIT.static) !== 0) === wantsStatic,
  )
  const chosen = fitting.length > 0 ? fitting : all
  // A setter is the same member as its getter.
  const readers = chosen.filter((at) => (view.definition(at).traits & TRAIT.getter) !== 0)
  return readers.length > 0 ? readers : chosen
}

/** Assigning to a member of itself declares only what nothing else in the body does. */
function declaredIn(view: View, scope: number, name: string): readonly number[] {
  const found = view
    .bindings(scope, name)
    .filter((at) => view.definition(at).kind !== 'type-parameter')
  if (found.length <= 1) return found
  const written = found.filter((at) => (view.definition(at).traits & TRAIT.assigned) === 0)
  return written.length > 0 ? written : found
}

function grantedTo(of: Evaluator, { place }: Held, name: string): readonly number[] {
  const view = of.view(place.path)
  if (view === undefined || view.facts.grants.length === 0) return []
  return grantedIn(of, view).get(place.definition)?.get(name) ?? []
}

/** What a holder inherits from. */
export function basesOf(of: Evaluator, holder: Held): Values {
  const view = of.view(holder.place.path)
  if (view === undefined) return NOTHING
  const it = view.definition(holder.place.definition)
  return of.guarded(view, holder.place.definition, () => {
    const bases = it.bases.map((base) =>
      holder.is === 'thing'
        ? of.values(view, base, holder.bound)
        : of.types(view, base, holder.bound),
    )
    const derived = isDerived(of, view, holder.place.definition)
    return union([...bases, derived ? of.values(view, it.value) : expectedOf(of, view, it)])
  })
}

/** The lists of a library that instances inherit from: what a class of our own holds. */
export function inheritedLists(of: Evaluator, holders: Values): Values {
  const found: Value[] = []
  const seen: Held[] = []
  for (const it of holders) if (it.is === 'instance') seen.push(it)
  for (let at = 0; at < seen.length && at < MOST_ANCESTORS; at += 1) {
    const it = seen[at]
    for (const base of it === undefined ? NOTHING : basesOf(of, it)) {
      if (base.is === 'items') found.push(base)
      else if (base.is === 'instance' && !isAmong(seen, base)) seen.push(base)
    }
  }
  return found
}

/** A literal that something is expected of has the members of what is expected. */
function expectedOf(of: Evaluator, view: View, it: Definition): Values {
  const isLiteral = it.kind === 'object' || it.kind === 'variable' || it.kind === 'field'
  return isLiteral && it.inner >= 0 ? of.values(view, it.type) : NOTHING
}

/** Members that were assigned from outside, by the definition that got them. */
function grantedIn(of: Evaluator, view: View): Map<number, Map<string, readonly number[]>> {
  if (view.granted !== undefined) return view.granted
  const granted = new Map<number, Map<string, readonly number[]>>()
  view.granted = granted
  for (const { to, definition } of view.facts.grants) {
    const { name } = view.definition(definition)
    for (const value of of.values(view, to)) {
      if ((value.is !== 'thing' && value.is !== 'instance') || value.place.path !== view.path)
        continue
      if (!canBeGiven(view, value)) continue
      const known = granted.get(value.place.definition) ?? new Map<string, readonly number[]>()
      granted.set(value.place.definition, known.set(name, [...(known.get(name) ?? []), definition]))
    }
  }
  return granted
}

/** Most languages let everything have more members than are declared. */
function canBeGiven({ linking, facts }: View, { is, place }: Held): boolean {
  if (linking.extensible === undefined) return true
  const { kind } = facts.definitions[place.definition] ?? {}
  return is === 'thing' && kind !== undefined && linking.extensible.has(kind)
}
