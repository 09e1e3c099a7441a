/**
 * Which of several functions of one name a call means: by how many arguments they take, then by how
 * far what is passed is from what they expect. What is not known of an argument rules nothing out.
 */
import { type Definition, TRAIT } from '../model/facts.ts'
import { ancestorsOf, costOf, MOST_COST } from './conversions.ts'
import type { Evaluator } from './evaluate.ts'
import type { Place } from './linking.ts'
import { basesOf, type Member, members } from './members.ts'
import { type Shape, shapeOf, shapeOfType } from './shapes.ts'
import { type Bound, instance, samePlace } from './value.ts'
import type { View } from './view.ts'

/** The arguments of one call. */
export interface Passed {
  readonly view: View
  readonly list: readonly number[]
  readonly bound?: Bound | undefined
}

/** Those of the callees that are meant, for each class that has some; none where none fits. */
export function meant(
  of: Evaluator,
  callees: readonly Member[],
  passed: Passed,
): readonly Member[] {
  const [first] = callees
  if (first === undefined || passed.view.linking.overloads === undefined) return callees
  if (callees.length === 1) return meantAlone(of, callees, passed)
  if (!callees.every((it) => canBeOverloaded(of, it.place))) return callees
  const owners: Place[] = []
  const found: Member[] = []
  for (const callee of callees) {
    const owner = ownerOf(of, callee.place)
    if (owner === undefined || owners.some((it) => samePlace(it, owner))) continue
    owners.push(owner)
    const own = callees.filter((it) => isOwnedBy(of, it.place, owner))
    for (const it of meantInOne(of, own, passed)) found.push(it)
  }
  return found
}

/** A field hides no method that is inherited by its name. */
function meantAlone(of: Evaluator, callees: readonly Member[], passed: Passed): readonly Member[] {
  const [only] = callees
  if (only === undefined) return callees
  if (!canBeOverloaded(of, only.place)) {
    const view = of.view(only.place.path)
    const isField = view?.definition(only.place.definition).kind === 'field'
    const found = isField ? inherited(of, only, passed) : []
    return found.length > 0 ? found : callees
  }
  const found = meantInOne(of, callees, passed)
  return found.length === 1 && found[0] === only ? callees : found
}

function canBeOverloaded(of: Evaluator, { path, definition }: Place): boolean {
  const view = of.view(path)
  const kind = view?.definition(definition).kind
  return (kind === 'method' || kind === 'constructor') && view?.linking.overloads !== undefined
}

function ownerOf(of: Evaluator, { path, definition }: Place): Place | undefined {
  const view = of.view(path)
  return view?.place(view.definition(definition).owner)
}

function isOwnedBy(of: Evaluator, place: Place, owner: Place): boolean {
  const own = ownerOf(of, place)
  return own !== undefined && samePlace(own, owner)
}

/** Of one class: what fits best, here or in what the class inherits from. */
function meantInOne(of: Evaluator, callees: readonly Member[], passed: Passed): readonly Member[] {
  const fixed = callees.filter((it) => takes(of, it.place, passed) === 'yes')
  const open = callees.filter((it) => takes(of, it.place, passed) === 'more')
  const [first] = callees
  if (fixed.length === 0 && open.length === 0) {
    const above = first === undefined ? [] : inherited(of, first, passed)
    // The one that is meant may be that of a library; else the name is all that is known.
    return above.length > 0 || isForeign(of, first) ? above : callees
  }
  const isOnly = fixed.length + open.length === 1
  if (isOnly && (passed.list.length === 0 || !isInherited(of, first))) return [...fixed, ...open]
  const shapes = passed.list.map((at) => shapeOf(of, passed.view, { at, bound: passed.bound }))
  const best = nearest(of, fixed, shapes)
  if (best.length > 0) return best
  const bestOpen = nearest(of, open, shapes)
  if (bestOpen.length > 0) return bestOpen
  const above = first === undefined ? [] : inherited(of, first, passed)
  return above.length > 0 ? above : [...fixed, ...open]
}

