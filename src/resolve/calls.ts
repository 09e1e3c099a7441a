/** What calling gives, and what callees expect of their arguments. */
import { type Definition, type Expression, TRAIT } from '../model/facts.ts'
import type { Evaluator } from './evaluate.ts'
import { inferred, type Known } from './inference.ts'
import {
  callbackOf,
  itemsOf,
  keysOf,
  methodTaking,
  passedOn,
  passerOf,
  resultOfLibraryCall,
  resultOfMethod,
} from './library.ts'
import { entryOf, type Place } from './linking.ts'
import { inheritedLists, members } from './members.ts'
import { meant, type Passed } from './overloads.ts'
import { type InContext, typeAt } from './types.ts'
import {
  type Bound,
  type Held,
  instance,
  NOTHING,
  thing,
  union,
  uniquePlaces,
  type Value,
  type Values,
} from './value.ts'
import type { View } from './view.ts'

export function callValues(of: Evaluator, view: View, { it, bound }: InContext): Values {
  const callee = calleeOf(view, it)
  if (callee.op === 'super') return of.values(view, it.of, bound)
  if (callee.op === 'member') {
    const holders = of.values(view, callee.of, bound)
    const known = resultOfList(of, view, { it, lists: holders, bound })
    if (known !== undefined && members(of, holders, callee.name).length === 0) return known
  }
  const known = passedIn(of, view, { list: it.list, bound })
  const callees = meantOf(of, of.values(view, it.of, bound), { view, list: it.list, bound })
  if (callees.length > 0) return returnedBy(of, callees, known)
  if (callee.op === 'member') {
    const holders = of.values(view, callee.of, bound)
    const lists = inheritedLists(of, holders)
    const result = lists.length === 0 ? undefined : resultOfList(of, view, { it, lists, bound })
    if (result !== undefined) return result
    const method = entryOf(view.linking.methods, callee.name)
    if (method !== undefined)
      return resultOfMethod(method, holders, {
        held: itemsHeld(of, holders),
        returned: () => union(it.list.map((each) => returnedBy(of, of.values(view, each, bound)))),
      })
  }
  const passer = passerOf(view, callee)
  if (passer === undefined) return NOTHING
  if (passer === 'same') return known.argument(0)
  if (passer === 'merged') return union(it.list.map((_, index) => known.argument(index)))
  return passedOn(passer, {
    count: it.list.length,
    held: (index) => itemsHeld(of, known.argument(index)),
    keys: (index) => keysOf(known.argument(index)),
  })
}

interface ListCall {
  readonly it: Expression
  readonly lists: Values
  readonly bound: Bound | undefined
}

function resultOfList(
  of: Evaluator,
  view: View,
  { it, lists, bound }: ListCall,
): Values | undefined {
  return resultOfLibraryCall(lists, calleeOf(view, it).name, () =>
    union(it.list.map((each) => returnedBy(of, of.values(view, each, bound)))),
  )
}

/** Of several functions of one name, those that take what is passed. */
function meantOf(of: Evaluator, callees: Values, passed: Passed): Values {
  if (passed.view.linking.overloads === undefined) return callees
  const functions = callees.filter((it) => it.is === 'thing')
  if (functions.length < callees.length) return callees
  const found = meant(of, functions, passed)
  return found === functions ? callees : found.map(({ place, bound }) => thing(place, bound))
}

function passedIn(
  of: Evaluator,
  view: View,
  { list, bound }: { readonly list: readonly number[]; readonly bound: Bound | undefined },
): Known {
  return {
    isPassed: (index) => (list[index] ?? 0) > 0,
    argument: (index) => of.values(view, list[index] ?? 0, bound),
  }
}

/** What is called, without its type arguments. */
export function calleeOf(view: View, it: Expression): Expression {
  const callee = view.expression(it.of)
  return callee.op === 'generic' ? view.expression(callee.of) : callee
}

