/** The facts of one file with the look-ups that resolving needs, each made on first use. */
import type { Definition, Expression, Facts } from '../model/facts.ts'
import type { Linking, Place } from './linking.ts'

export class View {
  readonly path: string
  readonly facts: Facts
  readonly linking: Linking
  /** What members were given to a definition from outside of it; filled in by the evaluator. */
  granted: Map<number, Map<string, readonly number[]>> | undefined
  private generics: Map<number, readonly number[]> | undefined
  private calls: Map<string, readonly number[]> | undefined
  private fewCalls: readonly number[] | undefined
  private names: Map<string, number[]>[] | undefined

  constructor(path: string, facts: Facts, linking: Linking) {
    this.path = path
    this.facts = facts
    this.linking = linking
  }

  definition(at: number): Definition {
    const found = this.facts.definitions[at]
    if (found === undefined) throw new Error(`${this.path} has no definition ${at}`)
    return found
  }

  expression(at: number): Expression {
    const found = this.facts.expressions[at]
    if (found === undefined) throw new Error(`${this.path} has no expression ${at}`)
    return found
  }

  place(definition: number): Place {
    return { path: this.path, definition }
  }

  /** Definitions of a name in a scope itself, in the order of the text. */
  bindings(scope: number, name: string): readonly number[] {
    this.names ??= this.byScope()
    return this.names[scope]?.get(name) ?? NONE
  }

  /** Of a definition, in the order of the text. */
  typeParameters(definition: number): readonly number[] {
    const scope = this.definition(definition).inner
    if (this.generics === undefined) {
      this.generics = new Map()
      for (const [at, it] of this.facts.definitions.entries()) {
        if (it.kind !== 'type-parameter') continue
        this.generics.set(it.scope, [...(this.generics.get(it.scope) ?? []), at])
      }
    }
    return this.generics.get(scope) ?? NONE
  }

  /** Calls whose callee ends in a name; all of them where the file has few. */
  callsOf(name: string): readonly number[] {
    if (this.calls === undefined) {
      this.calls = new Map([['', []]])
      for (const [at, it] of this.facts.expressions.entries()) {
        if (it.op !== 'call' && it.op !== 'make') continue
        const callee = this.expression(it.of).name
        this.calls.set(callee, [...(this.calls.get(callee) ?? []), at])
      }
      const all = [...this.calls.values()].flat()
      if (all.length <= FEW_CALLS) this.fewCalls = all
    }
    return this.fewCalls ?? this.calls.get(name) ?? NONE
  }

  private byScope(): Map<string, number[]>[] {
    const names: Map<string, number[]>[] = []
    for (const [at, { scope, name }] of this.facts.definitions.entries()) {
      if (scope < 0 || name === '') continue
      names[scope] ??= new Map()
      const known = names[scope].get(name)
      if (known === undefined) names[scope].set(name, [at])
      else known.push(at)
    }
    return names
  }
}

const NONE: readonly number[] = []

/** A function may be called by other names than its own; in a small file all calls are looked at. */
const FEW_CALLS = 64
