/**
 * What other files can learn from a file, as a hash that stays the same when only the inside of
 * bodies changes. Everything counts in the order in which it is reached from what can be named from
 * outside, and without positions; what is never reached does not count.
 */
import { type Expression, type Facts, ROLE, TRAIT } from '../../model/facts.ts'

/** `ids` are the symbols by which other files refer to the definitions. */
export function surfaceOf(facts: Facts, ids: readonly (string | undefined)[]): string {
  const out = new Surface(facts, ids)
  out.write(facts.language)
  out.write(facts.settings)
  for (const { name, of } of facts.exports) {
    out.write('export')
    out.write(name)
    out.expression(of)
  }
  for (const { name, definition } of facts.provides) {
    out.write('provides')
    out.write(name)
    out.definition(definition)
  }
  for (const { to, definition } of facts.grants) {
    out.write('grant')
    out.expression(to)
    out.definition(definition)
  }
  for (let at = 0; at < facts.definitions.length; at += 1) {
    if (((facts.definitions[at]?.traits ?? 0) & TRAIT.local) === 0) out.definition(at)
  }
  out.finish()
  return out.hash()
}

class Surface {
  readonly #facts: Facts
  readonly #ids: readonly (string | undefined)[]
  /** Two hashes of 32 bits that know nothing of each other. */
  #first = 0x811c9dc5
  #second = 0x9747b28c
  /** By definition and by expression the order of its first mention, counted from 1. */
  readonly #definitions: Int32Array
  readonly #expressions: Int32Array
  #expressionCount = 0
  readonly #queue: number[] = []
  readonly #scopes: Map<string, number[]>[] = []

  constructor(facts: Facts, ids: readonly (string | undefined)[]) {
    this.#facts = facts
    this.#ids = ids
    this.#definitions = new Int32Array(facts.definitions.length)
    this.#expressions = new Int32Array(facts.expressions.length)
    for (let at = 0; at < facts.definitions.length; at += 1) {
      const { scope, name } = facts.definitions[at] ?? NOWHERE
      if (scope < 0 || name === '') continue
      this.#scopes[scope] ??= new Map()
      const names = this.#scopes[scope]
      const known = names.get(name)
      if (known === undefined) names.set(name, [at])
      else known.push(at)
    }
  }

  write(word: string): void {
    let first = this.#first
    let second = this.#second
    for (let at = 0; at <= word.length; at += 1) {
      const value = at < word.length ? word.charCodeAt(at) : END
      first = Math.imul(first ^ value, FIRST_FACTOR)
      second = Math.imul(second ^ value, SECOND_FACTOR)
      second ^= second >>> 15
    }
    this.#first = first
    this.#second = second
  }

  /** Named by the order of its first mention; written out later. */
  definition(at: number): void {
    let number = this.#definitions[at] ?? 0
    if (number === 0) {
      this.#queue.push(at)
      number = this.#queue.length
      this.#definitions[at] = number
    }
    this.#mix(DEFINITION)
    this.#mix(number - 1)
  }

  expression(at: number): void {
    const known = this.#expressions[at] ?? 0
    if (known > 0) {
      this.#mix(EXPRESSION)
      this.#mix(known - 1)
      return
    }
    const it = this.#facts.expressions[at]
    if (at <= 0 || it === undefined) {
      this.write('?')
      return
    }
    this.#expressionCount += 1
    this.#expressions[at] = this.#expressionCount
    this.write(it.op)
    this.write(it.name)
    this.#mix(it.role & ROLE.type)
    if (it.op === 'define') this.definition(it.of)
    else if (it.of > 0) this.expression(it.of)
    const isParameter = it.op === 'parameter'
    if (isParameter) this.#mix(it.list[0] ?? 0)
    for (const each of isParameter ? it.list.slice(1) : it.list) this.expression(each)
    if (it.op === 'name') this.#seen(it)
    if (it.op === 'self' || it.op === 'super') this.#around(it.scope)
    this.write(')')
  }

  /** What a name can mean in the file: all its declarations around, and wildcard imports on the way. */
  #seen(it: Expression): void {
    for (let scope = it.scope; scope >= 0; scope = this.#facts.scopes[scope]?.parent ?? -1) {
      const names = this.#scopes[scope]
      if (names !== undefined) {
        for (const at of names.get(it.name) ?? NONE) this.definition(at)
        for (const at of names.get('*') ?? NONE) this.definition(at)
      }
      const { kind, owner } = this.#facts.scopes[scope] ?? { kind: '', owner: 0 }
      this.write(kind)
      if (kind === 'class') this.definition(owner)
    }
  }

  #around(from: number): void {
    for (let scope = from; scope > 0; scope = this.#facts.scopes[scope]?.parent ?? -1) {
      const { kind, owner } = this.#facts.scopes[scope] ?? { kind: 'block', owner: 0 }
      this.write(kind)
      if (kind !== 'block') this.definition(owner)
    }
  }

  /** Writes out all that was mentioned, and what that mentions, to the end. */
  finish(): void {
    // More is added while it is gone through.
    for (const next of this.#queue) {
      const it = this.#facts.definitions[next]
      if (it === undefined) continue
      this.write('def')
      this.write(it.name)
      this.write(it.kind)
      this.write(it.scope < 0 ? '' : (this.#facts.scopes[it.scope]?.kind ?? ''))
      // What lives in a function is numbered among equals that nobody else can see.
      if ((it.traits & TRAIT.local) !== 0) this.write(this.#ids[next] ?? '')
      this.#mix(it.traits)
      if (it.owner >= 0) this.definition(it.owner)
      this.expression(it.type)
      this.expression(it.value)
      for (const at of it.parameters) this.definition(at)
      this.write(';')
      for (const at of it.bases) this.expression(at)
      this.write(it.inner < 0 ? '-' : '+')
    }
  }

  #mix(value: number): void {
    this.#first = Math.imul(this.#first ^ value, FIRST_FACTOR)
    this.#second = Math.imul(this.#second ^ value, SECOND_FACTOR)
    this.#second ^= this.#second >>> 15
  }

  hash(): string {
    return inHex(this.#first) + inHex(this.#second)
  }
}

const NONE: readonly number[] = []
const NOWHERE = { scope: -1, name: '' }
const FIRST_FACTOR = 0x01000193
const SECOND_FACTOR = 0x5bd1e995
/** Beyond every character, so that no two lists of words come to the same. */
const END = 0x1_0000
const DEFINITION = 0x1_0001
const EXPRESSION = 0x1_0002

function inHex(it: number): string {
  return (it >>> 0).toString(16).padStart(8, '0')
}
