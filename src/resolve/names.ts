/** What a bare name means where it stands. */
import { type Expression, ROLE, TRAIT } from '../model/facts.ts'
import type { Evaluator } from './evaluate.ts'
import type { Place } from './linking.ts'
import { instance, type Values } from './value.ts'
import type { View } from './view.ts'

/** The nearest declaration around it, then what wildcard imports bring, then beyond the file. */
export function lookup(of: Evaluator, view: View, it: Expression): readonly Place[] {
  const isType = (it.role & ROLE.type) !== 0
  let isInner = false
  for (let scope = it.scope; scope >= 0; scope = view.facts.scopes[scope]?.parent ?? -1) {
    const around = view.facts.scopes[scope]
    const found =
      around?.kind === 'class'
        ? bareMembers(of, view, { scope, owner: around.owner, name: it.name, isInner }).filter(
            (place) => !isType || isTypeAt(of, place),
          )
        : placesOf(view, meaning(view, view.bindings(scope, it.name), isType))
    if (found.length > 0) return followed(of, found)
    const wild = view.bindings(scope, '*')
    for (const at of wild) {
      const places = exported(of, of.values(view, view.definition(at).value), it.name)
      if (places.length > 0) return places
    }
    if (around?.kind === 'function') isInner = true
  }
  return followed(of, view.linking.beyond?.(it.name, view.path, of.ask) ?? [])
}

/** Most scopes know nothing of a name. */
function placesOf(view: View, definitions: readonly number[]): readonly Place[] {
  return definitions.length === 0 ? NOWHERE : definitions.map((at) => view.place(at))
}

const NOWHERE: readonly Place[] = []

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
  },
): readonly Place[] {
  const own = view.bindings(wanted.scope, wanted.name)
  const parameters = own.filter((at) => view.definition(at).kind === 'type-parameter')
  if (parameters.length > 0) return parameters.map((at) => view.place(at))
  const rule = view.linking.bareMembers
  if (rule === 'never' || (rule === 'directly' && wanted.isInner)) return []
  if (rule === 'directly') return own.map((at) => view.place(at))
  return of.members([instance(view.place(wanted.owner))], wanted.name).map(({ place }) => place)
}

function isImport(of: Evaluator, { path, definition }: Place): boolean {
  return of.view(path)?.definition(definition).kind === 'import'
}

/** Imports are followed to what they import. */
export function followed(of: Evaluator, places: readonly Place[]): readonly Place[] {
  if (!places.some((it) => isImport(of, it))) return places
  return places.flatMap((place) => {
    const view = of.view(place.path)
    const it = view?.definition(place.definition)
    if (view === undefined || it === undefined || it.kind !== 'import') return [place]
    const origin = of.guarded(it, () => of.targets(view, it.value))
    // What comes from outside the repository is known by its import only.
    return origin.length > 0 ? origin : [place]
  })
}

/** Some names mean one thing as a type and another as a value. */
function meaning(view: View, found: readonly number[], isType: boolean): readonly number[] {
  if (found.length === 0) return found
  if (found.length <= 1 && !isType)
    return found.filter((at) => (view.definition(at).traits & TRAIT.typeOnly) === 0)
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