/** What calling gives. */
export function returnedBy(of: Evaluator, callees: Values, known?: Known): Values {
  const [only] = callees
  if (only === undefined) return NOTHING
  if (callees.length === 1) return returnedByOne(of, only, known)
  return union(callees.map((callee) => returnedByOne(of, callee, known)))
}

function returnedByOne(of: Evaluator, callee: Value, known: Known | undefined): Values {
  if (callee.is === 'callback') return callee.returns ?? NOTHING
  if (callee.is !== 'thing' && callee.is !== 'instance') return NOTHING
  const view = of.view(callee.place.path)
  if (view === undefined) return NOTHING
  if (callee.is === 'instance') {
    const called = members(of, [callee], view.linking.calls ?? '()')
    return union(
      called.map(({ place, bound }) =>
        returnOf(of, place, inferred(of, thing(place, bound), known)),
      ),
    )
  }
  const { kind } = view.definition(callee.place.definition)
  if (kind === 'class' && view.linking.callMakes) return [instance(callee.place, callee.bound)]
  // `Kind(3)` makes a value of a type that has only another name, `Reader(file)` one of its kind.
  if (CONVERTS.has(kind) && view.linking.callMakes)
    return typeAt(of, callee.place, { args: [], outer: callee.bound })
  return returnOf(of, callee.place, inferred(of, callee, known))
}

const CONVERTS: ReadonlySet<string> = new Set(['type', 'interface', 'type-parameter'])

/** What a list holds, what a class says of being subscripted or looped over; `Base[T]` is `Base`. */
export function itemsHeld(
  of: Evaluator,
  holders: Values,
  it: Pick<Expression, 'name' | 'list'> = LOOP,
): Values {
  const held = itemsOf(holders, it.name)
  if (held.length > 0 || holders.every(({ is }) => is === 'items')) return held
  return union(
    holders.map((holder) => {
      const view = 'place' in holder ? of.view(holder.place.path) : undefined
      if (view === undefined || !('place' in holder)) return NOTHING
      const isSubscript = it.list.length > 0
      const { advances } = view.linking
      if (!isSubscript && advances !== undefined && holder.is === 'instance')
        return union(
          members(of, [holder], advances).map(({ place, bound }) => returnOf(of, place, bound)),
        )
      const name = isSubscript ? view.linking.subscripts : view.linking.iterates
      if (name === undefined) return isSubscript ? NOTHING : itemsOf(inheritedLists(of, [holder]))
      if (holder.is === 'thing')
        return view.definition(holder.place.definition).kind === 'class' ? [holder] : NOTHING
      const given = union(
        members(of, [holder], name).map(({ place, bound }) => returnOf(of, place, bound)),
      )
      return isSubscript ? given : itemsOf(given)
    }),
  )
}

const LOOP = { name: '', list: [] } as const

/** What something callable returns: by its declared type, else by its own statements. */
export function returnOf(of: Evaluator, place: Place, bound: Bound | undefined): Values {
  const view = of.view(place.path)
  if (view === undefined) return NOTHING
  const it = view.definition(place.definition)
  if (it.type > 0 && it.kind !== 'object') {
    const declared = of.types(view, it.type, bound)
    if (declared.length > 0) return declared
  }
  return it.value > 0 && it.inner >= 0 && it.kind !== 'variable'
    ? of.guarded(view, place.definition, () => of.values(view, it.value, bound))
    : NOTHING
}

export function parameterValues(of: Evaluator, view: View, { it, bound }: InContext): Values {
  const callee = calleeOf(view, it)
  const [index = 0, result = 0, ...passed] = it.list
  const known = {
    ...passedIn(of, view, { list: passed, bound }),
    ...(result > 0 ? { result: () => of.values(view, result, bound) } : {}),
  }
  const wanted = { index, name: it.name, known }
  const callees = of.values(view, it.of, bound)
  const own = union(callees.map((each) => parameterOf(of, each, wanted)))
  if (own.length > 0 || callee.op !== 'member') return own
  const holders = of.values(view, callee.of, bound)
  const method = entryOf(view.linking.methods, callee.name)
  const taking = method === undefined ? [] : methodTaking(method, holders, itemsHeld(of, holders))
  const lists = inheritedLists(of, holders)
  const callback =
    taking.length > 0 ? taking : callbackOf(lists.length > 0 ? lists : holders, callee.name)
  return union(callback.map((each) => parameterOf(of, each, wanted)))
}

