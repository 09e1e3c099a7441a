/** What is in one pack and not in another, what moved, what is shown otherwise, and why. */
import type {
  ContextItem,
  ContextPack,
  DetailLevel,
  SectionType,
} from '../../model/context-pack.ts'
import { canonicalPack } from './pack-id.ts'
import { type Difference, differencesOf } from './value-differences.ts'

export interface PackDiff {
  /** Whether their canonical forms are the same. */
  readonly isEqual: boolean
  readonly before: PackSummary
  readonly after: PackSummary
  readonly isOtherIndex: boolean
  /** Fields of the request that differ. */
  readonly request: readonly Difference[]
  readonly entered: readonly DiffItem[]
  readonly left: readonly DiffItem[]
  readonly moved: readonly MovedItem[]
  /** Shown at another level of detail, or with another text. */
  readonly shown: readonly ShownItem[]
}

export interface PackSummary {
  readonly packId: string
  readonly indexSignature: string
  readonly items: number
  readonly tokens: number
}

export interface DiffItem {
  readonly chunkUid: string
  readonly fileRelPath: string
  readonly lines: { readonly start: number; readonly end: number }
  readonly title: string
  readonly section: SectionType
  /** 1 for the first item of the pack. */
  readonly rank: number
  readonly level: DetailLevel
  readonly why: readonly string[]
}

export interface MovedItem extends DiffItem {
  readonly from: { readonly section: SectionType; readonly rank: number }
  readonly scores: readonly Difference[]
}

export interface ShownItem extends DiffItem {
  readonly from: { readonly level: DetailLevel; readonly isSameText: boolean }
  readonly scores: readonly Difference[]
}

export function diffPacks(before: ContextPack, after: ContextPack): PackDiff {
  const old = placedIn(before)
  const now = placedIn(after)
  const pairs = pairsOf(old, now)
  const pairedOld = new Set(pairs.map((it) => it.old))
  const pairedNow = new Set(pairs.map((it) => it.now))
  const stayed = longestRise(pairs.map((it) => it.old.rank))
  return {
    isEqual: canonicalPack(before) === canonicalPack(after),
    before: summaryOf(before),
    after: summaryOf(after),
    isOtherIndex: before.indexSignature !== after.indexSignature,
    request: requestDifferences(before, after),
    entered: now.filter((it) => !pairedNow.has(it)).map((it) => described(it, before, 'before')),
    left: old.filter((it) => !pairedOld.has(it)).map((it) => described(it, after, 'now')),
    moved: pairs.flatMap((pair, at) =>
      stayed.has(at) && pair.old.section === pair.now.section
        ? []
        : [{ ...plain(pair.now), from: placeOf(pair.old), scores: scoresOf(pair) }],
    ),
    shown: pairs.flatMap((pair) => shownOtherwise(pair)),
  }
}

interface Placed {
  readonly item: ContextItem
  readonly section: SectionType
  readonly rank: number
  readonly terms: Readonly<Record<string, number>>
}

function placedIn(pack: ContextPack): readonly Placed[] {
  let rank = 0
  return pack.sections.flatMap(({ type, items }) =>
    items.map((item) => {
      rank += 1
      const { terms: own, seedTerms: found } = pack.explain ?? {}
      const terms = [...(own?.[item.chunkUid] ?? []), ...(found?.[item.chunkUid] ?? [])]
      const named = Object.fromEntries(terms.map(({ name, value }) => [name, value]))
      return { item, section: type, rank, terms: named }
    }),
  )
}

interface Pair {
  readonly old: Placed
  readonly now: Placed
}

