/** What `this`, `self` and `super` are where they stand. */
import { TRAIT } from '../model/facts.ts'
import type { Evaluator } from './evaluate.ts'
import type { Place } from './linking.ts'
import { basesOf } from './members.ts'
import { instance, NOTHING, thing, union, type Values } from './value.ts'
import type { View } from './view.ts'

export function receiver(of: Evaluator, view: View, from: number): Values {
  for (let scope = from; scope >= 0; scope = view.facts.scopes[scope]?.parent ?? -1) {
    const around = view.facts.scopes[scope]
    // What is written into a literal is outside of it: only its methods see it as `this`.
    if (around?.kind === 'class' && !isLiteral(view, around.owner))
      return receiverIn(view, around.owner, false)
    if (around?.kind !== 'function') continue
    const it = view.definition(around.owner)
    if ((it.traits & TRAIT.arrow) !== 0) continue
    const told = toldIn(of, view, scope)
    if (told.length > 0) return told
    const home = view.facts.scopes[it.scope]
    if (home?.kind === 'class')
      return receiverIn(view, home.owner, (it.traits & TRAIT.static) !== 0)
    const granted = view.facts.grants.filter((grant) => grant.definition === around.owner)
    if (granted.length > 0) return union(granted.map(({ to }) => of.values(view, to)))
    return [instance(view.place(around.owner))]
  }
  return NOTHING
}

/** `function (this: Shop)` says it. */
function toldIn(of: Evaluator, view: View, scope: number): Values {
  const [at] = view.bindings(scope, 'this')
  return at === undefined ? NOTHING : of.types(view, view.definition(at).type)
}

function receiverIn(view: View, owner: number, isStatic: boolean): Values {
  const place = view.place(owner)
  return [isStatic || isLiteral(view, owner) ? thing(place) : instance(place)]
}

function isLiteral(view: View, owner: number): boolean {
  const { kind } = view.definition(owner)
  return kind === 'object' || kind === 'variable' || kind === 'field'
}

export function basesOfReceiver(of: Evaluator, view: View, from: number): Values {
  return receiver(of, view, from).flatMap((it) =>
    it.is === 'instance' || it.is === 'thing' ? basesOf(of, it) : [],
  )
}

/** The classes that something is an instance of; interfaces that it implements are left out. */
export function classesOf(of: Evaluator, values: Values): readonly Place[] {
  return values.flatMap((it) => {
    if (it.is !== 'instance') return []
    const kind = of.view(it.place.path)?.definition(it.place.definition).kind
    return kind === 'class' || kind === 'enum' ? [it.place] : []
  })
}