/**
 * The parameters that an argument passed by name is for. A class that has no constructor, neither
 * its own nor an inherited one, is made from its fields: a dataclass, a named tuple.
 */
export function parameterPlaces(of: Evaluator, callees: Values, name: string): readonly Place[] {
  return uniquePlaces(
    callees.flatMap((callee) => {
      if (callee.is !== 'thing' && callee.is !== 'instance') return []
      const view = of.view(callee.place.path)
      if (view === undefined) return []
      const it = view.definition(callee.place.definition)
      const called = calledMember(view, it, callee)
      if (called === undefined) {
        const at = parameterAt(view, it, { index: 0, name })
        return at === undefined ? [] : [view.place(at)]
      }
      const made = instance(callee.place, callee.bound)
      const own = members(of, [made], called)
      if (own.length > 0)
        return parameterPlaces(
          of,
          own.map(({ place, bound }) => thing(place, bound)),
          name,
        )
      return callee.is === 'thing' ? members(of, [made], name).map(({ place }) => place) : []
    }),
  )
}

/** What runs when a class or an object is called; of a function, nothing but itself. */
function calledMember(view: View, it: Definition, callee: Held): string | undefined {
  if (callee.is === 'thing' && it.kind !== 'class') return undefined
  const isMade = it.kind === 'class' && callee.is === 'thing'
  return isMade ? (view.linking.maker ?? 'constructor') : (view.linking.calls ?? '()')
}

interface WantedParameter {
  readonly index: number
  /** Not empty when the argument is passed by name. */
  readonly name: string
  readonly known?: Known
}

function parameterOf(of: Evaluator, callee: Value, wanted: WantedParameter): Values {
  if (callee.is === 'callback') return callee.parameters[wanted.index] ?? NOTHING
  if (callee.is !== 'thing' && callee.is !== 'instance') return NOTHING
  const view = of.view(callee.place.path)
  if (view === undefined) return NOTHING
  const it = view.definition(callee.place.definition)
  const name = calledMember(view, it, callee)
  if (name !== undefined) {
    const called = members(of, [instance(callee.place, callee.bound)], name)
    return union(called.map(({ place, bound }) => parameterOf(of, thing(place, bound), wanted)))
  }
  const at = parameterAt(view, it, wanted)
  if (at === undefined) return NOTHING
  const expected = view.definition(at)
  const bound = inferred(of, callee, wanted.known)
  // Without a type of its own, a parameter is what is expected there in turn, or its default.
  const values =
    expected.type > 0
      ? of.types(view, expected.type, bound)
      : of.values(view, expected.value, bound)
  return (expected.traits & TRAIT.rest) === 0 ? values : itemsOf(values)
}

function parameterAt(view: View, it: Definition, wanted: WantedParameter): number | undefined {
  if (wanted.name !== '')
    return it.parameters.find((at) => view.definition(at).name === wanted.name)
  return it.parameters[wanted.index + receivers(view, it)] ?? lastRest(view, it)
}

/** How many parameters stand before those that the caller writes arguments for. */
export function receivers(view: View, it: Definition): number {
  const [first] = it.parameters
  if (first !== undefined && view.definition(first).name === 'this') return 1
  const isMethod = it.kind === 'method' || it.kind === 'constructor'
  return view.linking.receiverIsParameter === true && isMethod && (it.traits & TRAIT.static) === 0
    ? 1
    : 0
}

function lastRest(view: View, it: Definition): number | undefined {
  const last = it.parameters.at(-1)
  return last !== undefined && (view.definition(last).traits & TRAIT.rest) !== 0 ? last : undefined
}
