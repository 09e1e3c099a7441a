/** Values on their way: what f returns is passed to g, a function or variable becomes an argument. */
import type { Expression } from '../model/facts.ts'
import type { EdgeRecord } from '../model/index-record.ts'
import { type EdgeInput, isConstructor, round } from './edge-input.ts'
import type { Place } from './linking.ts'
import { Paged } from './paged.ts'
import type { Reference } from './references.ts'
import type { View } from './view.ts'

/** `const a = f(); const b = a; g(b)`: how many names are looked through. */
const MOST_STEPS = 3

export function dataflow(input: EdgeInput): readonly EdgeRecord[] {
  const tracing: Tracing = { ...input, targets: targetsIn(input.references) }
  const { expressions } = input.view.facts
  const edges: EdgeRecord[] = []
  for (let at = 0; at < expressions.length; at += 1)
    addPassed(tracing, input.view.expression(at), edges)
  return edges
}

function targetsIn(references: readonly Reference[]): Paged<readonly Place[]> {
  const found = new Paged<readonly Place[]>()
  references.forEach(({ expression, targets }) => {
    if (targets.length > 0) found.set(expression, targets)
  })
  return found
}

/** What the arguments of a call pass to what is called. */
function addPassed(input: Tracing, it: Expression, edges: EdgeRecord[]): void {
  if ((it.op !== 'call' && it.op !== 'make') || it.list.length === 0) return
  const places = input.targets.get(calleeAt(input.view, it))
  const receivers = idsOf(input, places)
  const to = makerIn(input, places) ?? receivers[0]
  if (to === undefined) return
  const confidence = round(0.8 / (it.op === 'make' ? 1 : receivers.length))
  for (const argument of it.list) {
    const { start, end } = stretch(input, argument)
    if (end <= start) continue
    for (const from of originsOf(input, argument, 0)) {
      if (from === to) continue
      edges.push({ kind: 'dataflow', from, to, evidence: 'span', start, end, confidence })
    }
  }
}

/** The number of what is called, without its type arguments. */
function calleeAt(view: View, it: Expression): number {
  const callee = view.expression(it.of)
  return callee.op === 'generic' ? callee.of : it.of
}

/** Of a class and its constructor, the latter is what gets the arguments. */
function makerIn(input: EdgeInput, places: readonly Place[] = []): string | undefined {
  for (const place of places) if (isConstructor(input, place)) return input.symbols.idOf(place)
  return undefined
}

function idsOf({ symbols }: EdgeInput, places: readonly Place[] | undefined): readonly string[] {
  if (places === undefined) return NONE
  const ids: string[] = []
  for (const place of places) {
    const id = symbols.idOf(place)
    if (id !== undefined) ids.push(id)
  }
  return ids
}

const NONE: readonly string[] = []

interface Tracing extends EdgeInput {
  readonly targets: Paged<readonly Place[]>
}

/** Symbols whose value, or whose returned value, an expression is. */
function originsOf(input: Tracing, at: number, steps: number): readonly string[] {
  if (at === 0 || steps > MOST_STEPS) return NONE
  const { view, targets } = input
  const it = view.expression(at)
  switch (it.op) {
    case 'call':
    case 'make':
      return idsOf(input, targets.get(calleeAt(view, it))).slice(0, 1)
    case 'named':
    case 'narrow':
      return originsOf(input, it.of, steps)
    case 'either':
      return unique(it.list.flatMap((each) => originsOf(input, each, steps + 1)))
    case 'name':
    case 'member':
      return originsOfName(input, at, steps)
    default:
      return NONE
  }
}

function originsOfName(input: Tracing, at: number, steps: number): readonly string[] {
  const { view, symbols, targets } = input
  const [place] = targets.get(at) ?? []
  if (place === undefined) return NONE
  const id = symbols.idOf(place)
  if (id !== undefined) return [id]
  const isOwn = place.path === view.path && place.definition > 0
  return isOwn ? originsOf(input, view.definition(place.definition).value, steps + 1) : NONE
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
