/**
 * Finds out what an expression may be, by following declarations, types, initialisers, returns,
 * imports and bases, lazily and in any file. One evaluator serves one file being resolved and
 * starts with nothing remembered, so that its answers depend on the facts alone and never on what
 * was resolved before. The rules themselves are in `names`, `members`, `types`, `calls` and
 * `receiver`; here is what they share: what is known already, and where to stop.
 */
import type { Expression } from '../model/facts.ts'
import { TRAIT } from '../model/facts.ts'
import {
  callValues,
  itemsHeld,
  parameterPlaces,
  parameterValues,
  returnedBy,
  returnOf,
} from './calls.ts'
import { passedTo } from './flows.ts'
import { isDerived, isGrown } from './grown.ts'
import { callbackOf, itemsOf, keysOf } from './library.ts'
import type { Ask, Linking, Place } from './linking.ts'
import { type Member, members, submodules } from './members.ts'
import { exportedFrom, importTargets } from './modules.ts'
import { followed, lookup } from './names.ts'
import { narrowed } from './narrow.ts'
import { meant, type Passed } from './overloads.ts'
import { basesOfReceiver, classesOf, receiver } from './receiver.ts'
import { typeAt, typeValues } from './types.ts'
import {
  type Bound,
  instance,
  instancesOf,
  itemised,
  items,
  NOTHING,
  thing,
  thingsOf,
  union,
  uniquePlaces,
  type Value,
  type Values,
} from './value.ts'
import { View } from './view.ts'

/** Longer chains than any person can follow either. */
const DEEPEST = 48
/** Of a long list, the first few tell what is in it. */
const MOST_ITEMS = 64
/** Bounds the work for one reference; counted, so that it ends at the same point everywhere. */
const MOST_STEPS = 4000

export interface EvaluatorOptions {
  /** The file that is being resolved. */
  readonly path: string
  readonly ask: Ask
  readonly linkings: ReadonlyMap<string, Linking>
}

/** What is known of expressions where the type parameters around them stand for something. */
type Within = Map<Bound, Map<Expression, Values>>

export class Evaluator {
  readonly ask: Ask
  readonly #path: string
  readonly #linkings: ReadonlyMap<string, Linking>
  readonly #views = new Map<string, View | undefined>()
  readonly #values: Within = new Map()
  readonly #types: Within = new Map()
  #lastPath: string | undefined
  #last: View | undefined
  #depth = 0
  #steps = 0
  /** How often something was left out because it was being found out already. */
  #cuts = 0

  constructor(options: EvaluatorOptions) {
    this.ask = options.ask
    this.#path = options.path
    this.#linkings = options.linkings
  }

