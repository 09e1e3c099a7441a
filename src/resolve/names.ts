/** What a bare name means where it stands. */
import { type Expression, ROLE, TRAIT } from '../model/facts.ts'
import type { Evaluator } from './evaluate.ts'
import type { Place } from './linking.ts'
import { basesOf } from './members.ts'
import { type Held, instance, type Values } from './value.ts'
import type { View } from './view.ts'

/** The nearest declaration around it, then what wildcard imports bring, then beyond the file. */
export function lookup(of: Evaluator, view: View, at: number): readonly Place[] {
  const known = view.meanings.get(at)
  if (known !== undefined) return known
  const it = view.expression(at)
  if (it.of > 0) {
    const found = of.members(of.values(view, it.of), it.name)
    if (found.length > 0) return found.map(({ place }) => place)
  }
  const { tables } = view
  const number = tables.numberOf(it.name)
  const { wildcard } = tables
  // What is imported from is a module or a type.
  const isType = (it.role & (ROLE.type | ROLE.import)) !== 0
  // What stands in the file alone, on a way that leads past nothing else, is found again as it is.
  let isPlain = true
  let isInner = false
  for (let scope = it.scope; scope >= 0; scope = view.facts.scopes[scope]?.parent ?? -1) {
    const around = view.facts.scopes[scope]
    let found = NOWHERE
    if (around?.kind === 'class') {
      isPlain &&= view.linking.bareMembers === 'never'
      const wanted = { scope, owner: around.owner, name: it.name, isInner, role: it.role }
      const members = bareMembers(of, view, wanted)
      found = isType ? members.filter((place) => isTypeAt(of, place)) : members
    } else if (number !== undefined)
      found = placesOf(view, meaning(view, tables.bindings(scope, number), isType))
    if (found.length > 0) {
      const origins = followed(of, found)
      if (isPlain && origins === found) view.meanings.set(at, found)
      return origins
    }
    if (wildcard !== undefined) {
      for (const wild of tables.bindings(scope, wildcard)) {
        isPlain = false
        const places = exported(of, of.values(view, view.definition(wild).value), it.name)
        if (places.length > 0) return places
      }
    }
    if (around?.kind === 'function') isInner = true
  }
  if (view.linking.within !== undefined) return followed(of, within(of, view, it))
  if (isPlain && view.linking.beyond === undefined) view.meanings.set(at, NOWHERE)
  return followed(of, beyond(of, view, it.name))
}

function within(of: Evaluator, view: View, { name, scope }: Expression): readonly Place[] {
  const { scopes } = view.facts
  let around = scope
  while (around > 0 && scopes[around]?.kind !== 'namespace') around = scopes[around]?.parent ?? 0
  const namespace = scopes[around]?.owner ?? 0
  const key = `${name} ${namespace}`
  const known = view.beyond.get(key)
  if (known !== undefined) return known
  const found = of.together(view.linking.within?.(name, view.place(namespace), of.ask) ?? NOWHERE)
  view.beyond.set(key, found)
  return found
}

function beyond(of: Evaluator, view: View, name: string): readonly Place[] {
  if (view.linking.beyond === undefined) return NOWHERE
  const known = view.beyond.get(name)
  if (known !== undefined) return known
  const found = of.together(view.linking.beyond(name, view.path, of.ask))
  view.beyond.set(name, found)
  return found
}

/** Most scopes know nothing of a name. */
function placesOf(view: View, definitions: readonly number[]): readonly Place[] {
  const [only] = definitions
  if (only === undefined) return NOWHERE
  return definitions.length === 1 ? [view.place(only)] : definitions.map((at) => view.place(at))
}

const NOWHERE: readonly Place[] = []
const NONE: readonly number[] = []

function exported(of: Evaluator, modules: Values, name: string): readonly Place[] {
  return modules.flatMap((it) =>
    it.is === 'module'
      ? of.exported(it.paths, name)
      : of.members([it], name).map(({ place }) => place),
  )
}

