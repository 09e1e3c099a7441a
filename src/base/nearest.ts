/** The likeliest things that somebody meant. */
import { ascending, descending, inOrder } from './order.ts'

/** From 0 to 1: how many of the letter pairs of two texts are the same, whatever their case. */
export function rateSpelling(a: string, b: string): number {
  return likeness(letterPairs(a), letterPairs(b))
}

/** The candidates most like `wanted`, best first, by shared letter pairs. Unlike ones are left out. */
export function nearest(
  wanted: string,
  candidates: readonly string[],
  limit: number,
): readonly string[] {
  const target = letterPairs(wanted)
  return candidates
    .map((text) => ({ text, likeness: likeness(target, letterPairs(text)) }))
    .filter((it) => it.likeness >= LEAST_LIKENESS)
    .toSorted(
      inOrder(
        descending((it) => it.likeness),
        ascending((it) => it.text),
      ),
    )
    .slice(0, limit)
    .map((it) => it.text)
}

const LEAST_LIKENESS = 0.3

/** Dice's coefficient: 1 for equal sets, 0 for disjoint ones. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const pair of a) if (b.has(pair)) shared += 1
  return (2 * shared) / (a.size + b.size || 1)
}

function letterPairs(text: string): ReadonlySet<string> {
  const padded = ` ${text.toLowerCase()} `
  const pairs = new Set<string>()
  for (let at = 0; at + 2 <= padded.length; at += 1) pairs.add(padded.slice(at, at + 2))
  return pairs
}
