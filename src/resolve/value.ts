/**
 * What an expression may be, as far as its members and calls can be told from it. Values of one
 * sort have the same fields, undefined ones included: code that meets few shapes of objects is
 * compiled to much quicker code, and only once.
 */
import type { Place } from './linking.ts'

export type Value =
  /** A class, a function, an object or a namespace: the thing that is defined there. */
  | { readonly is: 'thing'; readonly place: Place; readonly bound: Bound | undefined }
  /** Something that was made of a class, or that has a declared type. */
  | { readonly is: 'instance'; readonly place: Place; readonly bound: Bound | undefined }
  /** The files that a module specifier leads to. */
  | { readonly is: 'module'; readonly paths: readonly string[] }
  /** A list, a set, the values of a map. */
  | { readonly is: 'items'; readonly of: Values; readonly at: ByKey | undefined }
  /** A function known by its type alone: what it is given, parameter by parameter, and gives back. */
  | {
      readonly is: 'callback'
      readonly parameters: readonly Values[]
      readonly returns?: Values
    }

export type Values = readonly Value[]

/** What a list holds by its place, a map by its key. */
export interface ByKey {
  get(key: string): Values | undefined
  /** What the keys themselves are, where that is known. */
  keyValues?(): Values
}

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
  return { is: 'thing', place, bound }
}

export function instance(place: Place, bound?: Bound): Held {
  return { is: 'instance', place, bound }
}

/** Instances of what among these can have some. */
export function instancesOf(values: Values): Values {
  if (values.length === 0) return NOTHING
  const made: Value[] = []
  for (const it of values) if (it.is === 'thing') made.push(instance(it.place, it.bound))
  return made
}

/** What among these are instances, as the things that they are instances of. */
export function thingsOf(values: Values): Values {
  return values.map((it) => (it.is === 'instance' ? thing(it.place, it.bound) : it))
}

/** Lists of lists of lists are not followed further. */
const DEEPEST_LIST = 3

/** A list, unless lists in it go too deep: a list that holds itself would have no end. */
export function items(of: Values, at?: ByKey): Value {
  const shallow = of.some((it) => it.is === 'items')
    ? of.filter((it) => depthOf(it) < DEEPEST_LIST)
    : of
  return at === undefined || shallow.length < of.length
    ? { is: 'items', of: shallow, at: undefined }
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
  let first = NOTHING
  let all: Value[] | undefined
  for (const list of lists) {
    if (list.length === 0) continue
    if (first.length === 0) {
      first = list
      continue
    }
    if (all === undefined) {
      all = []
      addTo(all, first)
    }
    addTo(all, list)
  }
  return all ?? first
}

function addTo(all: Value[], list: Values): void {
  for (const value of list) {
    if (all.length >= MOST) return
    if (!includes(all, value)) all.push(value)
  }
}

function includes(all: Values, value: Value): boolean {
  for (const it of all) if (isSame(it, value)) return true
  return false
}

/** What type parameters stand for makes no difference. */
function isSame(a: Value, b: Value): boolean {
  switch (a.is) {
    case 'thing':
    case 'instance':
      return a.is === b.is && samePlace(a.place, b.place)
    case 'module':
      return b.is === 'module' && areSame(a.paths, b.paths, (one, other) => one === other)
    case 'items':
      return b.is === 'items' && areSame(a.of, b.of, isSame)
    case 'callback':
      return b.is === 'callback' && sameCallback(a, b)
  }
}

type Callback = Extract<Value, { readonly is: 'callback' }>

/** By what it gives back, where that is known; else by what it is given. */
function sameCallback(a: Callback, b: Callback): boolean {
  if (a.returns === undefined || b.returns === undefined)
    return a.returns === b.returns && areSame(a.parameters, b.parameters, areAllSame)
  return areAllSame(a.returns, b.returns)
}

function areAllSame(a: Values, b: Values): boolean {
  return areSame(a, b, isSame)
}

function areSame<T>(
  a: readonly T[],
  b: readonly T[],
  same: (one: T, other: T) => boolean,
): boolean {
  return a.length === b.length && a.every((one, at) => same(one, b[at] as T))
}

export function samePlace(a: Place, b: Place): boolean {
  return a.definition === b.definition && a.path === b.path
}

export function uniquePlaces(places: readonly Place[]): readonly Place[] {
  if (places.length <= 1) return places
  return places.filter((it, at) => places.findIndex((other) => samePlace(it, other)) === at)
}

/** Lists as they are; anything else is in one. */
export function itemised(values: Values): Values {
  return values.every((it) => it.is === 'items') ? values : [items(values)]
}
