/** What the calls of a file pass into the parameters of the functions of the same file. */

import { receivers } from './calls.ts'
import type { Evaluator } from './evaluate.ts'
import { NOTHING, union, type Values } from './value.ts'
import type { View } from './view.ts'

/** More callers than this say that a parameter may be anything. */
const MOST_CALLERS = 24

export function passedTo(evaluator: Evaluator, view: View, parameter: number): Values {
  const { owner, name } = view.definition(parameter)
  const it = view.definition(owner)
  const index = it.parameters.indexOf(parameter) - receivers(view, it)
  if (index < 0) return NOTHING
  const known = it.kind === 'constructor' ? view.definition(it.owner).name : it.name
  const callers = view.callsOf(known)
  if (callers.length > MOST_CALLERS * 4) return NOTHING
  const made = it.kind === 'constructor' ? it.owner : owner
  const passed: Values[] = []
  for (const call of callers) {
    const { of, list } = view.expression(call)
    const argument = passedAs(view, list, { index, name })
    if (argument === undefined) continue
    if (isOneOf(evaluator.values(view, of), view, [owner, made]))
      passed.push(evaluator.values(view, argument))
    if (passed.length >= MOST_CALLERS) break
  }
  return union(passed)
}

/** The argument for a parameter: by its name, else by its place. */
function passedAs(
  view: View,
  list: readonly number[],
  { index, name }: { readonly index: number; readonly name: string },
): number | undefined {
  const argument = list[index]
  let isNamed = false
  for (const at of list) {
    const each = view.expression(at)
    if (each.op !== 'named') continue
    if (each.name === name) return at
    isNamed ||= at === argument
  }
  return isNamed ? undefined : argument
}

function isOneOf(
  callees: Values,
  { path }: View,
  [owner, made]: readonly [number, number],
): boolean {
  for (const callee of callees) {
    if (callee.is !== 'thing' || callee.place.path !== path) continue
    const { definition } = callee.place
    if (definition === owner || definition === made) return true
  }
  return false
}
