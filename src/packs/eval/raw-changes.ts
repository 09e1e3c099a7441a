/** Which files differ between two trees. */
import type { Git } from '../../platform/git.ts'

export interface RawChange {
  /** In the new tree; of what is gone, in the old one. */
  readonly path: string
  /** In the old tree, where that is another one. */
  readonly oldPath: string
  /** `A`, `D`, `M`, `R`, `T`. */
  readonly status: string
  readonly oldMode: string
  readonly newMode: string
  readonly oldBlob: string
  readonly newBlob: string
}

export interface TreePair {
  readonly before: string
  readonly after: string
  /** Whether a file that moved is one change, and not two. */
  readonly findRenames: boolean
}

export async function rawChanges(
  git: Git,
  { before, after, findRenames }: TreePair,
): Promise<readonly RawChange[]> {
  const how = findRenames ? ['-M', `-l${MOST_RENAMES}`] : ['--no-renames']
  const args = ['diff-tree', '-r', '--raw', '-z', '--no-abbrev', ...how, before, after]
  return parseRaw(await git.records(args))
}

/** Above so many, each with each is not compared. */
const MOST_RENAMES = 400

/** `:100644 100644 <old> <new> M`, then the path; of a rename, both. */
function parseRaw(records: readonly string[]): readonly RawChange[] {
  const changes: RawChange[] = []
  for (let at = 0; at < records.length; ) {
    const [oldMode = '', newMode = '', oldBlob = '', newBlob = '', kind = ''] = (records[at] ?? '')
      .slice(1)
      .split(' ')
    const status = kind.charAt(0)
    const oldPath = records[at + 1] ?? ''
    const path = status === 'R' ? (records[at + 2] ?? '') : oldPath
    changes.push({ path, oldPath, status, oldMode, newMode, oldBlob, newBlob })
    at += status === 'R' ? 3 : 2
  }
  return changes
}
