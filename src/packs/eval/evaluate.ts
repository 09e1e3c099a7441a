/**
 * How well packs do on a repository's own history. For each commit: the files as they were before
 * it, their index, a pack with the commit's message as the query, and how much of what the commit
 * then changed is in the pack. The repository itself is only read.
 */

import type { CodeIndexReader } from '../../model/code-index.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { PackRequest } from '../../model/pack-request.ts'
import { SILENT } from '../../model/progress.ts'
import { type Git, GitError } from '../../platform/git.ts'
import { ScratchFolder } from '../../platform/scratch-folder.ts'
import { type World, yieldToEventLoop } from '../../platform/world.ts'
import { openCodeIndex } from '../../store/code/reader.ts'
import { createContextPack } from '../context/context-pack.ts'
import { type PackWish, packRequest } from '../context/pack-request.ts'
import { buildCodeIndex } from '../index/code-index.ts'
import type { RepositoryPlace } from '../index/index-options.ts'
import { CommitTree } from './commit-tree.ts'
import { GOLD_KINDS, type GoldFile, goldOf } from './gold.ts'
import { LEAVING_REASONS, type LeavingReason, type PastCommit, readHistory } from './history.ts'
import { type Answer, answerOf, coveredShare, ranksOf, recallAt, reciprocalRank } from './judge.ts'
import { openHistory } from './open-history.ts'
import { type CommitReport, type Found, type SettingReport, sumUp } from './report.ts'
import { type Fields, type NamedSettings, readSettings } from './settings.ts'
import { shareThreads } from './shared-threads.ts'

export interface EvalRequest extends RepositoryPlace {
  /** How many commits at most. */
  readonly commits: number
  /** In tokens; three usual ones if absent. */
  readonly budgets?: readonly number[] | undefined
  /** Only commits after this one. */
  readonly since?: string | undefined
  /** Named settings; the defaults alone if absent. */
  readonly compare?: readonly string[] | undefined
}

export interface EvalReport {
  /** The newest commit of the history. */
  readonly head: string
  readonly budgets: readonly number[]
  readonly judged: number
  readonly lookedAt: number
  readonly leftOut: readonly { readonly reason: LeavingReason; readonly count: number }[]
  readonly settings: readonly SettingReport[]
  /** The oldest first. */
  readonly commits: readonly CommitReport[]
}

const USUAL_BUDGETS = [2000, 8000, 32_000]

export async function evaluateHistory(world: World, asked: EvalRequest): Promise<EvalReport> {
  const given = readSettings(asked.compare ?? [])
  const settings = given.length > 0 ? given : [{ name: 'default', given: '', fields: {} }]
  const budgets = [...new Set(asked.budgets ?? USUAL_BUDGETS)].toSorted((a, b) => a - b)
  const folder = ScratchFolder.make()
  const threads = shareThreads({ ...world, progress: SILENT, indexFolder: undefined })
  try {
    const repository = await openHistory(world, asked)
    const { name, git, head, since, prefix } = repository
    const history = await readHistory(git, { prefix, head, since, most: asked.commits })
    const tree = new CommitTree(git, folder, { now: () => world.clock.now() })
    const replay = { name, git, tree, settings, budgets, quiet: threads.world }
    const commits = await judgeAll(world, replay, history.commits.toReversed())
    if (commits.length === 0) throw nothingToJudge(history.lookedAt, repository.isShallow)
    if (repository.isShallow)
      world.notice('this is a shallow clone: only its commits were looked at')
    const unindexed = history.commits.length - commits.length
    const leftOut = new Map(history.leftOut).set('changes no indexed line', unindexed)
    return {
      head,
      budgets,
      judged: commits.length,
      lookedAt: history.lookedAt,
      leftOut: LEAVING_REASONS.map((reason) => ({
        reason,
        count: leftOut.get(reason) ?? 0,
      })).filter((it) => it.count > 0),
      settings: sumUp(commits, { settings, budgets }),
      commits,
    }
  } catch (error) {
    // What breaks off once nobody wants the answer is cancelled, whatever it broke off with.
    if (world.signal.aborted) await yieldToEventLoop(world)
    throw error instanceof GitError ? unreadable(error) : error
  } finally {
    await threads.close()
    folder.remove()
  }
}

