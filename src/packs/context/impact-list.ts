/**
 * Every place that refers to what is in focus, known and possible, in as few words as a place can be
 * told in. It asks the index itself: what is to be shown is bounded by a budget, and what is to be
 * counted is not.
 */
import { ascending, descending, inOrder } from '../../base/order.ts'
import type { PathRole } from '../../base/path-roles.ts'
import { folderOf } from '../../base/paths.ts'
import { impactLines } from '../../format/impact-lines.ts'
import { symbolName } from '../../format/pack-explain.ts'
import type { Candidate } from '../../model/candidate.ts'
import type { CodeIndexReader } from '../../model/code-index.ts'
import type { Impact, ImpactList, ImpactPlace } from '../../model/impact.ts'
import type { CountTokens } from '../../model/tokens.ts'
import { findPossibleCallers } from './possible-callers.ts'
import { findReachingPlaces, joinLines, nameAt } from './reaching-places.ts'

/** Which part of the budget the lines may take, and how many there are at most. */
const SHARE = 0.15
const MOST_LINES = 150
/** How many steps back are told. */
const DEEPEST = 3

interface ImpactInput {
  /** Symbols. */
  readonly meant: ReadonlySet<string>
  readonly maxHops: number
  isShown(path: string): boolean
  /** What a file is for. */
  roles(path: string): PathRole
}

/** All of it, however much there is room for. */
export interface FoundImpact {
  readonly of: string
  readonly near: readonly ImpactPlace[]
  readonly far: readonly ImpactPlace[]
  readonly tests: readonly ImpactPlace[]
  readonly possible: readonly ImpactPlace[]
  /** A path for each reference that is possible, those that were not looked at included. */
  readonly possiblePaths: readonly string[]
  readonly isCut: boolean
  readonly isPossibleCut: boolean
}

export async function findImpact(index: CodeIndexReader, input: ImpactInput): Promise<FoundImpact> {
  const { meant, maxHops, isShown, roles } = input
  const deepest = maxHops === 0 ? 1 : DEEPEST
  const reaching = await findReachingPlaces(index, { meant, deepest, isShown, roles })
  const { found, paths, isCut } = await findPossibleCallers(index, meant, { isShown, roles })
  const { places } = reaching
  const known = places.filter((it) => roles(it.path) !== 'test')
  return {
    of: [...meant].map(symbolName).toSorted().slice(0, MOST_NAMED).join(', '),
    near: known.filter((it) => it.depth === 1),
    far: known.filter((it) => it.depth > 1),
    tests: dropMereImports(places.filter((it) => roles(it.path) === 'test')),
    possible: joinLines(
      found.map(({ reference, chunk, line }) => ({
        path: reference.path,
        lines: [line],
        name: nameAt(reference, chunk),
        depth: 1,
        relation: reference.kind === 'inherit' ? 'inherit' : 'call',
      })),
    ),
    possiblePaths: paths,
    isCut: reaching.isCut,
    isPossibleCut: isCut,
  }
}

const MOST_NAMED = 3

/** Tests that only import it are listed where no test does more. */
function dropMereImports(tests: readonly ImpactPlace[]): readonly ImpactPlace[] {
  const using = tests.filter((it) => it.relation !== 'import' && it.relation !== 'export')
  return using.length > 0 ? using : tests
}

interface Room {
  readonly maxTotalTokens: number
  readonly maxTotalChars: number
}

/** As much of it as there is room for; undefined where there is none. */
export function fitImpact(
  found: FoundImpact,
  { maxTotalTokens, maxTotalChars }: Room,
  countTokens: CountTokens,
): Impact | undefined {
  for (let lines = MOST_LINES; lines >= 1; lines = Math.floor(lines * FEWER)) {
    const impact = listImpact(found, lines)
    const text = impactLines(impact).join('\n')
    if (text.length <= SHARE * maxTotalChars && countTokens(text) <= SHARE * maxTotalTokens)
      return impact
  }
  return undefined
}

const FEWER = 0.7
/** Where callers are known, and where none is. */
const FEW_POSSIBLE = 10
const MANY_POSSIBLE = 30

function listImpact(found: FoundImpact, room: number): Impact {
  const { near, far, tests, possible } = found
  const mostPossible = near.length > 0 ? FEW_POSSIBLE : MANY_POSSIBLE
  const shares = shareOut(room, [
    near.length,
    far.length,
    tests.length,
    Math.min(possible.length, mostPossible),
  ])
  const [nearShare = 0, farShare = 0, testShare = 0, possibleShare = 0] = shares
  const listed = [...near.slice(0, nearShare), ...far.slice(0, farShare)]
  const maybe = possible.slice(0, possibleShare)
  return {
    of: found.of,
    callers: makeImpactList([...near, ...far], listed, found.isCut),
    tests: makeImpactList(tests, tests.slice(0, testShare), found.isCut),
    possible: {
      isCut: found.isPossibleCut,
      places: maybe,
      ...countFrom(found.possiblePaths, maybe),
    },
  }
}

/** Without what the list names already. What only mentions it, or is far and no code, is nowhere. */
export function dropListed(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(
    ({ via, section, scores }) =>
      via === undefined ||
      (scores.graphDistance <= 1 && section !== 'tests' && section !== 'related'),
  )
}

/** Each has an eighth before the first has the rest, and what it leaves goes to the next. */
function shareOut(room: number, wanted: readonly number[]): readonly number[] {
  const least = Math.max(1, Math.floor(room / 8))
  const shares = wanted.map((it) => Math.min(it, least))
  let left = room - shares.reduce((sum, it) => sum + it, 0)
  return shares.map((share, at) => {
    const more = Math.max(0, Math.min(left, (wanted[at] ?? 0) - share))
    left -= more
    return share + more
  })
}

function makeImpactList(
  all: readonly ImpactPlace[],
  places: readonly ImpactPlace[],
  isCut: boolean,
): ImpactList {
  const paths = all.flatMap((it) => it.lines.map(() => it.path))
  return { isCut, places, ...countFrom(paths, places) }
}

/** A path for each line. */
function countFrom(paths: readonly string[], listed: readonly ImpactPlace[]) {
  const left = new Map<string, number>()
  for (const path of paths) left.set(path, (left.get(path) ?? 0) + 1)
  for (const { path, lines } of listed) left.set(path, (left.get(path) ?? 0) - lines.length)
  const files = [...left].filter(([, count]) => count > 0)
  return { count: paths.length, more: groupPlaces(files) }
}

/** How many files or folders say where the rest is. */
const MOST_GROUPS = 6

/** By file where these are few, else by folder; the smallest together. */
function groupPlaces(files: readonly (readonly [string, number])[]): ImpactList['more'] {
  const groups = new Map<string, number>()
  for (const [path, count] of files) {
    const key = files.length <= MOST_GROUPS ? path : `${folderOf(path) || '.'}/`
    groups.set(key, (groups.get(key) ?? 0) + count)
  }
  const sorted = [...groups].map(([path, count]) => ({ path, count })).toSorted(GROUP_ORDER)
  const rest = sorted.slice(MOST_GROUPS).reduce((sum, it) => sum + it.count, 0)
  const shown = sorted.slice(0, MOST_GROUPS)
  return rest === 0 ? shown : [...shown, { path: 'elsewhere', count: rest }]
}

const GROUP_ORDER = inOrder<ImpactList['more'][number]>(
  descending((it) => it.count),
  ascending((it) => it.path),
)
