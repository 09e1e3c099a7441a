/** What calling gives, and what callees expect of their arguments. */
import { type Definition, TRAIT } from '../model/facts.ts'
import type { Evaluator } from './evaluate.ts'
import { callbackOf, itemsOf, passedOn, resultOfLibraryCall } from './library.ts'
import type { Place } from './linking.ts'
import { members } from './members.ts'
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
  const callee = view.expression(it.of)
  if (callee.op === 'super') return of.values(view, it.of, bound)
  if (callee.op === 'member') {
    const holders = of.values(view, callee.of, bound)
    const known = resultOfLibraryCall(holders, callee.name, () =>
      union(it.list.map((each) => returnedBy(of, of.values(view, each, bound)))),
    )
    if (known !== undefined && members(of, holders, callee.name).length === 0) return known
  }
  const argument = (index: number): Values => of.values(view, it.list[index] ?? 0, bound)
  const passer = callee.op === 'name' ? view.linking.passers?.[callee.name] : undefined
  const callees = of.values(view, it.of, bound)
  if (passer === undefined || callees.length > 0) return returnedBy(of, callees, argument)
  return passedOn(passer, it.list.length, (index) => of.held(argument(index)))
}

/** What calling gives. */
export function returnedBy(
  of: Evaluator,
  callees: Values,
  argument?: (index: number) => Values,
): Values {
  return union(
    callees.map((callee) => {
      if (callee.is === 'callback') return callee.returns ?? NOTHING
      if (callee.is !== 'thing' && callee.is !== 'instance') return NOTHING
      const view = of.view(callee.place.path)
      if (view === undefined) return NOTHING
      if (callee.is === 'instance') {
        const called = members(of, [callee], view.linking.calls ?? '()')
        return union(called.map(({ place, bound }) => returnOf(of, place, bound)))
      }
      const { kind } = view.definition(callee.place.definition)
      if (kind === 'class' && view.linking.callMakes) return [instance(callee.place, callee.bound)]
      // `Kind(3)` makes a value of a type that has only another name.
      if (kind === 'type' && view.linking.callMakes)
        return typeAt(of, callee.place, { args: [], outer: callee.bound })
      return returnOf(of, callee.place, inferred(view, callee, argument))
    }),
  )
}

/** A type parameter stands for what is passed where a parameter has that type. */
function inferred(
  view: View,
  callee: Held,
  argument: ((index: number) => Values) | undefined,
): Bound | undefined {
  const own = view.typeParameters(callee.place.definition)
  if (own.length === 0 || argument === undefined) return callee.bound
  const it = view.definition(callee.place.definition)
  const to = own.map((parameter) => () => {
    const { name } = view.definition(parameter)
    for (const [index, at] of it.parameters.entries()) {
      const type = view.expression(view.definition(at).type)
      if (type.op === 'name' && type.name === name) return argument(index)
      const isHeld = type.list.some((each) => view.expression(each).name === name)
      if (type.op === 'collection' && isHeld) return itemsOf(argument(index))
    }
    return NOTHING
  })
  return { place: callee.place, to, outer: callee.bound }
}

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
    ? of.guarded(it, () => of.values(view, it.value, bound))
    : NOTHING
}

export function parameterValues(of: Evaluator, view: View, { it, bound }: InContext): Values {
  const callee = view.expression(it.of)
  const wanted = { index: it.list[0] ?? 0, name: it.name }
  const callees = of.values(view, it.of, bound)
  const own = union(callees.map((each) => parameterOf(of, each, wanted)))
  if (own.length > 0 || callee.op !== 'member') return own
  const callback = callbackOf(of.values(view, callee.of, bound), callee.name)
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
  // Without a type of its own, a parameter is what is expected there in turn, or its default.
  const values =
    expected.type > 0
      ? of.types(view, expected.type, callee.bound)
      : of.values(view, expected.value, callee.bound)
  return (expected.traits & TRAIT.rest) === 0 ? values : itemsOf(values)
}

function parameterAt(view: View, it: Definition, wanted: WantedParameter): number | undefined {
  if (wanted.name !== '')
    return it.parameters.find((at) => view.definition(at).name === wanted.name)
  return it.parameters[wanted.index + receivers(view, it)] ?? lastRest(view, it)
}

/** How many parameters stand before those that the caller writes arguments for. */
export function receivers(view: View, it: Definition): number {
  const isMethod = it.kind === 'method' || it.kind === 'constructor'
  return view.linking.receiverIsParameter === true && isMethod && (it.traits & TRAIT.static) === 0
    ? 1
    : 0
}

function lastRest(view: View, it: Definition): number | undefined {
  const last = it.parameters.at(-1)
  return last !== undefined && (view.definition(last).traits & TRAIT.rest) !== 0 ? last : undefined
}
