/** What each definition is part of, by the text of its file alone. */
import type { Facts } from '../../model/facts.ts'

/**
 * The owner of each definition; -1 for the file. A member that is given from outside
 * (`Router.prototype.add = …`) is owned by what receives it, where that stands in the same file.
 */
export function owners(facts: Facts): readonly number[] {
  const found = facts.definitions.map((it) => it.owner)
  if (facts.grants.length === 0) return found
  const top = new Map<string, number>()
  for (const [at, it] of facts.definitions.entries()) {
    if (it.owner === 0 && it.name !== '' && !top.has(it.name)) top.set(it.name, at)
  }
  for (const { to, definition } of facts.grants) {
    const receiver = top.get(receiverName(facts, to)) ?? -1
    if (receiver > 0 && receiver !== definition && !isInside(found, receiver, definition)) {
      found[definition] = receiver
    }
  }
  return found
}

/** `Router` of `Router` and of `Router.prototype`; else empty. */
function receiverName(facts: Facts, expression: number): string {
  const it = facts.expressions[expression]
  if (it?.op === 'name') return it.name
  if (it?.op !== 'member' || it.name !== 'prototype') return ''
  const of = facts.expressions[it.of]
  return of?.op === 'name' ? of.name : ''
}

function isInside(found: readonly number[], inner: number, outer: number): boolean {
  for (let at = inner, left = found.length; at > 0 && left > 0; at = found[at] ?? -1, left -= 1) {
    if (at === outer) return true
  }
  return false
}
