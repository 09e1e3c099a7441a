/**
 * Finds out what an expression may be, by following declarations, types, initialisers, returns,
 * imports and bases, lazily and in any file. One evaluator serves one file being resolved and
 * starts with nothing remembered, so that its answers depend on the facts alone and never on what
 * was resolved before. The rules themselves are in `names`, `members`, `types`, `calls` and
 * `receiver`; here is what they share: what is known already, and where to stop.
 */
import type { Definition, Expression } from '../model/facts.ts'
import { TRAIT } from '../model/facts.ts'
import { callValues, parameterPlaces, parameterValues, returnedBy, returnOf } from './calls.ts'
import { passedTo } from './flows.ts'
import { callbackOf, itemsOf } from './library.ts'
import type { Ask, Linking, Place } from './linking.ts'
import { type Member, members, submodules } from './members.ts'
import { exportedFrom, importTargets } from './modules.ts'
import { followed, lookup } from './names.ts'
import { basesOfReceiver, receiver } from './receiver.ts'
import { type InContext, typeValues } from './types.ts'
import {
  type Bound,
  instanceOf,
  items,
  NOTHING,
  thing,
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

/**
 * What is known of an expression, by what the type parameters around it stand for. Most often there
 * are none, and a map for each expression would be most of the garbage of resolving.
 */
class Memo {
  readonly #free = new Map<Expression, Values>()
  readonly #bound = new Map<Bound, Map<Expression, Values>>()

  get(it: Expression, bound: Bound | undefined): Values | undefined {
    return bound === undefined ? this.#free.get(it) : this.#bound.get(bound)?.get(it)
  }

  set({ it, bound }: InContext, found: Values): void {
    if (bound === undefined) {
      this.#free.set(it, found)
      return
    }
    const known = this.#bound.get(bound)
    if (known === undefined) this.#bound.set(bound, new Map([[it, found]]))
    else known.set(it, found)
  }
}

export class Evaluator {
  readonly ask: Ask
  readonly #path: string
  readonly #linkings: ReadonlyMap<string, Linking>
  readonly #views = new Map<string, View | undefined>()
  readonly #values = new Memo()
  readonly #types = new Memo()
  readonly #found = new Map<string, readonly unknown[]>()
  readonly #busy = new Set<Expression | Definition | string>()
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
        return lookup(this, view, it)
      case 'member':
        return members(this, this.values(view, it.of, bound), it.name).map(({ place }) => place)
      case 'import':
        return importTargets(this, view, it)
      case 'module':
        return view.linking
          .modules(it.name, view.path, this.ask)
          .map((path) => ({ path, definition: 0 }))
      case 'define':
        return [view.place(it.of)]
      case 'either':
        return uniquePlaces(it.list.flatMap((each) => this.targets(view, each, bound)))
      case 'generic':
        return this.targets(view, it.of, bound)
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
    const known = this.#values.get(it, bound)
    if (known !== undefined) return known
    return this.#once({ it, bound }, this.#values, () => this.#find(view, it, bound))
  }

  /** What a value of a type may be. */
  types(view: View, at: number, bound?: Bound): Values {
    if (at === 0) return NOTHING
    const it = view.expression(at)
    const known = this.#types.get(it, bound)
    if (known !== undefined) return known
    return this.#once({ it, bound }, this.#types, () => typeValues(this, view, { it, bound }))
  }

  /** What is not known yet. */
  #once(context: InContext, memo: Memo, find: () => Values): Values {
    const { it } = context
    this.#steps += 1
    if (this.#busy.has(it) || this.#depth > DEEPEST || this.#steps > MOST_STEPS) {
      this.#cuts += 1
      return NOTHING
    }
    const cutsBefore = this.#cuts
    this.#busy.add(it)
    this.#depth += 1
    const found = find()
    this.#depth -= 1
    this.#busy.delete(it)
    // What was found around a gap is not the whole truth and must not be taken for it later.
    if (this.#cuts === cutsBefore || this.#depth === 0) memo.set(context, found)
    return found
  }

  /** What was found once under a key is found again, unless something was left out on the way. */
  remembered<T>(key: string, find: () => readonly T[]): readonly T[] {
    const known = this.#found.get(key)
    if (known !== undefined) return known as readonly T[]
    const cutsBefore = this.#cuts
    const found = find()
    if (this.#cuts === cutsBefore) this.#found.set(key, found)
    return found
  }

  /** Goes through a definition or a question, unless the way leads through it already. */
  guarded<T>(it: Definition | string, action: () => readonly T[]): readonly T[] {
    if (this.#busy.has(it)) {
      this.#cuts += 1
      return []
    }
    this.#busy.add(it)
    const found = action()
    this.#busy.delete(it)
    return found
  }

  #find(view: View, it: Expression, bound: Bound | undefined): Values {
    switch (it.op) {
      case 'name':
        return this.valuesOf(lookup(this, view, it), bound)
      case 'import':
        return it.name === '*' || it.name === '='
          ? this.values(view, it.of)
          : this.valuesOf(importTargets(this, view, it), undefined)
      case 'member':
        return this.#memberValues(view, it, bound)
      case 'module':
        return this.#moduleValues(view.linking.modules(it.name, view.path, this.ask))
      case 'call':
        return callValues(this, view, { it, bound })
      case 'make':
      case 'instance':
        return this.values(view, it.of, bound).flatMap(instanceOf)
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
        return this.held(this.values(view, it.of, bound), it)
      case 'parameter':
        return parameterValues(this, view, { it, bound })
      case 'typed':
        return this.types(view, it.of, bound)
      case 'typeof':
      case 'named':
        return this.values(view, it.of, bound)
      case 'generic':
        return this.#applied(view, it, bound)
      default:
        return NOTHING
    }
  }

  /** What a list holds, what a class says of being subscripted or looped over; `Base[T]` is `Base`. */
  held(holders: Values, it: Pick<Expression, 'name' | 'list'> = LOOP): Values {
    const held = itemsOf(holders, it.name)
    if (held.length > 0 || holders.every(({ is }) => is === 'items')) return held
    return union(
      holders.map((holder) => {
        const view = 'place' in holder ? this.view(holder.place.path) : undefined
        if (view === undefined || !('place' in holder)) return NOTHING
        const isSubscript = it.list.length > 0
        const name = isSubscript ? view.linking.subscripts : view.linking.iterates
        if (name === undefined) return NOTHING
        if (holder.is === 'thing')
          return view.definition(holder.place.definition).kind === 'class' ? [holder] : NOTHING
        const given = union(
          members(this, [holder], name).map(({ place, bound }) => returnOf(this, place, bound)),
        )
        return isSubscript ? given : itemsOf(given)
      }),
    )
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
    const at = new Map<string, Values>()
    for (const [index, each] of it.list.slice(0, MOST_ITEMS).entries()) {
      const { op, name } = view.expression(each)
      at.set(op === 'named' ? name : String(index), this.values(view, each, bound))
    }
    return items(union([...at.values()]), at)
  }

  /** A module is what its files export, and what `module.exports = …` makes of it. */
  #moduleValues(paths: readonly string[]): Values {
    if (paths.length === 0) return NOTHING
    const wholes = paths.flatMap((path) => {
      const view = this.view(path)
      if (view === undefined) return []
      return view.facts.exports
        .filter((it) => it.name === '=')
        .map((it) => this.values(view, it.of))
    })
    return union([...wholes, [{ is: 'module', paths }]])
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

  submodules(paths: readonly string[], name: string): readonly string[] {
    return submodules(this, paths, name)
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
        return [{ is: 'instance', place: { path: place.path, definition: it.owner } }]
      case 'method':
      case 'function':
        if ((it.traits & TRAIT.getter) !== 0) return returnOf(this, place, bound)
        return [thing(place, bound)]
      case 'import':
        return this.guarded(it, () => this.values(view, it.value))
      case 'label':
        return NOTHING
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
    return this.guarded(it, () => {
      const given = it.value > 0 ? this.values(view, it.value, bound) : NOTHING
      const isOwn = view.path === this.#path
      return it.kind === 'parameter' && given.length === 0 && isOwn
        ? passedTo(this, view, place.definition)
        : given
    })
  }

  #memberValues(view: View, it: Expression, bound: Bound | undefined): Values {
    const holders = this.values(view, it.of, bound)
    if (it.name === 'prototype') return holders.flatMap(instanceOf)
    const found = members(this, holders, it.name)
    if (found.length > 0)
      return union(found.map((each) => this.valueAt(each.place, each.bound ?? bound)))
    const callbacks = callbackOf(holders, it.name)
    // A key of a literal that is expected to be a record of things is one of them.
    return callbacks.length > 0 || it.role !== 0 ? callbacks : itemsOf(holders, it.name)
  }
}

const LOOP = { name: '', list: [] } as const

function itemised(values: Values): Values {
  return values.every((it) => it.is === 'items') ? values : [items(values)]
}