interface Replay {
  /** The world for single commits, whose progress is nobody's business. */
  readonly quiet: World
  /** Of the repository. */
  readonly name: string
  readonly git: Git
  readonly tree: CommitTree
  readonly settings: readonly NamedSettings[]
  readonly budgets: readonly number[]
}

async function judgeAll(
  world: World,
  replay: Replay,
  commits: readonly PastCommit[],
): Promise<readonly CommitReport[]> {
  const reports: CommitReport[] = []
  world.progress.begin('replaying', commits.length)
  for (const commit of commits) {
    await yieldToEventLoop(world)
    const report = await judgeCommit(replay, commit)
    if (report !== undefined) reports.push(report)
    world.progress.advance(1)
  }
  world.progress.end()
  return reports
}

async function judgeCommit(
  { quiet, name, git, tree, settings, budgets }: Replay,
  commit: PastCommit,
): Promise<CommitReport | undefined> {
  await tree.switchTo(commit.parentTree)
  const built = await buildCodeIndex(quiet, { path: tree.folder.path, withoutScip: true })
  const index = openCodeIndex(quiet.files, built.index)
  try {
    const count = await quiet.tokens()
    const gold = await goldOf({ git, index, count }, commit.changes)
    if (gold.length === 0) return undefined
    const identity = {
      repoId: name,
      indexRoot: built.root,
      indexSignature: built.signature,
    }
    const found: (readonly Found[])[] = []
    for (const { fields } of settings) {
      const answers: Answer[] = []
      for (const budget of budgets) {
        const request = packRequest(wishOf(fields, commit.query, budget), identity)
        answers.push(await answerTo(quiet, index, request))
      }
      found.push(foundIn(gold, answers))
    }
    const { id, subject, query } = commit
    const files = gold.map(({ path, kind, lines }) => ({
      path,
      kind,
      tokens: lines.reduce((sum, it) => sum + it.weight, 0),
    }))
    return { commit: id, subject, query, gold: files, found }
  } finally {
    await index.close()
  }
}

/** What does not fit at all into a budget holds nothing. */
async function answerTo(
  world: World,
  index: CodeIndexReader,
  request: PackRequest,
): Promise<Answer> {
  try {
    return answerOf(await createContextPack(world, index, request))
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'POC_E_BUDGET_EXCEEDED') throw error
    const { maxTotalTokens } = request.budgets
    world.notice(`not even an empty pack fits into ${maxTotalTokens} tokens: ${request.query}`)
    return { files: [], shown: new Map() }
  }
}

function wishOf(fields: Fields, query: string, maxTotalTokens: number): PackWish {
  const budgets = { ...(fields['budgets'] as PackWish['budgets']), maxTotalTokens }
  return { ...fields, query, budgets }
}

/** The ranking is that of the largest pack. */
function foundIn(gold: readonly GoldFile[], answers: readonly Answer[]): readonly Found[] {
  const ranked = answers.at(-1)?.files ?? []
  return (['all', ...GOLD_KINDS] as const).flatMap((kind) => {
    const own = gold.filter((it) => kind === 'all' || it.kind === kind)
    if (own.length === 0) return []
    const ranks = ranksOf(
      ranked,
      own.map((it) => it.path),
    )
    const lines = own.flatMap((it) => it.lines)
    return [
      {
        kind,
        recallAt1: recallAt(ranks, 1, own.length),
        recallAt5: recallAt(ranks, 5, own.length),
        recallAt10: recallAt(ranks, 10, own.length),
        reciprocalRank: reciprocalRank(ranks),
        covered: answers.map((answer) => coveredShare(answer, lines)),
      },
    ]
  })
}

function nothingToJudge(lookedAt: number, isShallow: boolean): EngineError {
  const message = `none of ${lookedAt} commits can be judged`
  return isShallow
    ? new EngineError('POC_E_REQUEST_INVALID', `${message}: this is a shallow clone`, {
        hint: 'get the history first: `git fetch --unshallow`',
      })
    : new EngineError('POC_E_REQUEST_INVALID', message, {
        hint: 'wanted are commits that are no merges, say in three words or more what they do, and change at most 10 files, one of which was there before',
      })
}

function unreadable(error: GitError): EngineError {
  return new EngineError('POC_E_READ_FAILED', `the history cannot be read: ${error.said}`, {
    hint: 'see what `git fsck` says; of a partial clone, get the rest with `git fetch --refetch`',
    cause: error,
  })
}
