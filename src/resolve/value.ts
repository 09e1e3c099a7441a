/** What an expression may be, as far as its members and calls can be told from it. */
import type { Place } from './linking.ts'

export type Value =
  /** A class, a function, an object or a namespace: the thing that is defined there. */
  | { readonly is: 'thing'; readonly place: Place; readonly bound?: Bound }
  /** Something that was made of a class, or that has a declared type. */
  | { readonly is: 'instance'; readonly place: Place; readonly bound?: Bound }
  /** The files that a module specifier leads to. */
  | { readonly is: 'module'; readonly paths: readonly string[] }
  /** A list, a set, the values of a map. */
  | { readonly is: 'items'; readonly of: Values; readonly at?: ReadonlyMap<string, Values> }
  /** A function known by its type alone: what it is given, parameter by parameter, and gives back. */
  | {
      readonly is: 'callback'
      readonly parameters: readonly Values[]
      readonly returns?: Values
    }

export type Values = readonly Value[]

/** A value that is known by a definition. */
export type Held = Extract<Value, { readonly place: Place }>

/** What the type parameters of a definition stand for, from the inside out. */
export interface Bound {
  readonly place: Place
  /** Found out only when asked for: most type arguments never matter. */
  readonly to: readonly (() => Values)[]
  readonly outer: Bound | undefined
}

export const NOTHING: Values = []

export function thing(place: Place, bound?: Bound): Held {
  return bound === undefined ? { is: 'thing', place } : { is: 'thing', place, bound }
}

export function instance(place: Place, bound?: Bound): Held {
  return bound === undefined ? { is: 'instance', place } : { is: 'instance', place, bound }
}

export function instanceOf(value: Value): Values {
  return value.is === 'thing' ? [{ ...value, is: 'instance' }] : NOTHING
}

/** Lists of lists of lists are not followed further. */
const DEEPEST_LIST = 3

/** A list, unless lists in it go too deep: a list that holds itself would have no end. */
export function items(of: Values, at?: ReadonlyMap<string, Values>): Value {
  const shallow = of.filter((it) => depthOf(it) < DEEPEST_LIST)
  return at === undefined || shallow.length < of.length
    ? { is: 'items', of: shallow }
    : { is: 'items', of, at }
}

function depthOf(value: Value): number {
  if (value.is !== 'items') return 0
  return 1 + Math.max(0, ...value.of.map(depthOf))
}

/** More alternatives than this say nothing. */
const MOST = 12

/** Without repetition, in order of arrival. */
export function union(lists: readonly Values[]): Values {
  const single = lists.filter((it) => it.length > 0)
  if (single.length <= 1) return single[0] ?? NOTHING
  const seen = new Map<string, Value>()
  for (const value of single.flat()) {
    const key = keyOf(value)
    if (!seen.has(key)) seen.set(key, value)
    if (seen.size >= MOST) break
  }
  return [...seen.values()]
}

export function keyOf(value: Value): string {
  switch (value.is) {
    case 'thing':
    case 'instance':
      return `${value.is} ${value.place.path} ${value.place.definition}`
    case 'module':
      return `module ${value.paths.join(' ')}`
    case 'items':
      return `items ${value.of.map(keyOf).join(',')}`
    case 'callback':
      return value.returns === undefined
        ? `callback ${value.parameters.map((it) => it.map(keyOf).join('|')).join(',')}`
        : `callback giving ${value.returns.map(keyOf).join('|')}`
  }
}

export function samePlace(a: Place, b: Place): boolean {
  return a.definition === b.definition && a.path === b.path
}

export function uniquePlaces(places: readonly Place[]): readonly Place[] {
  if (places.length <= 1) return places
  return places.filter((it, at) => places.findIndex((other) => samePlace(it, other)) === at)
}
