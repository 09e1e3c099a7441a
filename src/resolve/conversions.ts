/** How far a value is from what a parameter expects: nothing for the very type, much for a detour. */
import type { Evaluator } from './evaluate.ts'
import { entryOf, type Overloads, type Place } from './linking.ts'
import { members } from './members.ts'
import type { Shape } from './shapes.ts'
import { instance, samePlace } from './value.ts'
import type { View } from './view.ts'

/** So much that it cannot be meant. */
export const MOST_COST = 1_000_000
/** More than any number of steps to what a type is derived from. */
const CONVERTED = 1000
/** Everything can be passed as anything, but what is nearer is meant. */
const AS_ANYTHING = 500
/** Nothing is known of how one library type is derived from the other. */
const UNKNOWN = 200

export interface Conversion {
  /** Nothing when it is not known. */
  readonly passed: Shape | undefined
  /** Nothing when everything is taken. */
  readonly expected: Shape | undefined
}

/** `view` is where the function is defined that expects it. */
export function costOf(of: Evaluator, view: View, { passed, expected }: Conversion): number {
  const rules = view.linking.overloads
  if (passed === undefined || rules === undefined) return 0
  const isBasic = isBasicType(rules, passed)
  if (expected === undefined || (expected.depth === 0 && expected.name === rules.any))
    return isBasic ? CONVERTED + AS_ANYTHING : AS_ANYTHING
  if (passed.name === 'null') return isBasicType(rules, expected) ? MOST_COST : 1
  if (passed.name === '') return costOfFunction(of, rules, { passed, expected })
  if (passed.depth !== expected.depth) return costOfDepths(rules, { passed, expected })
  if (passed.depth > 0 && (isBasicName(rules, passed) || isBasicName(rules, expected)))
    return passed.name === expected.name ? 0 : MOST_COST
  if (isSameType(passed, expected)) return 0
  if (expected.name === rules.any && expected.place === undefined) return AS_ANYTHING - 1
  if (expected.place !== undefined && passed.place === undefined) return MOST_COST
  return costOfTypes(of, rules, { passed, expected })
}

type Known = { readonly [key in keyof Conversion]: Shape }

function isSameType(one: Shape, other: Shape): boolean {
  if (one.place === undefined || other.place === undefined)
    return one.place === other.place && one.name === other.name
  return samePlace(one.place, other.place)
}

function isBasicName({ basic }: Overloads, { name, place }: Shape): boolean {
  return place === undefined && basic.has(name)
}

function isBasicType(rules: Overloads, shape: Shape): boolean {
  return shape.depth === 0 && isBasicName(rules, shape)
}

/** A list of lists is a list of anything; nothing else is a list unless it is written as one. */
function costOfDepths({ any }: Overloads, { passed, expected }: Known): number {
  const isAny = expected.name === any && expected.place === undefined
  return isAny && passed.depth > expected.depth ? AS_ANYTHING : MOST_COST
}

/** A function is passed as an interface that has one method, of as many parameters. */
function costOfFunction(of: Evaluator, rules: Overloads, { passed, expected }: Known): number {
  if (expected.depth > 0) return MOST_COST
  if (expected.place === undefined) {
    const count = entryOf(rules.functions, expected.name)
    if (count === undefined)
      return entryOf(rules.passedAs, expected.name) === undefined ? UNKNOWN : MOST_COST
    return passed.count >= 0 && passed.count !== count ? MOST_COST : 0
  }
  const { path, definition } = expected.place
  if (of.view(path)?.definition(definition).kind !== 'interface') return MOST_COST
  const methods = members(of, [instance(expected.place)], '()')
  if (methods.length === 0) return MOST_COST
  const isFitting = methods.some(
    ({ place }) => passed.count < 0 || parametersAt(of, place) === passed.count,
  )
  return isFitting ? 0 : MOST_COST
}

function parametersAt(of: Evaluator, { path, definition }: Place): number {
  return of.view(path)?.definition(definition).parameters.length ?? -1
}

function costOfTypes(of: Evaluator, rules: Overloads, { passed, expected }: Known): number {
  if (passed.place === undefined) return costByTable(rules, passed.name, expected.name)
  let isOpen = false
  for (const each of ancestorsOf(of, passed.place)) {
    if (each.place !== undefined && expected.place !== undefined) {
      if (samePlace(each.place, expected.place)) return each.steps
    } else if (each.place === undefined && expected.place === undefined) {
      if (each.name === expected.name) return each.steps
      const further = costByTable(rules, each.name, expected.name)
      if (further < UNKNOWN) return each.steps + further
      isOpen ||= further < MOST_COST
    }
  }
  return isOpen ? UNKNOWN : MOST_COST
}

function costByTable({ passedAs, ...rules }: Overloads, passed: string, expected: string): number {
  const others = entryOf(passedAs, passed)
  const { basic } = rules
  if (others === undefined)
    return basic.has(expected) || rules.final.has(expected) ? MOST_COST : UNKNOWN
  const steps = others.indexOf(expected)
  if (steps < 0) return MOST_COST
  return basic.has(passed) === basic.has(expected) ? steps + 1 : CONVERTED + steps
}

export interface Ancestor {
  readonly name: string
  readonly place: Place | undefined
  readonly steps: number
}

const MOST_ANCESTORS = 64

/** Itself and all that it is derived from, those of libraries by their names; nearest first. */
export function ancestorsOf(of: Evaluator, place: Place): readonly Ancestor[] {
  const home = of.view(place.path)
  if (home === undefined) return []
  const known = home.ancestors.get(place.definition)
  if (known !== undefined) return known
  const cutsBefore = of.cuts
  const found: Ancestor[] = [{ name: '', place, steps: 0 }]
  for (let at = 0; at < found.length && at < MOST_ANCESTORS; at += 1) {
    const each = found[at]
    if (each?.place === undefined) continue
    for (const base of basesAt(of, each.place))
      if (!found.some((it) => isSameAncestor(it, base)))
        found.push({ ...base, steps: each.steps + 1 })
  }
  if (of.cuts === cutsBefore) home.ancestors.set(place.definition, found)
  return found
}

type Base = Omit<Ancestor, 'steps'>

function isSameAncestor(one: Base, other: Base): boolean {
  if (one.place === undefined || other.place === undefined)
    return one.place === other.place && one.name === other.name
  return samePlace(one.place, other.place)
}

function basesAt(of: Evaluator, { path, definition }: Place): readonly Base[] {
  const view = of.view(path)
  if (view === undefined) return []
  return view.definition(definition).bases.flatMap((at): readonly Base[] => {
    const it = view.expression(at)
    const { name } = it.op === 'generic' ? view.expression(it.of) : it
    const places = of
      .targets(view, at)
      .filter((place) => of.view(place.path)?.definition(place.definition).kind !== 'import')
    return places.length > 0
      ? places.map((place) => ({ name, place }))
      : [{ name, place: undefined }]
  })
}
