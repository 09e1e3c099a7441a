/** The commit that a repository's history begins with, as git tells it. */
import { Git, GitError } from '../../platform/git.ts'
import type { World } from '../../platform/world.ts'

/** Along first parents, so that a history that was merged in later does not count. */
const FIRST = ['rev-list', '--max-parents=0', '--first-parent', 'HEAD']

/** Undefined where there is no git, no commit, or no permission to read. */
export async function readFirstCommit(
  world: World,
  { top }: { readonly top: string },
): Promise<string | undefined> {
  const program = world.tools.find('git', top)
  if (program === undefined) return undefined
  try {
    const found = await new Git({ program, folder: top, signal: world.signal }).text(FIRST)
    return found.trim().split('\n')[0] || undefined
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}
