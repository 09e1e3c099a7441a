/** The facts of one file as one evaluator sees them: what can be looked up, and what it has found. */
import type { Definition, Export, Expression, Facts } from '../model/facts.ts'
import type { Ancestor } from './conversions.ts'
import type { Linking, Place } from './linking.ts'
import type { Member } from './members.ts'
import { Paged } from './paged.ts'
import type { Shape } from './shapes.ts'
import { type Tables, tablesOf } from './tables.ts'
import type { Values } from './value.ts'

export class View {
  readonly path: string
  readonly facts: Facts
  readonly linking: Linking
  readonly tables: Tables
  /** What members were given to a definition from outside of it; filled in by the evaluator. */
  granted: Map<number, Map<string, readonly number[]>> | undefined
  /** The variables that members are assigned to by name; filled in on first use. */
  grown: ReadonlySet<number> | undefined
  /** What the evaluator has found out, by the numbers of expressions and definitions. */
  readonly values = new Paged<Values>()
  readonly types = new Paged<Values>()
  readonly held = new Paged<Values>()
  readonly meanings = new Paged<readonly Place[]>()
  readonly origins = new Paged<readonly Place[]>()
  readonly members = new Map<string, Map<number, readonly Member[]>>()
  readonly exported = new Map<string, readonly Place[]>()
  readonly beyond = new Map<string, readonly Place[]>()
  readonly modules = new Map<string, readonly string[]>()
  /** What is null is known to be unknown. */
  readonly shapes = new Paged<Shape | null>()
  readonly typeShapes = new Paged<Shape>()
  /** Whether the class of a method inherits another one of its name. */
  readonly inherited = new Paged<boolean>()
  readonly ancestors = new Map<number, readonly Ancestor[]>()
  /** What the evaluator is finding out. */
  readonly openExpressions = new Paged<boolean>()
  readonly openShapes = new Paged<boolean>()
  readonly openDefinitions = new Paged<boolean>()
  readonly openExports = new Set<string>()

  constructor(path: string, facts: Facts, linking: Linking) {
    this.path = path
    this.facts = facts
    this.linking = linking
    this.tables = tablesOf(path, facts)
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
    return this.tables.place(definition)
  }

  /** Definitions of a name in a scope itself, in the order of the text. */
  bindings(scope: number, name: string): readonly number[] {
    const number = this.tables.numberOf(name)
    return number === undefined ? NONE : this.tables.bindings(scope, number)
  }

  /** Of a definition, in the order of the text. */
  typeParameters(definition: number): readonly number[] {
    return this.tables.typeParameters(this.definition(definition).inner)
  }

  callsOf(name: string): readonly number[] {
    return this.tables.callsOf(name)
  }

  /** The call that a reference is the callee of, or 0. */
  callAt(reference: number): number {
    return this.tables.callAt(reference)
  }

  exportsOf(name: string): readonly Export[] {
    return this.tables.exportsOf(name)
  }
}

const NONE: readonly number[] = []
