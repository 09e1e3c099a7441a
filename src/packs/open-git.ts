/** The git repository that a folder lies in, or an error that says why there is none to read. */
import { EngineError } from '../model/engine-error.ts'
import { Git, GitError } from '../platform/git.ts'
import type { World } from '../platform/world.ts'

export interface OpenGit {
  readonly git: Git
  /** The folder, from the top of the repository, without a slash at its end. */
  readonly prefix: string
}

/** `use` says what git is needed for: `the history is read with`. */
export async function openGit(
  world: World,
  { top, use }: { readonly top: string; readonly use: string },
): Promise<OpenGit> {
  const program = world.tools.find('git', top)
  if (program === undefined) {
    throw new EngineError('POC_E_NOT_SUPPORTED', 'git is not installed', {
      hint: `install git, which ${use}`,
    })
  }
  const place = { program, folder: top, signal: world.signal }
  const prefix = await findPrefix(new Git(place), top)
  const settings = await disabledFilters(new Git(place))
  return { git: new Git({ ...place, settings }), prefix }
}

async function findPrefix(git: Git, top: string): Promise<string> {
  try {
    return (await git.text(['rev-parse', '--show-prefix'])).replace(/\/?\n$/, '')
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (/not a git repository/i.test(error.said)) {
      throw new EngineError('POC_E_REQUEST_INVALID', `${top} is not in a git repository`, {
        hint: 'name the folder of a repository with a history',
        cause: error,
      })
    }
    throw new EngineError('POC_E_READ_FAILED', `git cannot read ${top}: ${error.said}`, {
      hint: 'see that `git log` works in that folder',
      cause: error,
    })
  }
}

/** Comparing files with what git keeps would run the programs that settings name as filters. */
async function disabledFilters(git: Git): Promise<readonly (readonly [string, string])[]> {
  const names = await git.records(['config', '--list', '--name-only', '--null'])
  const drivers = names.flatMap((it) => /^filter\.(.+)\.\w+$/s.exec(it)?.[1] ?? [])
  return [...new Set(drivers)].flatMap((driver) => [
    ...['clean', 'smudge', 'process'].map((it) => [`filter.${driver}.${it}`, ''] as const),
    [`filter.${driver}.required`, 'false'] as const,
  ])
}

/** The full id of a commit; undefined where nothing is called so. */
export async function findCommit(git: Git, name: string): Promise<string | undefined> {
  try {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
    return (await git.text(args)).trim()
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}
