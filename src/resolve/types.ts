/** What a value of a type may be. */
import type { Definition, Expression } from '../model/facts.ts'
import type { Evaluator } from './evaluate.ts'
import { itemsOf, keysOf } from './library.ts'
import { entryOf, type Place } from './linking.ts'
import { members } from './members.ts'
import { importTargets } from './modules.ts'
import { lookup } from './names.ts'
import { receiver } from './receiver.ts'
import {
  type Bound,
  type ByKey,
  instance,
  items,
  NOTHING,
  thing,
  union,
  type Value,
  type Values,
} from './value.ts'
import type { View } from './view.ts'

/** An expression, and what the type parameters around it stand for. */
export interface InContext {
  readonly at: number
  readonly it: Expression
  readonly bound: Bound | undefined
}

export function typeValues(of: Evaluator, view: View, context: InContext): Values {
  const { it, bound } = context
  switch (it.op) {
    case 'name':
    case 'member':
    case 'import':
      return typesAt(of, targetsOf(of, view, context), { args: NO_ARGUMENTS, outer: bound })
    case 'generic':
      return applied(of, view, context)
    case 'item':
      return it.list.length > 0 ? applied(of, view, context) : itemsOf(of.types(view, it.of, bound))
    case 'either':
      return union(it.list.map((each) => of.types(view, each, bound)))
    case 'key':
      return keysOf(of.types(view, it.of, bound))
    case 'collection':
      return [collected(of, view, context)]
    case 'define': {
      const place = view.place(it.of)
      const { kind } = view.definition(it.of)
      return [
        kind === 'signature' || kind === 'function' ? thing(place, bound) : instance(place, bound),
      ]
    }
    case 'typeof':
      return of.values(view, it.of, bound)
    case 'typed':
      return of.types(view, it.of, bound)
    case 'self':
      return receiver(of, view, it.scope)
    default:
      return NOTHING
  }
}

/** What is in a list, a map or a tuple; of a tuple, place by place. */
function collected(of: Evaluator, view: View, { it, bound }: InContext): Value {
  const held = it.list.map((each) => of.types(view, each, bound))
  if (it.of > 0)
    return items(
      union(held),
      keyed(() => of.types(view, it.of, bound)),
    )
  return items(union(held), held.length > 1 ? { get: (key) => held[Number(key)] } : undefined)
}

/** `tuple[A, ...]` has an A at every place. */
function tupleOf(list: readonly number[], held: readonly Values[]): Value {
  const isPlaced = list.length > 1 && !list.includes(0)
  return items(union(held), isPlaced ? { get: (key) => held[Number(key)] } : undefined)
}

/** The keys of most maps never matter, so they are found out only when asked for. */
function keyed(keyValues: () => Values): ByKey {
  return { get: () => undefined, keyValues }
}

function targetsOf(of: Evaluator, view: View, { at, it, bound }: InContext): readonly Place[] {
  if (it.op === 'name') return lookup(of, view, at)
  if (it.op === 'import') return importTargets(of, view, it)
  const { op } = view.expression(it.of)
  const isNamed = op === 'name' || op === 'member' || op === 'import' || op === 'module'
  const holders = isNamed ? of.values(view, it.of, bound) : of.types(view, it.of, bound)
  return members(of, holders, it.name).map(({ place }) => place)
}

interface Applied {
  readonly args: Bound['to']
  readonly outer: Bound | undefined
}

const NO_ARGUMENTS: Bound['to'] = []

function typesAt(of: Evaluator, places: readonly Place[], how: Applied): Values {
  const [only] = places
  if (only === undefined) return NOTHING
  return places.length === 1
    ? typeAt(of, only, how)
    : union(places.map((place) => typeAt(of, place, how)))
}

