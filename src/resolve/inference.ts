/**
 * What the type parameters of a callee stand for in one call: `T` is what is passed where a
 * parameter is a `T`, a `T[]`, a `Promise<T>`, a `Box<T>` or a `() => T`.
 */
import type { Definition } from '../model/facts.ts'
import type { Evaluator } from './evaluate.ts'
import { itemsOf, keysOf } from './library.ts'
import { entryOf } from './linking.ts'
import { type Bound, type Held, NOTHING, samePlace, union, type Values } from './value.ts'
import type { View } from './view.ts'

/** What is known of a call before its type parameters are. */
export interface Known {
  /** Whether anything can be said of an argument. */
  isPassed(index: number): boolean
  argument(index: number): Values
  /** What the call is expected to give, where something is. */
  readonly result?: () => Values
}

/**
 * Told by type arguments, else by what is passed, else by what is expected of the call; else a type
 * parameter is its default or limit. Where nothing can be told, nothing is bound: a bound of its
 * own for each call would make every answer new.
 */
export function inferred(of: Evaluator, callee: Held, known: Known | undefined): Bound | undefined {
  const { place, bound } = callee
  const view = of.view(place.path)
  const isTold = bound !== undefined && samePlace(bound.place, place)
  if (view === undefined || known === undefined || isTold) return bound
  const clues = cluesOf(view, place.definition).filter(({ from }) =>
    from === RESULT ? known.result !== undefined : known.isPassed(from),
  )
  if (clues.length === 0) return bound
  const to = view.typeParameters(place.definition).map((parameter) => (): Values => {
    for (const clue of clues) {
      if (clue.parameter !== parameter) continue
      const given = clue.from === RESULT ? known.result?.() : known.argument(clue.from)
      const found = along(of, clue.way, given ?? NOTHING)
      if (found.length > 0) return found
    }
    return of.types(view, view.definition(parameter).type, made)
  })
  const made: Bound = { place, to, outer: bound }
  return made
}

/** Where a type parameter can be learnt from. */
interface Clue {
  readonly parameter: number
  /** The number of an argument, or what is expected of the call. */
  readonly from: number
  readonly way: Way
}

/** From a value to what the type parameter is: itself, its items, its type argument, its result. */
type Way = 'same' | 'items' | 'keys' | 'returns' | number

const RESULT = -1
const CLUES = new WeakMap<Definition, readonly Clue[]>()

/** They depend on the text of the definition alone. */
function cluesOf(view: View, definition: number): readonly Clue[] {
  const own = view.typeParameters(definition)
  if (own.length === 0) return []
  const it = view.definition(definition)
  let clues = CLUES.get(it)
  if (clues === undefined) {
    const types = it.parameters.map((at) => view.definition(at).type)
    clues = own.flatMap((parameter) => {
      const { name } = view.definition(parameter)
      const wanted = [...types, it.type].map((type) => [
        ...waysTo(view, type, name),
        ...waysTo(view, limitOf(view, own, type), name),
      ])
      return wanted.flatMap((ways, at) =>
        ways.map((way) => ({ parameter, from: at < types.length ? at : RESULT, way })),
      )
    })
    CLUES.set(it, clues)
  }
  return clues
}

/** `S` of `[S ~[]E, E any]` tells what `E` is by what it is limited to. */
function limitOf(view: View, parameters: readonly number[], type: number): number {
  const it = view.expression(type)
  if (it.op !== 'name') return 0
  const named = parameters.find((at) => view.definition(at).name === it.name)
  const limit = named === undefined ? 0 : view.definition(named).type
  return view.expression(limit).op === 'collection' ? limit : 0
}

function waysTo(view: View, type: number, name: string): readonly Way[] {
  const it = view.expression(type)
  const isMeant = (at: number): boolean => {
    const each = view.expression(at)
    return each.op === 'name' && each.name === name
  }
  switch (it.op) {
    case 'name':
      return it.name === name ? ['same'] : []
    case 'either':
      return it.list.flatMap((each) => waysTo(view, each, name))
    case 'collection': {
      const ways: readonly Way[] = it.list.some(isMeant) ? ['items'] : []
      return it.of > 0 && isMeant(it.of) ? ['keys', ...ways] : ways
    }
    case 'generic': {
      const at = it.list.findIndex(isMeant)
      if (at < 0) return []
      const wrapper = entryOf(view.linking.wrappers, view.expression(it.of).name)
      if (wrapper === undefined) return [at]
      if (wrapper === 'first' && at > 0) return []
      if (wrapper === 'same' || wrapper === 'first') return ['same']
      // The repository may have a type of its own by the name of one of the library.
      return [wrapper === 'values' && at < it.list.length - 1 ? 'keys' : 'items', at]
    }
    case 'define': {
      const shape = view.definition(it.of)
      return shape.kind === 'signature' && isMeant(shape.type) ? ['returns'] : []
    }
    default:
      return []
  }
}

function along(of: Evaluator, way: Way, given: Values): Values {
  if (way === 'same') return given
  if (way === 'items') return itemsOf(given)
  if (way === 'keys') return keysOf(given)
  if (way === 'returns') return of.returned(given)
  return union(given.map((value) => ('bound' in value ? toldBy(value, way) : NOTHING)))
}

function toldBy({ bound, place }: Held, at: number): Values {
  return bound !== undefined && samePlace(bound.place, place) ? (bound.to[at]?.() ?? []) : NOTHING
}
