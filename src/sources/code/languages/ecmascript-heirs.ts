/** What gives objects the members of others: `Object.assign`, `inherits`, a prototype as a whole. */
import type { Builder } from '../builder.ts'

/**
 * ```
 * Object.assign(target, source, …)
 * Object.assign(Target.prototype, source, …)
 * Object.setPrototypeOf(Heir.prototype, Base.prototype)
 * util.inherits(Heir, Base)
 * ```
 * The expressions are those of the arguments.
 */
export function addHeirs(build: Builder, callee: number, args: readonly number[]): void {
  const [heir, ...givers] = args
  if (heir === undefined || givers.length === 0) return
  const name = build.textOf(callee)
  if (name === 'Object.assign' || name === 'Object.setPrototypeOf') give(build, heir, givers)
  else if (INHERITS.test(name)) {
    const bases = givers.slice(0, 1).map((of) => build.express('instance', { of }))
    give(build, build.express('member', { of: heir, name: 'prototype' }), bases)
  }
}

const INHERITS = /^(?:\w+\.)?inherits$/

/** `Heir.prototype = Object.create(Base.prototype)`: `object` is what the prototype is of. */
export function givePrototype(build: Builder, object: number, value: number): void {
  if (value <= 0) return
  give(build, build.express('member', { of: object, name: 'prototype' }), [value])
}

/** Only to what is declared in the file: all that is known of others is in their own. */
function give(build: Builder, heir: number, givers: readonly number[]): void {
  const it = build.expressions[heir]
  const isPrototype = it?.op === 'member' && it.name === 'prototype'
  const named = isPrototype ? build.expressions[it.of] : it
  if (named?.op !== 'name') return
  const known = build.find(named.name)
  if (known < 0) return
  const draft = build.draft(known)
  if (isPrototype ? draft.kind !== 'function' && draft.kind !== 'class' : !OBJECTS.has(draft.kind))
    return
  for (const of of givers) {
    // Of a type, what it gives is the value itself: instances have the members of the prototype.
    if (of > 0) draft.bases.push(build.express('typeof', { of }))
  }
}

const OBJECTS: ReadonlySet<string> = new Set(['variable', 'function', 'class', 'field'])
