/**
 * What can be looked up in the facts of one file, each table made on first use. A pure function of
 * the facts, so it may stay with them from one file that is resolved to the next.
 */
import { ascending, descending, inOrder } from '../base/order.ts'
import { type Export, type Facts, ROLE } from '../model/facts.ts'
import type { Place } from './linking.ts'
import { Paged } from './paged.ts'

export class Tables {
  readonly path: string
  readonly #facts: Facts
  readonly #places = new Paged<Place>()
  #names: Names | undefined
  #generics: Map<number, number[]> | undefined
  #calls: Map<string, number[]> | undefined
  #fewCalls: readonly number[] | undefined
  #callAt: Int32Array | undefined
  #exports: Map<string, Export[]> | undefined
  #functions: Functions | undefined

  constructor(path: string, facts: Facts) {
    this.path = path
    this.#facts = facts
  }

  /** The same object for the same definition, every time. */
  place(definition: number): Place {
    const known = this.#places.get(definition)
    if (known !== undefined) return known
    const made = { path: this.path, definition }
    this.#places.set(definition, made)
    return made
  }

  /** What a name is known by to `bindings`; none when nothing in the file is called that. */
  numberOf(name: string): number | undefined {
    this.#names ??= namesOf(this.#facts)
    return this.#names.numbers.get(name)
  }

  /** The number of what wildcard imports are called. */
  get wildcard(): number | undefined {
    this.#names ??= namesOf(this.#facts)
    return this.#names.wildcard
  }

  /** Definitions of a name in a scope itself, in the order of the text. */
  bindings(scope: number, name: number): readonly number[] {
    return this.#names?.bindings.get(name + scope) ?? NONE
  }

  /** Of the definition that opens a scope, in the order of the text. */
  typeParameters(scope: number): readonly number[] {
    this.#generics ??= generics(this.#facts)
    return this.#generics.get(scope) ?? NONE
  }

  /** Calls whose callee ends in a name; all of them where the file has few. */
  callsOf(name: string): readonly number[] {
    if (this.#calls === undefined) {
      this.#calls = calls(this.#facts)
      const all = [...this.#calls.values()].flat()
      if (all.length <= FEW_CALLS) this.#fewCalls = all
    }
    return this.#fewCalls ?? this.#calls.get(name) ?? NONE
  }

  /** The call, or the making of an instance, that a reference is the callee of; else 0. */
  callAt(reference: number): number {
    this.#callAt ??= callsByCallee(this.#facts)
    return this.#callAt[reference] ?? 0
  }

  /** The functions around a place in the text, from the inside out. */
  functionsAround(offset: number): readonly number[] {
    this.#functions ??= functions(this.#facts)
    return aroundIn(this.#functions, offset)
  }

  /** In the order of the text. */
  exportsOf(name: string): readonly Export[] {
    this.#exports ??= Map.groupBy(this.#facts.exports, (it) => it.name)
    return this.#exports.get(name) ?? NO_EXPORTS
  }
}

const kept = new WeakMap<Facts, Tables>()

export function tablesOf(path: string, facts: Facts): Tables {
  const known = kept.get(facts)
  if (known?.path === path) return known
  const tables = new Tables(path, facts)
  kept.set(facts, tables)
  return tables
}

const NONE: readonly number[] = []
const NO_EXPORTS: readonly Export[] = []

/** A function may be called by other names than its own; in a small file all calls are looked at. */
const FEW_CALLS = 64

interface Names {
  /** Far enough apart to leave room for all scopes in between. */
  readonly numbers: ReadonlyMap<string, number>
  readonly wildcard: number | undefined
  /** By the sum of a name's number and a scope. */
  readonly bindings: ReadonlyMap<number, readonly number[]>
}

function namesOf({ definitions, scopes }: Facts): Names {
  const numbers = new Map<string, number>()
  const bindings = new Map<number, number[]>()
  for (let at = 0; at < definitions.length; at += 1) {
    const { scope = -1, name = '' } = definitions[at] ?? {}
    if (scope < 0 || name === '') continue
    let number = numbers.get(name)
    if (number === undefined) {
      number = numbers.size * scopes.length
      numbers.set(name, number)
    }
    const known = bindings.get(number + scope)
    if (known === undefined) bindings.set(number + scope, [at])
    else known.push(at)
  }
  return { numbers, bindings, wildcard: numbers.get('*') }
}

function generics({ definitions }: Facts): Map<number, number[]> {
  const parameters = new Map<number, number[]>()
  for (const [at, it] of definitions.entries()) {
    if (it.kind !== 'type-parameter') continue
    const known = parameters.get(it.scope)
    if (known === undefined) parameters.set(it.scope, [at])
    else known.push(at)
  }
  return parameters
}

interface Functions {
  /** In the order of the text, outer ones first. */
  readonly definitions: readonly number[]
  readonly from: readonly number[]
  readonly to: readonly number[]
  /** Places in these lists; -1 for none. */
  readonly parents: readonly number[]
}

function functions({ definitions }: Facts): Functions {
  const found = definitions
    .map(({ kind, from, to }, at) => ({ kind, from, to, at }))
    .filter((it) => FUNCTIONS.has(it.kind))
    .toSorted(FUNCTION_ORDER)
  const parents: number[] = []
  for (const [place, { from }] of found.entries()) {
    let parent = place - 1
    while (parent >= 0 && (found[parent]?.to ?? 0) <= from) parent = parents[parent] ?? -1
    parents.push(parent)
  }
  return {
    definitions: found.map((it) => it.at),
    from: found.map((it) => it.from),
    to: found.map((it) => it.to),
    parents,
  }
}

const FUNCTIONS: ReadonlySet<string> = new Set(['function', 'method', 'constructor'])

const FUNCTION_ORDER = inOrder<{ from: number; to: number; at: number }>(
  ascending((it) => it.from),
  descending((it) => it.to),
  ascending((it) => it.at),
)

function aroundIn({ definitions, from, to, parents }: Functions, offset: number) {
  let low = 0
  let high = from.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((from[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  const found: number[] = []
  for (let place = low - 1; place >= 0; place = parents[place] ?? -1)
    if (offset < (to[place] ?? 0)) found.push(definitions[place] ?? 0)
  return found
}

function calls({ expressions }: Facts): Map<string, number[]> {
  const byCallee = new Map<string, number[]>([['', []]])
  for (const [at, it] of expressions.entries()) {
    if (it.op !== 'call' && it.op !== 'make') continue
    const callee = expressions[it.of]?.name ?? ''
    const known = byCallee.get(callee)
    if (known === undefined) byCallee.set(callee, [at])
    else known.push(at)
  }
  return byCallee
}

function callsByCallee({ expressions }: Facts): Int32Array {
  const found = new Int32Array(expressions.length)
  for (let at = 0; at < expressions.length; at += 1) {
    const it = expressions[at]
    if (it === undefined || !CALLING.has(it.op)) continue
    // Most values of a type are not made where the type is written down.
    if (it.op === 'typed' && (it.role & ROLE.make) === 0) continue
    const callee = expressions[it.of]
    found[callee?.op === 'generic' ? callee.of : it.of] = at
  }
  return found
}

const CALLING: ReadonlySet<string> = new Set(['call', 'make', 'typed'])
