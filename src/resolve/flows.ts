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
  const passed: Values[] = []
  for (const call of callers) {
    const { of, list } = view.expression(call)
    const byName = list.find((at) => {
      const each = view.expression(at)
      return each.op === 'named' && each.name === name
    })
    const argument = byName ?? list[index]
    if (
      argument === undefined ||
      (byName === undefined && view.expression(argument).op === 'named')
    )
      continue
    const isOurs = evaluator
      .values(view, of)
      .some(
        (callee) =>
          callee.is === 'thing' &&
          callee.place.path === view.path &&
          (callee.place.definition === owner ||
            (it.kind === 'constructor' && callee.place.definition === it.owner)),
      )
    if (isOurs) passed.push(evaluator.values(view, argument))
    if (passed.length >= MOST_CALLERS) break
  }
  return union(passed)
}
