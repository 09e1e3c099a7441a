/**
 * What is known of a value or a parameter by its declared type, library types and basic ones
 * included: as much as telling overloads apart needs, where values of such types say nothing.
 */
import type { Definition, Expression } from '../model/facts.ts'
import type { Evaluator } from './evaluate.ts'
import { passerOf } from './library.ts'
import { entryOf, type Place } from './linking.ts'
import type { Member } from './members.ts'
import type { Bound } from './value.ts'
import type { View } from './view.ts'

export interface Shape {
  /** The type's simple name; empty for a function that is written where it is passed. */
  readonly name: string
  /** Where the type is defined, when it is of the repository. */
  readonly place: Place | undefined
  /** How many arrays are around it. */
  readonly depth: number
  /** Of a function, how many parameters it has, where that can be seen; else -1. */
  readonly count: number
}

export interface At {
  readonly at: number
  readonly bound: Bound | undefined
}

/** Of a value; nothing when it cannot be told. */
export function shapeOf(of: Evaluator, view: View, { at, bound }: At): Shape | undefined {
  if (at === 0) return undefined
  const known = bound === undefined ? view.shapes.get(at) : undefined
  if (known !== undefined) return known ?? undefined
  if (!of.goesOn()) return undefined
  if (view.openShapes.get(at) === true) {
    of.cut()
    return undefined
  }
  view.openShapes.set(at, true)
  const cutsBefore = of.cuts
  const found = find(of, view, { at, bound })
  view.openShapes.set(at, false)
  if (bound === undefined && of.cuts === cutsBefore) view.shapes.set(at, found ?? null)
  return found
}

function find(of: Evaluator, view: View, { at, bound }: At): Shape | undefined {
  const it = view.expression(at)
  switch (it.op) {
    case 'literal':
      return named(it.name)
    case 'typed':
      return shapeOfType(of, view, { at: it.of, bound })
    case 'name':
      return ofPlaces(of, of.targets(view, at), bound) ?? ofValues(of, view, { at, bound })
    case 'member':
      return ofMember(of, view, { at, bound })
    case 'call':
      return ofCall(of, view, { at, bound })
    case 'item': {
      const held = shapeOf(of, view, { at: it.of, bound })
      return held !== undefined && held.depth > 0
        ? { ...held, depth: held.depth - 1 }
        : ofValues(of, view, { at, bound })
    }
    case 'either': {
      const basic = view.linking.overloads?.constants
      return common(it.list.map((each) => unboxed(shapeOf(of, view, { at: each, bound }), basic)))
    }
    case 'generic':
      // `Item::new`; types stand elsewhere.
      return callable(-1)
    case 'define':
      return isFunction(view, it) ? callable(view.definition(it.of).parameters.length) : undefined
    default:
      return ofValues(of, view, { at, bound })
  }
}

function named(name: string, place?: Place): Shape | undefined {
  return name === '' ? undefined : { name, place, depth: 0, count: -1 }
}

/** `char[]` is an array. */
function written(name: string): Shape | undefined {
  const found = named(name.replace('[]', ''))
  return found === undefined || !name.endsWith('[]') ? found : { ...found, depth: 1 }
}

function callable(count: number): Shape {
  return { name: '', place: undefined, depth: 0, count }
}

function isFunction(view: View, it: Expression): boolean {
  return view.definition(it.of).kind === 'function'
}

function ofMember(of: Evaluator, view: View, { at, bound }: At): Shape | undefined {
  const it = view.expression(at)
  const found = ofPlaces(of, of.targets(view, at, bound), bound)
  if (found !== undefined) return found
  const holder = shapeOf(of, view, { at: it.of, bound })
  if (holder !== undefined && holder.depth > 0 && it.name === 'length') return named('int')
  const constants = libraryType(of, view, it.of)
  const basic = entryOf(view.linking.overloads?.constants, constants)
  return basic === undefined ? ofValues(of, view, { at, bound }) : named(basic)
}

/** The name of a class that is not of the repository, where it stands for itself; else empty. */
function libraryType(of: Evaluator, view: View, at: number): string {
  const it = view.expression(at)
  return it.op === 'name' && /^[A-Z]/.test(it.name) && of.targets(view, at).length === 0
    ? it.name
    : ''
}

/** What a function of the library gives, as far as its name tells. */
function ofLibraryCall(of: Evaluator, view: View, it: Expression): Shape | undefined {
  const rules = view.linking.overloads
  const callee = view.expression(it.of)
  if (rules === undefined || callee.op !== 'member') return undefined
  const [first = 0] = it.list
  if (passerOf(view, callee) === 'same') return shapeOf(of, view, { at: first, bound: undefined })
  if (callee.name === 'clone') return shapeOf(of, view, { at: callee.of, bound: undefined })
  const known = entryOf(rules.returns, callee.name)
  if (known !== undefined) return written(known)
  return rules.makers.has(callee.name) ? named(libraryType(of, view, callee.of)) : undefined
}

/** What a call gives by the declaration of what is called. */
function ofCall(of: Evaluator, view: View, { at, bound }: At): Shape | undefined {
  const it = view.expression(at)
  const callees = of.values(view, it.of, bound).filter((each) => each.is === 'thing')
  const found = of.meant(callees, { view, list: it.list, bound })
  if (found.length === 0) return ofValues(of, view, { at, bound }) ?? ofLibraryCall(of, view, it)
  const shapes = found.map((each) => returned(of, each))
  return common(shapes) ?? ofValues(of, view, { at, bound })
}

