/** Which texts say the same things: by runs of words that they share. */
import { ascending, descending, inOrder } from './order.ts'

/** Words in a run: fewer are shared by chance, more miss what was edited a little. */
const RUN = 6
/** One run in so many is looked at, the same ones in every text: enough to tell, and less to keep. */
const KEPT = 4
/** Runs that stand in more texts than this are boilerplate, and say nothing of two. */
const MOST_HOLDERS = 50
const LEAST_RUNS = 4

export interface Overlap {
  /** Numbers of texts; the first has less that the other has not. */
  readonly inner: number
  readonly outer: number
  /** How much of the inner one stands in the outer one: 0 to 1. */
  readonly share: number
}

/**
 * Pairs of texts of which one has at least `least` of the other; the most alike first. Equal texts
 * are pairs at any size, each with the first of them alone; others must have a few runs of words.
 */
export function findOverlaps(texts: readonly string[], least: number): readonly Overlap[] {
  const firsts = new Map<string, number>()
  const equal: Overlap[] = []
  for (const [at, text] of texts.entries()) {
    const outer = firsts.get(text.trimEnd())
    if (outer === undefined) firsts.set(text.trimEnd(), at)
    else equal.push({ inner: at, outer, share: 1 })
  }
  const repeated = new Set(equal.map((it) => it.inner))
  const rest = texts.map((text, at) => (repeated.has(at) ? '' : text))
  return [...equal, ...overlapsByRuns(rest, least)].toSorted(
    inOrder(
      descending((it) => it.share),
      ascending((it) => it.inner),
      ascending((it) => it.outer),
    ),
  )
}

function overlapsByRuns(texts: readonly string[], least: number): readonly Overlap[] {
  const runs = texts.map(findRuns)
  const holders = new Map<number, number[]>()
  for (const [at, own] of runs.entries()) {
    for (const run of own) {
      const known = holders.get(run)
      if (known === undefined) holders.set(run, [at])
      else known.push(at)
    }
  }
  const shared = new Map<number, number>()
  for (const list of holders.values()) {
    if (list.length > MOST_HOLDERS) continue
    for (const [place, first] of list.entries()) {
      for (const second of list.slice(place + 1)) {
        const pair = first * texts.length + second
        shared.set(pair, (shared.get(pair) ?? 0) + 1)
      }
    }
  }
  return [...shared].flatMap(([pair, count]) => {
    const first = Math.floor(pair / texts.length)
    const second = pair % texts.length
    const sizes = [runs[first]?.size ?? 0, runs[second]?.size ?? 0] as const
    const [inner, outer] = sizes[0] <= sizes[1] ? [first, second] : [second, first]
    const share = count / Math.min(...sizes)
    return Math.min(...sizes) >= LEAST_RUNS && share >= least ? [{ inner, outer, share }] : []
  })
}

const WORD = /[\p{L}\p{N}_]+/gu
const PRIME = 16_777_619

function findRuns(text: string): ReadonlySet<number> {
  const words = (text.match(WORD) ?? []).map(hashWord)
  const runs = new Set<number>()
  for (let at = 0; at + RUN <= words.length; at += 1) {
    let hash = 0
    for (let next = at; next < at + RUN; next += 1) {
      hash = Math.imul(hash ^ (words[next] ?? 0), PRIME)
      hash ^= hash >>> 13
    }
    if (hash % KEPT === 0) runs.add(hash)
  }
  return runs
}

function hashWord(word: string): number {
  let hash = 2_166_136_261
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), PRIME)
  return hash
}

export interface SharedLines {
  /** Numbers of lines, from 1. */
  readonly first: number
  readonly second: number
  readonly count: number
}

/** More than this, and only the beginnings are compared. */
const MOST_LINES = 2000

/** The longest run of lines that both texts have, spaces aside; undefined where there is none. */
export function findLongestSharedLines(first: string, second: string): SharedLines | undefined {
  const [a, b] = [first, second].map((text) =>
    text
      .split('\n')
      .slice(0, MOST_LINES)
      .map((line) => line.replace(/\s+/g, ' ').trim()),
  )
  let best: SharedLines | undefined
  let before = new Map<number, number>()
  const places = new Map<string, number[]>()
  for (const [at, line] of (b ?? []).entries()) {
    if (line !== '') places.set(line, [...(places.get(line) ?? []), at])
  }
  for (const [at, line] of (a ?? []).entries()) {
    const now = new Map<number, number>()
    // A blank line goes on with whatever run it is in.
    const candidates =
      line === '' ? [...before.keys()].map((it) => it + 1) : (places.get(line) ?? [])
    for (const place of candidates) {
      if ((b ?? [])[place] !== line) continue
      const count = (before.get(place - 1) ?? 0) + 1
      now.set(place, count)
      if (line !== '' && count > (best?.count ?? 0)) {
        best = { first: at - count + 2, second: place - count + 2, count }
      }
    }
    before = now
  }
  return best
}