/** Whether there is another one of its name in what its class inherits from. */
function isInherited(of: Evaluator, member: Member | undefined): boolean {
  const view = member === undefined ? undefined : of.view(member.place.path)
  if (view === undefined || member === undefined) return false
  const { owner, name, kind } = view.definition(member.place.definition)
  if (kind === 'constructor' || view.definition(owner).bases.length === 0) return false
  const { definition } = member.place
  const known = view.inherited.get(definition)
  if (known !== undefined) return known
  const cutsBefore = of.cuts
  const found = members(of, basesOf(of, instance(view.place(owner))), name).length > 0
  if (of.cuts === cutsBefore) view.inherited.set(definition, found)
  return found
}

/** Whether the class inherits from something outside the repository. */
function isForeign(of: Evaluator, member: Member | undefined): boolean {
  const owner = member === undefined ? undefined : ownerOf(of, member.place)
  return owner !== undefined && ancestorsOf(of, owner).some((it) => it.place === undefined)
}

/** A class that has a method of the name hides none of those that it inherits by that name. */
function inherited(of: Evaluator, { place, bound }: Member, passed: Passed): readonly Member[] {
  const view = of.view(place.path)
  if (view === undefined) return []
  const { owner, name, kind } = view.definition(place.definition)
  if (kind === 'constructor' || owner <= 0) return []
  for (const base of basesOf(of, { is: 'instance', place: view.place(owner), bound })) {
    const found = meant(of, members(of, [base], name), passed)
    if (found.length > 0) return found
  }
  return []
}

/** Whether it takes that many arguments: `more` when its last parameter takes all the rest. */
function takes(of: Evaluator, place: Place, { list }: Passed): 'yes' | 'more' | 'no' {
  const view = of.view(place.path)
  if (view === undefined) return 'no'
  const { parameters } = view.definition(place.definition)
  const last = parameters.at(-1)
  const isOpen = last !== undefined && (view.definition(last).traits & TRAIT.rest) !== 0
  if (isOpen) return list.length >= parameters.length - 1 ? 'more' : 'no'
  return list.length === parameters.length ? 'yes' : 'no'
}

/** The ones that cost least; nothing when what is passed can be passed to none. */
function nearest(
  of: Evaluator,
  callees: readonly Member[],
  shapes: readonly (Shape | undefined)[],
): readonly Member[] {
  let least = MOST_COST
  let best: Member[] = []
  for (const callee of callees) {
    const cost = costOfAll(of, callee, shapes)
    if (cost < least) {
      least = cost
      best = [callee]
    } else if (cost === least && cost < MOST_COST) best.push(callee)
  }
  return best
}

function costOfAll(
  of: Evaluator,
  { place, bound }: Member,
  shapes: readonly (Shape | undefined)[],
): number {
  const view = of.view(place.path)
  if (view === undefined) return MOST_COST
  const it = view.definition(place.definition)
  let sum = 0
  for (const [index, shape] of shapes.entries()) {
    sum += costAt(of, view, { it, index, shape, bound, count: shapes.length })
    if (sum >= MOST_COST) return MOST_COST
  }
  return sum
}

interface OneArgument {
  readonly it: Definition
  readonly index: number
  readonly count: number
  readonly shape: Shape | undefined
  readonly bound: Bound | undefined
}

function costAt(
  of: Evaluator,
  view: View,
  { it, index, count, shape, bound }: OneArgument,
): number {
  const at = it.parameters[Math.min(index, it.parameters.length - 1)]
  if (at === undefined) return MOST_COST
  const parameter = view.definition(at)
  const expected = shapeOfType(of, view, { at: parameter.type, bound })
  const isRest = (parameter.traits & TRAIT.rest) !== 0
  if (!isRest || expected === undefined) return costOf(of, view, { passed: shape, expected })
  const each = { ...expected, depth: expected.depth - 1 }
  const alone = costOf(of, view, { passed: shape, expected: each })
  const isLast = count === it.parameters.length && index === count - 1
  return isLast ? Math.min(alone, costOf(of, view, { passed: shape, expected })) : alone
}