/** The same chunk; else, where its text was edited, the only one of the same symbol or title. */
function pairsOf(old: readonly Placed[], now: readonly Placed[]): readonly Pair[] {
  const byUid = new Map(old.map((it) => [it.item.chunkUid, it]))
  const kept = new Set(now.map((it) => it.item.chunkUid))
  const edited = onlyOnes(old.filter((it) => !kept.has(it.item.chunkUid)))
  const rest = onlyOnes(now.filter((it) => !byUid.has(it.item.chunkUid)))
  return now.flatMap((it) => {
    const same = byUid.get(it.item.chunkUid)
    if (same !== undefined) return [{ old: same, now: it }]
    const before = rest.get(nameOf(it.item)) === it ? edited.get(nameOf(it.item)) : undefined
    return before === undefined ? [] : [{ old: before, now: it }]
  })
}

function nameOf({ fileRelPath, symbolId, title }: ContextItem): string {
  return symbolId ?? `${fileRelPath}\n${title}`
}

/** By name, those that share it with nobody. */
function onlyOnes(all: readonly Placed[]): ReadonlyMap<string, Placed> {
  const found = new Map<string, Placed>()
  const shared = new Set<string>()
  for (const it of all) {
    const name = nameOf(it.item)
    if (found.has(name)) shared.add(name)
    found.set(name, it)
  }
  for (const name of shared) found.delete(name)
  return found
}

/**
 * Places of a longest run of rising numbers: what is not in it has moved, and nothing else, however
 * many came in above.
 */
function longestRise(numbers: readonly number[]): ReadonlySet<number> {
  const before: number[] = []
  const ends: number[] = []
  for (const [at, number] of numbers.entries()) {
    let length = ends.findIndex((end) => (numbers[end] ?? 0) >= number)
    if (length === -1) length = ends.length
    before[at] = length === 0 ? -1 : (ends[length - 1] ?? -1)
    ends[length] = at
  }
  const rise = new Set<number>()
  for (let at = ends.at(-1) ?? -1; at !== -1; at = before[at] ?? -1) rise.add(at)
  return rise
}

function described(it: Placed, other: ContextPack, when: 'before' | 'now'): DiffItem {
  const { reasons, rule } = it.item.why
  const why = [`${when}: ${absenceOf(it.item, other)}`, `rule ${rule}`, ...reasons]
  return { ...plain(it), why }
}

/** Why the other pack does not have it, as far as it says so. */
function absenceOf({ chunkUid }: ContextItem, other: ContextPack): string {
  const leftOut = other.explain?.leftOut.find((it) => it.chunkUid === chunkUid)
  if (leftOut !== undefined) return `left out (${leftOut.reason})`
  const seed = other.seeds.findIndex((it) => it.chunkUid === chunkUid)
  return seed === -1 ? 'not found' : `hit ${seed + 1} of the query, and left out`
}

function plain({ item, section, rank }: Placed): DiffItem {
  const { chunkUid, fileRelPath, lines, title, excerpt, why } = item
  const { level } = excerpt
  return { chunkUid, fileRelPath, lines, title, section, rank, level, why: why.reasons }
}

function placeOf({ section, rank }: Placed): MovedItem['from'] {
  return { section, rank }
}

function shownOtherwise(pair: Pair): readonly ShownItem[] {
  const { level, text } = pair.old.item.excerpt
  const isSameText = text === pair.now.item.excerpt.text
  if (isSameText && level === pair.now.item.excerpt.level) return []
  return [{ ...plain(pair.now), from: { level, isSameText }, scores: scoresOf(pair) }]
}

function scoresOf({ old, now }: Pair): readonly Difference[] {
  return [
    ...differencesOf(old.item.scores, now.item.scores),
    ...differencesOf(old.terms, now.terms, 'terms'),
  ]
}

function summaryOf({ packId, indexSignature, sections, stats }: ContextPack): PackSummary {
  const items = sections.reduce((sum, it) => sum + it.items.length, 0)
  return { packId, indexSignature, items, tokens: stats.tokens }
}

/** Where an index lies is no part of a request, and which it is is told apart. */
function requestDifferences(before: ContextPack, after: ContextPack): readonly Difference[] {
  return [...differencesOf(before.request, after.request)].filter(
    ({ place }) => place !== 'indexRoot' && place !== 'indexSignature',
  )
}
