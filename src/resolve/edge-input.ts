/** What edges are made from, and what all of them need. */
import type { NamedSymbol } from '../model/code-index.ts'
import type { Expression } from '../model/facts.ts'
import type { EdgeRecord, UnresolvedRecord } from '../model/index-record.ts'
import type { Ask, Place } from './linking.ts'
import type { References } from './references.ts'

/** What edges need to know of symbols. */
export interface Symbols {
  /** The id of a definition; none for what no other file and no reader could name. */
  idOf(place: Place): string | undefined
  /** Symbols of a simple name anywhere in the repository, by id; none when there are very many. */
  named(name: string): readonly NamedSymbol[]
}

export interface Edges {
  readonly edges: readonly EdgeRecord[]
  readonly unresolved: readonly UnresolvedRecord[]
}

export interface EdgeInput extends References {
  /** What `enclosing` has found, by scope. */
  readonly around: Map<number, string>
  readonly ask: Ask
  readonly symbols: Symbols
}

/** Symbol of the innermost definition around a reference that has one. */
export function enclosing(input: EdgeInput, it: Pick<Expression, 'scope' | 'start'>): string {
  if (input.view.linking.scopesInOrder === true) return symbolAround(input, it)
  const known = input.around.get(it.scope)
  if (known !== undefined) return known
  const found = idOf(input, ownerAround(input, it.scope))
  input.around.set(it.scope, found)
  return found
}

/** Where names are looked up further out than they stand, the place in the text says more. */
function symbolAround(input: EdgeInput, { scope, start }: Pick<Expression, 'scope' | 'start'>) {
  const { view } = input
  const owner = ownerAround(input, scope)
  const outer = owner < 0 ? -1 : view.definition(owner).from
  const within = view.tables
    .functionsAround(start)
    .find((at) => view.definition(at).from >= outer && idOf(input, at) !== '')
  return idOf(input, within ?? owner)
}

function ownerAround(input: EdgeInput, from: number): number {
  const { scopes } = input.view.facts
  for (let scope = from; scope >= 0; scope = scopes[scope]?.parent ?? -1) {
    const owner = scopes[scope]?.owner ?? 0
    if (idOf(input, owner) !== '') return owner
  }
  return -1
}

function idOf({ view, symbols }: EdgeInput, definition: number): string {
  return definition < 0 ? '' : (symbols.idOf(view.place(definition)) ?? '')
}

export function fileSymbol({ view, symbols }: EdgeInput): string {
  return symbols.idOf(view.place(0)) ?? ''
}

export function isConstructor({ evaluator }: EdgeInput, { path, definition }: Place): boolean {
  return evaluator.view(path)?.definition(definition).kind === 'constructor'
}

export function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
