/** The git repository that a folder lies in, or an error that says why there is none to read. */

import { basename } from 'node:path'
import { EngineError } from '../../model/engine-error.ts'
import { Git, GitError } from '../../platform/git.ts'
import type { World } from '../../platform/world.ts'
import { type RepositoryPlace, topOf } from '../index/index-options.ts'

export interface HistoryPlace extends RepositoryPlace {
  readonly since?: string | undefined
}

export interface OpenHistory {
  /** What the folder is called. */
  readonly name: string
  readonly git: Git
  /** Full id of the newest commit. */
  readonly head: string
  readonly since: string | undefined
  /** The folder, from the top of the repository, without a slash at its end. */
  readonly prefix: string
  readonly isShallow: boolean
}

export async function openHistory(
  world: World,
  { path, since }: HistoryPlace,
): Promise<OpenHistory> {
  const top = topOf(world, { path })
  const program = world.tools.find('git', top)
  if (program === undefined) {
    throw new EngineError('POC_E_NOT_SUPPORTED', 'git is not installed', {
      hint: 'install git, which the history is read with',
    })
  }
  const git = new Git({ program, folder: top, signal: world.signal })
  const prefix = await insideOf(git, top)
  return {
    name: basename(top),
    git,
    head: await commitNamed(git, 'HEAD'),
    since: since === undefined ? undefined : await commitNamed(git, since),
    prefix,
    isShallow: (await git.text(['rev-parse', '--is-shallow-repository'])).trim() === 'true',
  }
}

async function insideOf(git: Git, top: string): Promise<string> {
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

async function commitNamed(git: Git, name: string): Promise<string> {
  try {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
    return (await git.text(args)).trim()
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (name === 'HEAD') {
      throw new EngineError('POC_E_REQUEST_INVALID', 'the repository has no commit yet', {
        hint: 'there must be commits to replay',
        cause: error,
      })
    }
    throw new EngineError('POC_E_REQUEST_INVALID', `there is no commit ${name}`, {
      hint: 'name a commit, a branch or a tag',
      cause: error,
    })
  }
}
