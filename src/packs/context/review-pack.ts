/**
 * From a diff to a pack, in the order of the steps: what changed, who refers to it and was not
 * changed, which names are gone, what usually changes with it; then score, choose what fits, say what
 * it is. Same index, same diff and same history, same pack.
 */
import type { CodeIndexReader } from '../../model/code-index.ts'
import type { ContextPack } from '../../model/context-pack.ts'
import type { PackRequest } from '../../model/pack-request.ts'
import type { World } from '../../platform/world.ts'
import { catalogueOf } from '../../retrieve/catalogue.ts'
import { understood } from '../../retrieve/understand.ts'
import { candidateOrder } from '../../score/context-score.ts'
import { readCommitFiles } from '../../sources/git/commit-files.ts'
import { StopWatch } from '../stop-watch.ts'
import { findChangedCode } from './changed-chunks.ts'
import { findCoChanges } from './co-changes.ts'
import { findLanguages } from './context-pack.ts'
import type { RepositoryDiff } from './diff-request.ts'
import { INTENT_PLANS } from './intents.ts'
import { assemblePack } from './pack-assembly.ts'
import { resolvedBudgets } from './pack-request.ts'
import { findRemovedNames, findStaleReferences } from './removed-names.ts'
import { changedCandidates, neighbourCandidates } from './review-candidates.ts'
import { boundChanges, summarizeChanges } from './review-summary.ts'
import { findUnchangedReferrers } from './unchanged-referrers.ts'

export async function createReviewPack(
  world: World,
  index: CodeIndexReader,
  { request, diff }: { readonly request: PackRequest; readonly diff: RepositoryDiff },
): Promise<ContextPack> {
  const watch = new StopWatch(world.clock)
  const limits = resolvedBudgets(request)
  const query = understood(request.query)
  const code = await watch.time('changes', () => findChangedCode(index, diff))
  const { roles } = await catalogueOf(index)
  const known = new Set(code.chunks.map((it) => it.chunk.uid))
  const removed = await watch.time('removed', () => findRemovedNames(diff.files, code.files, roles))
  const stale = await findStaleReferences(index, removed, { known, roles })
  const referrers = await watch.time('walk', () =>
    findUnchangedReferrers(index, request, { code, roles }),
  )
  const together = await watch.time('history', () => findTogether(index, diff))
  const changed = await watch.time('seeds', () =>
    changedCandidates(index, request, { code, roles }),
  )
  const neighbours = neighbourCandidates(referrers, stale, roles)
  const candidates = [...changed, ...neighbours].toSorted(candidateOrder(request.ordering))
  const countTokens = await watch.time('tokenizer', () => world.tokens())
  const summary = summarizeChanges({ diff, code, removed, stale, referrers, together, roles })
  const changes = boundChanges(summary, { countTokens, maxTokens: limits.budgets.maxTotalTokens })
  const languageOf = await findLanguages(index, candidates)
  const isEmpty = diff.files.length === 0
  return watch.time('assembly', async () =>
    assemblePack(
      {
        request,
        ...limits,
        query,
        seeds: [],
        candidates,
        relations: [],
        walked: referrers.walk,
        focus: [],
        confidence: { level: isEmpty ? 'none' : 'high', likelihood: isEmpty ? 0 : 1, unknown: [] },
        changes,
        languageOf,
      },
      {
        countTokens,
        plan: { ...INTENT_PLANS[request.intent], titles: { seeds: 'Changed' } },
        createdAt: new Date(world.clock.recorded(world.clock.now())).toISOString(),
        watch,
      },
    ),
  )
}

/** Files that the history changes together with those of the diff; those that are gone are not told. */
async function findTogether(index: CodeIndexReader, { files, git, identity }: RepositoryDiff) {
  if (git === undefined || files.length === 0) return { found: [], lookedAt: 0 }
  const { commits, lookedAt } = await readCommitFiles(git, identity.base)
  const changed = new Set(files.flatMap((it) => [it.path, ...(it.oldPath ?? [])]))
  const present = new Set((await index.layout()).paths)
  const exists = (path: string): boolean => present.has(path)
  return { found: findCoChanges({ commits, changed, exists }), lookedAt }
}
