/** Every reference of one file with the definitions that it leads to. */

import { type Expression, ROLE } from '../model/facts.ts'
import { Evaluator } from './evaluate.ts'
import type { Ask, Linking, Place } from './linking.ts'
import { members } from './members.ts'
import { meant, type Passed } from './overloads.ts'
import { instance, uniquePlaces, type Values } from './value.ts'
import type { View } from './view.ts'

export interface Reference {
  /** Number of its expression in the file's facts. */
  readonly expression: number
  /** Best first; none when it could not be resolved. */
  readonly targets: readonly Place[]
}

export interface References {
  readonly evaluator: Evaluator
  readonly view: View
  readonly references: readonly Reference[]
}

export function resolveReferences(
  path: string,
  ask: Ask,
  linkings: ReadonlyMap<string, Linking>,
): References | undefined {
  const evaluator = new Evaluator({ path, ask, linkings })
  const view = evaluator.view(path)
  if (view === undefined) return undefined
  const references: Reference[] = []
  const { expressions } = view.facts
  for (let expression = 0; expression < expressions.length; expression += 1) {
    const it = view.expression(expression)
    if (isWritten(it))
      references.push({ expression, targets: targetsOf(evaluator, view, expression) })
    else if (isBareCall(view, it)) {
      const targets = called(evaluator, evaluator.values(view, it.of))
      if (targets.length > 0) references.push({ expression, targets })
    }
  }
  return { evaluator, view, references }
}

function isWritten(it: Expression): boolean {
  if ((it.role & ROLE.reference) === 0) return false
  // `this(1)` and `super(1)` call a constructor; else these words lead nowhere.
  return (it.op !== 'self' && it.op !== 'super') || (it.role & ROLE.make) !== 0
}

/** `handlers[0]()` and `f()()` call something that no name stands for. */
function isBareCall(view: View, it: Expression): boolean {
  if (it.op !== 'call' && it.op !== 'make') return false
  const { op } = view.expression(it.of)
  return op === 'item' || op === 'call' || op === 'either' || op === 'define' || op === 'super'
}

function targetsOf(evaluator: Evaluator, view: View, expression: number): readonly Place[] {
  const { role } = view.expression(expression)
  evaluator.beginReference()
  const found = readable(evaluator, uniquePlaces(evaluator.targets(view, expression)))
  if (found.length === 0) return found
  const isMade = (role & ROLE.make) !== 0
  const passed = (role & ROLE.call) === 0 ? undefined : passedTo(view, expression)
  if (found.length > 1) {
    if (isMade) return makers(evaluator, found, passed)
    return meantOf(evaluator, fitting(evaluator, found, (role & ROLE.call) !== 0), passed)
  }
  if ((role & ROLE.call) === 0) return found
  const isHeld = found.some((it) =>
    HOLDERS.has(evaluator.view(it.path)?.definition(it.definition).kind ?? ''),
  )
  // What is called is what the variable holds.
  const held = isHeld
    ? uniquePlaces([...found, ...called(evaluator, evaluator.values(view, expression))])
    : found
  return isMade ? makers(evaluator, held, passed) : meantOf(evaluator, held, passed)
}

/** What is passed in the call that a reference is the callee of. */
function passedTo(view: View, expression: number): Passed | undefined {
  if (view.linking.overloads === undefined) return undefined
  const call = view.callAt(expression)
  return call === 0 ? undefined : { view, list: view.expression(call).list }
}

function meantOf(
  evaluator: Evaluator,
  places: readonly Place[],
  passed: Passed | undefined,
): readonly Place[] {
  if (passed === undefined) return places
  const callees = places.map((place) => ({ place, bound: undefined }))
  const found = meant(evaluator, callees, passed)
  return found === callees ? places : uniquePlaces(found.map(({ place }) => place))
}

/** Most often all of them are. */
function readable(evaluator: Evaluator, places: readonly Place[]): readonly Place[] {
  for (const { path } of places)
    if (evaluator.view(path) === undefined)
      return places.filter((it) => evaluator.view(it.path) !== undefined)
  return places
}

/**
 * Where a field and a method share a name, a call means the method. An import that leads nowhere,
 * or back to where it stands, says less than a definition beside it.
 */
function fitting(
  evaluator: Evaluator,
  places: readonly Place[],
  isCall: boolean,
): readonly Place[] {
  const kindAt = ({ path, definition }: Place): string =>
    evaluator.view(path)?.definition(definition).kind ?? ''
  const known = places.filter((it) => kindAt(it) !== 'import')
  const among = known.length > 0 ? known : places
  const chosen = among.filter((it) => CALLABLE.has(kindAt(it)) === isCall)
  return chosen.length > 0 ? chosen : among
}

const HOLDERS: ReadonlySet<string> = new Set(['variable', 'parameter', 'field'])

function called(evaluator: Evaluator, callees: Values): readonly Place[] {
  return uniquePlaces(
    callees.flatMap((it) => {
      if (it.is !== 'thing') return []
      const kind = evaluator.view(it.place.path)?.definition(it.place.definition).kind ?? ''
      return CALLABLE.has(kind) ? [it.place] : []
    }),
  )
}

const CALLABLE: ReadonlySet<string> = new Set(['function', 'method', 'constructor', 'class'])

function isInherited(evaluator: Evaluator, maker: Place, made: Place): boolean {
  const view = evaluator.view(maker.path)
  const owner = view?.definition(view.definition(maker.definition).owner)
  return (
    owner?.kind === 'class' &&
    owner.name !== evaluator.view(made.path)?.definition(made.definition).name
  )
}

/** Making an instance runs the class's constructor: its own, else the class stands for it. */
function makers(
  evaluator: Evaluator,
  places: readonly Place[],
  passed: Passed | undefined,
): readonly Place[] {
  return uniquePlaces(
    places.flatMap((place) => {
      const name = evaluator.view(place.path)?.linking.maker ?? 'constructor'
      const all = members(evaluator, [instance(place)], name).map((it) => it.place)
      const found = meantOf(evaluator, all, passed)
      return found.some((it) => isInherited(evaluator, it, place))
        ? [place, ...found]
        : [...found, place]
    }),
  )
}
