/**
 * Drops the expressions that nothing depends on. While a file is visited, expectations are written
 * down for every argument and annotation, and few of them turn out to matter.
 */
import { type Expression, type Facts, ROLE } from '../../model/facts.ts'
import type { DraftFacts } from './builder.ts'

/** The lists of the draft are written to, and serve no more. */
export function compact(facts: DraftFacts): Facts {
  const { expressions, definitions } = facts
  const numbers = numbersOf(facts)
  const renumber = (at: number): number => (at <= 0 ? 0 : (numbers[at] ?? 0))
  let count = 0
  for (let at = 0; at < expressions.length; at += 1) {
    const it = expressions[at]
    if (it === undefined || (at > 0 && numbers[at] === 0)) continue
    if (it.op !== 'define') it.of = renumber(it.of)
    // Several may share a list.
    if (it.list.length > lead(it)) it.list = renumbered(it, renumber)
    expressions[count] = it
    count += 1
  }
  expressions.length = count
  for (const it of definitions) {
    it.type = renumber(it.type)
    it.value = renumber(it.value)
    if (it.bases.length > 0) it.bases = it.bases.map(renumber)
  }
  return {
    ...facts,
    exports: facts.exports.map((it) => ({ ...it, of: renumber(it.of) })),
    grants: facts.grants.map((it) => ({ ...it, to: renumber(it.to) })),
  }
}

/** How many numbers of a list are no expressions: which parameter is meant. */
function lead(it: Expression): number {
  return it.op === 'parameter' ? 1 : 0
}

function renumbered(it: Expression, renumber: (at: number) => number): readonly number[] {
  return it.list.map((each, at) => (at < lead(it) ? each : renumber(each)))
}

/** By the old number of an expression its new one; 0 for what is dropped. */
function numbersOf(facts: Facts): Int32Array {
  const { expressions } = facts
  const isKept = new Uint8Array(expressions.length)
  const pending: number[] = []
  const keep = (at: number): void => {
    if (at <= 0 || isKept[at] === 1 || expressions[at]?.op === 'text') return
    isKept[at] = 1
    pending.push(at)
  }
  for (let at = 0; at < expressions.length; at += 1) {
    const it = expressions[at]
    if (it !== undefined && isRoot(it)) keep(at)
  }
  for (const it of facts.definitions) {
    keep(it.type)
    keep(it.value)
    for (const base of it.bases) keep(base)
  }
  for (const it of facts.exports) keep(it.of)
  for (const it of facts.grants) keep(it.to)
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const it = expressions[at]
    if (it === undefined) continue
    if (it.op !== 'define') keep(it.of)
    for (let index = lead(it); index < it.list.length; index += 1) keep(it.list[index] ?? 0)
  }
  const numbers = new Int32Array(expressions.length)
  let count = 0
  for (let at = 1; at < isKept.length; at += 1) if (isKept[at] === 1) numbers[at] = count += 1
  return numbers
}

/** References are what it is all for; calls pass values on. */
function isRoot(it: Expression): boolean {
  return (it.role & (ROLE.reference | ROLE.make)) !== 0 || it.op === 'call' || it.op === 'make'
}
