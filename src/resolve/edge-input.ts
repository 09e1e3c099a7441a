/** What edges are made from, and what all of them need. */
import type { NamedSymbol } from '../model/code-index.ts'
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

/** Symbol of the innermost definition around a scope that has one. */
export function enclosing(input: EdgeInput, scope: number): string {
  const known = input.around.get(scope)
  if (known !== undefined) return known
  const found = symbolAround(input, scope)
  input.around.set(scope, found)
  return found
}

function symbolAround({ view, symbols }: EdgeInput, from: number): string {
  for (let scope = from; scope >= 0; scope = view.facts.scopes[scope]?.parent ?? -1) {
    const owner = view.facts.scopes[scope]?.owner ?? 0
    const id = symbols.idOf(view.place(owner))
    if (id !== undefined) return id
  }
  return ''
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
