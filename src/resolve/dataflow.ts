/** Values on their way: what f returns is passed to g, a function or variable becomes an argument. */
import type { Expression } from '../model/facts.ts'
import type { EdgeRecord } from '../model/index-record.ts'
import { type EdgeInput, round } from './edge-input.ts'
import type { Place } from './linking.ts'
import type { View } from './view.ts'

/** `const a = f(); const b = a; g(b)`: how many names are looked through. */
const MOST_STEPS = 3

export function dataflow(input: EdgeInput): readonly EdgeRecord[] {
  const { view, symbols } = input
  const targets = new Map(input.references.map((it) => [it.expression, it.targets]))
  const edges: EdgeRecord[] = []
  for (const it of view.facts.expressions) {
    if (it.op !== 'call' && it.op !== 'make') continue
    const places = targets.get(calleeAt(view, it)) ?? []
    const receivers = places.flatMap((place) => symbols.idOf(place) ?? [])
    const maker = places.find(({ path, definition }) => {
      return input.evaluator.view(path)?.definition(definition).kind === 'constructor'
    })
    const to = maker === undefined ? receivers[0] : (symbols.idOf(maker) ?? receivers[0])
    if (to === undefined) continue
    for (const argument of it.list) {
      const { start, end } = stretch(input, argument)
      if (end <= start) continue
      for (const from of originsOf({ ...input, targets }, argument, 0)) {
        if (from === to) continue
        const count = it.op === 'make' ? 1 : receivers.length
        const confidence = round(0.8 / count)
        edges.push({ kind: 'dataflow', from, to, evidence: 'span', start, end, confidence })
      }
    }
  }
  return edges
}

/** The number of what is called, without its type arguments. */
function calleeAt(view: View, it: Expression): number {
  const callee = view.expression(it.of)
  return callee.op === 'generic' ? callee.of : it.of
}

interface Tracing extends EdgeInput {
  readonly targets: ReadonlyMap<number, readonly Place[]>
}

/** Symbols whose value, or whose returned value, an expression is. */
function originsOf(input: Tracing, at: number, steps: number): readonly string[] {
  if (at === 0 || steps > MOST_STEPS) return []
  const { view, symbols, targets } = input
  const it = view.expression(at)
  switch (it.op) {
    case 'call':
    case 'make':
      return unique(
        (targets.get(calleeAt(view, it)) ?? [])
          .flatMap((place) => symbols.idOf(place) ?? [])
          .slice(0, 1),
      )
    case 'named':
      return originsOf(input, it.of, steps)
    case 'either':
      return unique(it.list.flatMap((each) => originsOf(input, each, steps + 1)))
    case 'name':
    case 'member':
      return unique(
        (targets.get(at) ?? []).slice(0, 1).flatMap((place) => {
          const id = symbols.idOf(place)
          if (id !== undefined) return [id]
          const isOwn = place.path === view.path && place.definition > 0
          return isOwn ? originsOf(input, view.definition(place.definition).value, steps + 1) : []
        }),
      )
    default:
      return []
  }
}

function stretch(
  { view }: EdgeInput,
  at: number,
): { readonly start: number; readonly end: number } {
  const it = view.expression(at)
  return it.op === 'named' ? view.expression(it.of) : it
}

function unique(ids: readonly string[]): readonly string[] {
  return ids.length <= 1 ? ids : [...new Set(ids)]
}
