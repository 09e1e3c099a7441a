/**
 * Variables that are objects because members are assigned to them, in languages where that is how
 * objects are made: `const res = Object.create(Library.prototype); res.send = function () { … }`.
 */
import type { Evaluator } from './evaluate.ts'
import { fullName } from './library.ts'
import type { View } from './view.ts'

/** Whether members are assigned to a variable, so that it is an object whatever it was given. */
export function isGrown(of: Evaluator, view: View, definition: number): boolean {
  if (view.linking.variablesGrow !== true || view.facts.grants.length === 0) return false
  view.grown ??= findGrown(of, view)
  return view.grown.has(definition)
}

/** Whether it is made of another object, so that what is assigned to it is not the other's. */
export function isDerived(of: Evaluator, view: View, definition: number): boolean {
  const { derives } = view.linking
  if (derives === undefined || !isGrown(of, view, definition)) return false
  const it = view.expression(view.definition(definition).value)
  return it.op === 'call' && derives.has(fullName(view, view.expression(it.of)))
}

function findGrown(of: Evaluator, view: View): ReadonlySet<number> {
  const found = new Set<number>()
  for (const { to } of view.facts.grants) {
    if (view.expression(to).op !== 'name') continue
    for (const { path, definition } of of.targets(view, to)) {
      if (path !== view.path || view.definition(definition).kind !== 'variable') continue
      found.add(definition)
    }
  }
  return found
}
