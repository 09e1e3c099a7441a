/** The few facts about standard libraries that types cannot be followed without: lists and promises. */
import type { Expression } from '../model/facts.ts'
import { entryOf, type Method, type Passer } from './linking.ts'
import { instancesOf, items, NOTHING, union, type Value, type Values } from './value.ts'
import type { View } from './view.ts'

/** Take a function and give it the items one by one. */
const PER_ITEM: ReadonlySet<string> = new Set([
  'map',
  'forEach',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'some',
  'every',
  'flatMap',
  'each',
  'any',
  'all',
  'none',
  'anyMatch',
  'allMatch',
  'noneMatch',
  'select',
  'reject',
  'for_each',
  'filter_map',
  'sortBy',
  'sort_by',
  'groupBy',
  'takeWhile',
  'dropWhile',
  'peek',
  'iter',
  'collect',
  'mapToInt',
  'mapToLong',
  'mapToDouble',
  'mapToObj',
  'removeIf',
  'replaceAll',
])
/** Take a function and give it the items two by two. */
const COMPARING: ReadonlySet<string> = new Set(['sort', 'toSorted', 'sorted', 'min', 'max'])
/** Take more items. */
const TAKING: ReadonlySet<string> = new Set(['push', 'unshift', 'add', 'append'])
/** Give back the same kind of list. */
const SAME: ReadonlySet<string> = new Set([
  'filter',
  'slice',
  'concat',
  'sort',
  'reverse',
  'toSorted',
  'toReversed',
  'values',
  'copy',
  'stream',
  'iter',
  'into_iter',
  'iter_mut',
  'collect',
  'toList',
  'toArray',
  'distinct',
  'limit',
  'skip',
  'take',
  'drop',
  'asSequence',
  'keys',
  'sorted',
  'entrySet',
  'iterator',
  'listIterator',
  'subList',
])
/** Give back a list of pairs of key and item. */
const PAIRS: ReadonlySet<string> = new Set(['entries', 'items'])
/** Give back one item. */
const ONE: ReadonlySet<string> = new Set([
  'find',
  'findLast',
  'at',
  'pop',
  'shift',
  'get',
  'first',
  'last',
  'next',
  'peek',
  'poll',
  'remove',
  'findFirst',
  'findAny',
  'getFirst',
  'getLast',
  'getOrDefault',
  'setdefault',
  'unwrap',
  'firstOrNull',
  'put',
  'computeIfAbsent',
  'putIfAbsent',
  'removeFirst',
  'removeLast',
  'peekFirst',
  'peekLast',
  'pollFirst',
  'pollLast',
  'element',
  'min',
  'max',
])
/** Give what waiting for the receiver gives to the function that they take. */
const WHEN_DONE: ReadonlySet<string> = new Set([
  'then',
  'finally',
  'tap',
  'also',
  'let',
  'apply',
  'and_then',
  'ifPresent',
])
/** Call a function that is known by its type. */
const CALLED: ReadonlySet<string> = new Set(['apply', 'accept', 'test', 'call', 'invoke'])
/** Give the function itself, or call it. */
const OF_FUNCTIONS: ReadonlySet<string> = new Set(['bind'])
/** Calling these on a wrapper gives what is wrapped. */
const UNWRAPS: ReadonlySet<string> = new Set([
  'unwrap',
  'expect',
  'clone',
  'as_ref',
  'as_mut',
  'borrow',
  'borrow_mut',
  'lock',
  'unwrap_or_default',
  'orElseThrow',
  'orElse',
  'await',
  'catch',
  'finally',
  'to_owned',
  'deref',
  'getValue',
])

/** What a list or a map holds: under a key where the key is known, else anywhere in it. */
export function itemsOf(values: Values, key = ''): Values {
  const lists = listsIn(values)
  if (lists.length === 0) return NOTHING
  if (key === '') return union(lists.map((it) => it.of))
  return union(lists.map((it) => it.at?.get(key) ?? it.of))
}

/** What the keys of a map are. */
export function keysOf(values: Values): Values {
  return union(listsIn(values).map((it) => it.at?.keyValues?.() ?? NOTHING))
}

/** What is passed to a function, argument by argument. */
export interface Passed {
  readonly count: number
  held(index: number): Values
  keys(index: number): Values
}

/** What a function that passes items on gives back. */
export function passedOn(
  passer: Exclude<Passer, 'same' | 'merged'>,
  { count, held, keys }: Passed,
): Values {
  switch (passer) {
    case 'each':
      return [sequence(held(0))]
    case 'keys':
      return [sequence(keys(0))]
    case 'list':
      return [items(held(0))]
    case 'item':
      return held(0)
    case 'numbered':
      return [items([tuple([NOTHING, held(0)])])]
    case 'tuples':
      return [items([tuple(Array.from({ length: count }, (_, at) => held(at)))])]
  }
}

