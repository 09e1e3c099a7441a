/** What a diff changes, and what refers to it, as candidates of a pack. */
import type { PathRole } from '../../base/path-roles.ts'
import { counted } from '../../base/text.ts'
import type { Candidate } from '../../model/candidate.ts'
import type { CodeIndexReader } from '../../model/code-index.ts'
import type { PackRequest } from '../../model/pack-request.ts'
import type { FileRoles } from '../../retrieve/file-roles.ts'
import { findSeeds } from '../../retrieve/seeds.ts'
import { understood } from '../../retrieve/understand.ts'
import { neighbourCandidate, seedCandidate } from '../../score/context-score.ts'
import type { ChangedChunk, ChangedCode } from './changed-chunks.ts'
import type { StaleReference } from './removed-names.ts'
import { reviewWorth } from './review-worth.ts'
import type { UnchangedReferrers } from './unchanged-referrers.ts'

/** Of what defines nothing: imports, the comment at the top of a file. */
const UNNAMED_WORTH = 0.4
/** A change of what was there can break those who use it; what is new cannot. */
const NEW_WORTH = 0.8
/** Of the score, where words were given: they only order what changed. */
const QUERY_SHARE = 0.5
const MOST_HITS = 300

interface ChangedScope {
  readonly code: ChangedCode
  readonly roles: FileRoles
}

export async function changedCandidates(
  index: CodeIndexReader,
  request: PackRequest,
  { code: { chunks }, roles }: ChangedScope,
): Promise<readonly Candidate[]> {
  const hits = await scoreByQuery(index, request)
  return chunks.map((changed) => {
    const { chunk, changes } = changed
    const role = reviewWorth(roles(chunk.path)) * worthOf(changed)
    const score =
      hits === undefined
        ? role
        : (1 - QUERY_SHARE) * role + QUERY_SHARE * (hits.get(chunk.uid) ?? 0)
    const seed = {
      chunk,
      score,
      vector: { changed: score },
      terms: [{ name: 'changed', value: score }],
      reasons: [changeReason(changed)],
    }
    return { ...seedCandidate(seed, 'focus'), changes }
  })
}

function worthOf({ isNew, isNamed }: ChangedChunk): number {
  return (isNew ? NEW_WORTH : 1) * (isNamed ? 1 : UNNAMED_WORTH)
}

async function scoreByQuery(
  index: CodeIndexReader,
  { query, seedMode, seedProvider }: PackRequest,
): Promise<ReadonlyMap<string, number> | undefined> {
  if (query.trim() === '') return undefined
  const provider = seedProvider === 'ann' ? 'hybrid' : seedProvider
  const seeds = await findSeeds(index, {
    query: understood(query),
    mode: seedMode,
    provider,
    limit: MOST_HITS,
  })
  return new Map(seeds.map((it) => [it.chunk.uid, it.score]))
}

/** `changed: 12-14, 20; 3 lines removed`. */
function changeReason({ changes, isNew }: ChangedChunk): string {
  if (isNew) return 'new'
  const { lines, others, isPending } = changes
  const gone = others.reduce((sum, it) => sum + it.count, 0)
  const ranges = lines.map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`))
  return [
    ...(ranges.length === 0
      ? []
      : [`${isPending ? 'to change' : 'changed'}: ${ranges.join(', ')}`]),
    ...(gone === 0 ? [] : [`${counted(gone, 'line')} ${isPending ? 'to add' : 'removed'}`]),
  ].join('; ')
}

/** Those who still name what is gone come first of all: such a reference is likely a fault. */
export function neighbourCandidates(
  { walk }: UnchangedReferrers,
  stale: readonly StaleReference[],
  roles: FileRoles,
): readonly Candidate[] {
  // That a change log once mentioned something says nothing of it as it is now.
  const found = walk.neighbours
    .filter((it) => roles(it.chunk.path) !== 'log')
    .map((it) => neighbourCandidate(it, roles(it.chunk.path)))
  const known = new Set(found.map((it) => it.chunk.uid))
  const others = [...Map.groupBy(stale, (it) => it.chunk.uid).values()].flatMap((group) => {
    const [first] = group
    return first === undefined || known.has(first.chunk.uid)
      ? []
      : [staleCandidate(first, group, roles(first.chunk.path))]
  })
  return [...others, ...found]
}

function staleCandidate(
  first: StaleReference,
  group: readonly StaleReference[],
  role: PathRole,
): Candidate {
  const { chunk } = first
  const names = [...new Set(group.map((it) => it.removed.name))]
  const sites = [...new Set(group.map((it) => it.line))].toSorted((a, b) => a - b)
  const neighbour = { chunk, symbol: chunk.symbol, start: 0, via: '', steps: [] }
  const found = neighbourCandidate(neighbour, role)
  const section = role === 'test' ? 'tests' : role === 'docs' || role === 'log' ? 'docs' : 'usages'
  return {
    ...found,
    section,
    pool: section,
    rule: 'related',
    reasons: [`names \`${names.join('`, `')}\`, no longer defined (line ${sites.join(', ')})`],
    sites,
  }
}