function bareMembers(
  of: Evaluator,
  view: View,
  wanted: {
    readonly scope: number
    readonly owner: number
    readonly name: string
    readonly isInner: boolean
    readonly role: number
  },
): readonly Place[] {
  const own = view.bindings(wanted.scope, wanted.name)
  const parameters =
    own.length === 0 ? own : own.filter((at) => view.definition(at).kind === 'type-parameter')
  if (parameters.length > 0) return parameters.map((at) => view.place(at))
  const rule = view.linking.bareMembers
  if (rule === 'never' || (rule === 'directly' && wanted.isInner)) return NOWHERE
  // What methods assign to is known by its owner alone.
  if (rule === 'directly')
    return own
      .filter((at) => (view.definition(at).traits & TRAIT.assigned) === 0)
      .map((at) => view.place(at))
  const holder = instance(view.place(wanted.owner))
  const found = of.members([holder], wanted.name).map(({ place }) => place)
  if (found.length === 0 || view.linking.overloads === undefined) return found
  const isMeant = (place: Place): boolean => isVisible(of, place, { holder, role: wanted.role })
  const visible = found.filter(isMeant)
  if (visible.length > 0) return visible
  // A field hides no method of its name that is inherited, nor a method a field.
  return basesOf(of, holder).flatMap((base) =>
    of
      .members([base], wanted.name)
      .map(({ place }) => place)
      .filter(isMeant),
  )
}

/** Fields and methods have names apart, and what is private is not inherited. */
function isVisible(
  of: Evaluator,
  { path, definition }: Place,
  { holder, role }: { readonly holder: Held; readonly role: number },
): boolean {
  const it = of.view(path)?.definition(definition)
  if (it === undefined) return false
  if ((role & ROLE.type) === 0 && (it.kind === 'method') !== ((role & ROLE.call) !== 0))
    return false
  const isOwn = it.owner === holder.place.definition && path === holder.place.path
  return isOwn || (it.traits & TRAIT.private) === 0
}

function hasImport(of: Evaluator, places: readonly Place[]): boolean {
  for (const { path, definition } of places)
    if (of.view(path)?.definition(definition).kind === 'import') return true
  return false
}

/** Imports are followed to what they import. */
export function followed(of: Evaluator, places: readonly Place[]): readonly Place[] {
  if (!hasImport(of, places)) return places
  return places.flatMap((place) => {
    const view = of.view(place.path)
    const it = view?.definition(place.definition)
    if (view === undefined || it === undefined || it.kind !== 'import') return [place]
    const origin = originOf(of, view, place.definition)
    // What comes from outside the repository is known by its import only.
    return origin.length > 0 ? origin : [place]
  })
}

function originOf(of: Evaluator, view: View, definition: number): readonly Place[] {
  const known = view.origins.get(definition)
  if (known !== undefined) return known
  const first = firstOfName(view, definition)
  if (!of.enters(view, first)) return NOWHERE
  const cutsBefore = of.cuts
  const found = of.targets(view, view.definition(definition).value)
  if (of.cuts === cutsBefore) view.origins.set(definition, found)
  of.leaves(view, first)
  return found
}

/**
 * Imports of one name in one scope, of which a build takes one, stand for each other in circles:
 * none of them says where another comes from, and all the ways through them would be too many.
 */
function firstOfName(view: View, definition: number): number {
  const { scope, name } = view.definition(definition)
  return (
    view.bindings(scope, name).find((at) => view.definition(at).kind === 'import') ?? definition
  )
}

/** Some names mean one thing as a type and another as a value. */
function meaning(view: View, found: readonly number[], isType: boolean): readonly number[] {
  if (found.length === 0) return found
  const [only] = found
  if (only !== undefined && found.length === 1) {
    const { traits } = view.definition(only)
    return (traits & (isType ? TRAIT.valueOnly : TRAIT.typeOnly)) === 0 ? found : NONE
  }
  const unwanted = isType ? TRAIT.valueOnly : TRAIT.typeOnly
  const fitting = found.filter((at) => (view.definition(at).traits & unwanted) === 0)
  if (!isType) return fitting
  const types = fitting.filter((at) => TYPE_KINDS.has(view.definition(at).kind))
  return types.length > 0 ? types : fitting
}

function isTypeAt(of: Evaluator, { path, definition }: Place): boolean {
  return TYPE_KINDS.has(of.view(path)?.definition(definition).kind ?? '')
}

const TYPE_KINDS: ReadonlySet<string> = new Set([
  'class',
  'interface',
  'enum',
  'type',
  'type-parameter',
  'namespace',
  'import',
])