  view(path: string): View | undefined {
    // The same text most often, and not only the same letters.
    if (path === this.#lastPath) return this.#last
    const view = this.#viewOf(path)
    this.#lastPath = path
    this.#last = view
    return view
  }

  #viewOf(path: string): View | undefined {
    const known = this.#views.get(path)
    if (known !== undefined || this.#views.has(path)) return known
    const facts = this.ask.facts(path)
    const linking = facts === undefined ? undefined : this.#linkings.get(facts.language)
    const view =
      facts === undefined || linking === undefined ? undefined : new View(path, facts, linking)
    this.#views.set(path, view)
    return view
  }

  /** Each reference gets the same share of work, wherever in the file it stands. */
  beginReference(): void {
    this.#steps = 0
  }

  /** Definitions that a reference leads to, imports followed to their origin. */
  targets(view: View, at: number, bound?: Bound): readonly Place[] {
    const it = view.expression(at)
    switch (it.op) {
      case 'name':
        return lookup(this, view, at)
      case 'member':
        return placesOf(members(this, this.values(view, it.of, bound), it.name))
      case 'import':
        return importTargets(this, view, it)
      case 'module':
        return this.modules(view, it.name).map((path) => ({ path, definition: 0 }))
      case 'define':
        return [view.place(it.of)]
      case 'either':
        return uniquePlaces(it.list.flatMap((each) => this.targets(view, each, bound)))
      case 'generic':
        return this.targets(view, it.of, bound)
      case 'self':
      case 'super':
        return classesOf(this, this.values(view, at, bound))
      case 'parameter':
        return parameterPlaces(this, this.values(view, it.of, bound), it.name)
      default:
        return []
    }
  }

  /** What the value of an expression may be. */
  values(view: View, at: number, bound?: Bound): Values {
    if (at === 0) return NOTHING
    const it = view.expression(at)
    const known = bound === undefined ? view.values.get(at) : this.#values.get(bound)?.get(it)
    if (known !== undefined) return known
    if (!this.#begins(view, at)) return NOTHING
    const cutsBefore = this.#cuts
    const found = this.#find(view, at, bound)
    this.#ends(view, at)
    if (this.#cuts === cutsBefore || this.#depth === 0) {
      if (bound === undefined) view.values.set(at, found)
      else keep(this.#values, { it, bound }, found)
    }
    return found
  }

  /** What a value of a type may be. */
  types(view: View, at: number, bound?: Bound): Values {
    if (at === 0) return NOTHING
    const it = view.expression(at)
    const known = bound === undefined ? view.types.get(at) : this.#types.get(bound)?.get(it)
    if (known !== undefined) return known
    if (!this.#begins(view, at)) return NOTHING
    const cutsBefore = this.#cuts
    const found = typeValues(this, view, { at, it, bound })
    this.#ends(view, at)
    if (this.#cuts === cutsBefore || this.#depth === 0) {
      if (bound === undefined) view.types.set(at, found)
      else keep(this.#types, { it, bound }, found)
    }
    return found
  }

  /** False when it is being found out already, or when there was enough to find out. */
  #begins(view: View, at: number): boolean {
    this.#steps += 1
    const isOpen = view.openExpressions.get(at) === true
    if (isOpen || this.#depth > DEEPEST || this.#steps > MOST_STEPS) {
      this.#cuts += 1
      return false
    }
    view.openExpressions.set(at, true)
    this.#depth += 1
    return true
  }

  #ends(view: View, at: number): void {
    this.#depth -= 1
    view.openExpressions.set(at, false)
  }

  /**
   * What was found around a gap is not the whole truth and must not be taken for it later. It is
   * the whole when there are no more cuts than before.
   */
  get cuts(): number {
    return this.#cuts
  }

  /** Counts a step of what is found out beside values; false when there was enough to find out. */
  goesOn(): boolean {
    this.#steps += 1
    if (this.#steps <= MOST_STEPS) return true
    this.#cuts += 1
    return false
  }

  /** Something is left out because it is being found out already. */
  cut(): void {
    this.#cuts += 1
  }

  /** Goes through a definition, unless the way leads through it already. */
  guarded<T>(view: View, definition: number, action: () => readonly T[]): readonly T[] {
    if (!this.enters(view, definition)) return []
    const found = action()
    this.leaves(view, definition)
    return found
  }

  /** As `guarded`, for who needs no function for it. */
  enters(view: View, definition: number): boolean {
    this.#steps += 1
    if (view.openDefinitions.get(definition) === true || this.#steps > MOST_STEPS) {
      this.#cuts += 1
      return false
    }
    view.openDefinitions.set(definition, true)
    return true
  }

  leaves(view: View, definition: number): void {
    view.openDefinitions.set(definition, false)
  }

  #find(view: View, at: number, bound: Bound | undefined): Values {
    const it = view.expression(at)
    switch (it.op) {
      case 'name':
        return this.valuesOf(lookup(this, view, at), bound)
      case 'import':
        return it.name === '*' || it.name === '='
          ? this.values(view, it.of)
          : this.valuesOf(importTargets(this, view, it), undefined)
      case 'member':
        return this.#memberValues(view, it, bound)
      case 'module':
        return this.#moduleValues(this.modules(view, it.name))
      case 'call':
        return callValues(this, view, { at, it, bound })
      case 'make':
      case 'instance':
        return instancesOf(this.values(view, it.of, bound))
      case 'returned':
        return returnedBy(this, this.values(view, it.of, bound))
      case 'self':
        return receiver(this, view, it.scope)
      case 'super':
        return basesOfReceiver(this, view, it.scope)
      case 'define':
        return [thing(view.place(it.of), bound)]
      case 'either':
        return union(it.list.map((each) => this.values(view, each, bound)))
      case 'collection':
        return [this.#collected(view, it, bound)]
      case 'item':
        return itemsHeld(this, this.values(view, it.of, bound), it)
      case 'key':
        return keysOf(this.values(view, it.of, bound))
      case 'parameter':
        return parameterValues(this, view, { at, it, bound })
      case 'typed':
        return this.types(view, it.of, bound)
      case 'narrow':
        return narrowed(this, view, { at, it, bound })
      case 'typeof':
      case 'named':
        return this.values(view, it.of, bound)
      case 'generic':
        return this.#applied(view, it, bound)
      default:
        return NOTHING
    }
  }

  /** A function or a class whose type parameters are told. */
  #applied(view: View, it: Expression, bound: Bound | undefined): Values {
    const to = it.list.map((each) => () => this.types(view, each, bound))
    return this.values(view, it.of, bound).map((value) =>
      value.is === 'thing'
        ? thing(value.place, { place: value.place, to, outer: value.bound })
        : value,
    )
  }

  /** What is in a list or a map, in all and by key. */
  #collected(view: View, it: Expression, bound: Bound | undefined): Value {
    const list: Values[] = []
    let at: Map<string, Values> | undefined
    for (let index = 0; index < it.list.length && index < MOST_ITEMS; index += 1) {
      const each = it.list[index] ?? 0
      const { op, name } = view.expression(each)
      // Most lists have no names in them, and a map for each would be much garbage.
      if (op === 'named') at ??= new Map(list.map((values, place) => [String(place), values]))
      const values = this.values(view, each, bound)
      list.push(values)
      at?.set(op === 'named' ? name : String(index), values)
    }
    return at === undefined
      ? items(union(list), { get: (key) => (isPlace(key) ? list[Number(key)] : undefined) })
      : items(union([...at.values()]), at)
  }

  /** A module is what its files export, and what `module.exports = …` makes of it. */
  #moduleValues(paths: readonly string[]): Values {
    if (paths.length === 0) return NOTHING
    const wholes = paths.flatMap((path) => {
      const view = this.view(path)
      if (view === undefined) return []
      return view.exportsOf('=').map((it) => this.values(view, it.of))
    })
    return union([...wholes, [{ is: 'module', paths }]])
  }

  /** Paths of the files that a specifier leads to from a file. */
  modules(view: View, specifier: string): readonly string[] {
    const known = view.modules.get(specifier)
    if (known !== undefined) return known
    const found = view.linking.modules(specifier, view.path, this.ask)
    view.modules.set(specifier, found)
    return found
  }

  // What the rules ask of each other.

  members(holders: Values, name: string): readonly Member[] {
    return members(this, holders, name)
  }

  exported(paths: readonly string[], name: string): readonly Place[] {
    return exportedFrom(this, paths, name)
  }

  followed(places: readonly Place[]): readonly Place[] {
    return followed(this, places)
  }

  /** Of several definitions of one name, those that a program with the file here can have. */
  together(places: readonly Place[]): readonly Place[] {
    if (places.length <= 1) return places
    const linking = this.view(this.#path)?.linking
    return linking?.together?.(places, this.#path, this.ask) ?? places
  }

  submodules(paths: readonly string[], name: string): readonly string[] {
    return submodules(this, paths, name)
  }

  /** Of several functions of one name, those that a call means. */
  meant(callees: readonly Member[], passed: Passed): readonly Member[] {
    return meant(this, callees, passed)
  }

  /** What calling one of these gives. */
  returned(callees: Values): Values {
    return returnedBy(this, callees)
  }

  // What is defined at a place.

  valuesOf(places: readonly Place[], bound: Bound | undefined): Values {
    const [first] = places
    if (first === undefined) return NOTHING
    if (places.length === 1 && first.definition !== 0) return this.valueAt(first, bound)
    // The files of a package are one module together.
    const paths = places.filter((it) => it.definition === 0).map((it) => it.path)
    const rest = places.filter((it) => it.definition !== 0)
    return union([
      paths.length === 0 ? NOTHING : [{ is: 'module', paths }],
      ...rest.map((place) => this.valueAt(place, bound)),
    ])
  }

  valueAt(place: Place, bound: Bound | undefined): Values {
    const view = this.view(place.path)
    if (view === undefined) return NOTHING
    if (place.definition === 0) return [{ is: 'module', paths: [place.path] }]
    const it = view.definition(place.definition)
    switch (it.kind) {
      case 'variable':
      case 'field':
      case 'parameter':
        return this.#heldBy(view, place, bound)
      case 'member':
        return [instance(view.place(it.owner))]
      case 'method':
      case 'function':
        if ((it.traits & TRAIT.getter) !== 0) return returnOf(this, place, bound)
        return [thing(place, bound)]
      case 'import':
        return this.#imported(view, place.definition)
      case 'label':
        return NOTHING
      case 'type-parameter':
        return thingsOf(typeAt(this, place, { args: [], outer: bound }))
      default:
        return [thing(place, bound)]
    }
  }

  /** What a variable holds: by its declared type, else by all that is put into it. */
  #heldBy(view: View, place: Place, bound: Bound | undefined): Values {
    const it = view.definition(place.definition)
    if (it.inner >= 0) return [thing(place)]
    if (it.type > 0) {
      const declared = this.types(view, it.type, bound)
      if (declared.length > 0) return (it.traits & TRAIT.rest) === 0 ? declared : itemised(declared)
    }
    if (isDerived(this, view, place.definition)) return [thing(place)]
    if (!this.enters(view, place.definition)) return NOTHING
    const found = this.#given(view, place.definition, bound)
    this.leaves(view, place.definition)
    return found.length === 0 && isGrown(this, view, place.definition) ? [thing(place)] : found
  }

  #given(view: View, definition: number, bound: Bound | undefined): Values {
    const known = bound === undefined ? view.held.get(definition) : undefined
    if (known !== undefined) return known
    const cutsBefore = this.#cuts
    const it = view.definition(definition)
    const given = it.value > 0 ? this.values(view, it.value, bound) : NOTHING
    // Where parameters are told apart by their types, a type that is not known is a library's.
    const isTyped = it.type > 0 && view.linking.overloads !== undefined
    const isOwn = view.path === this.#path
    const found =
      it.kind === 'parameter' && given.length === 0 && isOwn && !isTyped
        ? passedTo(this, view, definition)
        : given
    if (bound === undefined && this.#cuts === cutsBefore) view.held.set(definition, found)
    return found
  }

  #imported(view: View, definition: number): Values {
    if (!this.enters(view, definition)) return NOTHING
    const found = this.values(view, view.definition(definition).value)
    this.leaves(view, definition)
    return found
  }

  #memberValues(view: View, it: Expression, bound: Bound | undefined): Values {
    const holders = this.values(view, it.of, bound)
    if (it.name === 'prototype') return instancesOf(holders)
    const found = members(this, holders, it.name)
    const [only] = found
    if (only !== undefined && found.length === 1)
      return this.valueAt(only.place, only.bound ?? bound)
    if (found.length > 0)
      return union(found.map((each) => this.valueAt(each.place, each.bound ?? bound)))
    // A key of a literal that is expected to be a record of things is one of them.
    const held = it.role === 0 ? itemsOf(holders, it.name) : NOTHING
    return held.length > 0 ? held : callbackOf(holders, it.name)
  }
}

function keep(
  within: Within,
  { it, bound }: { readonly it: Expression; readonly bound: Bound },
  found: Values,
): void {
  const known = within.get(bound)
  if (known === undefined) within.set(bound, new Map([[it, found]]))
  else known.set(it, found)
}

function placesOf(found: readonly Member[]): readonly Place[] {
  return found.length === 0 ? NOWHERE : found.map(({ place }) => place)
}

const NOWHERE: readonly Place[] = []

function isPlace(key: string): boolean {
  return String(Number(key)) === key
}