/** A value of the type that is defined at a place. */
export function typeAt(of: Evaluator, place: Place, { args, outer }: Applied): Values {
  const view = of.view(place.path)
  if (view === undefined) return NOTHING
  const it = view.definition(place.definition)
  const bound: Bound | undefined =
    args.length === 0 ? undefined : { place, to: args, outer: undefined }
  switch (it.kind) {
    case 'class':
    case 'interface':
    case 'enum':
      return [instance(place, bound)]
    case 'type':
      return hasMembers(view, it)
        ? union([
            [instance(place, bound)],
            of.guarded(view, place.definition, () => of.types(view, it.type, bound)),
          ])
        : it.type > 0
          ? of.guarded(view, place.definition, () => of.types(view, it.type, bound))
          : [instance(place)]
    case 'type-parameter':
      return boundTo(of, place, outer) ?? limitOf(of, view, { it, outer })
    case 'variable':
    case 'field':
      // `Headers = Union[Dict, List]`: a name for a type.
      return it.value > 0 ? of.types(view, it.value) : NOTHING
    case 'member':
      return variantOf(view, place, it)
    case 'function':
      return [instance(place)]
    default:
      return NOTHING
  }
}

/** A member of an enum is a value of it, and one with fields of its own has them as well. */
function variantOf(view: View, place: Place, it: Definition): Values {
  const whole = instance(view.place(it.owner))
  return it.inner < 0 ? [whole] : [instance(place), whole]
}

/** What it stands for in turn, where that is told, and else what it must be at least. */
function limitOf(
  of: Evaluator,
  view: View,
  { it, outer }: { readonly it: Definition; readonly outer: Bound | undefined },
): Values {
  const told = it.value > 0 ? of.types(view, it.value, outer) : NOTHING
  return told.length > 0 ? told : of.types(view, it.type, outer)
}

/** `type Kind int`, with methods of its own: both itself and what it is made of. */
function hasMembers(view: View, it: Definition): boolean {
  return it.inner >= 0 && view.facts.scopes[it.inner]?.kind === 'class'
}

function boundTo(of: Evaluator, parameter: Place, bound: Bound | undefined): Values | undefined {
  const view = of.view(parameter.path)
  if (view === undefined) return undefined
  const { owner } = view.definition(parameter.definition)
  for (let it = bound; it !== undefined; it = it.outer) {
    if (it.place.path !== parameter.path || it.place.definition !== owner) continue
    return it.to[view.typeParameters(owner).indexOf(parameter.definition)]?.()
  }
  return undefined
}

/** `Base<T>`: of ours, an instance that knows its arguments; of a library, what it stands for. */
function applied(of: Evaluator, view: View, { it, bound }: InContext): Values {
  const base = view.expression(it.of)
  const isNamed = base.op === 'name' || base.op === 'member' || base.op === 'import'
  const places = isNamed ? targetsOf(of, view, { at: it.of, it: base, bound }) : []
  const args = it.list.map((each) => () => of.types(view, each, bound))
  const own = typesAt(of, places, { args, outer: bound })
  if (own.length > 0) return own
  const list = it.list.flatMap((each) => {
    const inner = view.expression(each)
    return inner.op === 'collection' && it.op === 'item' ? inner.list : [each]
  })
  switch (entryOf(view.linking.wrappers, base.name)) {
    case 'same':
      return union(list.map((each) => of.types(view, each, bound)))
    case 'first':
      return of.types(view, list[0] ?? 0, bound)
    case 'second':
      return of.types(view, list[1] ?? list[0] ?? 0, bound)
    case 'items':
      return [items(union(list.map((each) => of.types(view, each, bound))))]
    case 'tuple':
      return [
        tupleOf(
          list,
          list.map((each) => of.types(view, each, bound)),
        ),
      ]
    case 'values':
      return [
        items(
          of.types(view, list.at(-1) ?? 0, bound),
          keyed(() => of.types(view, list[0] ?? 0, bound)),
        ),
      ]
    case 'callable': {
      const given = of.types(view, it.list.at(-1) ?? 0, bound)
      return [{ is: 'callback', parameters: [], returns: given }]
    }
    case 'takes':
      return [{ is: 'callback', parameters: list.map((each) => of.types(view, each, bound)) }]
    case 'maps': {
      const parts = list.map((each) => of.types(view, each, bound))
      return [{ is: 'callback', parameters: parts.slice(0, -1), returns: parts.at(-1) ?? NOTHING }]
    }
    case 'compares': {
      const each = of.types(view, list[0] ?? 0, bound)
      return [{ is: 'callback', parameters: [each, each], returns: each }]
    }
    default:
      return NOTHING
  }
}
