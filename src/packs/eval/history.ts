/**
 * Which commits of a history can be asked about: those whose message says what was changed, and
 * whose change is small enough to be looked for. What is left out is counted, by the reason.
 */
import { type Git, GitError } from '../../platform/git.ts'
import { preScreen } from '../../sources/classify.ts'
import { isFile } from './commit-tree.ts'
import { messageQuery, wordCount } from './message-query.ts'
import { type RawChange, rawChanges } from './raw-changes.ts'

export const LEAVING_REASONS = [
  'merge',
  'first commit',
  'changes nothing here',
  'over 10 files',
  'version or lock file alone',
  'changes no file that was there',
  'short message',
  'changes no indexed line',
] as const
export type LeavingReason = (typeof LEAVING_REASONS)[number]

export interface PastCommit {
  readonly id: string
  readonly parent: string
  /** The id of the tree that the parent has at the folder. */
  readonly parentTree: string
  readonly subject: string
  readonly query: string
  /** Of files that the parent has, and that an index may hold. */
  readonly changes: readonly RawChange[]
}

export interface HistoryRequest {
  /** The folder, from the top of the repository; empty for all of it. */
  readonly prefix: string
  /** Where to begin: the newest commit. */
  readonly head: string
  /** Only what came after this commit. */
  readonly since: string | undefined
  /** How many are wanted. */
  readonly most: number
}

export interface History {
  /** The newest first. */
  readonly commits: readonly PastCommit[]
  readonly lookedAt: number
  readonly leftOut: ReadonlyMap<LeavingReason, number>
}

/** So many times as many as are wanted are looked at, and no more. */
const PATIENCE = 100
const PAGE = 200

export async function readHistory(git: Git, request: HistoryRequest): Promise<History> {
  const commits: PastCommit[] = []
  const leftOut = new Map<LeavingReason, number>()
  let lookedAt = 0
  for (let skip = 0; skip < request.most * PATIENCE; skip += PAGE) {
    const page = await commitsOf(git, request, skip)
    for (const commit of page) {
      if (commits.length === request.most) return { commits, lookedAt, leftOut }
      lookedAt += 1
      const found = await lookAt(git, commit, request.prefix)
      if (typeof found === 'string') leftOut.set(found, (leftOut.get(found) ?? 0) + 1)
      else commits.push(found)
    }
    if (page.length < PAGE) break
  }
  return { commits, lookedAt, leftOut }
}

interface Commit {
  readonly id: string
  /** As far as they are here: of a shallow clone, the last commit has none. */
  readonly parents: readonly string[]
  readonly message: string
}

async function commitsOf(
  git: Git,
  { head, since }: HistoryRequest,
  skip: number,
): Promise<readonly Commit[]> {
  const range = since === undefined ? [head] : [head, `^${since}`]
  const args = ['rev-list', '--parents', `--max-count=${PAGE}`, `--skip=${skip}`, ...range, '--']
  const lines = (await git.text(args)).split('\n').filter((it) => it !== '')
  const commits = lines.map((line) => line.split(' '))
  const messages: string[] = []
  const ids = commits.map(([id = '']) => id)
  await git.objects(ids, MOST_MESSAGE_BYTES, (at, bytes) => {
    messages[at] = bytes === undefined ? '' : messageIn(bytes)
  })
  return commits.map(([id = '', ...parents], at) => ({ id, parents, message: messages[at] ?? '' }))
}

const MOST_MESSAGE_BYTES = 1024 * 1024

/** A commit is lines about it, an empty line, and the message. */
function messageIn(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  const end = text.indexOf('\n\n')
  return end < 0 ? '' : text.slice(end + 2)
}

const MOST_FILES = 10
const LEAST_WORDS = 3

async function lookAt(
  git: Git,
  { id, parents, message }: Commit,
  prefix: string,
): Promise<PastCommit | LeavingReason> {
  const [parent] = parents
  if (parent === undefined) return 'first commit'
  if (parents.length > 1) return 'merge'
  const query = messageQuery(message)
  if (wordCount(query) < LEAST_WORDS) return 'short message'
  const before = await treeAt(git, parent, prefix)
  const after = await treeAt(git, id, prefix)
  if (before === after || before === undefined) return 'changes nothing here'
  const changes =
    after === undefined ? [] : await rawChanges(git, { before, after, findRenames: true })
  const own = changes.filter(({ path }) => !isBookkeeping(path))
  if (own.length === 0 || VERSION_MESSAGE.test(query)) return 'version or lock file alone'
  if (own.length > MOST_FILES) return 'over 10 files'
  const there = own.filter(isFindable)
  if (there.length === 0) return 'changes no file that was there'
  const [subject = ''] = message.trim().split('\n')
  return { id, parent, parentTree: before, subject, query, changes: there }
}

/** The id of the folder's tree; undefined where the commit has no such folder. */
async function treeAt(git: Git, commit: string, prefix: string): Promise<string | undefined> {
  const place = prefix === '' ? `${commit}^{tree}` : `${commit}:${prefix}`
  try {
    return (await git.text(['rev-parse', '--verify', '--quiet', place])).trim()
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}

/** What changes with every release, whatever it is about. */
const BOOKKEEPING =
  /(?:^|\/)(?:(?:change(?:s|log)|history|news|releases?|version)(?:\.\w+)?|package\.json|(?:cargo|pyproject)\.toml|go\.(?:mod|sum)|[\w-]+\.gemspec|requirements[\w-]*\.txt)$/i

function isBookkeeping(path: string): boolean {
  return BOOKKEEPING.test(path) || preScreen(path, 0) !== undefined
}

/** `v1.2.3`, `release 1.2.3`, `chore(release): 1.2.3`, `Bump version to 1.2.3`. */
const VERSION_MESSAGE =
  /^(?:\w+(?:\([^)]*\))?!?: ?)?(?:(?:release|bump|publish|prepare|update|set|version|to|for|the|new)\s+)*(?:[\w@/.-]+@)?v?\d+(?:\.\d+)+[\w.+-]*\W*$/i

function isFindable({ status, oldMode }: RawChange): boolean {
  return 'MDR'.includes(status) && isFile(oldMode)
}
