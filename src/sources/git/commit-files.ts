/** Which files each of the last commits changed, read off git's trees. */
import { type Git, GitError } from '../../platform/git.ts'

export interface CommitFiles {
  /** The newest first; without merges, and without commits of too many files. */
  readonly commits: readonly (readonly string[])[]
  /** How many commits were looked at. */
  readonly lookedAt: number
}

/** So many of the last commits. */
const MOST_COMMITS = 2000
/** What changes more files says nothing of which of them belong together. */
const MOST_FILES = 30
const MOST_BYTES = 64 * 1024 * 1024

const NOTHING: CommitFiles = { commits: [], lookedAt: 0 }

/** Paths are from the folder that git works in; what lies outside of it is left out. */
export async function readCommitFiles(git: Git, from: string): Promise<CommitFiles> {
  if (from === '') return NOTHING
  try {
    const list = ['rev-list', '--no-merges', `--max-count=${MOST_COMMITS}`, from, '--']
    const ids = await git.text(list)
    const args = ['diff-tree', '--stdin', '-r', '-z', '--root', '--name-only', '--no-renames']
    const options = { input: ids, mostBytes: MOST_BYTES }
    const records = await git.records([...args, '--relative', '--ignore-submodules=all'], options)
    return { commits: groupByCommit(records), lookedAt: ids.split('\n').length - 1 }
  } catch (error) {
    // A clone may lack what its history is made of.
    if (error instanceof GitError) return NOTHING
    throw error
  }
}

/** Each commit's id, then the paths that it changed. */
function groupByCommit(records: readonly string[]): readonly (readonly string[])[] {
  const commits: string[][] = []
  for (const record of records) {
    if (COMMIT.test(record)) commits.push([])
    else commits.at(-1)?.push(record)
  }
  return commits.filter((it) => it.length > 0 && it.length <= MOST_FILES)
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