/** A loop over it gives what is in it, and nothing beside. */
function sequence(of: Values): Value {
  return items(of, { get: () => undefined, keyValues: () => of })
}

/** What a method of the library gives back that the language's table has. */
export function resultOfMethod(how: Method, holders: Values, asked: Asked): Values {
  const { held, returned } = asked
  switch (how) {
    case 'same':
    case 'sifted':
      return holders
    case 'made':
      return instancesOf(holders)
    case 'item':
    case 'found':
      return held
    case 'held':
      return held.length > 0 ? held : holders
    case 'numbered':
      return passedOn('numbered', { count: 1, held: () => held, keys: () => NOTHING })
    case 'mapped':
      return held.length > 0 ? [items(returned())] : returned()
    case 'flattened':
      return [items(itemsOf(returned()))]
  }
}

interface Asked {
  /** The items of what the method is called on. */
  readonly held: Values
  /** What the functions that it is given return. */
  returned(): Values
}

/** Such a method as a value, where it takes a function. */
export function methodTaking(how: Method, holders: Values, held: Values): Values {
  if (!TAKING_FUNCTIONS.has(how) || holders.length === 0) return NOTHING
  const given = held.length > 0 ? held : holders
  const taken: Values = [{ is: 'callback', parameters: [given, given] }]
  return [{ is: 'callback', parameters: [taken, taken] }]
}

const TAKING_FUNCTIONS: ReadonlySet<Method> = new Set(['mapped', 'flattened', 'sifted', 'found'])

function tuple(parts: readonly Values[]): Value {
  return items(union(parts), new Map(parts.map((it, at) => [String(at), it])))
}

type List = Extract<Value, { readonly is: 'items' }>

/** Most values are no lists. */
function listsIn(values: Values): readonly List[] {
  let lists: List[] | undefined
  for (const it of values) {
    if (it.is !== 'items') continue
    if (lists === undefined) lists = [it]
    else lists.push(it)
  }
  return lists ?? NO_LISTS
}

const NO_LISTS: readonly List[] = []

/** A function that a method of a list or a promise takes, as a value whose parameters are known. */
export function callbackOf(holders: Values, name: string): Values {
  if (holders.length === 0) return NOTHING
  const held = itemsOf(holders)
  if (held.length > 0 && PER_ITEM.has(name))
    return [method([{ is: 'callback', parameters: [held] }])]
  if (held.length > 0 && COMPARING.has(name))
    return [method([{ is: 'callback', parameters: [held, held] }])]
  if (held.length > 0 && TAKING.has(name)) return [method(held)]
  if (held.length > 0 && name === 'reduce')
    return [method([{ is: 'callback', parameters: [NOTHING, held] }])]
  if (WHEN_DONE.has(name)) return [method([{ is: 'callback', parameters: [holders] }])]
  return NOTHING
}

/** A method whose first parameter is expected to be one of these. */
function method(first: Values): Value {
  return { is: 'callback', parameters: [first] }
}

/** What a method of a list or a wrapper gives back; nothing when it is not known to be one. */
export function resultOfLibraryCall(
  holders: Values,
  name: string,
  returnedByArgument: () => Values,
): Values | undefined {
  const lists = listsIn(holders)
  if (lists.length > 0) {
    if (name === 'map' || name === 'flatMap') {
      const results = returnedByArgument()
      return [items(name === 'map' ? results : itemsOf(results))]
    }
    if (SAME.has(name)) return lists
    if (PAIRS.has(name)) return [items([tuple([NOTHING, itemsOf(lists)])])]
    if (ONE.has(name)) return itemsOf(lists)
    return undefined
  }
  if (name === 'then') return returnedByArgument()
  if (CALLED.has(name) && holders.some((it) => it.is === 'callback'))
    return union(holders.map((it) => (it.is === 'callback' ? (it.returns ?? NOTHING) : NOTHING)))
  if (OF_FUNCTIONS.has(name) && holders.some((it) => it.is === 'thing')) return holders
  return UNWRAPS.has(name) ? holders : undefined
}

/** How a function of the library passes on what its arguments hold, if it does. */
export function passerOf(view: View, callee: Expression): Passer | undefined {
  return entryOf(view.linking.passers, fullName(view, callee))
}

/** `sorted`, `Object.values`. */
export function fullName(view: View, callee: Expression): string {
  if (callee.op !== 'member') return callee.op === 'name' ? callee.name : ''
  const holder = view.expression(callee.of)
  return holder.op === 'name' ? `${holder.name}.${callee.name}` : ''
}