function returned(of: Evaluator, { place, bound }: Member): Shape | undefined {
  const view = of.view(place.path)
  if (view === undefined) return undefined
  return shapeOfType(of, view, { at: view.definition(place.definition).type, bound })
}

/** What several alternatives have in common. A text goes before numbers, and a wide number too. */
function common(shapes: readonly (Shape | undefined)[]): Shape | undefined {
  const known = shapes.filter((it) => it !== undefined)
  if (known.length < shapes.length) return undefined
  const [first, ...others] = known.filter((it) => it.name !== 'null')
  if (first === undefined) return known[0]
  return others.reduce<Shape | undefined>(
    (widest, it) => (widest === undefined ? undefined : wider(widest, it)),
    first,
  )
}

/** What is added up, or one of two, is as good as what is in it. */
function unboxed(
  shape: Shape | undefined,
  basic: Readonly<Record<string, string>> | undefined,
): Shape | undefined {
  const inner = shape?.depth === 0 ? entryOf(basic, shape.name) : undefined
  return inner === undefined ? shape : named(inner)
}

function wider(one: Shape, other: Shape): Shape | undefined {
  if (one.name === other.name && one.depth === other.depth) return one
  if (one.depth > 0 || other.depth > 0) return undefined
  const [left, right] = [WIDTHS.indexOf(one.name), WIDTHS.indexOf(other.name)]
  if (left < 0 || right < 0) return undefined
  return left > right ? one : other
}

/** Of what can be added up, each takes those before it. */
const WIDTHS = ['byte', 'short', 'char', 'int', 'long', 'float', 'double', 'String']

/** What is known by evaluating it. */
function ofValues(of: Evaluator, view: View, { at, bound }: At): Shape | undefined {
  const values = of.values(view, at, bound)
  const [only] = values
  if (only === undefined || values.length > 1 || only.is !== 'instance') return undefined
  const { name, kind } = of.view(only.place.path)?.definition(only.place.definition) ?? NO_TYPE
  // A class without a name is known by what it is made of.
  if (name !== '' || kind !== 'class') return named(name, only.place)
  return { name: 'class', place: only.place, depth: 0, count: -1 }
}

const NO_TYPE: Pick<Definition, 'name' | 'kind'> = { name: '', kind: 'file' }

function ofPlaces(
  of: Evaluator,
  places: readonly Place[],
  bound: Bound | undefined,
): Shape | undefined {
  const [place, ...others] = places
  const view = place === undefined ? undefined : of.view(place.path)
  if (place === undefined || view === undefined) return undefined
  const it = view.definition(place.definition)
  switch (it.kind) {
    case 'variable':
    case 'field':
    case 'parameter':
      return others.length > 0 ? undefined : declared(of, view, { place, bound })
    case 'member':
      return named(view.definition(it.owner).name, view.place(it.owner))
    case 'method':
      return callable(-1)
    default:
      return undefined
  }
}

function declared(
  of: Evaluator,
  view: View,
  { place, bound }: { readonly place: Place; readonly bound: Bound | undefined },
): Shape | undefined {
  const it = view.definition(place.definition)
  if (it.type > 0) return shapeOfType(of, view, { at: it.type, bound })
  if (it.value === 0 || !of.enters(view, place.definition)) return undefined
  const found = shapeOf(of, view, { at: it.value, bound })
  of.leaves(view, place.definition)
  return found
}

/** Of a type; nothing when it can be any. */
export function shapeOfType(of: Evaluator, view: View, { at, bound }: At): Shape | undefined {
  const it = view.expression(at)
  switch (it.op) {
    case 'literal':
      return named(it.name)
    case 'generic':
      return shapeOfType(of, view, { at: it.of, bound })
    case 'collection': {
      const held = shapeOfType(of, view, { at: it.list[0] ?? 0, bound })
      return held === undefined ? undefined : { ...held, depth: held.depth + 1 }
    }
    case 'either':
      return shapeOfType(of, view, { at: it.list[0] ?? 0, bound })
    case 'name':
    case 'member':
    case 'import':
      return ofTypeName(of, view, { at, bound })
    default:
      return undefined
  }
}

function ofTypeName(of: Evaluator, view: View, { at, bound }: At): Shape | undefined {
  const known = view.typeShapes.get(at)
  if (known !== undefined) return known
  const { name } = view.expression(at)
  const cutsBefore = of.cuts
  const [place] = of.targets(view, at, bound)
  const home = place === undefined ? undefined : of.view(place.path)
  const it = place === undefined ? undefined : home?.definition(place.definition)
  if (place === undefined || home === undefined || it?.kind !== 'type-parameter') {
    const isOurs = place !== undefined && it !== undefined && it.kind !== 'import'
    const found = isOurs ? named(it.name, place) : named(name)
    if (of.cuts === cutsBefore) view.typeShapes.set(at, found)
    return found
  }
  const told = bound === undefined ? undefined : ofTold(of, view, { at, bound })
  return told ?? (it.type > 0 ? shapeOfType(of, home, { at: it.type, bound }) : undefined)
}

function ofTold(of: Evaluator, view: View, { at, bound }: At): Shape | undefined {
  const values = of.types(view, at, bound)
  const [only] = values
  if (only === undefined || values.length > 1 || only.is !== 'instance') return undefined
  return named(of.view(only.place.path)?.definition(only.place.definition).name ?? '', only.place)
}
